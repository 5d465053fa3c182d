//===-- Products.cpp - How products and tables are batched ---------------===//
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

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// The value with another shape behind the leading dimension.
static Value reshapeRows(OpBuilder &builder, Location loc, Value value,
                         ArrayRef<int64_t> row) {
  SmallVector<int64_t> shape{ShapedType::kDynamic};
  llvm::append_range(shape, row);
  auto type = typeOf(value).clone(shape);
  if (type == value.getType())
    return value;
  return ReshapeOp::create(builder, loc, type, value);
}

/// Swaps the last two dimensions.
static Value transposeLast(OpBuilder &builder, Location loc, Value value) {
  SmallVector<int64_t> perm =
      llvm::to_vector(llvm::seq<int64_t>(0, typeOf(value).getRank()));
  std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  return builder.createOrFold<TransposeOp>(loc, value, perm);
}

//===----------------------------------------------------------------------===//
// nn.linear
//===----------------------------------------------------------------------===//

namespace {
struct LinearBatching : BatchingModel<LinearBatching, LinearOp> {
  LogicalResult batchRows(LinearOp op, Batcher &batcher) const {
    bool unitBias = !op.getBias() || batcher.isUnit(op.getBias());
    if (batcher.isUnit(op.getWeight()) && unitBias) {
      batcher.set(op.getResult(),
                  batcher.cloneRowwise(op, [](unsigned i) { return i == 0; })
                      ->getResult(0));
      return success();
    }
    return batchOwnWeights(op, batcher);
  }

  /// A weight or a bias per row of the context.
  LogicalResult batchOwnWeights(LinearOp op, Batcher &batcher) const {
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    Value x = batcher.getRows(op.getInput()), y;
    if (batcher.isUnit(op.getWeight())) {
      y = LinearOp::create(builder, loc, x, batcher.get(op.getWeight()),
                           Value());
    } else {
      FailureOr<Value> weight = perRow(op, op.getWeight(), batcher);
      if (failed(weight))
        return failure();
      // After the leading dimension, a matrix or a vector remains.
      ArrayRef<int64_t> row = typeOf(x).getShape().drop_front();
      int64_t rest = 1;
      for (int64_t size : row.drop_back())
        rest *= size;
      if (row.size() > 1)
        x = reshapeRows(builder, loc, x, {rest, row.back()});
      y = MatmulOp::create(builder, loc, x, *weight, /*batch_dims=*/1);
      SmallVector<int64_t> shape(row.drop_back());
      shape.push_back(typeOf(y).getShape().back());
      y = reshapeRows(builder, loc, y, shape);
    }
    if (op.getBias()) {
      FailureOr<Value> bias = perRow(op, op.getBias(), batcher);
      if (failed(bias))
        return failure();
      Value sum = *bias;
      int64_t rank = typeOf(y).getRank();
      if (sum.getType() != y.getType())
        sum = BroadcastOp::create(builder, loc, y.getType(), sum, Value(),
                                  ArrayRef<int64_t>{0, rank - 1});
      y = arith::AddFOp::create(builder, loc, y, sum);
    }
    batcher.set(op.getResult(), y);
    return success();
  }

  /// The operand for each row of the input.
  static FailureOr<Value> perRow(LinearOp op, Value operand, Batcher &batcher) {
    if (hasRows(op.getInput().getType()))
      return batcher.expand(op, operand, op.getInput());
    return batcher.getRows(operand);
  }

  bool isRowwise(Operation *op) const {
    return hasRows(op->getResult(0).getType());
  }
  bool isRowOperand(Operation *, unsigned index) const { return index == 0; }
};

//===----------------------------------------------------------------------===//
// nn.matmul
//===----------------------------------------------------------------------===//

struct MatmulBatching : BatchingModel<MatmulBatching, MatmulOp> {
  RowsRead getRowsRead(Operation *op, unsigned) const {
    auto matmul = cast<MatmulOp>(op);
    bool sums =
        matmul.getBatchDims() == 0 && hasRows(matmul.getRhs().getType());
    return sums ? RowsRead::Mixed : RowsRead::Own;
  }
  LogicalResult batchRows(MatmulOp op, Batcher &batcher) const {
    if (op.getBatchDims() > 0)
      return batchCommon(op, batcher);
    RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
    if (hasRows(rhs))
      return sumOverRows(op, batcher);
    if (hasRows(lhs))
      return rowsTimesValue(op, batcher);
    if (batcher.isUnit(op.getRhs()))
      return timesUnit(op, batcher);
    if (batcher.isUnit(op.getLhs()))
      return unitTimes(op, batcher);
    return bothBatched(op, batcher.get(op.getLhs()), batcher.get(op.getRhs()),
                       batcher);
  }

