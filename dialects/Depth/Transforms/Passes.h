//===-- dialects/Depth/Transforms/Passes.h - Passes over the depth dialect
//---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_DEPTH_TRANSFORMS_PASSES_H
#define CAMBIUM_DIALECTS_DEPTH_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace cambium::depth {

#define GEN_PASS_DECL
#include "dialects/Depth/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "dialects/Depth/Transforms/Passes.h.inc"

} // namespace cambium::depth

#endif // CAMBIUM_DIALECTS_DEPTH_TRANSFORMS_PASSES_H
