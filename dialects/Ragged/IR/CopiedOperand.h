//===-- dialects/Ragged/IR/CopiedOperand.h - Ops that copy ------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_IR_COPIEDOPERAND_H
#define CAMBIUM_DIALECTS_RAGGED_IR_COPIEDOPERAND_H

#include "mlir/IR/Operation.h"

namespace cambium::ragged {

/// The operand whose elements all results of the op are copies of; null for
/// other ops.
mlir::Value copiedOperand(mlir::Operation *op);

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_IR_COPIEDOPERAND_H
