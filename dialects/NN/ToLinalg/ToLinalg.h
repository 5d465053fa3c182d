//===-- dialects/NN/ToLinalg/ToLinalg.h - The nn dialect on linalg -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_TOLINALG_TOLINALG
#define CAMBIUM_DIALECTS_NN_TOLINALG_TOLINALG

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium::nn {

/// Attaches `LowerToLinalgOpInterface` to the nn operations that are left after
/// `gradient-decompose`.
void registerToLinalgModels(mlir::DialectRegistry &registry);

} // namespace cambium::nn

#endif // CAMBIUM_DIALECTS_NN_TOLINALG_TOLINALG
