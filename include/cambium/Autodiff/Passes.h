//===-- include/cambium/Autodiff/Passes.h - Passes of the gradient phase --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_AUTODIFF_PASSES_H
#define CAMBIUM_AUTODIFF_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace cambium {

#define GEN_PASS_DECL
#include "cambium/Autodiff/Passes.h.inc"

/// From the batched to the gradient phase: expands abbreviations, takes
/// gradients, makes the entries of training steps.
void buildGradientPipeline(mlir::OpPassManager &pm);

#define GEN_PASS_REGISTRATION
#include "cambium/Autodiff/Passes.h.inc"

} // namespace cambium

#endif // CAMBIUM_AUTODIFF_PASSES_H
