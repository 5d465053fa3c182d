//===-- lib/Autodiff/Pipeline.cpp - The gradient phase ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Autodiff/Passes.h"
#include "cambium/Interfaces/DecomposableOpInterface.h"
#include "cambium/Lowering/Passes.h"
#include "dialects/Train/IR/Train.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/Passes.h"

namespace cambium {
#define GEN_PASS_DEF_VERIFYGRADIENTPHASE
#include "cambium/Autodiff/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
struct VerifyGradientPhase
    : cambium::impl::VerifyGradientPhaseBase<VerifyGradientPhase> {
  using VerifyGradientPhaseBase::VerifyGradientPhaseBase;
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

void cambium::buildGradientPipeline(OpPassManager &pm) {
  // Abbreviations first: they have no derivative of their own.
  pm.addPass(createDecompose());
  pm.addPass(createCSEPass());
  // Gradients inside of losses, then steps: a step differentiates through them.
  pm.addPass(createLowerGradients());
  pm.addPass(createLowerSteps());
  // Drops the parts of the tape that nobody asked for.
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createVerifyGradientPhase());
}
