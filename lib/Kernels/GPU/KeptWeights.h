//===-- KeptWeights.h - Weights that stay in a block's memory -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_KEPTWEIGHTS_H
#define CAMBIUM_LIB_KERNELS_GPU_KEPTWEIGHTS_H

#include "cambium/Support/TargetCosts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace cambium {
class RowGroup;

/// Right operands of products of which a block keeps its columns in the memory
/// that its threads share, from one iteration of a loop to the next.
struct KeptWeights {
  /// The loop; null if nothing is kept.
  mlir::scf::ForOp loop;
  /// The columns of a tile, in columns of the square that threads stand in.
  int64_t columnSteps = 0;
  /// Where a product's columns stand in the block's memory.
  llvm::DenseMap<mlir::Operation *, int64_t> places;
};

/// Decides what the stages of the groups, which are in the entry, keep: what no
/// iteration of their loop changes, and what has room beside the memory that
/// other stages of the loop need.
void keepWeights(mlir::func::FuncOp entry, llvm::ArrayRef<RowGroup *> groups,
                 const TargetCosts &costs);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_KEPTWEIGHTS_H
