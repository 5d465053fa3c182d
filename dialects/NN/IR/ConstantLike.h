//===-- dialects/NN/IR/ConstantLike.h - Constants in the shape of a value -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_IR_CONSTANTLIKE_H
#define CAMBIUM_DIALECTS_NN_IR_CONSTANTLIKE_H

#include "mlir/IR/Builders.h"

namespace cambium {

/// A constant of the shape and element type of `like`: a dense
/// `arith.constant` for a static shape; for rows, an `nn.broadcast` of a
/// scalar to the rows that `like` has.
mlir::Value constantLike(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value like, double constant);

/// A constant of the given type with as many rows as `like`, if it has rows.
mlir::Value constantLike(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::RankedTensorType type, mlir::Value like,
                         double constant);

/// The number, 0 where it is minus infinity: what the exponents in the
/// derivative of a log-sum-exp are shifted by, so that those of no terms are 0.
mlir::Value zeroIfMinusInfinity(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value number);

namespace nn {
/// The operand whose elements the results of the op are, copied or in another
/// order of dimensions; null for other ops.
mlir::Value copiedOperand(mlir::Operation *op);

/// The operand of which an op reads the number of rows alone; null if there is
/// none.
mlir::Value likeOperand(mlir::Operation *op);
} // namespace nn

} // namespace cambium

#endif // CAMBIUM_DIALECTS_NN_IR_CONSTANTLIKE_H
