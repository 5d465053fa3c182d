//===-- CallBudget.h - How large calls make a model ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_BATCHING_CALLBUDGET
#define CAMBIUM_RAGGED_BATCHING_CALLBUDGET

#include "mlir/IR/BuiltinOps.h"

namespace cambium {

/// Fails with an error at a call if a function has more than so many ops once
/// all calls in it are inlined: functions that each call the one before twice
/// double each time.
mlir::LogicalResult verifyCallBudget(mlir::ModuleOp module);

} // namespace cambium

#endif // CAMBIUM_RAGGED_BATCHING_CALLBUDGET
