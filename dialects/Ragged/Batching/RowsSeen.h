//===-- RowsSeen.h - Rows of the example in code of one row --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_BATCHING_ROWSSEEN_H
#define CAMBIUM_RAGGED_BATCHING_ROWSSEEN_H

#include "dialects/Ragged/Batching/Batcher.h"
#include "llvm/ADT/MapVector.h"

namespace cambium {

/// What code of one row, a cell or the body of an `nn.each`, reads of rows from
/// outside. Every row at hand sees all rows of its example (docs/Batching.md).
class RowsSeen {
public:
  RowsSeen(mlir::Operation *op, Batcher &batcher) : op(op), batcher(batcher) {}

  bool empty() const { return values.empty(); }
  bool has(unsigned space) const { return spaces.contains(space); }
  /// In the context around: the code reads the value, which holds rows.
  llvm::LogicalResult add(mlir::Value value);
  /// The values stand for what each row at hand sees from here on. `rows` is
  /// the partition of these rows into those of the context around.
  void enter(BatchContext &context, mlir::Value rows);
  /// They stand for themselves again.
  void leave();

private:
  /// The partition of a space into rows of the context around, and of each
  /// segment the number of the first row.
  struct Space {
    mlir::Value others, first;
  };
  mlir::Value numbersOf(const Space &space, mlir::Value rows,
                        mlir::Value pairs);

  mlir::Operation *op;
  Batcher &batcher;
  llvm::MapVector<unsigned, Space> spaces;
  llvm::SmallVector<mlir::Value> values, before;
};

} // namespace cambium

#endif // CAMBIUM_RAGGED_BATCHING_ROWSSEEN_H
