//===-- dialects/RT/IR/ForEach.h - Builds independent loops --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RT_IR_FOREACH_H
#define CAMBIUM_DIALECTS_RT_IR_FOREACH_H

#include "cambium/Support/LinalgBuilder.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace cambium::rt {

/// `work` of an iteration that is worth a thread.
inline constexpr int64_t kWorthwhile = 0;

using ForEachBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::Value number, mlir::ValueRange arrays)>;

/// Makes an `rt.for_each` over [0, count) whose body gives the arrays that it
/// yields; an iteration moves `work` elements.
llvm::SmallVector<mlir::Value> forEach(LinalgBuilder &b, mlir::Value count,
                                       int64_t work, mlir::ValueRange arrays,
                                       ForEachBody body);

/// The same into one array, of which an iteration moves about one row.
mlir::Value forEach(LinalgBuilder &b, mlir::Value count, mlir::Value array,
                    LinalgBuilder::RowBody body);

/// The same where iteration i computes row i into the row that it gets.
mlir::Value forEachRow(LinalgBuilder &b, mlir::Value count, mlir::Value array,
                       LinalgBuilder::RowBody body);

/// Replaces a loop on memory by one that executes its iterations from `begin`
/// to `end` in order, at the same place; by default all of them.
mlir::scf::ForOp lowerToFor(ForEachOp loop, mlir::Value begin = {},
                            mlir::Value end = {});

/// Whether a block of a GPU's threads is to execute an iteration: it is worth a
/// thread of a CPU, and has products.
bool isForBlocks(ForEachOp loop);

/// Fails with an error unless all loops within `root` are on memory, as they
/// are behind the buffers phase.
llvm::LogicalResult verifyOnMemory(mlir::Operation *root);

} // namespace cambium::rt

#endif // CAMBIUM_DIALECTS_RT_IR_FOREACH_H
