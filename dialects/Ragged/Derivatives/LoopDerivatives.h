//===-- LoopDerivatives.h - The derivatives of loops ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_DERIVATIVES_LOOPDERIVATIVES_H
#define CAMBIUM_RAGGED_DERIVATIVES_LOOPDERIVATIVES_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium {

/// Attaches `DifferentiableOpInterface` to `ragged.levels` and
/// `ragged.iterate`.
void registerRecursionDerivatives(mlir::DialectRegistry &registry);

/// Attaches it to `ragged.repeat`.
void registerRepeatDerivative(mlir::DialectRegistry &registry);

} // namespace cambium

#endif // CAMBIUM_RAGGED_DERIVATIVES_LOOPDERIVATIVES_H
