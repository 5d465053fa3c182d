//===-- UpdateParts.h - What updates are made of ----------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_TRAIN_TOLINALG_UPDATEPARTS_H
#define CAMBIUM_DIALECTS_TRAIN_TOLINALG_UPDATEPARTS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cambium::train {

/// A constant.
mlir::Value index(mlir::ImplicitLocOpBuilder &b, int64_t value);
/// Calls `body` with the rows that the gradient of a row-sparse parameter has.
void forTouchedRows(mlir::ImplicitLocOpBuilder &b, llvm::StringRef param,
                    llvm::function_ref<void(mlir::Value)> body);
/// What stands at `place` in the leading dimensions of a parameter's memory.
mlir::Value sliceOf(mlir::ImplicitLocOpBuilder &b, mlir::Value memory,
                    mlir::ValueRange place);
/// beta^t by squaring: exact enough, and no function of the C library.
mlir::Value powerOf(mlir::ImplicitLocOpBuilder &b, double beta,
                    mlir::Value exponent);
/// A memref<f64> for a sum.
mlir::Value memoryOfSum(mlir::ImplicitLocOpBuilder &b);
void setZero(mlir::ImplicitLocOpBuilder &b, mlir::Value total);
/// Adds the sum of the squares of `memory` to `total`, a memref<f64>.
void addSquares(mlir::ImplicitLocOpBuilder &b, mlir::Value memory,
                mlir::Value total);

} // namespace cambium::train

#endif // CAMBIUM_DIALECTS_TRAIN_TOLINALG_UPDATEPARTS_H
