//===-- lib/Pipelines/Phases.cpp - The phases of a compilation ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Pipelines/Phases.h"
#include "cambium/Autodiff/Passes.h"
#include "cambium/Batching/Passes.h"
#include "cambium/Buffers/Passes.h"
#include "cambium/Lowering/Passes.h"
#include "dialects/NN/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"

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

/// Imports, sizes, modules: behind this pipeline nothing knows of them.
static void buildInputPipeline(OpPassManager &pm,
                               const PipelineOptions &options) {
  nn::ImportFilesOptions files;
  files.folders.assign(options.folders.begin(), options.folders.end());
  pm.addPass(nn::createImportFiles(files));
  nn::InstantiateModulesOptions modules;
  modules.sizes.assign(options.sizes.begin(), options.sizes.end());
  pm.addPass(nn::createInstantiateModules(modules));
}

/// A pipeline that takes no options.
template <void (*build)(OpPassManager &)>
static void buildPlain(OpPassManager &pm, const PipelineOptions &) {
  build(pm);
}

static constexpr PhaseInfo kPhases[] = {
    {Phase::Input, "input", "functions of one example, without modules",
     buildInputPipeline},
    {Phase::Batched, "batched", "the same functions over all rows of a batch",
     buildPlain<buildBatchedPipeline>},
    {Phase::Gradient, "gradient",
     "gradients and training steps as plain functions",
     buildPlain<buildGradientPipeline>},
    {Phase::Linalg, "linalg", "linear algebra on tensors",
     buildPlain<buildLinalgPipeline>},
    {Phase::Buffers, "buffers", "linear algebra on memory",
     buildPlain<buildBuffersPipeline>},
    {Phase::LLVM, "llvm", "the LLVM dialect, with the module's description",
     buildBuffersToLLVMPipeline},
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
