//===-- lib/Linalg/Siblings.cpp - Elementwise ops that read the same -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Siblings.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

/// More operands than this would not fit the registers of a loop.
static constexpr unsigned maxOperands = 28;

/// An elementwise op that writes every element of new tensors.
static bool isCandidate(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op.getNumReductionLoops() == 0 &&
         op.getNumLoops() &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &out) {
           return out.get().getDefiningOp<tensor::EmptyOp>() &&
                  op.getMatchingIndexingMap(&out).isIdentity();
         });
}

static bool sameRows(linalg::GenericOp a, linalg::GenericOp b) {
  auto left = a.getOutputs().front().getDefiningOp<tensor::EmptyOp>();
  auto right = b.getOutputs().front().getDefiningOp<tensor::EmptyOp>();
  return cast<RankedTensorType>(left.getType()).getShape() ==
             cast<RankedTensorType>(right.getType()).getShape() &&
         left.getDynamicSizes() == right.getDynamicSizes();
}

static bool shareInput(linalg::GenericOp a, linalg::GenericOp b) {
  return llvm::any_of(a.getInputs(), [&](Value input) {
    return llvm::is_contained(b.getInputs(), input);
  });
}

/// Whether all operands of `op`, and what its body reads from outside, stand
/// before `place` in its block.
static bool canMoveUp(linalg::GenericOp op, Operation *place) {
  auto isBefore = [&](Value value) {
    Operation *def = value.getDefiningOp();
    return !def || def->getBlock() != place->getBlock() ||
           def->isBeforeInBlock(place);
  };
  bool all = llvm::all_of(op->getOperands(), [&](Value value) {
    return value.getDefiningOp<tensor::EmptyOp>() || isBefore(value);
  });
  op.getBody()->walk([&](Operation *inner) {
    for (Value value : inner->getOperands())
      if (!op->isAncestor(value.getParentBlock()->getParentOp()))
        all &= isBefore(value);
  });
  return all;
}

/// Both in one, at the place of the first.
static linalg::GenericOp merge(linalg::GenericOp a, linalg::GenericOp b,
                               IRRewriter &rewriter) {
  // Destinations are new tensors; their sizes are those of the first.
  for (OpOperand &out : b.getDpsInitsMutable()) {
    rewriter.setInsertionPoint(a);
    auto empty = out.get().getDefiningOp<tensor::EmptyOp>();
    rewriter.modifyOpInPlace(
        b, [&] { out.set(rewriter.clone(*empty)->getResult(0)); });
  }
  SmallVector<Value> inputs(a.getInputs()), outputs(a.getOutputs());
  llvm::append_range(inputs, b.getInputs());
  llvm::append_range(outputs, b.getOutputs());
  SmallVector<AffineMap> maps, outMaps;
  for (linalg::GenericOp op : {a, b})
    for (OpOperand &operand : op->getOpOperands())
      (op.isDpsInput(&operand) ? maps : outMaps)
          .push_back(op.getMatchingIndexingMap(&operand));
  llvm::append_range(maps, outMaps);
  SmallVector<Type> types(a.getResultTypes());
  llvm::append_range(types, b.getResultTypes());
  rewriter.setInsertionPoint(a);
  auto body = [&](OpBuilder &builder, Location loc, ValueRange args) {
    SmallVector<Value> yields;
    size_t in = 0, out = a.getNumDpsInputs() + b.getNumDpsInputs();
    for (linalg::GenericOp op : {a, b}) {
      IRMapping mapping;
      for (BlockArgument arg : op.getRegionInputArgs())
        mapping.map(arg, args[in++]);
      for (BlockArgument arg : op.getRegionOutputArgs())
        mapping.map(arg, args[out++]);
      for (Operation &inner : op.getBody()->without_terminator())
        builder.clone(inner, mapping);
      for (Value value : op.getBody()->getTerminator()->getOperands())
        yields.push_back(mapping.lookupOrDefault(value));
    }
    linalg::YieldOp::create(builder, loc, yields);
  };
  auto merged =
      linalg::GenericOp::create(rewriter, a.getLoc(), types, inputs, outputs,
                                maps, a.getIteratorTypesArray(), body);
  rewriter.replaceOp(a, merged->getResults().take_front(a->getNumResults()));
  rewriter.replaceOp(b, merged->getResults().take_back(b->getNumResults()));
  return merged;
}

static void fuseIn(Block &block, IRRewriter &rewriter) {
  SmallVector<linalg::GenericOp> ops;
  for (auto op : block.getOps<linalg::GenericOp>())
    if (isCandidate(op))
      ops.push_back(op);
  for (size_t i = 0; i < ops.size(); ++i)
    for (size_t j = i + 1; j < ops.size(); ++j) {
      if (!ops[i] || !ops[j] || !sameRows(ops[i], ops[j]) ||
          !shareInput(ops[i], ops[j]) ||
          ops[i]->getNumOperands() + ops[j]->getNumOperands() > maxOperands ||
          !canMoveUp(ops[j], ops[i]))
        continue;
      ops[i] = merge(ops[i], ops[j], rewriter);
      ops[j] = nullptr;
    }
}

void cambium::fuseSiblings(Operation *root, IRRewriter &rewriter) {
  SmallVector<Block *> blocks;
  root->walk([&](Block *block) {
    if (!isa_and_nonnull<linalg::LinalgOp>(block->getParentOp()))
      blocks.push_back(block);
  });
  for (Block *block : blocks)
    fuseIn(*block, rewriter);
}
