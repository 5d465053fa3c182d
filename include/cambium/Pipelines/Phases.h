//===-- Phases.h - The phases of a compilation ---------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_PIPELINES_PHASES_H
#define CAMBIUM_PIPELINES_PHASES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include <optional>
#include <string>

namespace cambium {

/// The phases of a compilation (docs/Design.md), in order. This is the one
/// list: `--compile-to`, the pipelines `cambium-to-<phase>` and dumps follow
/// it.
enum class Phase {
  Input,
  Batched,
  Gradient,
  Linalg,
  Buffers,
  Kernels,
  LLVM,
  Object
};

/// All phases, in order.
llvm::ArrayRef<Phase> allPhases();
/// The name of a phase, as in `--compile-to=batched`.
llvm::StringRef stringifyPhase(Phase phase);
/// What the IR of a phase holds, in one line.
llvm::StringRef describePhase(Phase phase);
/// The phase of a name.
std::optional<Phase> symbolizePhase(llvm::StringRef name);

/// What code is made for.
enum class TargetKind { CPU, GPU };

/// What passes of the pipelines can be told.
struct PipelineOptions : public mlir::PassPipelineOptions<PipelineOptions> {
  ListOption<std::string> sizes{
      *this, "sizes",
      llvm::cl::desc("Sizes and numbers of the model: name=number")};
  ListOption<std::string> folders{
      *this, "folders",
      llvm::cl::desc("Folders to look for imported files in")};
  ListOption<std::string> outputs{
      *this, "outputs",
      llvm::cl::desc("Files that are going to be written: they may not be "
                     "imported")};
  Option<std::string> cpu{
      *this, "cpu",
      llvm::cl::desc("Processor: native, x86-64-v3, x86-64-v4, ..."),
      llvm::cl::init("native")};
  Option<std::string> math{
      *this, "math",
      llvm::cl::desc(
          "How products of f32 matrices multiply: f32, bf16 or, on GPUs, tf32"),
      llvm::cl::init("")};
  Option<std::string> weights{
      *this, "weights",
      llvm::cl::desc("How weights of products are kept: same or int8"),
      llvm::cl::init("")};
  Option<TargetKind> target{
      *this, "target", llvm::cl::desc("What code is made for"),
      llvm::cl::init(TargetKind::CPU),
      llvm::cl::values(
          clEnumValN(TargetKind::CPU, "cpu", "A processor: `cpu` says which"),
          clEnumValN(TargetKind::GPU, "gpu", "A GPU: `arch` says which"))};
  Option<std::string> arch{*this, "arch",
                           llvm::cl::desc("GPU: sm_80, sm_90, ..."),
                           llvm::cl::init("sm_80")};
  Option<std::string> prefix{
      *this, "prefix",
      llvm::cl::desc(
          "What the name of the query function begins with (static archives)"),
      llvm::cl::init("")};

  Option<bool> countOperations{
      *this, "count-operations",
      llvm::cl::desc(
          "Add functions that tell how many operations entries need"),
      llvm::cl::init(false)};

  Option<int64_t> keepRows{
      *this, "keep-rows",
      llvm::cl::desc("MiB of tables in which functions keep what depends on "
                     "an id and on parameters alone; 0: none"),
      llvm::cl::init(0)};

  Option<bool> timeStages{
      *this, "time-stages",
      llvm::cl::desc("Let GPU code take the time of its stages"),
      llvm::cl::init(false)};
  Option<int64_t> barrierLimit{
      *this, "barrier-limit",
      llvm::cl::desc("Milliseconds that a block of GPU code waits for others; "
                     "0: no limit"),
      llvm::cl::init(0)};

  bool isGpu() const { return target == TargetKind::GPU; }
  /// The processor or GPU that code is made for.
  std::string machine() const { return isGpu() ? arch : cpu; }
};

/// Adds the passes that lead from the phase before `phase` to it; for the input
/// phase, from a file as it is written. Object needs none: machine code is made
/// outside of MLIR's passes.
void buildPhase(mlir::OpPassManager &pm, Phase phase,
                const PipelineOptions &options);

/// The parts of phase kernels on processors: products become calls of kernels,
/// and what is left becomes loops; and the part of phase llvm that a function
/// needs which is no entry.
void buildProductsPipeline(mlir::OpPassManager &pm,
                           const PipelineOptions &options);
void buildLoopsPipeline(mlir::OpPassManager &pm);
void buildFunctionsPipeline(mlir::OpPassManager &pm);

/// Registers `cambium-to-<phase>`, from a file to each phase, and
/// `cambium-<phase>-to-<next>` for each step.
void registerPipelines();

} // namespace cambium

#endif // CAMBIUM_PIPELINES_PHASES_H
