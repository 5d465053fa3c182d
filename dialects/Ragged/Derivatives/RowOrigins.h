//===-- dialects/Ragged/Derivatives/RowOrigins.h - Origins ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_DERIVATIVES_ROWORIGINS_H
#define CAMBIUM_DIALECTS_RAGGED_DERIVATIVES_ROWORIGINS_H

#include "cambium/Interfaces/RowsOpInterface.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium::ragged {

/// The rows, or the segments, of a partition.
RowOrigin rowsOf(mlir::Value partition);
RowOrigin segmentsOf(mlir::Value partition);

/// Attaches `RowsOpInterface` to ops that cross rows, and to those of tensor
/// that tell or keep how many there are.
void registerRowOrigins(mlir::DialectRegistry &registry);

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_DERIVATIVES_ROWORIGINS_H
