//===-- Passes.h - Passes of the gradient phase --------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_GRADIENT_PASSES_H
#define CAMBIUM_GRADIENT_PASSES_H

#include "mlir/Pass/Pass.h"

namespace cambium {

#define GEN_PASS_DECL
#include "cambium/Gradient/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "cambium/Gradient/Passes.h.inc"

} // namespace cambium

#endif // CAMBIUM_GRADIENT_PASSES_H
