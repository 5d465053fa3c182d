//===-- NNCanonicalization.cpp - Arithmetic with broadcast constants ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows have no constants of their own: a constant for every row is an
// `nn.broadcast` of a scalar, which upstream folds do not see through.
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/NN.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace cambium::nn;

/// Whether every element of the value is 1.
static bool isBroadcastOne(Value value) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  return broadcast && matchPattern(broadcast.getInput(), m_OneFloat());
}

namespace {
/// x * 1 = x
struct MulByOne : OpRewritePattern<arith::MulFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::MulFOp op,
                                PatternRewriter &rewriter) const override {
    if (isBroadcastOne(op.getRhs()))
      rewriter.replaceOp(op, op.getLhs());
    else if (isBroadcastOne(op.getLhs()))
      rewriter.replaceOp(op, op.getRhs());
    else
      return failure();
    return success();
  }
};
} // namespace

void NNDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  patterns.add<MulByOne>(getContext());
}
