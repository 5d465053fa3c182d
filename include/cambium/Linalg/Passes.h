//===-- include/cambium/Linalg/Passes.h - Passes of the linalg phase -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LINALG_PASSES_H
#define CAMBIUM_LINALG_PASSES_H

#include "mlir/Pass/Pass.h"

namespace cambium {

#define GEN_PASS_DECL
#include "cambium/Linalg/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "cambium/Linalg/Passes.h.inc"

} // namespace cambium

#endif // CAMBIUM_LINALG_PASSES_H
