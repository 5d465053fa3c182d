//===-- VerifyGradient.cpp - The contract of the gradient phase ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Gradient/Passes.h"
#include "cambium/Interfaces/DecomposableOpInterface.h"
#include "dialects/Train/IR/Train.h"
#include "mlir/IR/BuiltinOps.h"

namespace cambium {
#define GEN_PASS_DEF_VERIFYGRADIENT
#include "cambium/Gradient/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
struct VerifyGradient : cambium::impl::VerifyGradientBase<VerifyGradient> {
  using VerifyGradientBase::VerifyGradientBase;
  void runOnOperation() override {
    bool valid = true;
    getOperation().walk([&](Operation *op) {
      bool left =
          isa<train::GradientOp, train::StepOp, train::StopGradientOp>(op) ||
          isa<DecomposableOpInterface>(op);
      if (!left)
        return;
      op->emitOpError("expected to be gone after the gradient phase");
      valid = false;
    });
    if (!valid)
      signalPassFailure();
  }
};
} // namespace
