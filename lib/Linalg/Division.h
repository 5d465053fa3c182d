//===-- lib/Linalg/Division.h - Integers divided by data --------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_LINALG_DIVISION_H
#define CAMBIUM_LIB_LINALG_DIVISION_H

#include "mlir/IR/ValueRange.h"

namespace mlir {
class Operation;
}

namespace cambium {
class LinalgBuilder;

/// Whether a processor could trap: not where the divisors are known.
bool mayTrap(mlir::Operation *op);

/// The op on elements, for any divisor: of one that is 0, anything.
mlir::Value divideSafely(mlir::Operation *op, LinalgBuilder &b,
                         mlir::ValueRange args);

/// Lets the call fail where a divisor is 0; its error names the op and the
/// first such row.
void failIfDividesByZero(mlir::Operation *op, LinalgBuilder &b);

} // namespace cambium

#endif // CAMBIUM_LIB_LINALG_DIVISION_H
