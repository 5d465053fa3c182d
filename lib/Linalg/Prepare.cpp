//===-- Prepare.cpp - What makes the gradient form easier to lower -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Prepare.h"
#include "cambium/Support/LinalgBuilder.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cambium;

bool cambium::isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) &&
         op->getNumResults() == 1 &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

static void sinkSplit(nn::SplitOp split, IRRewriter &rewriter) {
  Operation *op = split.getInput().getDefiningOp();
  if (!op || !isElementwise(op) || !op->getResult(0).hasOneUse())
    return;
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()) &&
        tensorType(operand).getShape() !=
            tensorType(split.getInput()).getShape())
      return;
  rewriter.setInsertionPoint(split);
  SmallVector<SmallVector<Value>> parts(split.getNumResults());
  SmallVector<nn::SplitOp> cuts;
  for (Value operand : op->getOperands()) {
    bool isTensor = isa<RankedTensorType>(operand.getType());
    nn::SplitOp cut;
    if (isTensor)
      cuts.push_back(cut =
                         nn::SplitOp::create(rewriter, split.getLoc(), operand,
                                             split.getDim(), split.getSizes()));
    for (auto [i, part] : llvm::enumerate(parts))
      part.push_back(isTensor ? cut.getResult(i) : operand);
  }
  SmallVector<Value> results;
  for (auto [part, result] : llvm::zip(parts, split.getResults())) {
    OperationState state(op->getLoc(), op->getName(), part, result.getType(),
                         op->getAttrs());
    results.push_back(rewriter.create(state)->getResult(0));
  }
  rewriter.replaceOp(split, results);
  rewriter.eraseOp(op);
  for (nn::SplitOp cut : cuts)
    sinkSplit(cut, rewriter);
}

void cambium::sinkSplits(Operation *root, IRRewriter &rewriter) {
  SmallVector<nn::SplitOp> splits;
  root->walk([&](nn::SplitOp split) { splits.push_back(split); });
  for (nn::SplitOp split : splits)
    sinkSplit(split, rewriter);
}

//===----------------------------------------------------------------------===//
// Sums of pads
//===----------------------------------------------------------------------===//

/// The pads that a sum adds up, and the sums in between, if all have one use;
/// false if something else is added.
static bool collectPads(arith::AddFOp root, SmallVectorImpl<nn::PadOp> &pads) {
  SmallVector<Value> worklist(root->getOperands());
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !value.hasOneUse())
      return false;
    if (auto pad = dyn_cast<nn::PadOp>(op))
      pads.push_back(pad);
    else if (isa<arith::AddFOp>(op))
      llvm::append_range(worklist, op->getOperands());
    else
      return false;
  }
  return true;
}

/// The padded tensors in their order, if they fill the dimension without a gap.
static SmallVector<Value> fillDimension(SmallVectorImpl<nn::PadOp> &pads) {
  int64_t dim = pads.front().getDim(), end = 0;
  llvm::sort(pads,
             [](nn::PadOp a, nn::PadOp b) { return a.getLow() < b.getLow(); });
  SmallVector<Value> parts;
  for (nn::PadOp pad : pads) {
    if (static_cast<int64_t>(pad.getDim()) != dim ||
        static_cast<int64_t>(pad.getLow()) != end)
      return {};
    end += tensorType(pad.getInput()).getDimSize(dim);
    parts.push_back(pad.getInput());
  }
  if (end != pads.front().getType().getDimSize(dim))
    return {};
  return parts;
}

void cambium::joinPads(Operation *root, IRRewriter &rewriter) {
  SmallVector<arith::AddFOp> sums;
  root->walk([&](arith::AddFOp op) {
    if (isa<RankedTensorType>(op.getType()))
      sums.push_back(op);
  });
  // The last sum of a chain is its root; those before it go with it.
  for (arith::AddFOp sum : llvm::reverse(sums)) {
    SmallVector<nn::PadOp> pads;
    if (sum->use_empty() || !collectPads(sum, pads))
      continue;
    SmallVector<Value> parts = fillDimension(pads);
    if (parts.empty())
      continue;
    rewriter.setInsertionPoint(sum);
    Value joined = nn::ConcatOp::create(rewriter, sum.getLoc(), parts,
                                        pads.front().getDim());
    rewriter.replaceAllUsesWith(sum.getResult(), joined);
  }
}
