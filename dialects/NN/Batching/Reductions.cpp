//===-- Reductions.cpp - How ops over a dimension are batched ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Over rows, these ops cross rows and name the partition; over another
// dimension they work row by row.
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/Batching/NNBatching.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/Batching/Models.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;
using ragged::ReduceKind;

namespace {
/// Base of models of ops over one dimension: over rows, `Model` says the
/// batched form in `batchOverRows`, given the partition.
template <typename Model, typename OpT>
struct OverDimModel : BatchingModel<Model, OpT> {
  LogicalResult batchRows(OpT op, Batcher &batcher) const {
    Value input = op->getOperand(0);
    int64_t dim = op.getDim();
    if (hasRows(input.getType()) && dim == 0) {
      FailureOr<Value> rows = batcher.getPartition(op, input);
      if (failed(rows))
        return failure();
      batcher.set(
          op.getResult(),
          static_cast<const Model *>(this)->batchOverRows(op, *rows, batcher));
      return success();
    }
    Operation *clone = batcher.cloneRowwise(op);
    cast<OpT>(clone).setDim(shiftDim(input, dim));
    batcher.set(op.getResult(), clone->getResult(0));
    return success();
  }
  bool isRowwise(Operation *op) const {
    return hasRows(op->getOperand(0).getType()) && cast<OpT>(op).getDim() > 0;
  }
  RowsRead getRowsRead(Operation *op, unsigned) const {
    return cast<OpT>(op).getDim() > 0 ? RowsRead::Own : RowsRead::Mixed;
  }
};

template <typename OpT, ReduceKind kind>
struct ReductionBatching : OverDimModel<ReductionBatching<OpT, kind>, OpT> {
  using Base = OverDimModel<ReductionBatching<OpT, kind>, OpT>;
  static bool isOverRows(OpT op) {
    return hasRows(op.getInput().getType()) && op.getDim() == 0;
  }
  LogicalResult batchRows(OpT op, Batcher &batcher) const {
    if (!isOverRows(op))
      return Base::batchRows(op, batcher);
    FailureOr<AllRows> all = batcher.getAllRows(op, op.getInput());
    if (failed(all))
      return failure();
    batcher.set(op.getResult(),
                ragged::ReduceOp::create(batcher.getBuilder(), op.getLoc(),
                                         kind, all->rows, all->partition));
    return success();
  }
  Value batchOverRows(OpT, Value, Batcher &) const {
    llvm_unreachable("rows are reduced by batchRows");
  }
  RowsRead getRowsRead(Operation *op, unsigned) const {
    return isOverRows(cast<OpT>(op)) ? RowsRead::All : RowsRead::Own;
  }
};

struct MaxGradBatching : OverDimModel<MaxGradBatching, MaxGradOp> {
  Value batchOverRows(MaxGradOp op, Value rows, Batcher &batcher) const {
    return ragged::MaxGradOp::create(batcher.getBuilder(), op.getLoc(),
                                     batcher.get(op.getInput()),
                                     batcher.getRows(op.getDy()), rows);
  }
};

struct SoftmaxBatching : OverDimModel<SoftmaxBatching, SoftmaxOp> {
  Value batchOverRows(SoftmaxOp op, Value rows, Batcher &batcher) const {
    return ragged::SoftmaxOp::create(batcher.getBuilder(), op.getLoc(),
                                     batcher.get(op.getInput()), rows);
  }
};

/// `x - max - log(sum(exp(x - max)))`.
struct LogSoftmaxBatching : OverDimModel<LogSoftmaxBatching, LogSoftmaxOp> {
  Value batchOverRows(LogSoftmaxOp op, Value rows, Batcher &batcher) const {
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    Value x = batcher.get(op.getInput());
    Value max =
        ragged::ReduceOp::create(builder, loc, ReduceKind::Max, x, rows);
    max = ragged::ExpandOp::create(builder, loc, max, rows);
    Value shifted = arith::SubFOp::create(builder, loc, x, max);
    Value sum = ragged::ReduceOp::create(
        builder, loc, ReduceKind::Sum,
        math::ExpOp::create(builder, loc, shifted), rows);
    Value log = ragged::ExpandOp::create(
        builder, loc, math::LogOp::create(builder, loc, sum), rows);
    return arith::SubFOp::create(builder, loc, shifted, log);
  }
};

/// The Euclidean norm of the rows of each segment, at least `eps`.
Value norm(Batcher &batcher, Location loc, Value x, Value rows,
           const APFloat &eps) {
  OpBuilder &builder = batcher.getBuilder();
  Value square = arith::MulFOp::create(builder, loc, x, x);
  Value sum =
      ragged::ReduceOp::create(builder, loc, ReduceKind::Sum, square, rows);
  RankedTensorType row = rowType(sum.getType());
  double least = eps.convertToDouble() * eps.convertToDouble();
  Value floor = arith::ConstantOp::create(
      builder, loc,
      SplatElementsAttr::get(
          row, builder.getFloatAttr(row.getElementType(), least)));
  Value count = ragged::NumSegmentsOp::create(builder, loc, rows);
  floor =
      ragged::BroadcastOp::create(builder, loc, sum.getType(), floor, count);
  return math::SqrtOp::create(
      builder, loc, arith::MaximumFOp::create(builder, loc, sum, floor));
}

struct L2NormalizeBatching : OverDimModel<L2NormalizeBatching, L2NormalizeOp> {
  Value batchOverRows(L2NormalizeOp op, Value rows, Batcher &batcher) const {
    OpBuilder &builder = batcher.getBuilder();
    Value x = batcher.get(op.getInput());
    Value length = norm(batcher, op.getLoc(), x, rows, op.getEps());
    length = ragged::ExpandOp::create(builder, op.getLoc(), length, rows);
    return arith::DivFOp::create(builder, op.getLoc(), x, length);
  }
};

struct LayerNormBatching : FirstOperandModel<LayerNormBatching, LayerNormOp> {
  static constexpr StringLiteral others = "a scale and a shift that are";
};

struct CosineSimilarityBatching
    : OverDimModel<CosineSimilarityBatching, CosineSimilarityOp> {
  Value batchOverRows(CosineSimilarityOp op, Value rows,
                      Batcher &batcher) const {
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    Value x = batcher.get(op.getLhs()), y = batcher.get(op.getRhs());
    Value product = arith::MulFOp::create(builder, loc, x, y);
    Value dot =
        ragged::ReduceOp::create(builder, loc, ReduceKind::Sum, product, rows);
    Value lengths = arith::MulFOp::create(
        builder, loc, norm(batcher, loc, x, rows, op.getEps()),
        norm(batcher, loc, y, rows, op.getEps()));
    return arith::DivFOp::create(builder, loc, dot, lengths);
  }
};
} // namespace

void nn::attachReductionBatching(MLIRContext &context) {
  SumOp::attachInterface<ReductionBatching<SumOp, ReduceKind::Sum>>(context);
  MeanOp::attachInterface<ReductionBatching<MeanOp, ReduceKind::Mean>>(context);
  MaxOp::attachInterface<ReductionBatching<MaxOp, ReduceKind::Max>>(context);
  LogSumExpOp::attachInterface<
      ReductionBatching<LogSumExpOp, ReduceKind::LogSumExp>>(context);
  MaxGradOp::attachInterface<MaxGradBatching>(context);
  SoftmaxOp::attachInterface<SoftmaxBatching>(context);
  LogSoftmaxOp::attachInterface<LogSoftmaxBatching>(context);
  L2NormalizeOp::attachInterface<L2NormalizeBatching>(context);
  LayerNormOp::attachInterface<LayerNormBatching>(context);
  CosineSimilarityOp::attachInterface<CosineSimilarityBatching>(context);
}
