//===-- lib/Pipelines/FoldBodies.cpp - What is in loops, before loops ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whenever an op has changed, the canonicalizer looks again at all ops around
// it. For a loop that means to look at all it carries and at its whole body:
// the time grows with the square of a long loop. This pass does the same to the
// ops in loops while it leaves loops alone.
//
//===----------------------------------------------------------------------===//
#include "Pipelines.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace cambium;

namespace {
struct FoldBodies : PassWrapper<FoldBodies, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FoldBodies)

  StringRef getName() const final { return "FoldBodies"; }
  StringRef getArgument() const final { return "fold-bodies"; }
  StringRef getDescription() const final {
    return "Canonicalize the ops in loops, but no loops.";
  }

  /// The patterns of the canonicalizer.
  LogicalResult initialize(MLIRContext *context) final {
    RewritePatternSet set(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(set);
    for (RegisteredOperationName op : context->getRegisteredOperations())
      op.getCanonicalizationPatterns(set, context);
    patterns = std::make_shared<FrozenRewritePatternSet>(std::move(set));
    return success();
  }

  void runOnOperation() final {
    SmallVector<Operation *> ops;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->getNumRegions() == 0 && isInLoop(op))
        ops.push_back(op);
    });
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    // The first one first: the driver takes them from the end.
    std::reverse(ops.begin(), ops.end());
    if (!ops.empty())
      (void)applyOpPatternsGreedily(ops, *patterns, config);
  }

private:
  bool isInLoop(Operation *op) {
    Operation *parent = op->getParentOp();
    return parent && parent != getOperation() &&
           !isa<FunctionOpInterface>(parent) && parent->getParentOp();
  }

  std::shared_ptr<const FrozenRewritePatternSet> patterns;
};
} // namespace

std::unique_ptr<Pass> cambium::createFoldBodies() {
  return std::make_unique<FoldBodies>();
}

void cambium::registerFoldBodies() { PassRegistration<FoldBodies>(); }
