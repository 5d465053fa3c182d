//===-- lib/Kernels/CPU/ProductLoops.h - Loops of matrix products ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_PRODUCTLOOPS_H
#define CAMBIUM_LIB_KERNELS_CPU_PRODUCTLOOPS_H

#include "ProductTile.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cambium {

/// Emits the loops around register tiles, which kernels of products share:
/// blocks of rows, panels of columns, tiles of rows.
class ProductLoops {
public:
  struct Range {
    mlir::Value first, last;
  };
  template <typename... Arguments>
  using Body = llvm::function_ref<void(Arguments...)>;

  ProductLoops(mlir::func::FuncOp function, const TargetCosts &costs,
               int64_t lanes)
      : function(function), costs(costs), loc(function.getLoc()),
        b(function.getContext()), lanes(lanes) {}

protected:
  mlir::Value index(int64_t value);
  mlir::Value dim(mlir::Value memref, int64_t number);
  mlir::Value plus(mlir::Value value, int64_t more);
  mlir::Value times(mlir::Value value, int64_t factor);

  /// A loop without results; `body` is called with the builder in it.
  void loop(mlir::Value from, mlir::Value to, mlir::Value step,
            Body<mlir::Value> body);
  /// Calls `body` for whichever of the cases `value` is, or for 0, which stands
  /// for all others.
  void choose(mlir::Value value, llvm::ArrayRef<int64_t> cases,
              Body<int64_t> body);
  /// As few parts of whole tiles as possible, of `most` rows at most and of
  /// about the same size: none has a few rows only.
  void forEvenParts(const Range &rows, mlir::Value most,
                    Body<const Range &> body);
  /// The same for tiles of `tile` rows.
  void forEvenParts(const Range &rows, mlir::Value most, mlir::Value tile,
                    Body<const Range &> body);
  /// Panels of a tile's width; the rest in one or two narrower ones.
  void emitPanels(const Range &columns, Body<const ProductPanel &> body);
  /// The last columns, from `columns.first` on, in one panel or two that are
  /// narrower than a tile.
  void emitRest(const Range &columns, Body<const ProductPanel &> body);
  /// All panels of so many vectors; the column that the rest begins with.
  mlir::Value emitWhole(const Range &columns, int64_t vectors,
                        Body<const ProductPanel &> body);
  /// How many vectors so many columns are.
  mlir::Value vectorsOf(mlir::Value columns);
  /// Columns from `column` on, of which those that are not below `last` have no
  /// lane: they are among the last `masked` vectors.
  ProductPanel maskedPanel(mlir::Value column, int64_t vectors, int64_t masked,
                           mlir::Value last);
  /// As few tiles as possible, of about the same height: each of them reads
  /// the whole panel. There are at least `fewest` rows.
  void forTiles(const Range &range, int64_t fewest,
                Body<mlir::Value, int64_t> body);
  /// Memory of the stack, of the function that is being emitted.
  mlir::Value memoryFor(int64_t size, mlir::Type element);

  mlir::func::FuncOp function;
  /// With the register tile of what is being emitted.
  TargetCosts costs;
  mlir::Location loc;
  mlir::OpBuilder b;
  int64_t lanes;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_PRODUCTLOOPS_H
