//===-- Derivatives.h - Derivatives of ragged operations -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_DERIVATIVES_DERIVATIVES_H
#define CAMBIUM_DIALECTS_RAGGED_DERIVATIVES_DERIVATIVES_H

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace cambium::ragged {

/// Attaches `DifferentiableOpInterface` to the ops of the dialect but
/// `ragged.levels`, whose derivative is a sweep of its own (lib/Gradient).
void registerDerivativeModels(mlir::DialectRegistry &registry);

/// Of them, those of rows by number, and of rows with rows.
void attachSelectRules(mlir::MLIRContext &context);
void attachPairRules(mlir::MLIRContext &context);

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_DERIVATIVES_DERIVATIVES_H
