//===-- dialects/NN/Transforms/Passes.h - Passes over the nn dialect ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_TRANSFORMS_PASSES
#define CAMBIUM_DIALECTS_NN_TRANSFORMS_PASSES

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace cambium::nn {

#define GEN_PASS_DECL
#include "dialects/NN/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "dialects/NN/Transforms/Passes.h.inc"

/// Gives every `nn.dropout` without an `id` its number in the module: what pass
/// `nn-number-dropouts` does.
void assignDropoutIds(mlir::ModuleOp module);

} // namespace cambium::nn

#endif // CAMBIUM_DIALECTS_NN_TRANSFORMS_PASSES
