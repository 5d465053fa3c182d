//===-- lib/Pipelines/GpuKernels.cpp - Phase kernels for GPUs -------------===//
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

void cambium::buildGpuKernelsPipeline(OpPassManager &pm,
                                      const PipelineOptions &options) {
  // Does nothing where the linalg phase has done it.
  pm.addPass(createAttachTarget(targetOptions(options)));
  // First: it adds failures, of which the host has to know.
  pm.addPass(createConvertStructure());
  // While chains are ops and entries have nothing but their own arguments.
  pm.addPass(createDescribeEntries());
  // Before stages are formed: loops become independent.
  pm.addPass(createChainRows());
  // Before stages are made of rows: then all products have the columns of what
  // follows.
  pm.addPass(createSplitProducts());
  // While products and loops over rows are ops.
  pm.addPass(createFuseRows());
  // While ops say what they read and write.
  pm.addPass(createFormStages());
  // While stages say what they read and write: those that need one barrier
  // stand together.
  pm.addPass(createOrderStages());
  // When stages are known, and before they are functions.
  pm.addPass(createPlaceBarriers());
  WatchStagesOptions watch;
  watch.time = options.timeStages;
  watch.limit = options.barrierLimit;
  // While a barrier is an op and stages know what they were made of.
  pm.addPass(createWatchStages(watch));
  // Before loops are made: stages that do the same are one by then.
  pm.addPass(createOutlineParallel());
  OpPassManager &loops = pm.nest<func::FuncOp>();
  // What a single thread does.
  loops.addPass(createConvertLinalgToLoopsPass());
  // Where f32 needs no more than f32.
  loops.addPass(createApproximateMath());
  // There is no library on the device.
  loops.addPass(createComputeFunctions());
  // When nothing allocates any more.
  pm.addPass(createSizeWorkspace());
  OpPassManager &functions = pm.nest<func::FuncOp>();
  // Views become arithmetic on addresses.
  functions.addPass(memref::createExpandStridedMetadataPass());
  // That arithmetic becomes ops of `arith`.
  functions.addPass(createLowerAffinePass());
  // Equal addresses are computed once.
  addCleanUp(functions);
}
