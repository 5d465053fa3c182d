//===-- lib/Codegen/ApproximateMath.cpp - Polynomials for transcendental functions ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace cambium {
#define GEN_PASS_DEF_APPROXIMATEMATH
#include "cambium/Codegen/Passes.h.inc"
} // namespace cambium

using namespace mlir;

namespace {
struct ApproximateMath : cambium::impl::ApproximateMathBase<ApproximateMath> {
  using ApproximateMathBase::ApproximateMathBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      // Accurate to a few units in the last place; sin and cos are not.
      return llvm::is_contained({"math.tanh", "math.exp", "math.expm1", "math.erf",
                                 "math.log", "math.log1p", "math.log2"},
                                name);
    });
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
