//===-- lib/Kernels/CPU/WordKernel.h - Products with words of panels -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_WORDKERNEL_H
#define CAMBIUM_LIB_KERNELS_CPU_WORDKERNEL_H

#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cambium {

/// The operands of a product with weights in a format that has words, `(A,
/// panels, start, C, clear: i1)`: C = start + A . B, or A . B with `clear`. A,
/// start and C are of f32, their rows contiguous; `start` may be C, or a row
/// whose distance to the next is 0. A row of `panels` is one panel of B as
/// `rt.panels` describes it, as wide as a register tile.
llvm::SmallVector<mlir::Type> wordProductArguments(mlir::MLIRContext *context);

/// Emits the one function for such products, of a part of the result
/// (`kNumBounds`). With bf16, elements of A are rounded likewise, and sums
/// are of f32 in ascending order. With int8, each row of A becomes integers of
/// 8 bits by the largest of its absolute values; their products are summed
/// without an error and scaled once. Neither depends on how rows or columns are
/// divided.
void emitWordKernel(mlir::func::FuncOp kernel, rt::PanelFormat format,
                    const TargetCosts &costs);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_WORDKERNEL_H
