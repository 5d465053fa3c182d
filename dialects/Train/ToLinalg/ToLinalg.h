//===-- dialects/Train/ToLinalg/ToLinalg.h - Lowering of train operations -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_TRAIN_TOLINALG_TOLINALG_H
#define CAMBIUM_DIALECTS_TRAIN_TOLINALG_TOLINALG_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium::train {

/// Attaches `LowerToLinalgOpInterface` to the ops of the gradient phase.
void registerToLinalgModels(mlir::DialectRegistry &registry);

} // namespace cambium::train

#endif // CAMBIUM_DIALECTS_TRAIN_TOLINALG_TOLINALG_H
