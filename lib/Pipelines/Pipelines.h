//===-- lib/Pipelines/Pipelines.h - From phase to phase ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_PIPELINES_PIPELINES_H
#define CAMBIUM_LIB_PIPELINES_PIPELINES_H

#include "cambium/Pipelines/Phases.h"
#include "cambium/Target/Passes.h"

// The comment before a pass says why it stands where it does. The tables of
// passes in docs/ are made of them (tools/reference): one statement per pass,
// `addPass(create...)`.
namespace cambium {

void buildInputPipeline(mlir::OpPassManager &pm, const PipelineOptions &);
void buildBatchedPipeline(mlir::OpPassManager &pm, const PipelineOptions &);
void buildGradientPipeline(mlir::OpPassManager &pm, const PipelineOptions &);
void buildLinalgPipeline(mlir::OpPassManager &pm, const PipelineOptions &);
void buildBuffersPipeline(mlir::OpPassManager &pm, const PipelineOptions &);
void buildKernelsPipeline(mlir::OpPassManager &pm, const PipelineOptions &);
void buildLLVMPipeline(mlir::OpPassManager &pm, const PipelineOptions &);

/// What code is made for.
AttachTargetOptions targetOptions(const PipelineOptions &options);

/// The phase whose passes depend on the target most.
void buildCpuKernelsPipeline(mlir::OpPassManager &pm, const PipelineOptions &);
void buildGpuKernelsPipeline(mlir::OpPassManager &pm, const PipelineOptions &);

/// Canonicalizes what is in loops, so that the canonicalizer finds loops that
/// change no more.
std::unique_ptr<mlir::Pass> createFoldBodies();
void registerFoldBodies();

/// The clean-up that passes count on: folds, canonical forms, no dead ops, and
/// equal ops once.
void addCleanUp(mlir::OpPassManager &pm);

} // namespace cambium

#endif // CAMBIUM_LIB_PIPELINES_PIPELINES_H
