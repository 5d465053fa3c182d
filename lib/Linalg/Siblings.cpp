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
#include <set>

using namespace mlir;

/// How many ops that read the same are looked at for each: all of a value that
/// a whole model reads would take the square of its length.
static constexpr unsigned maxTries = 256;

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

namespace {
/// The candidates of one block, by number in their order.
class Siblings {
public:
  Siblings(Block &block, int64_t maxOperands, IRRewriter &rewriter)
      : maxOperands(maxOperands), rewriter(rewriter) {
    for (Operation &op : block) {
      places[&op] = places.size();
      auto generic = dyn_cast<linalg::GenericOp>(op);
      if (generic && isCandidate(generic))
        addCandidate(generic);
    }
  }

  void fuse() {
    for (size_t i = 0; i < ops.size(); ++i)
      if (ops[i])
        takeFollowing(i);
  }

private:
  /// The numbers of the candidates that read a value, in their order.
  using Readers = SmallVector<size_t>;

  void addCandidate(linalg::GenericOp op) {
    for (Value input : op.getInputs())
      if (Readers &list = readers[input];
          list.empty() || list.back() != ops.size())
        list.push_back(ops.size());
    ops.push_back(op);
  }

  /// Merges what comes later, in order, into the op.
  void takeFollowing(size_t i) {
    std::set<size_t> next;
    for (Value input : ops[i].getInputs())
      addReader(next, input, i);
    for (unsigned tries = 0; !next.empty() && tries < maxTries; ++tries) {
      // An input and an output are the least that another one adds.
      if (ops[i]->getNumOperands() + 2 > maxOperands)
        return;
      size_t j = *next.begin();
      next.erase(next.begin());
      for (Value input : ops[i].getInputs())
        addReader(next, input, j);
      if (!ops[j] || !sameRows(ops[i], ops[j]) ||
          ops[i]->getNumOperands() + ops[j]->getNumOperands() > maxOperands ||
          !canMoveUp(ops[j], ops[i]))
        continue;
      take(i, j);
      for (Value input : ops[i].getInputs())
        addReader(next, input, j);
    }
  }

  /// The first reader of a value behind a candidate.
  void addReader(std::set<size_t> &next, Value input, size_t behind) {
    const Readers &list = readers[input];
    auto found = llvm::upper_bound(list, behind);
    if (found != list.end())
      next.insert(*found);
  }

  void take(size_t i, size_t j) {
    SmallVector<Value> old(ops[i]->getResults());
    llvm::append_range(old, ops[j]->getResults());
    SmallVector<Readers> moved;
    for (Value value : old) {
      moved.push_back(std::move(readers[value]));
      readers.erase(value);
    }
    size_t place = places.lookup(ops[i]);
    places.erase(ops[i]);
    places.erase(ops[j]);
    ops[i] = merge(ops[i], ops[j], rewriter);
    ops[j] = nullptr;
    places[ops[i]] = place;
    for (auto [value, list] : llvm::zip_equal(ops[i]->getResults(), moved))
      readers[value] = std::move(list);
  }

  /// Whether all operands of `op`, and what its body reads from outside, stand
  /// before `place` in its block.
  bool canMoveUp(linalg::GenericOp op, Operation *place) {
    size_t limit = places.lookup(place);
    auto isBefore = [&](Value value) {
      Operation *def = value.getDefiningOp();
      return !def || def->getBlock() != place->getBlock() ||
             places.lookup(def) < limit;
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

  const int64_t maxOperands;
  IRRewriter &rewriter;
  SmallVector<linalg::GenericOp> ops;
  DenseMap<Value, Readers> readers;
  DenseMap<Operation *, size_t> places;
};
} // namespace

void cambium::fuseSiblings(Operation *root, int64_t maxOperands,
                           IRRewriter &rewriter) {
  SmallVector<Block *> blocks;
  root->walk([&](Block *block) {
    if (!isa_and_nonnull<linalg::LinalgOp>(block->getParentOp()))
      blocks.push_back(block);
  });
  for (Block *block : blocks)
    Siblings(*block, maxOperands, rewriter).fuse();
}
