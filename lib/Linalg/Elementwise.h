//===-- lib/Linalg/Elementwise.h - Ops on the elements of tensors --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_LINALG_ELEMENTWISE_H
#define CAMBIUM_LIB_LINALG_ELEMENTWISE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace cambium {

/// Whether the op computes each element of its tensors by itself.
inline bool isElementwise(mlir::Operation *op) {
  return mlir::OpTrait::hasElementwiseMappableTraits(op) &&
         op->getNumResults() == 1 &&
         mlir::isa<mlir::RankedTensorType>(op->getResult(0).getType());
}

} // namespace cambium

#endif // CAMBIUM_LIB_LINALG_ELEMENTWISE_H
