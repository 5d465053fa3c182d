//===-- BuffersToLLVM.cpp - From buffers to the LLVM dialect --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Codegen/Passes.h"
#include "cambium/Pipelines/Phases.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void cambium::buildBuffersToLLVMPipeline(OpPassManager &pm,
                                         const PipelineOptions &options) {
  //===--- What does not depend on how loops are made ---------------------===//
  AttachTargetOptions target;
  target.cpu = options.cpu;
  pm.addPass(createAttachTarget(target));
  // The manifest, while entries still have their arguments.
  pm.addPass(createDescribeModule());

  //===--- Loops ----------------------------------------------------------===//
  pm.addPass(createEmitProducts());
  pm.addPass(createShareLoops());
  OpPassManager &loops = pm.nest<func::FuncOp>();
  loops.addPass(createParallelizeLoops());
  loops.addPass(createVectorize());
  // What has no lanes: scalars, gathers of single elements.
  loops.addPass(createConvertLinalgToLoopsPass());
  loops.addPass(createApproximateMath());
  pm.addPass(createOutlineParallel());
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(memref::createExpandStridedMetadataPass());
  functions.addPass(createLowerAffinePass());
  functions.addPass(createCanonicalizerPass());
  functions.addPass(createCSEPass());

  //===--- LLVM -----------------------------------------------------------===//
  // Entries return from the middle when a service fails, so that structured
  // control flow has to go first.
  functions.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertRTToLLVM());
  pm.addPass(createLowerToLLVM());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addNestedPass<LLVM::LLVMFuncOp>(createForwardFields());
  EmitModuleOptions module;
  module.prefix = options.prefix;
  pm.addPass(createEmitModule(module));
}
