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
  int64_t number = 0;
  module.walk([&](DropoutOp dropout) {
    if (!dropout.getId())
      dropout.setId(number);
    ++number;
  });
}

namespace {
struct NumberDropouts : nn::impl::NumberDropoutsBase<NumberDropouts> {
  void runOnOperation() override { assignDropoutIds(getOperation()); }
};
} // namespace
