//===-- ComputeFunctions.cpp - Functions without a library ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DoubleFunctions.h"
#include "cambium/Kernels/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace cambium {
#define GEN_PASS_DEF_COMPUTEFUNCTIONS
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// An op becomes what a member of `DoubleFunctions` computes of its operands.
template <typename Op, auto function> struct Compute : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!type.isF32() && !type.isF64())
      return rewriter.notifyMatchFailure(op, "expected f32 or f64");
    DoubleFunctions functions(rewriter, op.getLoc());
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(functions.extend(operand));
    Value result;
    if constexpr (Op::template hasTrait<OpTrait::OneOperand>())
      result = (functions.*function)(operands[0]);
    else
      result = (functions.*function)(operands[0], operands[1]);
    rewriter.replaceOp(op, functions.truncate(result, type));
    return success();
  }
};

struct ComputeFunctions
    : cambium::impl::ComputeFunctionsBase<ComputeFunctions> {
  using ComputeFunctionsBase::ComputeFunctionsBase;

  void runOnOperation() override {
    using F = DoubleFunctions;
    RewritePatternSet patterns(&getContext());
    patterns
        .add<Compute<math::AtanOp, &F::atan>, Compute<math::CosOp, &F::cos>,
             Compute<math::ErfOp, &F::erf>, Compute<math::ExpOp, &F::exp>,
             Compute<math::Exp2Op, &F::exp2>, Compute<math::ExpM1Op, &F::expm1>,
             Compute<math::LogOp, &F::log>, Compute<math::Log1pOp, &F::log1p>,
             Compute<math::Log2Op, &F::log2>, Compute<math::PowFOp, &F::pow>,
             Compute<math::SinOp, &F::sin>, Compute<math::TanhOp, &F::tanh>>(
            &getContext());
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
