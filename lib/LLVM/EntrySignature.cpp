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
  std::optional<int64_t> number(unsigned i, StringRef name) {
    if (auto value = entry.getArgAttrOfType<IntegerAttr>(i, name))
      return value.getInt();
    return std::nullopt;
  }
  std::string name(unsigned i, StringRef kind, size_t index) {
    if (auto value = entry.getArgAttrOfType<StringAttr>(i, "ragged.name"))
      return value.str();
    return (kind + Twine(index)).str();
  }

  LogicalResult readArgument(unsigned i) {
    Type type = entry.getArgumentTypes()[i];
    if (isa<ragged::RowsType>(type))
      return readSpace(i);
    if (isa<ragged::ForestType>(type))
      return readForest(i);
    if (auto memref = dyn_cast<MemRefType>(type))
      return readTensor(i, memref);
    return error(i)
           << "expected !ragged.rows, !ragged.forest or a memref, but got "
           << type;
  }

  LogicalResult readSpace(unsigned i) {
    if (!signature.forests.empty() || !signature.inputs.empty() ||
        !signature.outputs.empty())
      return error(i) << "expected the row spaces before all other arguments";
    signature.spaces.push_back(
        {name(i, "space", signature.spaces.size()), false});
    return success();
  }

  LogicalResult readForest(unsigned i) {
    if (!signature.inputs.empty() || !signature.outputs.empty())
      return error(i) << "expected the forests before inputs and outputs";
    EntrySignature::Forest forest;
    forest.name = name(i, "tree", signature.forests.size());
    std::optional<int64_t> space = number(i, "ragged.space");
    if (!space || *space < 0 || *space >= int64_t(signature.spaces.size()))
      return error(i)
             << "expected 'ragged.space' to be the index of one of the "
             << signature.spaces.size() << " row spaces";
    forest.space = *space;
    forest.arity = number(i, "ragged.arity").value_or(-1);
    if (auto flag = entry.getArgAttrOfType<BoolAttr>(i, "ragged.single_root"))
      forest.singleRoot = flag.getValue();
    signature.forests.push_back(forest);
    return success();
  }

  LogicalResult readTensor(unsigned i, MemRefType type) {
    bool isOutput = bool(entry.getArgAttr(i, rt::kOutputAttr));
    EntrySignature::Tensor tensor;
    tensor.type = type;
    if (!isOutput && !signature.outputs.empty())
      return error(i) << "expected the inputs before the outputs";
    tensor.name = isOutput ? name(i, "out", signature.outputs.size())
                           : name(i, "arg", signature.inputs.size());
    tensor.space = number(i, "ragged.space").value_or(rt::kPerExample);
    tensor.edgesOf = number(i, "ragged.edges_of").value_or(-1);
    tensor.limit = number(i, "ragged.limit");
    if (tensor.edgesOf >= int64_t(signature.forests.size()))
      return error(i)
             << "expected 'ragged.edges_of' to be the index of one of the "
             << signature.forests.size() << " forests, but got "
             << tensor.edgesOf;
    int64_t lowest = isOutput ? rt::kPerCall : rt::kPerExample;
    if (tensor.space < lowest ||
        tensor.space >= int64_t(signature.spaces.size()))
      return error(i) << "expected 'ragged.space' in [" << lowest << ", "
                      << signature.spaces.size() << "), but got "
                      << tensor.space;
    if (failed(checkType(i, tensor)))
      return failure();
    (isOutput ? signature.outputs : signature.inputs).push_back(tensor);
    return success();
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
  if (entry.isExternal() || entry.getNumResults() != 0)
    return entry.emitError("expected entry '")
           << entry.getSymName() << "' to have a body and no results";
  return Reader(entry).read();
}
