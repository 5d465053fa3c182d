//===-- lib/Kernels/CPU/TransposedPanels.h - Transposed weights -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_TRANSPOSEDPANELS_H
#define CAMBIUM_LIB_KERNELS_CPU_TRANSPOSEDPANELS_H

#include "cambium/Support/TargetCosts.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace cambium {

/// Transposed matrices that nothing but products reads, as their right operand,
/// in panels `[panels, depth, width]` as wide as a register tile: what a thread
/// reads of them follows each other. Matrices of one size that are transposed
/// one after the other are transposed in one loop over panels.
class TransposedPanels {
public:
  explicit TransposedPanels(const TargetCosts &costs) : costs(costs) {}

  /// Lets the right operands of these products, all within `root`, be
  /// transposed in panels where that may be.
  void make(mlir::Operation *root,
            llvm::ArrayRef<mlir::linalg::MatmulOp> products);

  /// The panels that a product is to read; null if there are none.
  mlir::Value lookup(mlir::linalg::MatmulOp product) const {
    return panels.lookup(product);
  }

  /// Drops the memory that products no longer read.
  void finish();

private:
  /// Finds the transpositions into that memory, and which products read what
  /// each of them makes; false where anything else uses it.
  bool find(mlir::Operation *memory);
  /// Does these where the first one is.
  void emit(llvm::ArrayRef<mlir::linalg::TransposeOp> together);

  const TargetCosts &costs;
  /// Of each transposition that is made in panels.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::linalg::MatmulOp>>
      readers;
  llvm::DenseMap<mlir::Operation *, mlir::Value> panels;
  llvm::SmallVector<mlir::Operation *> replaced;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_TRANSPOSEDPANELS_H
