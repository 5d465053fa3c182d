//===-- BatchFunction.cpp - A function over all rows of a batch ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Signature.h"
#include "dialects/NN/IR/Names.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/Ragged/Batching/Batcher.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "dialects/Train/IR/Train.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;

namespace {
/// Converts one function.
class FunctionBatcher {
public:
  FunctionBatcher(func::FuncOp function, RowSpaces &spaces, bool isLoss)
      : function(function), spaces(spaces), isLoss(isLoss),
        signature(function, spaces),
        batcher(OpBuilder(function.getContext()), spaces) {}

  LogicalResult run();

private:
  bool isPerCall(BlockArgument input) {
    return nn::isPerCall(function, input.getArgNumber());
  }
  void addArguments();
  Value makeCount();
  Value makeKeys();
  LogicalResult batchReturn();

  func::FuncOp function;
  RowSpaces &spaces;
  bool isLoss;
  Signature signature;
  Batcher batcher;
  BatchContext context;
  Region body;
  /// The first input with a row per example, if there is one.
  Value perRow;
  SmallVector<Value> results;
};
} // namespace

/// The arguments of the batched function: partitions, forests, inputs.
void FunctionBatcher::addArguments() {
  Block &entry = body.emplaceBlock();
  Type rows = ragged::RowsType::get(function.getContext());
  Type forest = ragged::ForestType::get(function.getContext());
  for (const SpaceInfo &space : signature.getSpaces())
    context.partitions[space.id] = entry.addArgument(rows, space.loc);
  for (const ForestInfo &info : signature.getForests())
    batcher.set(info.tree, entry.addArgument(forest, info.tree.getLoc()));
  SmallVector<Value> inputs;
  for (BlockArgument input : signature.getInputs()) {
    Type type = input.getType();
    inputs.push_back(entry.addArgument(
        isPerCall(input) ? type : Batcher::batchedType(type), input.getLoc()));
    if (!perRow && !isPerCall(input))
      perRow = inputs.back();
  }
  batcher.getBuilder().setInsertionPointToEnd(&entry);
  for (auto [input, batched] : llvm::zip_equal(signature.getInputs(), inputs))
    batcher.set(input, batched, /*isUnit=*/isPerCall(input));
}

/// The number of examples, at the start of the function.
Value FunctionBatcher::makeCount() {
  OpBuilder &builder = batcher.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&body.front());
  Location loc = function.getLoc();
  if (!signature.getSpaces().empty())
    return ragged::NumSegmentsOp::create(builder, loc, body.getArgument(0));
  return tensor::DimOp::create(builder, loc, perRow ? perRow : makeKeys(), 0);
}

Value FunctionBatcher::makeKeys() {
  OpBuilder &builder = batcher.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&body.front());
  return ragged::ExampleKeysOp::create(
      builder, function.getLoc(),
      RankedTensorType::get({ShapedType::kDynamic}, builder.getI64Type()));
}

/// The host gives memory for results: it must know how many rows they have.
static LogicalResult failUnknownRows(Operation *op, Value value) {
  // [NN-APPEND-C4]
  InFlightDiagnostic diag = op->emitOpError(
      "expected the rows of a result to be those of an argument");
  diag.attachNote(value.getLoc()) << "rows of another kind are made here";
  return diag;
}

LogicalResult FunctionBatcher::batchReturn() {
  Operation *op = function.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(op->getOperands())) {
    if (!isa<RankedTensorType>(value.getType()))
      return op->emitOpError()
             << "expected results to be tensors, but got " << value.getType();
    if (hasInnerRows(value.getType()))
      // [NN-EACH-C13]
      return op->emitOpError()
             << "expected results whose rows have no rows, but got "
             << value.getType();
    if (hasRows(value.getType()) && failed(batcher.getPartition(op, value)))
      return failure();
    bool isUnit = batcher.isUnit(value) && !(isLoss && i == 0);
    results.push_back(isUnit ? batcher.get(value) : batcher.getRows(value));
    int64_t space = isUnit ? rt::kPerCall : rt::kPerExample;
    if (hasRows(value.getType())) {
      space = signature.indexOf(spaces.spaceOf(value));
      if (space < 0)
        return failUnknownRows(op, value);
    }
    signature.addResult(space);
  }
  func::ReturnOp::create(batcher.getBuilder(), op->getLoc(), results);
  return success();
}

LogicalResult FunctionBatcher::run() {
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("cannot be batched: expected a single block");
  if (failed(signature.check()))
    return failure();
  function.walk([&](train::GradientOp gradient) {
    for (Value value : gradient.getWrt())
      batcher.watch(value);
  });
  batcher.setCheckedIds(signature.takeCheckedIds());
  context.makeCount = [this] { return makeCount(); };
  context.makeKeys = [this] { return makeKeys(); };
  Batcher::ContextScope scope(batcher, context);
  addArguments();
  if (failed(batcher.batchBlock(function.getBody().front())))
    return failure();
  if (failed(batchReturn()))
    return failure();
  SmallVector<Type> types(body.getArgumentTypes());
  function.getBody().takeBody(body);
  signature.apply(FunctionType::get(function.getContext(), types,
                                    ValueRange(results).getTypes()));
  return success();
}

LogicalResult cambium::batchFunction(FunctionOpInterface function,
                                     bool isLoss) {
  auto func = dyn_cast<func::FuncOp>(function.getOperation());
  if (!func)
    return function.emitOpError("cannot be batched: expected a 'func.func'");
  FailureOr<RowSpaces> spaces = RowSpaces::infer(function);
  if (failed(spaces))
    return failure();
  return FunctionBatcher(func, *spaces, isLoss).run();
}
