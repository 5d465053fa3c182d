//===-- Losses.cpp - How losses, ids and dropout are batched -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/Batching/NNBatching.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/Batching/Models.h"
#include "dialects/Ragged/IR/Ragged.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;
using ragged::ReduceKind;

/// The number of classes of rows over the last dimension.
static int64_t classes(Value rows) {
  return cast<RankedTensorType>(rows.getType()).getShape().back();
}

/// The last dimension is the rows': the op is over all rows of an example.
static bool isOverRows(Value value) {
  return hasRows(value.getType()) &&
         cast<RankedTensorType>(value.getType()).getRank() == 1;
}

/// Numbers in rows of one element.
static Value asColumns(Batcher &batcher, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return ReshapeOp::create(
      batcher.getBuilder(), loc,
      type.clone(ArrayRef<int64_t>{ShapedType::kDynamic, 1}), value);
}

namespace {
struct DropoutBatching
    : BatchableOpInterface::ExternalModel<DropoutBatching, DropoutOp> {
  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = cast<DropoutOp>(operation);
    if (op.getKeys())
      return op.emitOpError("expected no keys before batching");
    FailureOr<Value> keys = batcher.getKeysOf(op, op.getInput());
    if (failed(keys))
      return failure();
    Value result = DropoutOp::create(batcher.getBuilder(), op.getLoc(),
                                     batcher.getRows(op.getInput()), *keys,
                                     op.getRateAttr(), op.getIdAttr());
    batcher.set(op.getResult(), result);
    return success();
  }
  bool isRowwise(Operation *op) const {
    return hasRows(op->getResult(0).getType()) && cast<DropoutOp>(op).getKeys();
  }
  bool drawsRandomNumbers(Operation *) const { return true; }
};

struct PickBatching : RowwiseModelBase<PickBatching, PickOp> {
  LogicalResult batchRows(PickOp op, Batcher &batcher) const {
    if (isOverRows(op.getInput()))
      return op.emitOpError(
          "expected an element of a row of static size, but got an element "
          "of rows");
    return RowwiseModelBase::batchRows(op, batcher);
  }
  std::optional<int64_t> getIdBound(Operation *op, unsigned index) const {
    if (index != 1)
      return std::nullopt;
    return classes(op->getOperand(0));
  }
};

struct OneHotBatching : RowwiseModelBase<OneHotBatching, OneHotOp> {};

struct CrossEntropyBatching
    : RowwiseModelBase<CrossEntropyBatching, CrossEntropyOp> {
  LogicalResult batchRows(CrossEntropyOp op, Batcher &batcher) const {
    if (isOverRows(op.getLogits()))
      return op.emitOpError(
          "expected classes of a row of static size, but got classes that "
          "are rows");
    return RowwiseModelBase::batchRows(op, batcher);
  }
  std::optional<int64_t> getIdBound(Operation *op, unsigned index) const {
    bool areIds = getElementTypeOrSelf(op->getOperand(1).getType()).isInteger();
    if (index != 1 || !areIds || cast<CrossEntropyOp>(op).getIgnoreId())
      return std::nullopt;
    return classes(op->getOperand(0));
  }
};

/// Losses of two operands of one type over the last dimension: if it is the
/// rows', the loss of each row is reduced; `scalar` says what is done without a
/// dimension.
template <typename Model, typename OpT, ReduceKind kind>
struct RowLossModel : RowwiseModelBase<Model, OpT> {
  RowsRead getRowsRead(Operation *op, unsigned) const {
    return isOverRows(op->getOperand(0)) ? RowsRead::Mixed : RowsRead::Own;
  }
  LogicalResult batchRows(OpT op, Batcher &batcher) const {
    Value lhs = op->getOperand(0);
    bool isScalar = cast<RankedTensorType>(lhs.getType()).getRank() == 0;
    if (!isScalar && !isOverRows(lhs))
      return RowwiseModelBase<Model, OpT>::batchRows(op, batcher);
    Location loc = op.getLoc();
    Value a = asColumns(batcher, loc, batcher.getRows(lhs));
    Value b = asColumns(batcher, loc, batcher.getRows(op->getOperand(1)));
    Value loss = OpT::create(batcher.getBuilder(), loc, a, b);
    if (!isScalar) {
      FailureOr<Value> rows = batcher.getPartition(op, lhs);
      if (failed(rows))
        return failure();
      loss = ragged::ReduceOp::create(batcher.getBuilder(), loc, kind, loss,
                                      *rows);
    }
    batcher.set(op.getResult(), loss);
    return success();
  }
  bool isRowwise(Operation *op) const {
    return hasRows(op->getResult(0).getType()) &&
           cast<RankedTensorType>(op->getOperand(0).getType()).getRank() > 1;
  }
};

struct KLDivergenceBatching
    : RowLossModel<KLDivergenceBatching, KLDivergenceOp, ReduceKind::Sum> {};
struct MseBatching : RowLossModel<MseBatching, MseOp, ReduceKind::Mean> {};
} // namespace

void nn::attachLossBatching(MLIRContext &context) {
  DropoutOp::attachInterface<DropoutBatching>(context);
  PickOp::attachInterface<PickBatching>(context);
  OneHotOp::attachInterface<OneHotBatching>(context);
  CrossEntropyOp::attachInterface<CrossEntropyBatching>(context);
  KLDivergenceOp::attachInterface<KLDivergenceBatching>(context);
  MseOp::attachInterface<MseBatching>(context);
}
