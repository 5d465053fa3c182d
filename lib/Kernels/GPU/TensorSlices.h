//===-- TensorSlices.h - Tensor cores' operands --------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_TENSORSLICES_H
#define CAMBIUM_LIB_KERNELS_GPU_TENSORSLICES_H

#include "DeviceBuilder.h"

namespace cambium {

/// An operand of a product, of which a slice is brought to shared memory:
/// `wide` is its dimension of rows or columns, which end before `wideEnd`.
struct SlicedOperand {
  mlir::Value matrix;
  int64_t wide;
  mlir::Value begin, wideEnd, depthEnd;
};

/// Slices of operands in the block's memory, whose numbers are rounded to words
/// of 32 bits: one of tf32, or two of bf16 that follow each other in the
/// reduction. A row of a left and a column of a right operand is a row of words
/// there, so that both are read alike.
class TensorSlices {
public:
  /// So many rows, so many bytes behind the beginning of the block's memory.
  TensorSlices(mlir::OpBuilder &builder, mlir::Location loc, rt::Math math,
               int64_t rows, int64_t beginBytes, const TargetCosts &costs);

  static int64_t bytes(int64_t rows, const TargetCosts &costs) {
    return rows * (costs.sliceWords + costs.slicePad) * 4;
  }
  /// Numbers that a word holds.
  static int64_t perWord(rt::Math math) {
    return math == rt::Math::BF16 ? 2 : 1;
  }

  /// Brings so many rows of the operand, from a depth on, to those from `into`
  /// on.
  void fetch(const SlicedOperand &operand, int64_t rows, mlir::Value depth,
             int64_t into);

  /// What an instruction multiplies, from a word of each row on: of 16 rows,
  /// from one on; and of 8 rows from each of two on, or from one alone.
  llvm::SmallVector<mlir::Value> readRows(mlir::Value row, int64_t word);
  llvm::SmallVector<mlir::Value> readColumns(mlir::Value first,
                                             mlir::Value second, int64_t word);

private:
  mlir::Value round(llvm::ArrayRef<mlir::Value> numbers);
  llvm::SmallVector<mlir::Value> read(mlir::Value row, mlir::Value isBehind,
                                      int64_t word, int64_t matrices);

  mlir::OpBuilder &b;
  mlir::Location loc;
  rt::Math math;
  const TargetCosts &costs;
  DeviceBuilder device;
  /// The same memory, for what a thread stores and for what a warp loads.
  mlir::Value words, address;
  /// The thread in its warp: its number among 8, and the bits above.
  mlir::Value inMatrix, isOdd, isUpper;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_TENSORSLICES_H
