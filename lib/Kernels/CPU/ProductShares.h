//===-- lib/Kernels/CPU/ProductShares.h - Products on threads ---*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_PRODUCTSHARES_H
#define CAMBIUM_LIB_KERNELS_CPU_PRODUCTSHARES_H

#include "cambium/Support/TargetCosts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cambium {

/// Products of the same size that threads do together.
enum class Together {
  Beside, ///< Each has a result of its own.
  Sum     ///< All are added to one result, one after the other.
};

/// The arguments of a kernel behind the operands of the product: the rows and
/// columns of the result that it computes, `[first row, last row, first column,
/// last column]`, and how many elements behind the right operand that of the
/// next product begins, 0 where there is none: it can be asked for.
constexpr unsigned kNumBounds = 5;

/// Whether so many products may be done in any order: then what emits shares of
/// them takes one more argument, whether a thread does the last one first.
/// Every second level of a tree begins with the right operands that the level
/// before has left in the cache.
inline bool hasOrder(size_t count, Together together) {
  return count > 1 && together == Together::Beside;
}

/// Emits a function of the operands of several products, one product after the
/// other, and of their order: threads compute their parts by `kernel`. Rows or
/// columns are shared, whatever gives more shares: a few rows have all columns.
/// A thread has the same columns whatever the number of rows is, as long as
/// they are few, so that what it reads of the right operands stays in its
/// cache. A transposed left operand, the same for all products, is copied block
/// by block for all of them, unless it stays in the cache as it is.
void emitProductShares(mlir::func::FuncOp function, mlir::func::FuncOp kernel,
                       Together together, bool lhsTransposed, int64_t lanes,
                       const TargetCosts &costs);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_PRODUCTSHARES_H
