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

/// Finds the `count` greatest of the elements `read(i)`, of the float type, for
/// i in [begin, end), the greatest first. Of equal ones the first comes first,
/// NaN is greater than all numbers. `write` puts number k of them and its
/// place, an i32 counted from `begin`, into `dests`; minus infinity at -1 if
/// there is none. Gives what was written to.
llvm::SmallVector<mlir::Value>
findTop(LinalgBuilder &b, mlir::Value begin, mlir::Value end, int64_t count,
        mlir::Type element, mlir::ValueRange dests,
        llvm::function_ref<mlir::Value(mlir::Value i)> read,
        llvm::function_ref<llvm::SmallVector<mlir::Value>(
            mlir::Value k, mlir::Value value, mlir::Value place,
            mlir::ValueRange dests)>
            write);

} // namespace cambium

#endif // CAMBIUM_SUPPORT_TOPELEMENTS_H
