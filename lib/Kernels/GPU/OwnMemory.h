//===-- OwnMemory.h - Memory for what several blocks compute alike --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_OWNMEMORY_H
#define CAMBIUM_LIB_KERNELS_GPU_OWNMEMORY_H

#include "RowTiles.h"

namespace cambium {

/// Blocks that divide the columns of products between them compute the rows
/// that these need whole, each for itself, into memory that no other block has.
class OwnMemory {
public:
  explicit OwnMemory(llvm::ArrayRef<RowOp> group) : group(group) {}

  /// Memory for so many copies of what the op writes, before the op `place`.
  llvm::LogicalResult allocate(const RowOp &op, int64_t number,
                               mlir::Operation *place);
  /// From here on copy `number` is meant.
  void choose(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number);

  /// The copy's place of a value that an op of the group uses, or the value.
  /// `forOthers` writes to the memory that ops outside of the group read.
  mlir::Value use(mlir::OpBuilder &builder, mlir::Value value,
                  const RowOp *forOthers) const;
  /// Whether ops that are not of the group may read what the op writes.
  bool isReadOutside(const RowOp &op) const;

private:
  struct Copies {
    mlir::Value rows, memory, bytesOfOne, chosen;
  };
  bool isReadOutside(mlir::Value base) const;
  const Copies *find(mlir::Value base) const;

  llvm::ArrayRef<RowOp> group;
  llvm::SmallVector<Copies> copies;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_OWNMEMORY_H
