//===-- TensorTiles.h - Tiles of products by tensor cores -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_TENSORTILES_H
#define CAMBIUM_LIB_KERNELS_GPU_TENSORTILES_H

#include "ProductTiles.h"

namespace cambium {

/// Bytes of the block's memory, from its beginning, that a tile of one product
/// needs.
int64_t tensorBytes(int64_t rowSteps, int64_t columnSteps,
                    const TargetCosts &costs);

/// Emits the tile of products of the same sizes with tensor cores, as
/// `emitProductTile` does without them.
void emitTensorTile(mlir::OpBuilder &builder, mlir::Location loc,
                    llvm::ArrayRef<ProductOperands> products,
                    const ProductTile &tile, const TargetCosts &costs);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_TENSORTILES_H
