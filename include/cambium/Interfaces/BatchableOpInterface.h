//===-- BatchableOpInterface.h - How an op is batched ---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_INTERFACES_BATCHABLEOPINTERFACE
#define CAMBIUM_INTERFACES_BATCHABLEOPINTERFACE

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"

namespace cambium {
class RowSpaces;
class Batcher;

/// All operands and results of the op that hold rows share one space; fails
/// with an error at the op if they cannot.
llvm::LogicalResult joinAllRows(mlir::Operation *op, RowSpaces &spaces);
} // namespace cambium

#include "cambium/Interfaces/BatchableOpInterface.h.inc"

#endif // CAMBIUM_INTERFACES_BATCHABLEOPINTERFACE
