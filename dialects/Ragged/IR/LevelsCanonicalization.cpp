//===-- LevelsCanonicalization.cpp - What ragged.levels does in vain ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cambium::ragged;

namespace {
/// What remains of a `ragged.levels`: indices into its operands and results.
struct Kept {
  SmallVector<unsigned> nodes, edges, recurrent, nodeYields, edgeYields;

  unsigned size() const {
    return nodes.size() + edges.size() + recurrent.size() + nodeYields.size() +
           edgeYields.size();
  }
};

/// A recurrent value is dead if nobody reads its result and its argument serves
/// only to compute itself.
bool isDeadRecurrence(LevelsOp op, unsigned i) {
  return op.getRecurrentResults()[i].use_empty() &&
         op.getRecurrentArgs()[i].use_empty();
}

Kept findKept(LevelsOp op) {
  Kept kept;
  auto keepUsed = [](SmallVectorImpl<unsigned> &indices, auto range) {
    for (auto [i, value] : llvm::enumerate(range))
      if (!value.use_empty())
        indices.push_back(i);
  };
  keepUsed(kept.nodes, op.getNodeArgs());
  keepUsed(kept.edges, op.getEdgeArgs());
  keepUsed(kept.nodeYields, op.getNodeResults());
  keepUsed(kept.edgeYields, op.getEdgeResults());
  for (unsigned i = 0, e = op.getNumRecurrent(); i < e; ++i)
    if (!isDeadRecurrence(op, i))
      kept.recurrent.push_back(i);
  return kept;
}

template <typename Range>
SmallVector<Value> pick(Range range, ArrayRef<unsigned> indices) {
  SmallVector<Value> values;
  for (unsigned i : indices)
    values.push_back(range[i]);
  return values;
}

/// Builds an op with the body of another one.
LevelsOp moveBody(LevelsOp op, const LevelsInputs &inputs,
                  const LevelsYields &yields, RewriterBase &rewriter) {
  LevelsOp fresh;
  rewriter.modifyOpInPlace(op.getYield(), [&] {
    fresh = LevelsOp::create(rewriter, op.getLoc(), op.getDirection(),
                             op.getPart(), op.getForest(), inputs, yields,
                             op.getRematerialize(), op.getCuts(), op.getBody());
  });
  return fresh;
}

/// Builds the op that is left and redirects all uses.
void rebuild(LevelsOp op, const Kept &kept, RewriterBase &rewriter) {
  Values results = LevelsYields{pick(op.getRecurrentResults(), kept.recurrent),
                                pick(op.getNodeResults(), kept.nodeYields),
                                pick(op.getEdgeResults(), kept.edgeYields),
                                Values(op.getSharedResults())}
                       .inOrder();
  LevelsInputs inputs = op.getInputs();
  if (!inputs.base.empty())
    inputs.base = pick(op.getBase(), kept.recurrent);
  inputs.nodes = pick(op.getNodes(), kept.nodes);
  inputs.edges = pick(op.getEdges(), kept.edges);
  // Arguments that are not kept have no uses (but by dead recurrences' yields).
  llvm::BitVector drop(op.getBody().getNumArguments(), true);
  drop.reset(0);
  auto keep = [&](Block::BlockArgListType args, ArrayRef<unsigned> indices) {
    for (unsigned i : indices)
      drop.reset(args[i].getArgNumber());
  };
  keep(op.getNodeArgs(), kept.nodes);
  keep(op.getEdgeArgs(), kept.edges);
  keep(op.getRecurrentArgs(), kept.recurrent);
  for (BlockArgument shared : op.getSharedArgs())
    drop.reset(shared.getArgNumber());
  LevelsYields old = op.getYields();
  LevelsYields yields{pick(old.recurrent, kept.recurrent),
                      pick(old.nodes, kept.nodeYields),
                      pick(old.edges, kept.edgeYields), old.shared};
  LevelsOp fresh = moveBody(op, inputs, yields, rewriter);
  for (auto [from, to] : llvm::zip_equal(results, fresh.getResults()))
    rewriter.replaceAllUsesWith(from, to);
  fresh.getBody().front().eraseArguments(drop);
  rewriter.eraseOp(op);
}

/// Drops unused results, operands and recurrences.
struct DropUnused : OpRewritePattern<LevelsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LevelsOp op,
                                PatternRewriter &rewriter) const override {
    Kept kept = findKept(op);
    unsigned total = op.getNodes().size() + op.getEdges().size() +
                     op.getNumResults() - op.getShared().size();
    if (kept.size() == total)
      return rewriter.notifyMatchFailure(op, "everything is used");
    rebuild(op, kept, rewriter);
    return success();
  }
};

