//===-- ToLinalg.h - The ragged dialect on linalg -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TOLINALG_TOLINALG
#define CAMBIUM_DIALECTS_RAGGED_TOLINALG_TOLINALG

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium::ragged {

/// Attaches `LowerToLinalgOpInterface` to the ragged operations.
void registerToLinalgModels(mlir::DialectRegistry &registry);

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TOLINALG_TOLINALG
