//===-- Tape.h - The tape of a ragged.levels -----------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_DERIVATIVES_TAPE_H
#define CAMBIUM_RAGGED_DERIVATIVES_TAPE_H

#include "dialects/Ragged/IR/Ragged.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace cambium {

/// The values that regions take from outside.
llvm::SetVector<mlir::Value>
capturedBy(llvm::MutableArrayRef<mlir::Region> regions);

/// The operands of an op and the values that its regions take from outside.
llvm::SetVector<mlir::Value> readBy(mlir::Operation *op);

/// What a value in the region of a `ragged.levels` has one row for.
enum class RowKind { Unit, Node, Edge, Level };

/// The row kinds of all values of the region of a `ragged.levels`.
class LevelRows {
public:
  explicit LevelRows(ragged::LevelsOp op);

  /// `Unit` also for values from outside.
  RowKind kind(mlir::Value value) const { return kinds.lookup(value); }

private:
  RowKind infer(mlir::Operation &op) const;
  RowKind inferFrom(mlir::Value partition, bool isRow) const;
  llvm::DenseMap<mlir::Value, RowKind> kinds;
};

/// Whether a tape holds values of the type: arrays of rows that an op can
/// yield.
bool canBeKept(mlir::Type type);

/// Whether the value of the region is computed again rather than kept: what is
/// no array of rows, and what depends on captured values alone.
bool isRematerialized(mlir::Value value, ragged::LevelsOp op,
                      const LevelRows &rows);

/// Moves ops that depend on captured values alone out of the region, and yields
/// every value that a derivative may ask for as an array over all nodes or
/// edges: the tape. What is not asked for is dropped by canonicalization.
/// Returns the op that replaces `op`.
ragged::LevelsOp expandTape(ragged::LevelsOp op, mlir::OpBuilder &builder);

/// A loop whose results are those of a recursion over what it executes, until
/// the derivative is built.
struct ExecutedLoop {
  ragged::IterateOp loop;
  ragged::LevelsOp levels;
  /// In the region of the recursion, or before it: whether a row goes on.
  mlir::Value flags;
};

/// Makes the loops of a block differentiable: gives every recursion its tape,
/// and puts a recursion over what was executed in the place of iterations.
llvm::SmallVector<ExecutedLoop> expandTapes(mlir::Block &block,
                                            mlir::OpBuilder &builder);

/// Puts loops that record what the derivative asks for in the place of the
/// recursions.
void recordTapes(llvm::ArrayRef<ExecutedLoop> loops, mlir::OpBuilder &builder);

} // namespace cambium

#endif // CAMBIUM_RAGGED_DERIVATIVES_TAPE_H
