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

/// Builds the op that is left and redirects all uses.
LevelsOp rebuild(LevelsOp op, const Kept &kept, RewriterBase &rewriter) {
  SmallVector<Value> results = pick(op.getRecurrentResults(), kept.recurrent);
  llvm::append_range(results, pick(op.getNodeResults(), kept.nodeYields));
  llvm::append_range(results, pick(op.getEdgeResults(), kept.edgeYields));
  llvm::append_range(results, op.getSharedResults());
  SmallVector<Value> base;
  if (!op.getBase().empty())
    base = pick(op.getBase(), kept.recurrent);
  auto fresh = LevelsOp::create(
      rewriter, op.getLoc(), ValueRange(results).getTypes(), op.getDirection(),
      op.getPart(), op.getForest(), pick(op.getNodes(), kept.nodes),
      pick(op.getEdges(), kept.edges), base, op.getShared(),
      kept.recurrent.size(), kept.nodeYields.size(), op.getRematerialize());
  for (auto [from, to] : llvm::zip_equal(results, fresh.getResults()))
    rewriter.replaceAllUsesWith(from, to);

  auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
  unsigned firstNode = op.getNumRecurrent(),
           firstEdge = firstNode + op.getNumNodeYields();
  SmallVector<Value> yielded = pick(yield.getValues(), kept.recurrent);
  llvm::append_range(
      yielded, pick(yield.getValues().drop_front(firstNode), kept.nodeYields));
  llvm::append_range(
      yielded, pick(yield.getValues().drop_front(firstEdge), kept.edgeYields));
  llvm::append_range(yielded,
                     yield.getValues().take_back(op.getShared().size()));
  rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });

  // Arguments that are not kept have no uses (but by dead recurrences' yields).
  llvm::BitVector drop(op.getBody().getNumArguments(), true);
  drop.reset(0);
  for (unsigned i : kept.nodes)
    drop.reset(1 + i);
  for (unsigned i : kept.edges)
    drop.reset(1 + op.getNodes().size() + i);
  for (unsigned i : kept.recurrent)
    drop.reset(op.getRecurrentArgs()[i].getArgNumber());
  for (BlockArgument shared : op.getSharedArgs())
    drop.reset(shared.getArgNumber());
  op.getBody().front().eraseArguments(drop);
  rewriter.inlineRegionBefore(op.getBody(), fresh.getBody(),
                              fresh.getBody().begin());
  rewriter.eraseOp(op);
  return fresh;
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
    auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
    unsigned firstNode = op.getNumRecurrent(),
             firstEdge = firstNode + op.getNumNodeYields();
    changed |=
        mergeResults(yield.getValues().slice(firstNode, op.getNumNodeYields()),
                     op.getNodeResults(), rewriter);
    changed |=
        mergeResults(yield.getValues().slice(firstEdge, op.getNumEdgeYields()),
                     op.getEdgeResults(), rewriter);
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

  template <typename Yielded>
  static bool mergeResults(Yielded yielded, ResultRange results,
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
    auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
    unsigned firstNode = op.getNumRecurrent(),
             firstEdge = firstNode + op.getNumNodeYields();
    bool changed = false;
    auto forward = [&](auto yielded, ResultRange results,
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
    forward(yield.getValues().slice(firstNode, op.getNumNodeYields()),
            op.getNodeResults(), op.getNodeArgs(), op.getNodes());
    forward(yield.getValues().slice(firstEdge, op.getNumEdgeYields()),
            op.getEdgeResults(), op.getEdgeArgs(), op.getEdges());
    return success(changed);
  }
};

/// What the levels pass on as they got it comes from outside.
struct ForwardShared : OpRewritePattern<LevelsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LevelsOp op,
                                PatternRewriter &rewriter) const override {
    Operation *end = op.getBody().front().getTerminator();
    OperandRange yields = end->getOperands();
    size_t first = yields.size() - op.getShared().size();
    SmallVector<Value> shared, yielded(yields.take_front(first));
    SmallVector<Value> results(op.getResults().take_front(first));
    llvm::BitVector drop(op.getBody().getNumArguments());
    for (auto [arg, value, next, result] :
         llvm::zip_equal(op.getSharedArgs(), op.getShared(),
                         yields.drop_front(first), op.getSharedResults())) {
      if (next == arg) {
        drop.set(arg.getArgNumber());
        rewriter.replaceAllUsesWith(result, value);
        continue;
      }
      shared.push_back(value);
      yielded.push_back(next);
      results.push_back(result);
    }
    if (drop.none())
      return rewriter.notifyMatchFailure(op, "what is passed on changes");
    rewriter.modifyOpInPlace(end, [&] { end->setOperands(yielded); });
    for (auto [arg, value] :
         llvm::zip_equal(op.getSharedArgs(), op.getShared()))
      if (drop.test(arg.getArgNumber()))
        rewriter.replaceAllUsesWith(arg, value);
    auto fresh = LevelsOp::create(
        rewriter, op.getLoc(), ValueRange(results).getTypes(),
        op.getDirection(), op.getPart(), op.getForest(), op.getNodes(),
        op.getEdges(), op.getBase(), shared, op.getNumRecurrent(),
        op.getNumNodeYields(), op.getRematerialize());
    for (auto [from, to] : llvm::zip_equal(results, fresh.getResults()))
      rewriter.replaceAllUsesWith(from, to);
    op.getBody().front().eraseArguments(drop);
    rewriter.inlineRegionBefore(op.getBody(), fresh.getBody(),
                                fresh.getBody().begin());
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
