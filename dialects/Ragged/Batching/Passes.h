//===-- Passes.h - From one example to a batch ---------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_BATCHING_PASSES_H
#define CAMBIUM_RAGGED_BATCHING_PASSES_H

#include "mlir/Pass/Pass.h"

namespace cambium {

#define GEN_PASS_DECL
#include "dialects/Ragged/Batching/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "dialects/Ragged/Batching/Passes.h.inc"

} // namespace cambium

#endif // CAMBIUM_RAGGED_BATCHING_PASSES_H
