//===-- lib/Pipelines/Input.cpp - What a model is made of ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pipelines.h"
#include "dialects/NN/Transforms/Passes.h"

using namespace mlir;
using namespace cambium;

void cambium::buildInputPipeline(OpPassManager &pm,
                                 const PipelineOptions &options) {
  nn::ImportFilesOptions files;
  files.folders.assign(options.folders.begin(), options.folders.end());
  files.outputs.assign(options.outputs.begin(), options.outputs.end());
  // First: what other files define can be used.
  pm.addPass(nn::createImportFiles(files));
  nn::InstantiateModulesOptions modules;
  modules.sizes.assign(options.sizes.begin(), options.sizes.end());
  // Behind it nothing knows of imports, sizes and modules.
  pm.addPass(nn::createInstantiateModules(modules));
}
