//===-- lib/Batching/Pipeline.cpp - From phase input to phase batched ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Batching/Passes.h"
#include "dialects/Depth/Transforms/Passes.h"
#include "dialects/NN/Transforms/Passes.h"
#include "dialects/Ragged/Transforms/Passes.h"
#include "dialects/Tree/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace cambium;

void cambium::buildBatchedPipeline(OpPassManager &manager) {
  manager.addPass(depth::createExpandPonder());
  manager.addPass(createVerifyInput());
  // Before anything copies an op: the number is what the random mask depends
  // on.
  manager.addPass(nn::createNumberDropouts());
  // The inliner's own clean-up would merge what a gradient tells apart.
  manager.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  manager.addPass(tree::createSpecializeLeaves());
  manager.addPass(createRaggedBatch());
  // Equal permutations and expansions become one before they are weighed.
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(ragged::createSinkPermutes());
  manager.addPass(ragged::createHoist());
  // Products are merged when they stand where they will be computed and when
  // their inputs are one value.
  manager.addPass(createCSEPass());
  manager.addPass(nn::createMergeProducts());
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  manager.addPass(createVerifyBatched());
}
