//===-- VerifyBorder.cpp - What the runtime will accept ------------------===//
//-------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Batching/VerifyBorder.h"
#include "dialects/Depth/IR/Depth.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/Batching/Signature.h"
#include "dialects/Train/IR/Train.h"
#include "dialects/Tree/IR/Tree.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ConvertUTF.h"

#include <limits>

using namespace mlir;
using namespace cambium;

/// As in runtime/core/Manifest.cpp.
static constexpr int64_t kMaxRank = 16;
static constexpr int64_t kMaxElements = int64_t(1) << 58;

/// A name that the runtime can hold: text that ends at a zero, of some length.
static LogicalResult verifyName(Location loc, StringRef what, StringRef name) {
  if (name.empty())
    return emitError(loc) << "expected " << what
                          << " to have a name, but got \"\"";
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(name.data());
  if (name.contains('\0') ||
      !llvm::isLegalUTF8String(&begin, begin + name.size()))
    return emitError(loc) << "expected the name of " << what
                          << " to be UTF-8 without zeros";
  return success();
}

/// The rows of an example are no part of the shape of a row.
static ArrayRef<int64_t> rowOf(RankedTensorType tensor) {
  ArrayRef<int64_t> shape = tensor.getShape();
  bool hasRows = !shape.empty() && ShapedType::isDynamic(shape.front());
  return shape.drop_front(hasRows ? 1 : 0);
}

static LogicalResult verifySize(Location loc, StringRef what,
                                RankedTensorType tensor) {
  int64_t elements = 1;
  for (int64_t size : rowOf(tensor)) {
    if (size > 0 && elements > kMaxElements / size)
      return emitError(loc) << "expected " << what
                            << " to fit into memory, but got " << tensor;
    elements *= std::max<int64_t>(size, 0);
  }
  return success();
}

static LogicalResult verifyType(Location loc, StringRef what, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return success(); // reported where it is batched
  Type element = tensor.getElementType();
  if (!element.isF32() && !element.isF64() && !element.isInteger(32) &&
      !element.isInteger(64))
    return emitError(loc) << "expected " << what
                          << " to be of f32, f64, i32 or i64, but got " << type;
  if (static_cast<int64_t>(rowOf(tensor).size()) > kMaxRank)
    return emitError(loc) << "expected " << what << " to have at most "
                          << kMaxRank << " dimensions, but got " << tensor;
  return verifySize(loc, what, tensor);
}

namespace {
/// Names of one kind, each with where it is first.
class Names {
public:
  explicit Names(StringRef what) : what(what) {}

  LogicalResult add(Location loc, StringRef name) {
    if (failed(verifyName(loc, what, name)))
      return failure();
    auto [found, isNew] = places.try_emplace(name, loc);
    if (isNew)
      return success();
    InFlightDiagnostic diag = emitError(loc)
                              << "expected " << what
                              << " to have a name of its own, but got '" << name
                              << "' twice";
    diag.attachNote(found->second) << "the other one";
    return diag;
  }

private:
  StringRef what;
  llvm::StringMap<Location> places;
};
} // namespace

static LogicalResult verifyFunction(func::FuncOp function) {
  if (failed(
          verifyName(function.getLoc(), "a function", function.getSymName())))
    return failure();
  Names trees("a tree argument"), inputs("an input"), outputs("an output");
  for (BlockArgument arg : function.getArguments()) {
    bool isTree = isa<tree::TreeType>(arg.getType());
    if (failed((isTree ? trees : inputs)
                   .add(arg.getLoc(), nameOf(function, arg))) ||
        failed(verifyType(arg.getLoc(), "an input", arg.getType())))
      return failure();
  }
  Location loc = function.getBody().front().getTerminator()->getLoc();
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    if (failed(outputs.add(loc, nameOfResult(function, i))) ||
        failed(verifyType(loc, "an output", function.getResultTypes()[i])))
      return failure();
  }
  return success();
}

static LogicalResult verifyConstants(func::FuncOp function) {
  WalkResult result = function.walk([](arith::ConstantOp op) {
    auto tensor = dyn_cast<RankedTensorType>(op.getType());
    return tensor && failed(verifySize(op.getLoc(), "a constant", tensor))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult verifyParameter(nn::ParamOp param) {
  StringRef name = *param.getSymName();
  if (failed(verifyName(param.getLoc(), "a parameter", name)) ||
      failed(verifyName(param.getLoc(), "a group",
                        param.getGroup().value_or("default"))) ||
      failed(verifyType(param.getLoc(), "a parameter", param.getType())))
    return failure();
  int64_t rows = param.getType().getRank() ? param.getType().getDimSize(0) : 1;
  if (param.getRowSparse() &&
      (rows < 1 || rows > std::numeric_limits<int32_t>::max()))
    return emitError(param.getLoc())
           << "expected a parameter with 'row_sparse' to have 1 to 2147483647 "
              "rows, as many as ids can name, but got "
           << param.getType();
  // Names are keys of checkpoints, in which '#' marks states of an optimizer.
  if (name.contains('#') || name == "__metadata__")
    return emitError(param.getLoc())
           << "expected a name that is free in checkpoints (without '#', and "
              "not '__metadata__'), but got '"
           << name << "'";
  return success();
}

/// The verifier of a step takes a loss of batches, too.
static LogicalResult verifyStep(train::StepOp step) {
  auto loss = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      step, step.getLossAttr());
  auto type = cast<RankedTensorType>(loss.getResultTypes().front());
  if (type.getRank() == 0)
    return success();
  // [TRAIN-STEP-C5]
  InFlightDiagnostic diag =
      step.emitOpError()
      << "expected a function whose first result is a scalar loss, but got "
      << loss.getFunctionType();
  diag.attachNote(loss.getLoc()) << "the function is defined here";
  return diag;
}

LogicalResult cambium::verifyBorder(ModuleOp module) {
  for (NamedAttribute attr : module->getDiscardableAttrs())
    if (attr.getName().getValue().starts_with("llvm."))
      return module.emitError(
                 "expected a model without attributes of LLVM, but got '")
             << attr.getName().getValue() << "'";
  for (Operation &op : *module.getBody()) {
    Dialect *dialect = op.getDialect();
    if (!isa_and_nonnull<func::FuncDialect, nn::NNDialect, train::TrainDialect,
                         depth::DepthDialect, tree::TreeDialect>(dialect))
      return op.emitOpError("expected functions, parameters and training steps "
                            "in a model, but got this");
    if (auto param = dyn_cast<nn::ParamOp>(op))
      if (failed(verifyParameter(param)))
        return failure();
    if (auto step = dyn_cast<train::StepOp>(op))
      if (failed(verifyStep(step)))
        return failure();
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      continue;
    bool isEntry = function.isPublic() && !function.isExternal();
    if ((isEntry && failed(verifyFunction(function))) ||
        failed(verifyConstants(function)))
      return failure();
  }
  return success();
}
