//===-- lib/Gradient/LowerGradients.cpp - Replaces train.gradient --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Gradient/Passes.h"
#include "dialects/NN/IR/ConstantLike.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/Derivatives/ReverseSweep.h"
#include "dialects/Ragged/Derivatives/Tape.h"
#include "dialects/Train/IR/Train.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace cambium {
#define GEN_PASS_DEF_LOWERGRADIENTS
#include "cambium/Gradient/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

/// Replaces one gradient. The gradient of a row's loss with respect to the
/// row's values is that of the sum: rows do not depend on each other's loss.
static LogicalResult lower(train::GradientOp op) {
  OpBuilder builder(op);
  expandTapes(*op->getBlock(), builder);
  builder.setInsertionPoint(op);
  Value seed = constantLike(builder, op.getLoc(), op.getLoss(), 1.0);
  FailureOr<SmallVector<Value>> gradients =
      differentiate(builder, op.getLoss(), seed, op.getWrt());
  if (failed(gradients))
    return failure();
  for (auto [wrt, gradient] : llvm::zip_equal(op.getWrt(), *gradients))
    if (!gradient)
      gradient = constantLike(builder, op.getLoc(), wrt, 0.0);
  op->replaceAllUsesWith(*gradients);
  op->erase();
  return success();
}

namespace {
struct LowerGradients : cambium::impl::LowerGradientsBase<LowerGradients> {
  using LowerGradientsBase::LowerGradientsBase;
  void runOnOperation() override {
    SmallVector<train::GradientOp> gradients;
    getOperation().walk([&](train::GradientOp op) { gradients.push_back(op); });
    for (train::GradientOp op : gradients)
      if (failed(lower(op)))
        return signalPassFailure();
    // No gradient asks for the values any more.
    getOperation().walk([](train::WatchOp op) {
      op.getResult().replaceAllUsesWith(op.getInput());
      op.erase();
    });
  }
};
} // namespace
