//===-- lib/Init/InitAllPasses.cpp - All passes and pipelines of the compiler ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/InitAllPasses.h"
#include "cambium/Autodiff/Passes.h"
#include "cambium/Batching/Passes.h"
#include "cambium/Buffers/Passes.h"
#include "cambium/Lowering/Passes.h"
#include "dialects/NN/Transforms/Passes.h"
#include "dialects/Ragged/Transforms/Passes.h"
#include "dialects/Tree/Transforms/Passes.h"
#include "cambium/Codegen/Passes.h"
#include "cambium/Lowering/Passes.h"
#include "cambium/Pipelines/Phases.h"
#include "dialects/NN/Transforms/Passes.h"
#include "mlir/InitAllPasses.h"

void cambium::registerAllPasses() {
  mlir::registerAllPasses();
  registerAutodiffPasses();
  registerBatchingPasses();
  registerBuffersPasses();
  registerLoweringPasses();
  nn::registerNNPasses();
  ragged::registerRaggedPasses();
  tree::registerTreePasses();
  mlir::PassPipelineRegistration<>("cambium-to-batched",
                                   "From functions of one example to their batched form.",
                                   buildBatchedPipeline);
  mlir::PassPipelineRegistration<>("cambium-batched-to-gradient",
                                   "Take gradients on the batched form.",
                                   buildGradientPipeline);
  mlir::PassPipelineRegistration<>("cambium-gradient-to-linalg",
                                   "Lower the gradient form to linalg on tensors.",
                                   buildLinalgPipeline);
  mlir::PassPipelineRegistration<>("cambium-linalg-to-buffers",
                                   "Give memory to every value of the linalg phase.",
                                   buildBuffersPipeline);
  registerCodegenPasses();
  registerLoweringPasses();
  nn::registerNNPasses();
  registerPipelines();
}
