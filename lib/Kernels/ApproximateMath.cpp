//===-- lib/Kernels/ApproximateMath.cpp - Polynomials for functions ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ElementaryFunctions.h"
#include "cambium/Kernels/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <limits>

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

/// exp(x) - 1 in f64, whose conversion to LLVM subtracts and has no digit left
/// near 0. Of u = exp(x), (u - 1) x / log(u): the error of u is in both
/// (W. Kahan; N. J. Higham: Accuracy and Stability, section 1.14.1).
struct ExpandExpM1 : OpRewritePattern<math::ExpM1Op> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ExpM1Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF64())
      return rewriter.notifyMatchFailure(op, "expected f64");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto constant = [&](double number) -> Value {
      TypedAttr value = b.getF64FloatAttr(number);
      if (auto vector = dyn_cast<VectorType>(type))
        value = DenseElementsAttr::get(vector, value);
      return arith::ConstantOp::create(b, value);
    };
    Value x = op.getOperand(), one = constant(1);
    Value u = math::ExpOp::create(b, x);
    Value difference = arith::SubFOp::create(b, u, one);
    Value logarithm = math::LogOp::create(b, u);
    Value ratio = arith::DivFOp::create(b, x, logarithm);
    Value product = arith::MulFOp::create(b, difference, ratio);
    auto compare = [&](arith::CmpFPredicate predicate, double number) -> Value {
      return arith::CmpFOp::create(b, predicate, u, constant(number));
    };
    // Where the ratio has an infinity in it, or u no digits: u - 1 is right.
    Value isInfinite = compare(arith::CmpFPredicate::OEQ,
                               std::numeric_limits<double>::infinity());
    Value isSmall = compare(arith::CmpFPredicate::OLT, 1e-18);
    Value isEnd = arith::OrIOp::create(b, isInfinite, isSmall);
    Value far = arith::SelectOp::create(b, isEnd, difference, product);
    Value isOne = compare(arith::CmpFPredicate::OEQ, 1);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isOne, x, far);
    return success();
  }
};

/// x^n for a whole number n, of which LLVM's intrinsic takes one for all lanes.
/// In f64, where every n of 32 bits is even or odd as it was.
struct ExpandPowI : OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type wide = b.getF64Type();
    if (auto vector = dyn_cast<VectorType>(op.getType()))
      wide = vector.clone(wide);
    Value x = op.getLhs();
    if (x.getType() != wide)
      x = arith::ExtFOp::create(b, wide, x);
    Value n = arith::SIToFPOp::create(b, wide, op.getRhs());
    Value power = math::PowFOp::create(b, x, n);
    if (op.getType() != wide)
      power = arith::TruncFOp::create(b, op.getType(), power);
    rewriter.replaceOp(op, power);
    return success();
  }
};

/// A division that may be done by an estimate of the reciprocal is done by an
/// instruction.
struct DivideExactly : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::DivFOp op,
                                PatternRewriter &rewriter) const override {
    auto flags = op.getFastmath();
    if (!bitEnumContainsAll(flags, arith::FastMathFlags::arcp))
      return rewriter.notifyMatchFailure(op, "expected an estimate");
    rewriter.modifyOpInPlace(op, [&] {
      op.setFastmath(bitEnumClear(flags, arith::FastMathFlags::arcp));
    });
    return success();
  }
};

struct ApproximateMath : cambium::impl::ApproximateMathBase<ApproximateMath> {
  using ApproximateMathBase::ApproximateMathBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    // Those whose error was measured: at most 5 ulp, or 4e-7 absolute.
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return llvm::is_contained({"math.expm1", "math.log", "math.log1p"}, name);
    });
    cambium::populateElementaryFunctions(patterns);
    patterns.add<ExpandExpM1, ExpandPowI>(&getContext());
    cambium::TargetCosts costs = cambium::rt::getTargetCosts(getOperation());
    if (!costs.hasFMA)
      patterns.add<SplitMultiplyAdd>(&getContext());
    if (!costs.hasReciprocal)
      patterns.add<DivideExactly>(&getContext());
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
