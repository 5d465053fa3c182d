//===-- lib/Pipelines/Linalg.cpp - From phase gradient to phase linalg ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pipelines.h"
#include "cambium/Linalg/Passes.h"
#include "cambium/Target/Passes.h"
#include "dialects/Ragged/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace cambium;

void cambium::buildLinalgPipeline(OpPassManager &manager,
                                  const PipelineOptions &options) {
  // Again, for text that begins with this phase.
  manager.addPass(createAttachTarget(targetOptions(options)));
  // While what depends on ids is row-wise ops, and gradients have been made.
  manager.addPass(ragged::createKeepRows({options.keepRows}));
  // One function does not depend on another: threads share them.
  OpPassManager &pm = manager.nest<func::FuncOp>();
  // Equal ops are lowered once.
  addCleanUp(pm);
  // While recursions are ops: views of what they yield leave them.
  pm.addPass(createPeelYields());
  // Gates take the parts of their product.
  pm.addPass(createSinkSplits());
  // Gradients of slices are put in place, not added.
  pm.addPass(createJoinPads());
  // From `nn`, `ragged` and `train` to linear algebra.
  pm.addPass(createToLinalg());
  // Sizes of values become sizes of what they are computed from, so that a
  // value that is fused away is not kept for its size.
  pm.addPass(createResolveDims());
  // Sizes in loops become those before them.
  pm.addPass(createSCFForLoopCanonicalizationPass());
  // Equal sizes are one value, by which fusion knows equal loops.
  addCleanUp(pm);
  // Before fusion, which would keep in a loop what it makes part of one.
  pm.addPass(createLoopInvariantCodeMotionPass());
  // When nobody asks a product for its size, and before fusion, which would
  // make the sums a loop of its own.
  pm.addPass(createSumProducts());
  // What a cell computes after its products is one loop.
  pm.addPass(createFuseElementwise());
  // What fusion has left behind.
  addCleanUp(pm);
  // The contract of the phase.
  manager.addPass(createVerifyLinalg());
}
