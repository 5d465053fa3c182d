//===-- lib/Linalg/SinkSplits.cpp - Parts of elementwise values ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Elementwise.h"
#include "cambium/Linalg/Passes.h"
#include "cambium/Support/LinalgBuilder.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/IR/PatternMatch.h"

namespace cambium {
#define GEN_PASS_DEF_SINKSPLITS
#include "cambium/Linalg/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

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

namespace {
struct SinkSplits : cambium::impl::SinkSplitsBase<SinkSplits> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<nn::SplitOp> splits;
    getOperation()->walk([&](nn::SplitOp split) { splits.push_back(split); });
    for (nn::SplitOp split : splits)
      sinkSplit(split, rewriter);
  }
};
} // namespace
