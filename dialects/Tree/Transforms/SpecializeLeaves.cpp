//===-- dialects/Tree/Transforms/SpecializeLeaves.cpp - A cell for leaves -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Remarks.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Tree/IR/Tree.h"
#include "dialects/Tree/Transforms/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace cambium::tree {
#define GEN_PASS_DEF_SPECIALIZELEAVES
#include "dialects/Tree/Transforms/Passes.h.inc"
} // namespace cambium::tree

using namespace mlir;
using namespace cambium;
using namespace cambium::tree;

/// Clones the body as the cell of a node without children.
static void cloneLeaf(FoldOp fold) {
  Location loc = fold.getLoc();
  Block &leaf = fold.getLeaf().emplaceBlock();
  OpBuilder builder = OpBuilder::atBlockEnd(&leaf);
  IRMapping mapping;
  for (BlockArgument arg : fold.getNodeArgs())
    mapping.map(arg, leaf.addArgument(arg.getType(), arg.getLoc()));
  for (BlockArgument arg : fold.getStackedArgs()) {
    auto type = cast<RankedTensorType>(arg.getType());
    Value absent;
    if (type.hasStaticShape())
      absent =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    else
      absent = NoRowsOp::create(builder, loc, type);
    mapping.map(arg, absent);
  }
  for (Operation &op : fold.getBody().front())
    builder.clone(op, mapping);
}

static unsigned countOps(Region &region) {
  return std::distance(region.front().begin(), region.front().end()) - 1;
}

/// Folds what follows from the absence of children. The driver looks at an op
/// again when its operands change, not when theirs do, hence more than one
/// round.
static LogicalResult simplifyLeaf(FoldOp fold,
                                  const FrozenRewritePatternSet &patterns) {
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  config.setScope(&fold.getLeaf());
  bool changed = true;
  while (changed) {
    SmallVector<Operation *> ops;
    for (Operation &op : fold.getLeaf().front().without_terminator())
      ops.push_back(&op);
    if (failed(applyOpPatternsGreedily(ops, patterns, config, &changed)))
      return failure();
  }
  return success();
}

static void report(FoldOp fold) {
  bool readsNone = llvm::any_of(fold.getLeaf().getOps<NoRowsOp>(),
                                [](NoRowsOp) { return true; });
  unsigned before = countOps(fold.getBody()), after = countOps(fold.getLeaf());
  if (readsNone)
    remarkMissed(fold, "tree-specialize-leaves")
        << remark::add("the cell of leaves still computes on no rows")
        << remark::reason("an op of rows of children gives neither rows nor a "
                          "sum over them");
  remarkPassed(fold, "tree-specialize-leaves")
      << remark::add("made a cell for nodes without children")
      << remark::metric("OpsOfCell", before)
      << remark::metric("OpsOfLeaf", after);
}

namespace {
struct SpecializeLeaves : tree::impl::SpecializeLeavesBase<SpecializeLeaves> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateAbsentChildrenPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([&](FoldOp fold) -> WalkResult {
      if (!fold.getLeaf().empty())
        return WalkResult::advance();
      cloneLeaf(fold);
      if (failed(simplifyLeaf(fold, patterns)))
        return fold.emitOpError(
            "cannot be specialized for leaves: the rewrites do not end");
      report(fold);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
