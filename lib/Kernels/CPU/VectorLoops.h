//===-- VectorLoops.h - Loops over vectors of linalg ops -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_VECTORLOOPS_H
#define CAMBIUM_LIB_KERNELS_CPU_VECTORLOOPS_H

#include "LoopPlan.h"

namespace cambium {

/// Emits the loops of a plan before the op. The op is left for the caller to
/// erase.
void emitVectorLoops(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
                     const LoopPlan &plan);

/// Emits loops over square tiles for a transposition of a matrix. Returns false
/// if the op is none that this is for.
bool emitTranspose(mlir::OpBuilder &builder, mlir::linalg::TransposeOp op,
                   const TargetCosts &costs);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_VECTORLOOPS_H
