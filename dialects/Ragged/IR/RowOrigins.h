//===-- RowOrigins.h - Where the rows of a value come from ------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_IR_ROWORIGINS_H
#define CAMBIUM_DIALECTS_RAGGED_IR_ROWORIGINS_H

#include "cambium/Interfaces/RowsOpInterface.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium::ragged {

/// Where the rows of a value come from, one step towards where they are known:
/// what counts them, a value with the same ones, or, of a state of a loop of a
/// fixed number, what it begins with. None if that is not known. Of a number,
/// what counts it.
std::optional<RowOrigin> originOfRows(mlir::Value value);

/// Attaches `RowsOpInterface` to ops that cross rows, and to those of tensor
/// that tell or keep how many there are.
void registerRowOrigins(mlir::DialectRegistry &registry);

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_IR_ROWORIGINS_H
