//===-- lib/Kernels/ApproximateMath.cpp - Polynomials for functions ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Kernels/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace cambium {
#define GEN_PASS_DEF_APPROXIMATEMATH
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;

namespace {
/// Without an instruction, a fused multiply-add would be a call of libm.
struct SplitMultiplyAdd : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FmaOp op,
                                PatternRewriter &rewriter) const override {
    Value product =
        arith::MulFOp::create(rewriter, op.getLoc(), op.getA(), op.getB());
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, product, op.getC());
    return success();
  }
};

struct ApproximateMath : cambium::impl::ApproximateMathBase<ApproximateMath> {
  using ApproximateMathBase::ApproximateMathBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    // Those whose error was measured: at most 5 ulp, or 4e-7 absolute.
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return llvm::is_contained({"math.tanh", "math.exp", "math.expm1",
                                 "math.erf", "math.log", "math.log1p"},
                                name);
    });
    if (!cambium::rt::getTargetCosts(getOperation()).hasFMA)
      patterns.add<SplitMultiplyAdd>(&getContext());
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
