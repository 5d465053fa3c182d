//===-- lib/Pipelines/Phases.cpp - The phases of a compilation -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Pipelines/Phases.h"
#include "Pipelines.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace cambium;

namespace {
using Builder = void (*)(OpPassManager &, const PipelineOptions &);

struct PhaseInfo {
  Phase phase;
  StringLiteral name;
  StringLiteral description;
  Builder build;
};
} // namespace

static void buildNothing(OpPassManager &, const PipelineOptions &) {}

static constexpr PhaseInfo kPhases[] = {
    {Phase::Input, "input", "functions of one example, without modules",
     buildInputPipeline},
    {Phase::Batched, "batched", "the same functions over all rows of a batch",
     buildBatchedPipeline},
    {Phase::Gradient, "gradient",
     "gradients and training steps as plain functions", buildGradientPipeline},
    {Phase::Linalg, "linalg", "linear algebra on tensors", buildLinalgPipeline},
    {Phase::Buffers, "buffers", "linear algebra on memory",
     buildBuffersPipeline},
    {Phase::Kernels, "kernels", "loops over vectors and calls of products",
     buildKernelsPipeline},
    {Phase::LLVM, "llvm", "the LLVM dialect, with the module's description",
     buildLLVMPipeline},
    {Phase::Object, "object", "machine code", buildNothing}};

static const PhaseInfo &infoOf(Phase phase) {
  return kPhases[static_cast<unsigned>(phase)];
}

ArrayRef<Phase> cambium::allPhases() {
  static const SmallVector<Phase> phases = llvm::map_to_vector(
      kPhases, [](const PhaseInfo &info) { return info.phase; });
  return phases;
}

StringRef cambium::stringifyPhase(Phase phase) { return infoOf(phase).name; }

StringRef cambium::describePhase(Phase phase) {
  return infoOf(phase).description;
}

std::optional<Phase> cambium::symbolizePhase(StringRef name) {
  for (const PhaseInfo &info : kPhases)
    if (info.name == name)
      return info.phase;
  return std::nullopt;
}

void cambium::buildPhase(OpPassManager &pm, Phase phase,
                         const PipelineOptions &options) {
  infoOf(phase).build(pm, options);
}

AttachTargetOptions cambium::targetOptions(const PipelineOptions &options) {
  AttachTargetOptions target;
  target.cpu = options.machine();
  target.math = options.math;
  target.weights = options.weights;
  return target;
}

void cambium::addCleanUp(OpPassManager &pm) {
  pm.addPass(createFoldBodies());
  // Control flow is structured: there are no blocks to merge, and patterns have
  // dropped dead ops. Looking for both again took half of the time.
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  pm.addPass(createCanonicalizerPass(config));
  pm.addPass(createCSEPass());
}

void cambium::registerPipelines() {
  // What is registered must live on; names are made from those of the phases.
  for (Phase phase : allPhases().drop_back()) {
    std::string name = ("cambium-to-" + stringifyPhase(phase)).str();
    std::string text = ("From a model to " + describePhase(phase) + ".").str();
    PassPipelineRegistration<PipelineOptions>(
        name, text, [phase](OpPassManager &pm, const PipelineOptions &options) {
          for (Phase step : allPhases())
            if (step <= phase)
              buildPhase(pm, step, options);
        });
    if (phase == Phase::Input)
      continue;
    Phase before = static_cast<Phase>(static_cast<unsigned>(phase) - 1);
    name =
        ("cambium-" + stringifyPhase(before) + "-to-" + stringifyPhase(phase))
            .str();
    text = ("One step: to " + describePhase(phase) + ".").str();
    PassPipelineRegistration<PipelineOptions>(
        name, text, [phase](OpPassManager &pm, const PipelineOptions &options) {
          buildPhase(pm, phase, options);
        });
  }
}
