//===-- lib/Pipelines/LLVM.cpp - From phase kernels to phase LLVM --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pipelines.h"
#include "cambium/LLVM/Passes.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace cambium;

static void addDescription(OpPassManager &pm, const PipelineOptions &options) {
  if (!options.isGpu())
    // While entries still have their arguments.
    pm.addPass(createDescribeModule());
}

void cambium::buildFunctionsPipeline(OpPassManager &pm) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  // A failure is a branch, on the CPU a return from the middle of an entry, so
  // that structured control flow has to go first.
  functions.addPass(createSCFToControlFlowPass());
  // Arguments of entries become reads of the call.
  pm.addPass(createConvertRTToLLVM());
  // All the rest at once.
  pm.addPass(createLowerToLLVM());
  // Casts between what was converted apart.
  pm.addPass(createReconcileUnrealizedCastsPass());
  // Before LLVM sees the structs that memrefs have become.
  pm.addNestedPass<LLVM::LLVMFuncOp>(createForwardFields());
}

static void addNames(OpPassManager &pm, const PipelineOptions &options) {
  if (options.isGpu()) {
    // On a GPU, last: it renames entries, and there must be no call of a
    // library.
    pm.addPass(createEmitKernels());
    return;
  }
  EmitModuleOptions module;
  module.prefix = options.prefix;
  // Last: it renames functions.
  pm.addPass(createEmitModule(module));
}

void cambium::buildLLVMPipeline(OpPassManager &pm,
                                const PipelineOptions &options) {
  addDescription(pm, options);
  buildFunctionsPipeline(pm);
  addNames(pm, options);
}
