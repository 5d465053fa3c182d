//===-- lib/Linalg/SeparateProducts.cpp - Products with wide weights -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products that share their left operand have been merged, so that the gates of
// a narrow cell fill the vectors of the machine. Weights that do so by
// themselves are read where they are: putting them side by side at every call
// would cost more than a small batch computes.
//
//===----------------------------------------------------------------------===//
#include "cambium/Linalg/Passes.h"
#include "cambium/Support/LinalgBuilder.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/IR/PatternMatch.h"

namespace cambium {
#define GEN_PASS_DEF_SEPARATEPRODUCTS
#include "cambium/Linalg/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

/// The concatenation over `dim` of wide parts that the value is, if it is one.
static nn::ConcatOp wideConcat(Value value, int64_t dim, int64_t wideColumns) {
  auto concat = value.getDefiningOp<nn::ConcatOp>();
  if (!concat || static_cast<int64_t>(concat.getDim()) != dim)
    return {};
  for (Value part : concat.getInputs())
    if (tensorType(part).getDimSize(dim) < wideColumns)
      return {};
  return concat;
}

/// Part `i` of the value along its last dimension, where `like` is cut.
static Value partOf(Value value, nn::ConcatOp like, unsigned i,
                    IRRewriter &rewriter, Location loc) {
  int64_t dim = tensorType(value).getRank() - 1, offset = 0;
  auto sizeOf = [&](Value part) {
    return tensorType(part).getDimSize(like.getDim());
  };
  for (Value part : like.getInputs().take_front(i))
    offset += sizeOf(part);
  int64_t size = sizeOf(like.getInputs()[i]);
  // A part of a concatenation with the same cuts is what was put there.
  if (auto concat = value.getDefiningOp<nn::ConcatOp>();
      concat && static_cast<int64_t>(concat.getDim()) == dim &&
      concat.getInputs().size() == like.getInputs().size() &&
      tensorType(concat.getInputs()[i]).getDimSize(dim) == size)
    return concat.getInputs()[i];
  return nn::SliceOp::create(rewriter, loc, value, dim, offset, size);
}

/// `x . [W1 W2]` is `[x . W1, x . W2]`; who takes the parts gets them.
static void separateLinear(nn::LinearOp op, int64_t wideColumns,
                           IRRewriter &rewriter) {
  nn::ConcatOp weights = wideConcat(op.getWeight(), 1, wideColumns);
  if (!weights)
    return;
  rewriter.setInsertionPoint(op);
  SmallVector<Value> parts;
  for (auto [i, weight] : llvm::enumerate(weights.getInputs())) {
    Value bias = op.getBias();
    if (bias)
      bias = partOf(bias, weights, i, rewriter, op.getLoc());
    parts.push_back(nn::LinearOp::create(rewriter, op.getLoc(), op.getInput(),
                                         weight, bias));
  }
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    auto split = dyn_cast<nn::SplitOp>(user);
    int64_t last = op.getType().getRank() - 1;
    if (split && static_cast<int64_t>(split.getDim()) == last &&
        TypeRange(split.getResultTypes()) == TypeRange(ValueRange(parts)))
      rewriter.replaceOp(split, parts);
  }
  if (op->use_empty())
    return rewriter.eraseOp(op);
  rewriter.replaceOpWithNewOp<nn::ConcatOp>(op, parts,
                                            op.getType().getRank() - 1);
}

/// The transposed weights stand below each other: each is transposed into its
/// place.
static void separateTranspose(nn::TransposeOp op, int64_t wideColumns,
                              IRRewriter &rewriter) {
  nn::ConcatOp weights = wideConcat(op.getInput(), 1, wideColumns);
  if (!weights || op.getType().getRank() != 2 || op.getPerm()[0] != 1)
    return;
  rewriter.setInsertionPoint(op);
  SmallVector<Value> parts;
  for (Value weight : weights.getInputs())
    parts.push_back(
        nn::TransposeOp::create(rewriter, op.getLoc(), weight, op.getPerm()));
  rewriter.replaceOpWithNewOp<nn::ConcatOp>(op, parts, 0);
}

/// Parts of a sum of outer products are sums with parts of the right operand:
/// each can be added to its gradient in place.
static void separateOuterSum(nn::SplitOp op, int64_t wideColumns,
                             IRRewriter &rewriter) {
  auto outer = op.getInput().getDefiningOp<nn::OuterSumOp>();
  if (!outer || op.getDim() != 1 || !outer->hasOneUse() ||
      llvm::any_of(op.getSizes(),
                   [=](int64_t size) { return size < wideColumns; }))
    return;
  rewriter.setInsertionPoint(op);
  Value rhs = outer.getRhs();
  int64_t dim = tensorType(rhs).getRank() - 1;
  auto columns =
      nn::SplitOp::create(rewriter, op.getLoc(), rhs, dim, op.getSizes());
  SmallVector<Value> parts;
  for (Value part : columns.getResults())
    parts.push_back(
        nn::OuterSumOp::create(rewriter, op.getLoc(), outer.getLhs(), part));
  rewriter.replaceOp(op, parts);
  rewriter.eraseOp(outer);
}

namespace {
struct SeparateProducts
    : cambium::impl::SeparateProductsBase<SeparateProducts> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    int64_t wide = rt::getTargetCosts(getOperation()).wideColumns;
    auto forEach =
        [&]<typename Op>(void (*separate)(Op, int64_t, IRRewriter &)) {
          SmallVector<Op> ops;
          getOperation()->walk([&](Op op) { ops.push_back(op); });
          for (Op op : ops)
            separate(op, wide, rewriter);
        };
    forEach(separateOuterSum);
    forEach(separateTranspose);
    forEach(separateLinear);
  }
};
} // namespace
