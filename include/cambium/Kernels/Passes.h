//===-- include/cambium/Kernels/Passes.h - Passes of the kernels phase ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_KERNELS_PASSES_H
#define CAMBIUM_KERNELS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace cambium {

#define GEN_PASS_DECL
#include "cambium/Kernels/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "cambium/Kernels/Passes.h.inc"

} // namespace cambium

#endif // CAMBIUM_KERNELS_PASSES_H
