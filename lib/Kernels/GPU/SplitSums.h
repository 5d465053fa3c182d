//===-- SplitSums.h - Sums that have parts --------------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_SPLITSUMS_H
#define CAMBIUM_LIB_KERNELS_GPU_SPLITSUMS_H

#include "cambium/Support/TargetCosts.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace cambium {

/// So many elements of a type at most, before the insertion point's loops; or
/// null.
using AllocateElements =
    llvm::function_ref<mlir::Value(mlir::Value count, mlir::Type element)>;

/// Gives each iteration of a loop that does nothing but add to a number a sum
/// of its own, if it is such a loop.
void splitSum(mlir::scf::ForOp loop, AllocateElements allocate);

/// Divides the rows of a large sum of all elements into parts.
void splitSum(mlir::linalg::LinalgOp op, const TargetCosts &costs,
              AllocateElements allocate);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_SPLITSUMS_H
