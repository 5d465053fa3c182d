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

/// Whether each operand has parts like the value. `nn.split` cuts floats alone:
/// a condition has parts if it is computed of such operands for this use.
static bool havePartsLike(Operation *op, Value value) {
  SmallVector<Operation *> worklist{op};
  while (!worklist.empty())
    for (Value operand : worklist.pop_back_val()->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (!type)
        continue;
      if (type.getShape() != tensorType(value).getShape())
        return false;
      if (isa<FloatType>(type.getElementType()))
        continue;
      Operation *condition = operand.getDefiningOp();
      if (!condition || !isElementwise(condition) || !operand.hasOneUse())
        return false;
      worklist.push_back(condition);
    }
  return true;
}

/// Puts the op whose value is split on the parts of its operands; adds the
/// splits of these.
static void sinkSplit(nn::SplitOp split, IRRewriter &rewriter,
                      SmallVectorImpl<nn::SplitOp> &cuts) {
  Operation *op = split.getInput().getDefiningOp();
  if (!op || !isElementwise(op) || !op->getResult(0).hasOneUse() ||
      !havePartsLike(op, split.getInput()))
    return;
  rewriter.setInsertionPoint(split);
  SmallVector<SmallVector<Value>> parts(split.getNumResults());
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
}

/// Splits the table of an embedding whose columns are used one by one: each is
/// read where it is used, and no row is copied.
static bool splitTable(nn::SplitOp split, IRRewriter &rewriter) {
  auto embed = split.getInput().getDefiningOp<nn::EmbedOp>();
  if (!embed ||
      static_cast<int64_t>(split.getDim()) != embed.getType().getRank() - 1 ||
      llvm::any_of(llvm::zip(split.getSizes(), split.getResults()),
                   [](auto part) {
                     auto [size, result] = part;
                     return size != 1 && !result.use_empty();
                   }))
    return false;
  rewriter.setInsertionPoint(split);
  auto columns = nn::SplitOp::create(rewriter, split.getLoc(), embed.getTable(),
                                     /*dim=*/1, split.getSizes());
  SmallVector<Value> results;
  for (auto [column, result] :
       llvm::zip(columns.getResults(), split.getResults())) {
    OperationState state(embed.getLoc(), embed->getName(),
                         {embed.getIds(), column}, result.getType(),
                         embed->getAttrs());
    results.push_back(rewriter.create(state)->getResult(0));
  }
  rewriter.replaceOp(split, results);
  if (embed->use_empty())
    rewriter.eraseOp(embed);
  return true;
}

namespace {
struct SinkSplits : cambium::impl::SinkSplitsBase<SinkSplits> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<nn::SplitOp> splits;
    getOperation()->walk([&](nn::SplitOp split) { splits.push_back(split); });
    while (!splits.empty()) {
      nn::SplitOp split = splits.pop_back_val();
      if (!splitTable(split, rewriter))
        sinkSplit(split, rewriter, splits);
    }
  }
};
} // namespace
