//===-- dialects/Ragged/Derivatives/RecordedRows.h - What loops record ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_DERIVATIVES_RECORDEDROWS_H
#define CAMBIUM_DIALECTS_RAGGED_DERIVATIVES_RECORDEDROWS_H

#include "cambium/Interfaces/VJPBuilder.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace cambium {

/// The rows that a derivative asks for of a `ragged.repeat`. A record holds
/// those of one value, iteration by iteration.
class RecordedRows {
public:
  RecordedRows(ragged::RepeatOp loop, VJPBuilder &outer)
      : loop(loop), outer(outer) {}

  ragged::RepeatOp getLoop() { return loop; }

  /// Whether a value of the region is computed again rather than recorded: what
  /// is no array of rows of a known number, or costs less than a record.
  bool isRebuilt(mlir::Value value);

  /// An array outside of the loop with as many rows; null if there is none.
  mlir::Value rowsLike(mlir::Value value);

  /// The rows of a value in an iteration, read from its record.
  mlir::Value read(mlir::OpBuilder &builder, mlir::Value value,
                   mlir::Value iteration);

  /// Builds the loop that records what was asked for: in the place of the loop
  /// if the derivative stands in the same block, else where the derivative is.
  void build();

private:
  /// What stands for a value of the forward program where code is built.
  using ValueMap = llvm::function_ref<mlir::Value(mlir::Value)>;
  ragged::RepeatOp copyLoop(mlir::OpBuilder &builder, ValueMap value);
  /// The loop without its region's ops; it carries the records too.
  ragged::RepeatOp createLoop(mlir::OpBuilder &builder,
                              llvm::ArrayRef<mlir::Value> counts,
                              ValueMap value);
  /// The numbers of rows of the records in an iteration.
  llvm::SmallVector<mlir::Value> countRows(mlir::OpBuilder &builder,
                                           ValueMap value);

  ragged::RepeatOp loop;
  VJPBuilder &outer;
  /// What stands for a record until it is there, and the number of its rows in
  /// an iteration.
  struct Placeholder {
    mlir::Value rows, count;
  };
  llvm::MapVector<mlir::Value, Placeholder> placeholders;
  llvm::DenseMap<mlir::Value, bool> rebuilt;
};

} // namespace cambium

#endif // CAMBIUM_DIALECTS_RAGGED_DERIVATIVES_RECORDEDROWS_H
