//===-- InitAllPasses.cpp - All passes and pipelines of the compiler -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/InitAllPasses.h"
#include "Pipelines.h"
#include "cambium/Buffers/Passes.h"
#include "cambium/Gradient/Passes.h"
#include "cambium/Kernels/Passes.h"
#include "cambium/LLVM/Passes.h"
#include "cambium/Linalg/Passes.h"
#include "cambium/Pipelines/Phases.h"
#include "cambium/Target/Passes.h"
#include "dialects/Depth/Transforms/Passes.h"
#include "dialects/NN/Transforms/Passes.h"
#include "dialects/Ragged/Batching/Passes.h"
#include "dialects/Ragged/Transforms/Passes.h"
#include "dialects/Tree/Transforms/Passes.h"
#include "mlir/InitAllPasses.h"

// The pipelines from phase to phase are registered by `registerPipelines`.
void cambium::registerAllPasses() {
  mlir::registerAllPasses();
  registerGradientPasses();
  registerRaggedBatchingPasses();
  registerBuffersPasses();
  registerKernelsPasses();
  registerLLVMPasses();
  registerLinalgPasses();
  registerTargetPasses();
  nn::registerNNPasses();
  ragged::registerRaggedPasses();
  depth::registerDepthPasses();
  tree::registerTreePasses();
  registerFoldBodies();
  registerPipelines();
}
