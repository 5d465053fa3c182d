//===-- FuseElementwise.cpp - One loop for elementwise ops ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Siblings.h"
#include "cambium/Linalg/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "cambium/Linalg/Passes.h.inc"
} // namespace cambium

using namespace cambium;

/// A fused op grows by at most so many ops: each step copies it, so that
/// without a bound a chain would take the square of its length.
static constexpr size_t kMaxBody = 256;

namespace {
struct FuseElementwise : cambium::impl::FuseElementwiseBase<FuseElementwise> {
  void runOnOperation() override {
    if (failed(simplify()))
      return signalPassFailure();
    SmallVector<linalg::GenericOp> consumers;
    places.clear();
    costs = rt::getTargetCosts(getOperation());
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      places[op] = places.size() + 1;
      if (auto generic = dyn_cast<linalg::GenericOp>(op))
        consumers.push_back(generic);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : consumers)
      fuseProducers(op, rewriter);
    fuseSiblings(getOperation(), costs.siblingOperands, rewriter);
    if (failed(simplify()))
      signalPassFailure();
  }

  /// Folds constants into bodies and drops operands that are not read.
  LogicalResult simplify() {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(
        patterns, [](OpOperand *) { return false; });
    // There are no blocks to merge.
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    return applyPatternsGreedily(getOperation(), std::move(patterns), config);
  }

  /// Fuses into `op` all that it can take; the fused op is the next to take
  /// more.
  void fuseProducers(linalg::GenericOp op, IRRewriter &rewriter) {
    for (bool changed = true; changed;) {
      changed = false;
      for (OpOperand *operand : op.getDpsInputOperands()) {
        linalg::GenericOp fused = fuse(op, *operand, rewriter);
        if (!fused)
          continue;
        op = fused;
        changed = true;
        break;
      }
    }
  }

  /// A body that yields an operand or a constant.
  static bool isCheap(linalg::GenericOp op) {
    return llvm::hasSingleElement(op.getBody()->getOperations());
  }

  /// A body that yields a constant. Wherever it stands: those of a loop's body
  /// are outside of the loop by now, and would be arrays that it reads.
  static bool isConstant(linalg::GenericOp op) {
    return isCheap(op) &&
           llvm::none_of(op.getBody()->getTerminator()->getOperands(),
                         llvm::IsaPred<BlockArgument>);
  }

  /// A body of a few sums and products, of rows that are read in one array, and
  /// not written over others: a reduction computes them once more instead of
  /// reading another array.
  bool isWorthTwice(linalg::GenericOp op) {
    constexpr size_t kFew = 4;
    auto isRows = [&](OpOperand *operand) {
      return op.getMatchingIndexingMap(operand).getNumResults() ==
             op.getNumLoops();
    };
    auto isSimple = [](Operation &inner) {
      return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, linalg::YieldOp>(
          inner);
    };
    auto isNew = [](Value init) {
      return init.getDefiningOp<tensor::EmptyOp>();
    };
    return !rt::isGpu(rt::getTarget(getOperation())) &&
           llvm::all_of(op.getDpsInits(), isNew) &&
           op.getBody()->getOperations().size() <= kFew &&
           llvm::all_of(*op.getBody(), isSimple) &&
           llvm::count_if(op.getDpsInputOperands(), isRows) <= 1;
  }

  /// Whether all users of the producer but the consumer come after the
  /// consumer.
  bool usersFollow(linalg::GenericOp producer, Operation *consumer) {
    for (Operation *user : producer->getUsers()) {
      Operation *inBlock = consumer->getBlock()->findAncestorOpInBlock(*user);
      if (inBlock != consumer &&
          (!inBlock || places.lookup(inBlock) <= places.lookup(consumer)))
        return false;
    }
    return true;
  }

  /// Whether the op of both is small enough.
  bool isWithinBounds(linalg::GenericOp a, linalg::GenericOp b) {
    return a->getNumOperands() + b->getNumOperands() <= costs.fusedOperands &&
           a.getBody()->getOperations().size() +
                   b.getBody()->getOperations().size() <=
               kMaxBody;
  }

  linalg::GenericOp fuse(linalg::GenericOp consumer, OpOperand &operand,
                         IRRewriter &rewriter) {
    auto producer = operand.get().getDefiningOp<linalg::GenericOp>();
    if (!producer ||
        (producer->getBlock() != consumer->getBlock() &&
         !isConstant(producer)) ||
        !linalg::areElementwiseOpsFusable(&operand) ||
        !isWithinBounds(producer, consumer))
      return {};
    bool single = producer->hasOneUse();
    bool again = !single && consumer.getNumReductionLoops() > 0 &&
                 consumer.getMatchingIndexingMap(&operand).isIdentity() &&
                 isWorthTwice(producer);
    if (isCheap(producer) || again) {
      if (!single) {
        rewriter.setInsertionPoint(consumer);
        Operation *copy = rewriter.clone(*producer);
        places[copy] = places.lookup(consumer);
        unsigned number = cast<OpResult>(operand.get()).getResultNumber();
        rewriter.modifyOpInPlace(consumer,
                                 [&] { operand.set(copy->getResult(number)); });
      }
      return replace(consumer, operand, rewriter);
    }
    // Each element of the producer must be computed once.
    if (!consumer.getMatchingIndexingMap(&operand).isIdentity())
      return {};
    if (!single &&
        (consumer.getNumReductionLoops() || !usersFollow(producer, consumer)))
      return {};
    return replace(consumer, operand, rewriter);
  }

  /// Fuses, and lets all users read the results of the fused op.
  linalg::GenericOp replace(linalg::GenericOp consumer, OpOperand &operand,
                            IRRewriter &rewriter) {
    Operation *producer = operand.get().getDefiningOp();
    rewriter.setInsertionPoint(consumer);
    FailureOr<linalg::ElementwiseOpFusionResult> fusion =
        linalg::fuseElementwiseOps(rewriter, &operand);
    if (failed(fusion))
      return {};
    for (auto [value, replacement] : fusion->replacements)
      rewriter.replaceUsesWithIf(value, replacement, [&](OpOperand &use) {
        // The fused op may read the producer by another operand, not yet fused.
        return !llvm::is_contained(
            {producer, consumer.getOperation(), fusion->fusedOp},
            use.getOwner());
      });
    unsigned place = places.lookup(consumer);
    erase(consumer, rewriter);
    if (producer->use_empty())
      erase(producer, rewriter);
    auto fused = merge(cast<linalg::GenericOp>(fusion->fusedOp), rewriter);
    places[fused] = place;
    return fused;
  }

  void erase(Operation *op, IRRewriter &rewriter) {
    places.erase(op);
    rewriter.eraseOp(op);
  }

  /// Merges what the op reads twice, and the producer's body where it takes
  /// several results of it: along a chain the copies would double each time.
  static linalg::GenericOp merge(linalg::GenericOp fused,
                                 IRRewriter &rewriter) {
    rewriter.setInsertionPoint(fused);
    FailureOr<linalg::GenericOp> merged =
        linalg::deduplicateOperandsAndRemoveDeadResults(
            rewriter, fused, /*removeOutputs=*/false);
    if (succeeded(merged))
      fused = *merged;
    DominanceInfo dominance(fused);
    eliminateCommonSubExpressions(rewriter, dominance, fused);
    return fused;
  }

  /// Where ops stand; a fused op stands where its consumer did. Asking the
  /// block would number it anew after every few insertions.
  DenseMap<Operation *, unsigned> places;
  TargetCosts costs;
};
} // namespace
