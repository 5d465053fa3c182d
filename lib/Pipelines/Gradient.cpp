//===-- Gradient.cpp - From phase batched to phase gradient --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Pipelines.h"
#include "cambium/Gradient/Passes.h"
#include "dialects/Ragged/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace cambium;

void cambium::buildGradientPipeline(OpPassManager &pm,
                                    const PipelineOptions &options) {
  // Abbreviations have no derivative of their own.
  pm.addPass(createDecompose());
  // Equal ops have one cotangent.
  pm.addPass(createCSEPass());
  // Before steps, which differentiate through gradients inside of losses.
  pm.addPass(createLowerGradients());
  // The two entries of each step.
  pm.addPass(createLowerSteps());
  // A private loss was of use to its steps alone.
  pm.addPass(createSymbolDCEPass());
  // Drops the parts of the tape that nobody asked for.
  addCleanUp(pm);
  // What merging equal ops has made superfluous in tapes.
  pm.addPass(createCanonicalizerPass());
  if (options.countOperations)
    // With --count-operations: entries are functions, and their rows can be
    // told.
    pm.addPass(ragged::createCountOperations());
  // The contract of the phase.
  pm.addPass(createVerifyGradient());
}
