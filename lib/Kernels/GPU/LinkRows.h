//===-- LinkRows.h - Iterations of a row behind each other ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_LINKROWS_H
#define CAMBIUM_LIB_KERNELS_GPU_LINKROWS_H

#include "Library.h"
#include "mlir/IR/Builders.h"

namespace cambium {

/// Memory for so many words, each: the keys of iterations, the next iteration
/// of the same key, or their number, whether there is none before, and the
/// iterations in the order of their keys.
struct RowLinks {
  mlir::Value count, keys, next, isFirst, order;
};

/// Links iterations of equal keys, before the insertion point: few of them look
/// for each other; many are sorted by runs that become longer, which takes n
/// log n steps. Returns the last op.
mlir::Operation *linkRows(mlir::OpBuilder &builder, mlir::Location loc,
                          const RowLinks &links, const TargetCosts &costs,
                          Library &library);

/// Numbers from 0 on in the order of their keys: equal ones keep their order.
/// `other` is memory for as many words as `order`.
struct KeyOrder {
  mlir::Value count, keys, order, other;
};

/// Sorts the numbers before the insertion point.
void orderByKeys(mlir::OpBuilder &builder, mlir::Location loc,
                 const KeyOrder &order, const TargetCosts &costs,
                 Library &library);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_LINKROWS_H
