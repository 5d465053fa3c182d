//===-- AbsentChildren.cpp - No rows and zeros fold away ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// These hold for the cell of a leaf only: there all rows are children, of which
// there are none, and a product with a zero is zero because a child is absent.
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Rows.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Tree/IR/Tree.h"
#include "dialects/Tree/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::tree;

static bool isNoRows(Value value) {
  return value.getDefiningOp<NoRowsOp>() != nullptr;
}

/// A constant all of whose elements are zero.
static bool isZero(Value value) {
  Attribute attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return false;
  auto splat = dyn_cast<SplatElementsAttr>(attr);
  if (!splat)
    return false;
  return matchPattern(splat.getSplatValue<Attribute>(), m_AnyZeroFloat());
}

static void replaceByZeros(PatternRewriter &rewriter, Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                 rewriter.getZeroAttr(type));
}

//===----------------------------------------------------------------------===//
// No rows
//===----------------------------------------------------------------------===//

namespace {
/// An op that makes rows of no rows.
struct RowsOfNoRows : RewritePattern {
  RowsOfNoRows(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (isa<NoRowsOp>(op) || op->getNumResults() == 0 ||
        !isMemoryEffectFree(op) || llvm::none_of(op->getOperands(), isNoRows) ||
        !llvm::all_of(op->getResultTypes(), hasRows))
      return rewriter.notifyMatchFailure(op, "makes no rows of no rows");
    SmallVector<Value> results;
    for (Type type : op->getResultTypes())
      results.push_back(NoRowsOp::create(rewriter, op->getLoc(), type));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// An op that sums, averages or maximizes over no rows.
template <typename OpT> struct OverNoRows : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (llvm::none_of(op->getOperands(), isNoRows) || hasRows(op.getType()))
      return rewriter.notifyMatchFailure(op, "is not over no rows");
    replaceByZeros(rewriter, op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Zeros
//===----------------------------------------------------------------------===//

/// `x + 0` and `0 + x`.
struct AddZero : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::AddFOp op,
                                PatternRewriter &rewriter) const override {
    if (isZero(op.getRhs()))
      rewriter.replaceOp(op, op.getLhs());
    else if (isZero(op.getLhs()))
      rewriter.replaceOp(op, op.getRhs());
    else
      return rewriter.notifyMatchFailure(op, "has no zero operand");
    return success();
  }
};

/// A product, or a row-wise op that keeps zeros.
template <typename OpT> struct ZeroOfZero : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (hasRows(op.getType()) || llvm::none_of(op->getOperands(), isZero))
      return rewriter.notifyMatchFailure(op, "has no zero operand");
    replaceByZeros(rewriter, op);
    return success();
  }
};

/// A product with zeros leaves the bias.
struct LinearOfZeros : OpRewritePattern<nn::LinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(nn::LinearOp op,
                                PatternRewriter &rewriter) const override {
    if (!isZero(op.getInput()))
      return rewriter.notifyMatchFailure(op, "is not of zeros");
    if (!op.getBias()) {
      replaceByZeros(rewriter, op);
      return success();
    }
    Value bias = op.getBias();
    if (bias.getType() != op.getType())
      bias = nn::BroadcastOp::create(
          rewriter, op.getLoc(), op.getType(), bias, Value(),
          ArrayRef<int64_t>{op.getType().getRank() - 1});
    rewriter.replaceOp(op, bias);
    return success();
  }
};

/// A product of `[x; 0]` needs those rows of the weight alone that meet `x`.
struct LinearOfPartlyZeros : OpRewritePattern<nn::LinearOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(nn::LinearOp op,
                                PatternRewriter &rewriter) const override {
    auto concat = op.getInput().getDefiningOp<nn::ConcatOp>();
    int64_t last = op.getInput().getType().getRank() - 1;
    if (!concat || static_cast<int64_t>(concat.getDim()) != last)
      return rewriter.notifyMatchFailure(op, "is not of a concatenation");
    int64_t offset = 0, begin = -1, end = 0;
    SmallVector<Value> parts;
    for (Value part : concat.getInputs()) {
      int64_t size = cast<RankedTensorType>(part.getType()).getShape().back();
      if (!isZero(part)) {
        if (begin < 0)
          begin = offset;
        else if (end != offset)
          return rewriter.notifyMatchFailure(op,
                                             "zeros stand between other parts");
        end = offset + size;
        parts.push_back(part);
      }
      offset += size;
    }
    if (parts.empty() || parts.size() == concat.getInputs().size())
      return rewriter.notifyMatchFailure(op, "is not of zeros and others");
    Value input =
        parts.size() == 1
            ? parts.front()
            : nn::ConcatOp::create(rewriter, concat.getLoc(), parts, last);
    Value weight = nn::SliceOp::create(rewriter, op.getLoc(), op.getWeight(),
                                       /*dim=*/0, begin, end - begin);
    rewriter.replaceOpWithNewOp<nn::LinearOp>(op, input, weight, op.getBias());
    return success();
  }
};
} // namespace

void tree::populateAbsentChildrenPatterns(RewritePatternSet &patterns) {
  patterns.add<
      RowsOfNoRows, OverNoRows<nn::SumOp>, OverNoRows<nn::MeanOp>,
      OverNoRows<nn::MaxOp>, OverNoRows<nn::MatmulOp>, OverNoRows<nn::MseOp>,
      OverNoRows<nn::KLDivergenceOp>, OverNoRows<nn::CosineSimilarityOp>,
      AddZero, ZeroOfZero<arith::MulFOp>, ZeroOfZero<nn::MatmulOp>,
      ZeroOfZero<nn::DropoutOp>, ZeroOfZero<nn::ReluOp>, ZeroOfZero<nn::GeluOp>,
      ZeroOfZero<nn::L2NormalizeOp>, LinearOfZeros, LinearOfPartlyZeros>(
      patterns.getContext());
}
