//===-- lib/Kernels/CPU/ProductPanels.h - Which products read panels ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_PRODUCTPANELS_H
#define CAMBIUM_LIB_KERNELS_CPU_PRODUCTPANELS_H

#include "cambium/Support/TargetCosts.h"
#include "dialects/RT/IR/RT.h"

namespace cambium {

/// The parameter whose panels stand for the right operand of a product, which
/// is that or one of its matrices. Null where it is neither, or too small.
rt::ParamOp paramWithPanels(mlir::Value rhs, const TargetCosts &costs);

/// The costs of a target, with the register tile that has the fewest vectors
/// and as many sums as any other.
TargetCosts narrowestTile(const TargetCosts &costs);

/// The costs of a target, with the register tile of products that have so many
/// columns: they read panels as wide as that. Tiles of fewer vectors have more
/// rows, so that few rows read a panel fewer times; they are taken where panels
/// get hardly more columns by it.
TargetCosts costsOfProduct(const TargetCosts &costs, mlir::ShapedType rhs);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_PRODUCTPANELS_H
