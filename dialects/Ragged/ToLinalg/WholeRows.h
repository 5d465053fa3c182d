//===-- WholeRows.h - Loops whose rows are all there ------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TOLINALG_WHOLEROWS_H
#define CAMBIUM_DIALECTS_RAGGED_TOLINALG_WHOLEROWS_H

#include "cambium/Support/LinalgBuilder.h"

namespace cambium::ragged {

/// Whether what a loop moves by the list `ids` where it names all rows, and
/// `moved` elements of a row beside that, takes so much of the time that it is
/// worth a second body, which moves nothing. Code for a GPU has one: it is one
/// kernel, whose size is what limits it.
bool isWorthWholePart(mlir::Region &body, mlir::Value ids, int64_t moved);

/// Replaces what moves by the list `ids`, which names all `count` rows in their
/// order: they stand where they are.
void useAllRows(LinalgBuilder &b, mlir::Value ids, mlir::Value count);

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TOLINALG_WHOLEROWS_H
