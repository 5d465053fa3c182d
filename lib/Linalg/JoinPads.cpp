//===-- lib/Linalg/JoinPads.cpp - Sums of parts that do not meet ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Linalg/Passes.h"
#include "cambium/Support/LinalgBuilder.h"
#include "dialects/NN/IR/NN.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

namespace cambium {
#define GEN_PASS_DEF_JOINPADS
#include "cambium/Linalg/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

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

namespace {
struct JoinPads : cambium::impl::JoinPadsBase<JoinPads> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<arith::AddFOp> sums;
    getOperation()->walk([&](arith::AddFOp op) {
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
};
} // namespace
