//===-- Tape.h - The tape of a ragged.levels -----------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_DERIVATIVES_TAPE_H
#define CAMBIUM_RAGGED_DERIVATIVES_TAPE_H

#include "dialects/Ragged/Derivatives/Recursion.h"
#include "llvm/ADT/SetVector.h"

namespace cambium {

/// The values that regions take from outside.
llvm::SetVector<mlir::Value>
capturedBy(llvm::MutableArrayRef<mlir::Region> regions);

/// The operands of an op and the values that its regions take from outside.
llvm::SetVector<mlir::Value> readBy(mlir::Operation *op);

/// Whether a tape holds values of the type: arrays of rows that an op can
/// yield.
bool canBeKept(mlir::Type type);

/// Whether a value is a copy of what is kept in fewer words, or not at all, so
/// that it is copied again where a derivative reads it. `rows` has as many
/// rows; null if nothing that is kept anyway has.
bool isCopiedAgain(mlir::Value value, mlir::Value rows);

/// Whether a value costs less to compute again than to keep: one simple
/// instruction for each element, on at most one array that is kept, in the loop
/// that reads it.
bool isComputedAgain(mlir::Value value,
                     llvm::function_ref<bool(mlir::Value)> isKept);

/// The values of the region that are computed again rather than kept: what is
/// no array of rows, what costs less than keeping it, and what depends on
/// captured values alone.
class Rematerialized {
public:
  Rematerialized(const Recursion &recursion, const LevelRows &rows)
      : recursion(recursion), rows(rows) {}

  bool contains(mlir::Value value);

  /// An array that the recursion reads and that has as many rows as the value;
  /// null if there is none.
  mlir::Value rowsLike(mlir::Value value) const;

private:
  bool isNoArray(mlir::Value value) const;
  bool dependsOnCaptured(mlir::Value value);
  const Recursion &recursion;
  const LevelRows &rows;
  /// The answers so far: each depends on those for the operands.
  llvm::DenseMap<mlir::Value, bool> answers, captured;
};

/// Moves ops that depend on captured values alone out of the region, and yields
/// every value that a derivative may ask for as an array over all nodes or
/// edges, the records of a loop: the tape. What is not asked for is dropped by
/// canonicalization. Returns the op that replaces `op`.
ragged::LevelsOp expandTape(ragged::LevelsOp op, mlir::OpBuilder &builder);
ragged::IterateOp expandTape(ragged::IterateOp op, mlir::OpBuilder &builder);

/// Lets the ops of a block, maybe of a loop that is differentiated, keep what
/// their derivatives may ask for.
void expandTapes(mlir::Block &block, mlir::OpBuilder &builder,
                 bool inLoop = false);

} // namespace cambium

#endif // CAMBIUM_RAGGED_DERIVATIVES_TAPE_H
