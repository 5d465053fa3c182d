//===-- RowLoop.h - Loops of which each iteration writes one row *- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_ROWLOOP_H
#define CAMBIUM_LIB_KERNELS_GPU_ROWLOOP_H

#include "Accesses.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace cambium {

/// What an op in a loop reads or writes: a memory from outside of it, and the
/// row of it that an index chooses, or null.
struct ChosenRow {
  Memory memory;
  mlir::Value from, row;
};

/// A loop of which an iteration writes one row, the same of each memory.
class RowLoop {
public:
  explicit RowLoop(mlir::scf::ForOp loop) : loop(loop) {}

  /// Whether it is one.
  bool find();
  mlir::Value getRow() const { return row; }
  rt::TouchOp getTouch() const { return touch; }
  /// Whether all iterations write different rows.
  bool areRowsDistinct();

private:
  ChosenRow chosen(mlir::Value value);
  bool add(mlir::Operation *op);
  bool isIndependent();

  mlir::scf::ForOp loop;
  mlir::Value row;
  rt::TouchOp touch;
  llvm::SmallVector<ChosenRow> reads, writes;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_ROWLOOP_H
