//===-- lib/Pipelines/Batched.cpp - From phase input to phase batched ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pipelines.h"
#include "cambium/Target/Passes.h"
#include "dialects/Depth/Transforms/Passes.h"
#include "dialects/NN/Transforms/Passes.h"
#include "dialects/Ragged/Batching/Passes.h"
#include "dialects/Ragged/Transforms/Passes.h"
#include "dialects/Tree/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace cambium;

void cambium::buildBatchedPipeline(OpPassManager &pm,
                                   const PipelineOptions &options) {
  // First: what it stands for is checked and batched like the rest.
  pm.addPass(depth::createExpandPonder());
  // While every op is where the user wrote it.
  pm.addPass(createVerifyInput());
  // Before anything copies an op: the number is what the random mask depends
  // on.
  pm.addPass(nn::createNumberDropouts());
  // What nobody calls costs nothing; numbers of dropouts do not depend on it.
  pm.addPass(createSymbolDCEPass());
  // Which rows meet is known only in the function that holds all it calls.
  pm.addPass(createInlineCalls());
  // Before batching, which gives each of the two cells its own context.
  pm.addPass(tree::createSpecializeLeaves());
  // The heart: from here on ops see all rows.
  pm.addPass(createRaggedBatch());
  // Equal permutations and expansions become one before they are weighed.
  addCleanUp(pm);
  // Before work leaves loops: what is permuted decides what can leave.
  pm.addPass(ragged::createSinkPermutes());
  // After permutations have found their place.
  pm.addPass(ragged::createHoist());
  // Products are merged where they are computed, and by equal inputs.
  pm.addPass(createCSEPass());
  // What is worth merging depends on it, and so does all that follows.
  pm.addPass(createAttachTarget(targetOptions(options)));
  // When products stand where they will be computed.
  pm.addPass(nn::createMergeProducts());
  // Products are what they will be, and gradients follow what is shared.
  pm.addPass(ragged::createShareRows());
  // What merging has left behind.
  addCleanUp(pm);
  // The contract of the phase.
  pm.addPass(createVerifyBatched());
}
