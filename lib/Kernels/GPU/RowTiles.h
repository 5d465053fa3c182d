//===-- RowTiles.h - Ops on the same rows, by a block of threads ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_ROWTILES_H
#define CAMBIUM_LIB_KERNELS_GPU_ROWTILES_H

#include "KeptWeights.h"
#include "RowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cambium {

/// Ops on the same rows, in order, that a block of threads executes for a tile
/// of rows without waiting for other blocks.
class RowGroup {
public:
  /// Adds the op if all that it has with the others is in the same rows.
  bool add(const RowOp &op, const TargetCosts &costs);

  llvm::ArrayRef<RowOp> getOps() const { return ops; }
  /// Whether an op needs what another one has written.
  bool isBound() const;
  /// Products from number `first` on that need nothing of each other: a thread
  /// multiplies for all of them at once.
  size_t countTogether(size_t first, const TargetCosts &costs) const;
  /// The columns of a tile, in columns of the square that threads stand in.
  int64_t chooseColumnSteps(const TargetCosts &costs) const;
  /// Bytes of the block's memory that products need while they are computed.
  int64_t scratchBytes(const TargetCosts &costs) const;
  /// Which weights stay in the block's memory.
  void keep(const KeptWeights &weights) { kept = weights; }
  const KeptWeights &getKept() const { return kept; }
  /// Replaces the ops, which stand one behind the other, by a stage.
  llvm::LogicalResult emit(mlir::func::FuncOp entry, const TargetCosts &costs);

private:
  friend class RowTileEmitter;

  bool joinsRows(const RowOp &op) const;
  /// Decides which ops a block executes for all columns.
  bool divideColumns(const TargetCosts &costs);
  bool needsAllOf(const RowOp &reader, bool isRepeated, mlir::Value base) const;
  bool isRepeated(size_t op) const { return repeated.test(op); }
  bool agree(const RowOp &earlier, bool isEarlierRepeated, const RowOp &later,
             bool isLaterRepeated) const;
  bool isWrittenFirst(mlir::Value base) const;

  llvm::SmallVector<RowOp> ops;
  /// Nodes, where there are rows of edges too; the number of these.
  mlir::Value count, edgeCount;
  /// Columns of products, which are divided between blocks; 0 if there is none.
  int64_t width = 0;
  /// They are so few that one block has them all.
  bool isWhole = false;
  /// Ops that each of these blocks executes for all columns, into memory of its
  /// own.
  llvm::SmallBitVector repeated;
  KeptWeights kept;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_ROWTILES_H
