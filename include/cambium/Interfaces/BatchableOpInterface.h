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

/// What an op of one example reads of an operand that holds rows.
enum class RowsRead {
  /// Row i for row i of the results.
  Own,
  /// Any rows. Its batched form takes an array of all rows of the examples, and
  /// their partition, even where its other operands are only some rows.
  All,
  /// Any rows, and there is no such form.
  Mixed
};

/// `Own` for ops without regions on tensors alone, else `Mixed`.
RowsRead guessRowsRead(mlir::Operation *op);

/// All operands and results of the op that hold rows share one space; fails
/// with an error at the op if they cannot.
llvm::LogicalResult joinAllRows(mlir::Operation *op, RowSpaces &spaces);
} // namespace cambium

#include "cambium/Interfaces/BatchableOpInterface.h.inc"

#endif // CAMBIUM_INTERFACES_BATCHABLEOPINTERFACE
