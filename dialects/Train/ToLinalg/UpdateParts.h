//===-- UpdateParts.h - What updates are made of ----------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_TRAIN_TOLINALG_UPDATEPARTS_H
#define CAMBIUM_DIALECTS_TRAIN_TOLINALG_UPDATEPARTS_H

#include "dialects/NN/IR/NN.h"
#include "dialects/Train/IR/Train.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cambium::train {

/// The memory of a parameter's value.
mlir::MemRefType memoryOf(nn::ParamOp param);
/// The rule of OptimizerRules.def, on the memories of a parameter.
mlir::LogicalResult lowerUpdate(UpdateOp op, nn::ParamOp param,
                                mlir::RewriterBase &rewriter);
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
/// Multiplies all elements of `memory` with a scalar.
void multiply(mlir::ImplicitLocOpBuilder &b, mlir::Value memory,
              mlir::Value factor);
/// Where slot 0 or 1 of a factored state is read by a loop over a part of its
/// matrix: all rows, or the columns of one row.
mlir::AffineMap mapOfSlot(mlir::OpBuilder &b, unsigned rank, unsigned slot);
/// Adds `factor * (g * g + eps)` of each element of a gradient to the element
/// of `state` that belongs to it.
void addSquaresTo(mlir::ImplicitLocOpBuilder &b, mlir::Value gradient,
                  mlir::Value state, mlir::AffineMap map, mlir::Value factor,
                  mlir::Value eps);
/// A memref<f64> for a sum.
mlir::Value memoryOfSum(mlir::ImplicitLocOpBuilder &b);
void setZero(mlir::ImplicitLocOpBuilder &b, mlir::Value total);
/// Adds the sum of `memory` to `total`, a memref<f64>.
void addSum(mlir::ImplicitLocOpBuilder &b, mlir::Value memory,
            mlir::Value total);
/// Adds the sum of the squares of `memory` to `total`, a memref<f64>.
void addSquares(mlir::ImplicitLocOpBuilder &b, mlir::Value memory,
                mlir::Value total);

} // namespace cambium::train

#endif // CAMBIUM_DIALECTS_TRAIN_TOLINALG_UPDATEPARTS_H