/// Makes equal operands share the argument of the first, and results of equal
/// yields share the first result.
struct MergeEqual : OpRewritePattern<LevelsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LevelsOp op,
                                PatternRewriter &rewriter) const override {
    bool changed = mergeArguments(op.getNodes(), op.getNodeArgs(), rewriter);
    changed |= mergeArguments(op.getEdges(), op.getEdgeArgs(), rewriter);
    LevelsYields yields = op.getYields();
    changed |= mergeResults(yields.nodes, op.getNodeResults(), rewriter);
    changed |= mergeResults(yields.edges, op.getEdgeResults(), rewriter);
    return success(changed);
  }

  template <typename Operands>
  static bool mergeArguments(Operands operands, Block::BlockArgListType args,
                             RewriterBase &rewriter) {
    bool changed = false;
    llvm::DenseMap<Value, Value> first;
    for (auto [operand, arg] : llvm::zip_equal(operands, args)) {
      auto [it, isNew] = first.try_emplace(operand, arg);
      if (isNew || arg.use_empty())
        continue;
      rewriter.replaceAllUsesWith(arg, it->second);
      changed = true;
    }
    return changed;
  }

  static bool mergeResults(ArrayRef<Value> yielded, ResultRange results,
                           RewriterBase &rewriter) {
    bool changed = false;
    llvm::DenseMap<Value, Value> first;
    for (auto [value, result] : llvm::zip_equal(yielded, results)) {
      auto [it, isNew] = first.try_emplace(value, result);
      if (isNew || result.use_empty())
        continue;
      rewriter.replaceAllUsesWith(result, it->second);
      changed = true;
    }
    return changed;
  }
};

/// A node or edge argument that is only passed through is its operand.
struct ForwardArguments : OpRewritePattern<LevelsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LevelsOp op,
                                PatternRewriter &rewriter) const override {
    LevelsYields yields = op.getYields();
    bool changed = false;
    auto forward = [&](ArrayRef<Value> yielded, ResultRange results,
                       Block::BlockArgListType args, OperandRange operands) {
      for (auto [value, result] : llvm::zip_equal(yielded, results)) {
        auto arg = dyn_cast<BlockArgument>(value);
        if (!arg || result.use_empty())
          continue;
        for (auto [candidate, operand] : llvm::zip_equal(args, operands)) {
          if (candidate != arg)
            continue;
          rewriter.replaceAllUsesWith(result, operand);
          changed = true;
        }
      }
    };
    forward(yields.nodes, op.getNodeResults(), op.getNodeArgs(), op.getNodes());
    forward(yields.edges, op.getEdgeResults(), op.getEdgeArgs(), op.getEdges());
    return success(changed);
  }
};

/// What the levels pass on as they got it comes from outside.
struct ForwardShared : OpRewritePattern<LevelsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LevelsOp op,
                                PatternRewriter &rewriter) const override {
    LevelsYields old = op.getYields(), yields = old;
    LevelsYields results = op.byKind(op.getResults());
    LevelsInputs inputs = op.getInputs();
    for (Values *values : {&inputs.shared, &yields.shared, &results.shared})
      values->clear();
    llvm::BitVector drop(op.getBody().getNumArguments());
    for (auto [arg, value, next, result] :
         llvm::zip_equal(op.getSharedArgs(), op.getShared(), old.shared,
                         op.getSharedResults())) {
      if (next == arg) {
        drop.set(arg.getArgNumber());
        rewriter.replaceAllUsesWith(result, value);
        continue;
      }
      inputs.shared.push_back(value);
      yields.shared.push_back(next);
      results.shared.push_back(result);
    }
    if (drop.none())
      return rewriter.notifyMatchFailure(op, "what is passed on changes");
    SmallVector<std::pair<Value, Value>> dropped;
    for (auto [arg, value] :
         llvm::zip_equal(op.getSharedArgs(), op.getShared()))
      if (drop.test(arg.getArgNumber()))
        dropped.push_back({arg, value});
    LevelsOp fresh = moveBody(op, inputs, yields, rewriter);
    for (auto [arg, value] : dropped)
      rewriter.replaceAllUsesWith(arg, value);
    for (auto [from, to] :
         llvm::zip_equal(results.inOrder(), fresh.getResults()))
      rewriter.replaceAllUsesWith(from, to);
    fresh.getBody().front().eraseArguments(drop);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Moves pure ops that read captured values alone in front of the loop.
struct HoistInvariant : OpRewritePattern<LevelsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LevelsOp op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    Block &body = op.getBody().front();
    for (Operation &inner :
         llvm::make_early_inc_range(body.without_terminator())) {
      bool local = inner.getNumRegions() > 0 || inner.getNumOperands() == 0 ||
                   llvm::any_of(inner.getOperands(), [&](Value operand) {
                     return operand.getParentBlock() == &body;
                   });
      if (local || !isMemoryEffectFree(&inner))
        continue;
      rewriter.moveOpBefore(&inner, op);
      changed = true;
    }
    return success(changed);
  }
};
} // namespace

void LevelsOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<DropUnused, MergeEqual, ForwardArguments, ForwardShared,
               HoistInvariant>(context);
}
