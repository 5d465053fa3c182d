//===-- Passes.h - Passes over the ragged dialect -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_PASSES
#define CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_PASSES

#include "mlir/Pass/Pass.h"

namespace cambium::ragged {

#define GEN_PASS_DECL
#include "dialects/Ragged/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "dialects/Ragged/Transforms/Passes.h.inc"

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_PASSES
