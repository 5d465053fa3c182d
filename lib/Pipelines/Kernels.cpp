//===-- Kernels.cpp - From phase buffers to phase kernels ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pipelines.h"
#include "cambium/Kernels/Passes.h"
#include "cambium/Target/Passes.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace cambium;

void cambium::buildKernelsPipeline(OpPassManager &pm,
                                   const PipelineOptions &options) {
  if (options.isGpu())
    return buildGpuKernelsPipeline(pm, options);
  buildCpuKernelsPipeline(pm, options);
}

void cambium::buildCpuKernelsPipeline(OpPassManager &pm,
                                      const PipelineOptions &options) {
  buildProductsPipeline(pm, options);
  buildLoopsPipeline(pm);
}

void cambium::buildProductsPipeline(OpPassManager &pm,
                                    const PipelineOptions &options) {
  // Does nothing where the linalg phase has done it.
  pm.addPass(createAttachTarget(targetOptions(options)));
  // Before loops are shared: a call of a product is shared with them.
  pm.addPass(createEmitProducts());
}

void cambium::buildLoopsPipeline(OpPassManager &pm) {
  // Before loops are made: there is one of each kind to make.
  pm.addPass(createShareLoops());
  OpPassManager &loops = pm.nest<func::FuncOp>();
  // Before loops over vectors, which look for work to share themselves.
  loops.addPass(createParallelizeLoops());
  // What has lanes.
  loops.addPass(createVectorize());
  // What has no lanes: scalars, elements at computed places on most targets.
  loops.addPass(createConvertLinalgToLoopsPass());
  // On vectors, which are there now.
  loops.addPass(createApproximateMath());
  // When loops are what they will be.
  pm.addPass(createOutlineParallel());
  OpPassManager &functions = pm.nest<func::FuncOp>();
  // When entries are lists of calls: memory is of use from one to another.
  functions.addPass(createReleaseMemory());
  // Views become arithmetic on addresses.
  functions.addPass(memref::createExpandStridedMetadataPass());
  // That arithmetic becomes ops of `arith`.
  functions.addPass(createLowerAffinePass());
  // Equal addresses are computed once.
  addCleanUp(functions);
}
