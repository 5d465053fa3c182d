//===-- DecomposeModels.h - The expansions by family ---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_NN_TRANSFORMS_DECOMPOSEMODELS_H
#define CAMBIUM_NN_TRANSFORMS_DECOMPOSEMODELS_H

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace cambium::nn {

/// Attaches the expansions of activations, means and normalizations.
void attachActivationExpansions(mlir::MLIRContext *context);
/// Attaches the expansions of losses.
void attachLossExpansions(mlir::MLIRContext *context);

} // namespace cambium::nn

#endif // CAMBIUM_NN_TRANSFORMS_DECOMPOSEMODELS_H
