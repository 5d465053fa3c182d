//===-- Derivatives.h - Derivatives of train operations -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_TRAIN_DERIVATIVES_DERIVATIVES_H
#define CAMBIUM_DIALECTS_TRAIN_DERIVATIVES_DERIVATIVES_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium::train {

/// Attaches `DifferentiableOpInterface` to `train.watch`. `train.stop_gradient`
/// has none: it is constant.
void registerDerivativeModels(mlir::DialectRegistry &registry);

} // namespace cambium::train

#endif // CAMBIUM_DIALECTS_TRAIN_DERIVATIVES_DERIVATIVES_H
