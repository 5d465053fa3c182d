//===-- lib/Pipelines/Model.cpp - Reading a model ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Pipelines/Model.h"
#include "cambium/Pipelines/Phases.h"
#include "cambium/Support/ParseModel.h"
#include "cambium/Support/PlainText.h"
#include "dialects/NN/Transforms/Passes.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

LogicalResult cambium::importFiles(ModuleOp module,
                                   const std::vector<std::string> &folders,
                                   const std::vector<std::string> &outputs) {
  PassManager manager(module.getContext());
  nn::ImportFilesOptions options;
  options.folders.assign(folders.begin(), folders.end());
  options.outputs.assign(outputs.begin(), outputs.end());
  manager.addPass(nn::createImportFiles(options));
  return manager.run(module);
}

LogicalResult cambium::resolveModel(ModuleOp module,
                                    const ModelOptions &options) {
  PassManager manager(module.getContext());
  PipelineOptions pipeline;
  pipeline.sizes = options.sizes;
  pipeline.folders = options.folders;
  buildPhase(manager, Phase::Input, pipeline);
  return manager.run(module);
}

OwningOpRef<ModuleOp> cambium::readModel(StringRef path,
                                         llvm::SourceMgr &sources,
                                         MLIRContext *context,
                                         const ModelOptions &options) {
  PlainDiagnostics plain(context);
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> file = openModel(path, &error);
  if (!file) {
    emitError(UnknownLoc::get(context)) << error;
    return {};
  }
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseModel(sources, context);
  if (!module || failed(resolveModel(*module, options)))
    return {};
  return module;
}
