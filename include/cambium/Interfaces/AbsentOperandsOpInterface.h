//===-- AbsentOperandsOpInterface.h - Without children -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_ABSENTOPERANDSOPINTERFACE
#define CAMBIUM_INTERFACES_ABSENTOPERANDSOPINTERFACE

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace cambium {
/// What is known of operands.
struct AbsentOperands {
  /// Whether a value holds rows of which there are none.
  llvm::function_ref<bool(mlir::Value)> isNoRows;
  /// Whether a value is zero because a child is absent.
  llvm::function_ref<bool(mlir::Value)> isZero;
};

/// Zeros of the type.
mlir::Value buildZeros(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Type type);
} // namespace cambium

#include "cambium/Interfaces/AbsentOperandsOpInterface.h.inc"

#endif // CAMBIUM_INTERFACES_ABSENTOPERANDSOPINTERFACE
