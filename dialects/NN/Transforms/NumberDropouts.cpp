//===-- dialects/NN/Transforms/NumberDropouts.cpp - Numbers of dropouts ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/Transforms/Passes.h"

using namespace mlir;

namespace cambium::nn {
#define GEN_PASS_DEF_NUMBERDROPOUTS
#include "dialects/NN/Transforms/Passes.h.inc"
} // namespace cambium::nn

using namespace cambium;
using namespace cambium::nn;

void cambium::nn::assignDropoutIds(ModuleOp module) {
  llvm::DenseMap<OperationName, int64_t> next;
  Builder builder(module.getContext());
  module.walk([&](Operation *op) {
    if (!op->hasTrait<DrawsNumbers>())
      return;
    int64_t number = next[op->getName()]++;
    bool draws = op->hasAttr("rate") ||
                 !llvm::is_contained(op->getName().getAttributeNames(), "rate");
    if (draws && !op->hasAttr("id"))
      op->setAttr("id", builder.getI64IntegerAttr(number));
  });
}

namespace {
struct NumberDropouts : nn::impl::NumberDropoutsBase<NumberDropouts> {
  void runOnOperation() override { assignDropoutIds(getOperation()); }
};
} // namespace
