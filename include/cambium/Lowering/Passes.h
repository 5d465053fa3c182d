//===-- include/cambium/Lowering/Passes.h - Passes of the linalg phase ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LOWERING_PASSES
#define CAMBIUM_LOWERING_PASSES

#include "mlir/Pass/Pass.h"

namespace cambium {

#define GEN_PASS_DECL
#include "cambium/Lowering/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "cambium/Lowering/Passes.h.inc"

/// From the gradient form to linalg on tensors, elementwise ops fused, the
/// contract checked at the end.
void buildLinalgPipeline(mlir::OpPassManager &pm);

} // namespace cambium

#endif // CAMBIUM_LOWERING_PASSES
