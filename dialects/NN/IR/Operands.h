//===-- dialects/NN/IR/Operands.h - Checks before types are inferred ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_IR_OPERANDS_H
#define CAMBIUM_DIALECTS_NN_IR_OPERANDS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/ValueRange.h"

namespace cambium::nn {

/// Types are inferred before operands are verified, so that an operand may
/// still be anything.
template <typename Op>
bool areTensors(std::optional<mlir::Location> loc, mlir::ValueRange operands) {
  for (auto [index, operand] : llvm::enumerate(operands))
    if (!mlir::isa<mlir::RankedTensorType>(operand.getType())) {
      // [NN-OPERAND-C1]
      (void)mlir::emitOptionalError(
          loc, "'", Op::getOperationName(), "' op expected operand #", index,
          " to be a ranked tensor, but got ", operand.getType());
      return false;
    }
  return true;
}

} // namespace cambium::nn

#endif // CAMBIUM_DIALECTS_NN_IR_OPERANDS_H
