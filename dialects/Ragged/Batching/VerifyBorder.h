//===-- VerifyBorder.h - What the runtime will accept --------------------===//
//---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_BATCHING_VERIFYBORDER
#define CAMBIUM_RAGGED_BATCHING_VERIFYBORDER

#include "mlir/IR/BuiltinOps.h"

namespace cambium {

/// Fails with an error at what the loader of modules would refuse: names that
/// are empty, no UTF-8 or there twice, types and shapes that it has no room
/// for; and at what does not belong to a model.
mlir::LogicalResult verifyBorder(mlir::ModuleOp module);

} // namespace cambium

#endif // CAMBIUM_RAGGED_BATCHING_VERIFYBORDER
