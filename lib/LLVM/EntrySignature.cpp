//===-- lib/LLVM/EntrySignature.cpp - The arguments of entries -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/LLVM/EntrySignature.h"
#include "dialects/RT/IR/RT.h"

using namespace mlir;
using namespace cambium;

ArrayRef<int64_t> EntrySignature::Tensor::rowShape() const {
  return space == rt::kPerCall ? type.getShape() : type.getShape().drop_front();
}

namespace {
/// Reads the arguments of one entry, in order.
class Reader {
public:
  Reader(func::FuncOp entry) : entry(entry) {}

  FailureOr<EntrySignature> read() {
    for (unsigned i = 0; i < entry.getNumArguments(); ++i)
      if (failed(readArgument(i)))
        return failure();
    for (const EntrySignature::Forest &forest : signature.forests)
      signature.spaces[forest.space].ofNodes = true;
    return std::move(signature);
  }

private:
  InFlightDiagnostic error(unsigned i) {
    return entry.emitError("argument ")
           << i << " of entry '" << entry.getSymName() << "': ";
  }
  /// The verifier of `rt.as` knows that types and roles agree, and that a role
  /// names spaces and trees that there are.
  LogicalResult readArgument(unsigned i) {
    Type type = entry.getArgumentTypes()[i];
    if (!isa<ragged::RowsType, ragged::ForestType, MemRefType>(type))
      return error(i)
             << "expected !ragged.rows, !ragged.forest or a memref, but got "
             << type;
    Attribute role = rt::getArgumentRole(entry, i);
    if (auto rows = dyn_cast_or_null<rt::RowsAttr>(role))
      return readSpace(i, rows);
    if (auto forest = dyn_cast_or_null<rt::ForestAttr>(role))
      return readForest(i, forest);
    if (auto input = dyn_cast_or_null<rt::InputAttr>(role))
      return readInput(i, input);
    if (auto output = dyn_cast_or_null<rt::OutputAttr>(role))
      return readOutput(i, output);
    return error(i) << "expected it to say by 'rt.as' what it is";
  }

  LogicalResult readSpace(unsigned i, rt::RowsAttr role) {
    if (!signature.forests.empty() || !signature.inputs.empty() ||
        !signature.outputs.empty())
      return error(i) << "expected the row spaces before all other arguments";
    signature.spaces.push_back({role.getName().str(), false, role.getIn()});
    return success();
  }

  LogicalResult readForest(unsigned i, rt::ForestAttr role) {
    if (!signature.inputs.empty() || !signature.outputs.empty())
      return error(i) << "expected the forests before inputs and outputs";
    signature.forests.push_back({role.getName().str(), role.getSpace(),
                                 role.getArity(), role.getSingleRoot()});
    return success();
  }

  LogicalResult readInput(unsigned i, rt::InputAttr role) {
    if (!signature.outputs.empty())
      return error(i) << "expected the inputs before the outputs";
    EntrySignature::Tensor tensor;
    tensor.name = role.getName().str();
    tensor.type = cast<MemRefType>(entry.getArgumentTypes()[i]);
    tensor.space = role.getSpace();
    tensor.edgesOf = role.getEdgesOf();
    if (role.getLimit() >= 0)
      tensor.limit = role.getLimit();
    signature.inputs.push_back(tensor);
    return checkType(i, tensor);
  }

  LogicalResult readOutput(unsigned i, rt::OutputAttr role) {
    EntrySignature::Tensor tensor;
    tensor.name = role.getName().str();
    tensor.type = cast<MemRefType>(entry.getArgumentTypes()[i]);
    tensor.space = role.getSpace();
    signature.outputs.push_back(tensor);
    return checkType(i, tensor);
  }

  LogicalResult checkType(unsigned i, const EntrySignature::Tensor &tensor) {
    MemRefType type = tensor.type;
    Type element = type.getElementType();
    if (!type.getLayout().isIdentity())
      return error(i) << "expected a memref with identity layout, but got "
                      << type;
    if (!element.isF32() && !element.isF64() && !element.isInteger(32) &&
        !element.isInteger(64))
      return error(i)
             << "expected elements of type f32, f64, i32 or i64, but got "
             << element;
    unsigned dynamic = tensor.space == rt::kPerCall ? 0 : 1;
    if (type.getRank() < dynamic || type.getNumDynamicDims() != dynamic ||
        (dynamic && !type.isDynamicDim(0)))
      return error(i) << "expected "
                      << (dynamic
                              ? "'?' as the first and only dynamic dimension"
                              : "a static shape")
                      << ", but got " << type;
    return success();
  }

  func::FuncOp entry;
  EntrySignature signature;
};
} // namespace

FailureOr<EntrySignature> cambium::readSignature(func::FuncOp entry) {
  // A function that works for an entry gives its result to the host.
  if (entry.isExternal() || (entry.isPublic() && entry.getNumResults() != 0))
    return entry.emitError("expected entry '")
           << entry.getSymName() << "' to have a body and no results";
  return Reader(entry).read();
}
