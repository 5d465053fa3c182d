//===-- ProductTiles.h - Tiles of matrix products by a block of threads ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_PRODUCTTILES_H
#define CAMBIUM_LIB_KERNELS_GPU_PRODUCTTILES_H

#include "../Products.h"
#include "DeviceBuilder.h"

namespace cambium {

/// The operands of a product. Where a function serves many products, nothing
/// but the element type is known before the code runs; what is part of a larger
/// stage keeps what is known of sizes and strides, and needs fewer registers.
struct ProductOperands {
  mlir::Value lhs, rhs, start, out;
  bool isZero;
  /// The tile's columns of the right operand in the block's memory, or null: as
  /// many rows as a slice has, or a multiple of them.
  mlir::Value kept;

  /// Those of an op, each of which `use` replaces. Emitted at the builder's
  /// insertion point.
  ProductOperands(mlir::OpBuilder &builder, mlir::linalg::MatmulOp op,
                  const Product &product, const ProductStart &start,
                  llvm::function_ref<mlir::Value(mlir::Value)> use,
                  bool isShared = true);
};

/// A part of a result: rows up to `rowEnd`, and all columns of a tile that
/// there are. The threads of a block stand in a square, which is moved so many
/// times.
struct ProductTile {
  mlir::Value rowBegin, rowEnd, columnBegin;
  int64_t rowSteps, columnSteps;
  /// Tensor cores multiply where it is not f32.
  rt::Math math = rt::Math::F32;
};

/// Bytes of the block's memory that a slice of an operand needs.
int64_t sliceBytes(mlir::Type element, int64_t steps, const TargetCosts &costs);

/// Bytes of the block's memory, from its beginning, that a tile of one product
/// needs.
int64_t sharedBytes(mlir::Type element, int64_t rowSteps, int64_t columnSteps,
                    const TargetCosts &costs);

/// The type of columns that are kept of a right operand: whole slices.
mlir::MemRefType keptType(mlir::Type element, int64_t depth,
                          int64_t columnSteps, const TargetCosts &costs);

/// Emits what fills them, by all threads of the block. Behind the operand's
/// last row there are zeros.
void emitKept(mlir::OpBuilder &builder, mlir::Location loc,
              const ProductOperands &product, mlir::Value columnBegin,
              const TargetCosts &costs);

/// Emits the tile of products of the same sizes, together: a left operand that
/// they share is read once. All threads of the block get there.
void emitProductTile(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Type element,
                     llvm::ArrayRef<ProductOperands> products,
                     const ProductTile &tile, const TargetCosts &costs);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_PRODUCTTILES_H
