//===-- Rule.h - A derivative of an op with one result ----------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule is `d loss / d operand` in terms of `dy`, the cotangent of the
// result. Rows stand on the left: for y = x W, dx = dy W^T and dW = x^T dy.
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_DERIVATIVES_RULE_H
#define CAMBIUM_DIALECTS_NN_DERIVATIVES_RULE_H

#include "cambium/Interfaces/DifferentiableOpInterface.h"
#include "cambium/Interfaces/VJPBuilder.h"
#include "dialects/NN/IR/NN.h"

namespace cambium::nn {

inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// The value repeated along the dimension `dim` of `like`.
mlir::Value repeated(VJPBuilder &b, mlir::Location loc, mlir::Value value,
                     mlir::Value like, int64_t dim);

/// Gives the interface to `Op` with the rule of the derived class, which is
/// called with the cotangent of the only result.
template <typename Derived, typename Op>
struct Rule : DifferentiableOpInterface::ExternalModel<Derived, Op> {
  llvm::LogicalResult buildVJP(mlir::Operation *op, VJPBuilder &builder) const {
    Derived::build(llvm::cast<Op>(op), op->getLoc(),
                   builder.cotangent(op->getResult(0)), builder);
    return llvm::success();
  }
};

/// Gives their derivatives to ops that only move elements, and to those that
/// draw numbers.
void attachShapeRules(mlir::MLIRContext &context);
void attachRandomRules(mlir::MLIRContext &context);

} // namespace cambium::nn

#endif // CAMBIUM_DIALECTS_NN_DERIVATIVES_RULE_H