  /// Common leading dimensions: rows, or dimensions behind a new leading one.
  static LogicalResult batchCommon(MatmulOp op, Batcher &batcher) {
    if (hasRows(op.getLhs().getType())) {
      batcher.set(op.getResult(), batcher.cloneRowwise(op)->getResult(0));
      return success();
    }
    Value y = MatmulOp::create(
        batcher.getBuilder(), op.getLoc(), batcher.getRows(op.getLhs()),
        batcher.getRows(op.getRhs()), op.getBatchDims() + 1);
    batcher.set(op.getResult(), y);
    return success();
  }

  static LogicalResult bothBatched(MatmulOp op, Value lhs, Value rhs,
                                   Batcher &batcher) {
    batcher.set(op.getResult(),
                MatmulOp::create(batcher.getBuilder(), op.getLoc(), lhs, rhs,
                                 /*batch_dims=*/1));
    return success();
  }

  /// `[?] . [?]` and `[?] . [?, n]`: a sum over the rows. Rows of the example
  /// that a row sees are met where they stand.
  static LogicalResult sumOverRows(MatmulOp op, Batcher &batcher) {
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    FailureOr<Value> rows = batcher.getPartition(op, op.getRhs());
    if (failed(rows))
      return failure();
    Value lhs = batcher.get(op.getLhs()), rhs = batcher.get(op.getRhs());
    const SeenRows *seen = batcher.getSeen(op.getRhs());
    if (seen && typeOf(lhs).getRank() == 1 && typeOf(rhs).getRank() == 2) {
      batcher.set(op.getResult(), ragged::PairSumOp::create(
                                      builder, loc, lhs, seen->all, seen->pairs,
                                      seen->rows, seen->others, false));
      return success();
    }
    if (lhs.getType() != rhs.getType())
      lhs = BroadcastOp::create(builder, loc, rhs.getType(), lhs, Value(),
                                ArrayRef<int64_t>{0});
    Value product = arith::MulFOp::create(builder, loc, lhs, rhs);
    batcher.set(op.getResult(),
                ragged::ReduceOp::create(builder, loc, ragged::ReduceKind::Sum,
                                         product, *rows));
    return success();
  }

  /// `[?, k] . [k, n]` and `[?, k] . [k]`.
  static LogicalResult rowsTimesValue(MatmulOp op, Batcher &batcher) {
    if (batcher.isUnit(op.getRhs()))
      return timesUnit(op, batcher);
    const SeenRows *seen = batcher.getSeen(op.getLhs());
    if (seen && op.getLhs().getType().getRank() == 2 &&
        op.getRhs().getType().getRank() == 1) {
      batcher.set(op.getResult(), ragged::PairScoresOp::create(
                                      batcher.getBuilder(), op.getLoc(),
                                      batcher.get(op.getRhs()), seen->all,
                                      seen->pairs, seen->rows, seen->others));
      return success();
    }
    FailureOr<Value> rhs = batcher.expand(op, op.getRhs(), op.getLhs());
    if (failed(rhs))
      return failure();
    return bothBatched(op, batcher.get(op.getLhs()), *rhs, batcher);
  }

  /// A product with a matrix or a vector that is the same for all rows.
  static LogicalResult timesUnit(MatmulOp op, Batcher &batcher) {
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    Value lhs = batcher.get(op.getLhs()), rhs = batcher.get(op.getRhs());
    bool isVector = typeOf(rhs).getRank() == 1;
    if (isVector)
      rhs = ReshapeOp::create(
          builder, loc,
          typeOf(rhs).clone(ArrayRef<int64_t>{typeOf(rhs).getDimSize(0), 1}),
          rhs);
    Value y = LinearOp::create(builder, loc, lhs, rhs, Value());
    if (isVector)
      y = reshapeRows(builder, loc, y,
                      typeOf(y).getShape().drop_front().drop_back());
    batcher.set(op.getResult(), y);
    return success();
  }

