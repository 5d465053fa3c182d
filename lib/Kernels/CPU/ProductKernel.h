//===-- lib/Kernels/CPU/ProductKernel.h - Code of matrix products --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_PRODUCTKERNEL_H
#define CAMBIUM_LIB_KERNELS_CPU_PRODUCTKERNEL_H

#include "cambium/Support/TargetCosts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cambium {

/// The operands of a product, `(A, B, start, C, clear: i1, panels: index, tile:
/// index)`: C = start + A . B, or A . B with `clear`. Rows are contiguous, of a
/// transposed A columns. `start` may be C, or a row whose distance to the next
/// is 0. Panels of B as wide as a register tile, which are `tile` vectors, are
/// `panels` elements apart: where B lies row by row, their width.
llvm::SmallVector<mlir::Type> productArguments(mlir::Type element,
                                               bool lhsTransposed);

/// Emits the one function for products of an element type, with A transposed or
/// not, of a part of the
/// result (`kNumBounds`): register tiles of whole vectors, the reduction
/// always in ascending order, so that a result does not depend on how it is
/// divided. The reduction and the rows go in blocks that the caches hold.
/// `tiles` are the costs with each register tile that products have: one, or
/// more of them with the narrowest first, of which the operand says which.
void emitProductKernel(mlir::func::FuncOp kernel, mlir::Type element,
                       bool lhsTransposed, llvm::ArrayRef<TargetCosts> tiles);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_PRODUCTKERNEL_H
