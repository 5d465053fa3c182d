//===-- cambium/Batching/Passes.h - From one example to a batch ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_BATCHING_PASSES_H
#define CAMBIUM_BATCHING_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace cambium {

#define GEN_PASS_DECL
#include "cambium/Batching/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "cambium/Batching/Passes.h.inc"

/// From phase input to phase batched: checks the input, batches, and moves work
/// to where it is done once and on many rows.
void buildBatchedPipeline(mlir::OpPassManager &manager);

} // namespace cambium

#endif // CAMBIUM_BATCHING_PASSES_H
