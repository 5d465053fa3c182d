//===-- TopElements.h - The greatest of some elements ---*- C++ -*- -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_TOPELEMENTS_H
#define CAMBIUM_SUPPORT_TOPELEMENTS_H

#include "cambium/Support/LinalgBuilder.h"

namespace cambium {

/// Whether the maximum of `y` and then `x` is x: it is greater, or no number
/// where y is one.
mlir::Value isGreater(LinalgBuilder &b, mlir::Value x, mlir::Value y);

/// Finds the `count` greatest of the elements `read(i)` for i in [begin, end),
/// the greatest first, in one pass. Of equal ones the first comes first, NaN is
/// greater than all numbers. They and their places (i32, counted from `begin`)
/// go into a column of two arrays, minus infinity at -1 where there is none.
/// Gives the arrays.
llvm::SmallVector<mlir::Value>
findTop(LinalgBuilder &b, mlir::Value begin, mlir::Value end, int64_t count,
        mlir::ValueRange arrays, mlir::Value column,
        llvm::function_ref<mlir::Value(mlir::Value i)> read);

} // namespace cambium

#endif // CAMBIUM_SUPPORT_TOPELEMENTS_H
