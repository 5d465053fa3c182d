//===-- Losses.cpp - How losses and ids are batched ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/NameWithPlace.h"
#include "dialects/NN/Batching/NNBatching.h"
#include "dialects/NN/IR/ConstantLike.h"
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

/// The element of the rows of each example that an id counts; the call fails
/// where no row has it, but for the id `ignored`, which gives 0.
static FailureOr<Value> pickRow(Operation *op, Value rows, Value batched,
                                Value ids, IntegerAttr ignored,
                                Batcher &batcher) {
  FailureOr<Value> partition = batcher.getPartition(op, rows);
  if (failed(partition))
    return failure();
  OpBuilder &builder = batcher.getBuilder();
  // [NN-PICK-C2]
  Value numbers = ragged::RowNumbersOp::create(
      builder, op->getLoc(), batcher.getRows(ids), *partition, Value(),
      builder.getStringAttr(nameWithPlace(op) +
                            " expected the number of a row of its example"),
      ignored);
  return Value(ragged::GatherOp::create(builder, op->getLoc(), batched, numbers,
                                        /*or_zero=*/true));
}

namespace {
/// Rows may be what is picked from.
template <typename Model, typename OpT>
struct RowClassesModel : RowwiseModelBase<Model, OpT> {
  LogicalResult batchRows(OpT op, Batcher &batcher) const {
    if (!isOverRows(op->getOperand(0)))
      return RowwiseModelBase<Model, OpT>::batchRows(op, batcher);
    FailureOr<Value> result =
        static_cast<const Model *>(this)->batchOverRows(op, batcher);
    if (succeeded(result))
      batcher.set(op.getResult(), *result);
    return result;
  }
  RowsRead getRowsRead(Operation *op, unsigned) const {
    return isOverRows(op->getOperand(0)) ? RowsRead::Mixed : RowsRead::Own;
  }
  bool isRowwise(Operation *op) const {
    return RowwiseModelBase<Model, OpT>::isRowwise(op) &&
           !isOverRows(op->getOperand(0));
  }
};

struct PickBatching : RowClassesModel<PickBatching, PickOp> {
  FailureOr<Value> batchOverRows(PickOp op, Batcher &batcher) const {
    return pickRow(op, op.getInput(), batcher.get(op.getInput()), op.getIds(),
                   IntegerAttr(), batcher);
  }
  std::optional<int64_t> getIdBound(Operation *op, unsigned index) const {
    if (index != 1 || isOverRows(op->getOperand(0)))
      return std::nullopt;
    return classes(op->getOperand(0));
  }
};

struct OneHotBatching : RowwiseModelBase<OneHotBatching, OneHotOp> {};

struct CrossEntropyBatching
    : RowClassesModel<CrossEntropyBatching, CrossEntropyOp> {
  /// The logarithm of the sum less what the class has.
  FailureOr<Value> batchOverRows(CrossEntropyOp op, Batcher &batcher) const {
    Value logits = op.getLogits();
    FailureOr<Value> rows = batcher.getPartition(op, logits);
    if (failed(rows))
      return failure();
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    Value x = batcher.get(logits);
    Value sum =
        ragged::ReduceOp::create(builder, loc, ReduceKind::LogSumExp, x, *rows);
    if (op.getTarget().getType() == logits.getType()) {
      Value each = arith::SubFOp::create(
          builder, loc, ragged::ExpandOp::create(builder, loc, sum, *rows), x);
      Value product = arith::MulFOp::create(builder, loc,
                                            batcher.get(op.getTarget()), each);
      return Value(ragged::ReduceOp::create(builder, loc, ReduceKind::Sum,
                                            product, *rows));
    }
    FailureOr<Value> chosen =
        pickRow(op, logits, x, op.getTarget(), op.getIgnoreIdAttr(), batcher);
    if (failed(chosen))
      return failure();
    Value loss = arith::SubFOp::create(builder, loc, sum, *chosen);
    if (!op.getIgnoreId())
      return loss;
    Value target = batcher.getRows(op.getTarget());
    Value ignored = constantLike(
        builder, loc, target,
        static_cast<double>(static_cast<int64_t>(*op.getIgnoreId())));
    Value isIgnored = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, target, ignored);
    Value zero = constantLike(builder, loc, loss, 0.0);
    return Value(arith::SelectOp::create(builder, loc, isIgnored, zero, loss));
  }
  std::optional<int64_t> getIdBound(Operation *op, unsigned index) const {
    bool areIds = getElementTypeOrSelf(op->getOperand(1).getType()).isInteger();
    if (index != 1 || !areIds || cast<CrossEntropyOp>(op).getIgnoreId() ||
        isOverRows(op->getOperand(0)))
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
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    Value a = asColumns(builder, loc, batcher.getRows(lhs));
    Value b = asColumns(builder, loc, batcher.getRows(op->getOperand(1)));
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
  PickOp::attachInterface<PickBatching>(context);
  OneHotOp::attachInterface<OneHotBatching>(context);
  CrossEntropyOp::attachInterface<CrossEntropyBatching>(context);
  KLDivergenceOp::attachInterface<KLDivergenceBatching>(context);
  MseOp::attachInterface<MseBatching>(context);
}
