//===-- lib/Lowering/Pipeline.cpp - From the gradient form to linalg ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Lowering/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace cambium;

void cambium::buildLinalgPipeline(OpPassManager &manager) {
  // One function does not depend on another: threads share them.
  OpPassManager &pm = manager.nest<func::FuncOp>();
  pm.addPass(createDecompose());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(createToLinalg());

  //===--- Row counts
  //--------------------------------------------------------===//
  // Sizes of values become sizes of what they are computed from, so that a
  // value that is fused away is not kept for its size.
  pm.addPass(createResolveDims());
  pm.addPass(createSCFForLoopCanonicalizationPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());

  //===--- Fusion
  //------------------------------------------------------------===//
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(createFuseElementwise());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  manager.addPass(createVerifyLinalg());
}
