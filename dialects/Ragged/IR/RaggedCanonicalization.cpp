//===-- RaggedCanonicalization.cpp - Simplifies sums of node arrays -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cotangents of the leaves and of the other nodes come as two node arrays, each
// zero where the other is not. Their sum is one array joined from the parts.
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace cambium::ragged;

namespace {
bool isZero(Value value) {
  if (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getInput();
  return matchPattern(value, m_AnyZeroFloat());
}

/// join(a, b) + join(c, d) = join(a + c, b + d)
struct AddOfJoins : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddFOp op,
                                PatternRewriter &rewriter) const override {
    auto lhs = op.getLhs().getDefiningOp<JoinOp>();
    auto rhs = op.getRhs().getDefiningOp<JoinOp>();
    if (!lhs || !rhs || lhs.getForest() != rhs.getForest())
      return failure();
    Location loc = op.getLoc();
    Value leaves =
        arith::AddFOp::create(rewriter, loc, lhs.getLeaves(), rhs.getLeaves());
    Value inner =
        arith::AddFOp::create(rewriter, loc, lhs.getInner(), rhs.getInner());
    rewriter.replaceOpWithNewOp<JoinOp>(op, leaves, inner, lhs.getForest());
    return success();
  }
};

/// x + 0 = x, for a broadcast zero (an absent row's share of a sum).
struct AddOfZero : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddFOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getRhs().getDefiningOp<BroadcastOp>() && isZero(op.getRhs()))
      rewriter.replaceOp(op, op.getLhs());
    else if (op.getLhs().getDefiningOp<BroadcastOp>() && isZero(op.getLhs()))
      rewriter.replaceOp(op, op.getRhs());
    else
      return failure();
    return success();
  }
};

/// part(join(a, b)) is the part.
struct PartOfJoin : OpRewritePattern<PartOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PartOp op,
                                PatternRewriter &rewriter) const override {
    auto join = op.getInput().getDefiningOp<JoinOp>();
    if (!join || join.getForest() != op.getForest() ||
        op.getPart() == Part::All)
      return failure();
    rewriter.replaceOp(op, op.getPart() == Part::Leaves ? join.getLeaves()
                                                        : join.getInner());
    return success();
  }
};

/// num_rows(group(ids)) is the number of ids: the partition need not be made.
struct CountOfGroup : OpRewritePattern<NumRowsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(NumRowsOp op,
                                PatternRewriter &rewriter) const override {
    auto group = op.getRows().getDefiningOp<GroupOp>();
    if (!group)
      return failure();
    Value zero = arith::ConstantIndexOp::create(rewriter, op.getLoc(), 0);
    rewriter.replaceOpWithNewOp<tensor::DimOp>(op, group.getIds(), zero);
    return success();
  }
};

/// Rows of a value that all rows have.
struct GatherOfBroadcast : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GatherOp op,
                                PatternRewriter &rewriter) const override {
    auto broadcast = op.getInput().getDefiningOp<BroadcastOp>();
    if (!broadcast || op.getOrZero())
      return failure();
    Value zero = arith::ConstantIndexOp::create(rewriter, op.getLoc(), 0);
    Value count =
        tensor::DimOp::create(rewriter, op.getLoc(), op.getIndex(), zero);
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(),
                                             broadcast.getInput(), count);
    return success();
  }
};

/// add_slice(s, 0, t) + x = add_slice(s, x, t)
struct AddOfSlice : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddFOp op,
                                PatternRewriter &rewriter) const override {
    for (auto [term, other] : {std::pair(op.getLhs(), op.getRhs()),
                               std::pair(op.getRhs(), op.getLhs())}) {
      auto add = term.getDefiningOp<AddSliceOp>();
      if (!add || !isZero(add.getAll()))
        continue;
      rewriter.replaceOpWithNewOp<AddSliceOp>(op, add.getSlice(), other,
                                              add.getNumber());
      return success();
    }
    return failure();
  }
};

/// Zeros with a slice s put into them + x = x with s added to that slice: what
/// is left of x is not read.
struct AddOfInserted : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddFOp op,
                                PatternRewriter &rewriter) const override {
    for (auto [term, other] : {std::pair(op.getLhs(), op.getRhs()),
                               std::pair(op.getRhs(), op.getLhs())}) {
      auto insert = term.getDefiningOp<tensor::InsertSliceOp>();
      if (!insert || !isZero(insert.getDest()))
        continue;
      auto offsets = insert.getMixedOffsets(), sizes = insert.getMixedSizes(),
           strides = insert.getMixedStrides();
      Value slice = tensor::ExtractSliceOp::create(
          rewriter, op.getLoc(), insert.getSourceType(), other, offsets, sizes,
          strides);
      Value sum = arith::AddFOp::create(rewriter, op.getLoc(), slice,
                                        insert.getSource());
      rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(
          op, sum, other, offsets, sizes, strides);
      return success();
    }
    return failure();
  }
};
} // namespace

void RaggedDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  patterns.add<AddOfInserted, AddOfJoins, AddOfSlice, AddOfZero, CountOfGroup,
               GatherOfBroadcast, PartOfJoin>(getContext());
}