  /// `A . B` with the same `A` for all rows is the transpose of `B^T . A^T`.
  static LogicalResult unitTimes(MatmulOp op, Batcher &batcher) {
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    Value lhs = batcher.get(op.getLhs()), rhs = batcher.get(op.getRhs());
    bool isVector = typeOf(lhs).getRank() == 1,
         hasColumns = op.getRhs().getType().getRank() == 2;
    if (isVector)
      lhs = ReshapeOp::create(
          builder, loc,
          typeOf(lhs).clone(ArrayRef<int64_t>{1, typeOf(lhs).getDimSize(0)}),
          lhs);
    if (hasColumns)
      rhs = transposeLast(builder, loc, rhs);
    Value y = LinearOp::create(builder, loc, rhs,
                               transposeLast(builder, loc, lhs), Value());
    if (isVector)
      y = reshapeRows(builder, loc, y,
                      typeOf(y).getShape().drop_front().drop_back());
    else if (hasColumns)
      y = transposeLast(builder, loc, y);
    batcher.set(op.getResult(), y);
    return success();
  }

  bool isRowwise(Operation *op) const {
    return hasRows(op->getResult(0).getType());
  }
  bool isRowOperand(Operation *op, unsigned index) const {
    return cast<MatmulOp>(op).getBatchDims() > 0 || index == 0;
  }
};

/// The sum of outer products: of one row, a product of a column and a row.
struct OuterSumBatching : BatchingModel<OuterSumBatching, OuterSumOp> {
  RowsRead getRowsRead(Operation *, unsigned) const { return RowsRead::Mixed; }
  LogicalResult batchRows(OuterSumOp op, Batcher &batcher) const {
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    Value lhs = batcher.getRows(op.getLhs()),
          rhs = batcher.getRows(op.getRhs());
    int64_t rest = 1, k = typeOf(lhs).getShape().back(),
            n = typeOf(rhs).getShape().back();
    for (int64_t size : typeOf(lhs).getShape().drop_front().drop_back())
      rest *= size;
    lhs =
        transposeLast(builder, loc, reshapeRows(builder, loc, lhs, {rest, k}));
    rhs = reshapeRows(builder, loc, rhs, {rest, n});
    Value y = MatmulOp::create(builder, loc, lhs, rhs, /*batch_dims=*/1);
    if (hasRows(op.getLhs().getType())) {
      FailureOr<Value> rows = batcher.getPartition(op, op.getLhs());
      if (failed(rows))
        return failure();
      y = ragged::ReduceOp::create(builder, loc, ragged::ReduceKind::Sum, y,
                                   *rows);
    }
    batcher.set(op.getResult(), y);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Tables and ids
//===----------------------------------------------------------------------===//

struct EmbedBatching : FirstOperandModel<EmbedBatching, EmbedOp> {
  static constexpr StringLiteral others = "a table that is";
  std::optional<int64_t> getIdBound(Operation *op, unsigned index) const {
    if (index != 0)
      return std::nullopt;
    return cast<EmbedOp>(op).getTable().getType().getDimSize(0);
  }
};

struct EmbedGradBatching : BatchingModel<EmbedGradBatching, EmbedGradOp> {
  LogicalResult batchRows(EmbedGradOp op, Batcher &) const {
    return op.emitOpError(
        "cannot be batched: the gradient of a table is not taken per "
        "example");
  }
};
} // namespace

void nn::attachProductBatching(MLIRContext &context) {
  LinearOp::attachInterface<LinearBatching>(context);
  MatmulOp::attachInterface<MatmulBatching>(context);
  OuterSumOp::attachInterface<OuterSumBatching>(context);
  EmbedOp::attachInterface<EmbedBatching>(context);
  EmbedGradOp::attachInterface<EmbedGradBatching>(context);
}
