//===-- lib/Kernels/CPU/ProductTile.h - Register tiles of products -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_PRODUCTTILE_H
#define CAMBIUM_LIB_KERNELS_CPU_PRODUCTTILE_H

#include "cambium/Support/TargetCosts.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace cambium {

/// Columns that are computed together: `vectors` vectors from `column` on, of
/// which the last one has a mask, or none.
struct ProductPanel {
  mlir::Value column;
  int64_t vectors;
  mlir::Value mask;
  /// A copy of what the block of the reduction uses of the right operand,
  /// `[depth, vectors * lanes]`, zeros behind the mask; or null.
  mlir::Value copy = {};
};

/// A block of the reduction: `count` products from `first` on, and what sums
/// start from: the elements of `start`, or 0 with `clear`.
struct ProductDepth {
  mlir::Value first, count, start, clear;
};

/// Rows of the left operand from `first` on that are copied: those of a tile
/// stand together, an element of each, then the next ones. Or none.
struct ProductRows {
  mlir::Value copy = {}, first = {};
};

/// Emits register tiles: one sum for each element, whose products are added in
/// ascending order of the reduction.
class TileEmitter {
public:
  TileEmitter(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value lhs,
              mlir::Value rhs, mlir::Value out, mlir::Type element,
              const TargetCosts &costs);

  /// Elements of a vector.
  int64_t numLanes() const { return lanes; }

  /// Emits `height` rows from `row` on of a panel.
  void emitTile(mlir::Value row, int64_t height, const ProductPanel &panel,
                const ProductRows &rows, const ProductDepth &depth);
  /// Emits `height` rows from `row` on of all columns from `first` to `last`
  /// without a panel: `steps` products are added to each element before the
  /// next one, so that rows of the right operand are read from end to end.
  void emitStripe(mlir::Value row, int64_t height, int64_t steps,
                  mlir::Value first, mlir::Value last,
                  const ProductDepth &depth);
  /// Emits the copy of the panel's part of the right operand into `memory`.
  void emitCopy(const ProductPanel &panel, mlir::Value memory,
                const ProductDepth &depth);
  /// Emits the copy of the rows of a tile.
  void emitCopy(mlir::Value row, int64_t height, const ProductRows &rows,
                const ProductDepth &depth);

private:
  mlir::Value index(int64_t value);
  mlir::Value plus(mlir::Value value, int64_t more);
  mlir::Value zero();
  mlir::Value load(mlir::Value memref, mlir::ValueRange indices,
                   mlir::Value mask);
  void store(mlir::Value value, mlir::Value memref, mlir::ValueRange indices,
             mlir::Value mask);
  mlir::Value multiplyAdd(mlir::Value x, mlir::Value y, mlir::Value sum);
  /// The vectors of row `k` of the block.
  llvm::SmallVector<mlir::Value> loadWeights(mlir::Value k,
                                             const ProductPanel &panel,
                                             const ProductDepth &depth);
  /// Asks for what the next panel needs of a row.
  void prefetch(mlir::Value row, const ProductPanel &panel);
  /// What the sum of each vector starts from.
  mlir::Value loadStart(mlir::Value row, mlir::Value column, mlir::Value mask,
                        const ProductDepth &depth);
  /// The element of a row of a tile, of `height` rows from `row` on.
  mlir::Value loadElement(mlir::Value row, int64_t height, int64_t number,
                          mlir::Value k, const ProductRows &rows,
                          const ProductDepth &depth);
  void emitStripeStep(mlir::Value row, int64_t height, int64_t steps,
                      mlir::Value first, mlir::Value last,
                      const ProductDepth &depth);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Value lhs, rhs, out;
  const TargetCosts &costs;
  int64_t lanes, laneBytes;
  mlir::VectorType vector;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_PRODUCTTILE_H
