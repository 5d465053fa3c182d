//===-- lib/Kernels/CPU/ProductRequests.h - What tiles ask for ahead ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_PRODUCTREQUESTS_H
#define CAMBIUM_LIB_KERNELS_CPU_PRODUCTREQUESTS_H

#include "ProductLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace cambium {

/// Emits what tiles of products ask memory for while they multiply: each tile
/// for one line in a step, of what is multiplied next.
class ProductRequests {
public:
  using Range = ProductLoops::Range;

  /// `next` elements behind the right operand that of the next product begins;
  /// 0 if there is none. Columns of a transposed left operand are contiguous.
  ProductRequests(mlir::OpBuilder &builder, mlir::Location loc,
                  TileEmitter &tiles, const ProductWeights &weights,
                  mlir::Value lhs, bool lhsTransposed, mlir::Value next,
                  const TargetCosts &costs);

  /// A block of rows, of which `lastRow` is the end of all, and of the
  /// reduction.
  void beginBlock(const Range &rows, mlir::Value lastRow,
                  const ProductDepth &depth);
  /// A panel of the block, one of `columns`.
  void beginPanel(const Range &columns, const ProductPanel &panel);
  /// Adds to what a tile of the panel multiplies what it asks for.
  void addTo(TileOperands &operands, mlir::Value row, int64_t height);

private:
  mlir::Value index(int64_t value);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value x,
                      mlir::Value y);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);
  /// The panel that follows the last one of the block.
  void findPanelBehind(mlir::Value lastRow, const ProductDepth &depth);
  void findNextRows(mlir::Value lastRow, const ProductDepth &depth);
  void askForPanel(TileOperands &operands, mlir::Value offset, int64_t height);
  void askForRows(TileOperands &operands, mlir::Value offset, int64_t height);
  /// The highest tiles have an address for each row already, and gain nothing
  /// with one more of its own step.
  bool asksForRows() const {
    return !lhsTransposed &&
           costs.tileRows(costs.tileVectors) < costs.maxTileRows;
  }

  mlir::OpBuilder &b;
  mlir::Location loc;
  TileEmitter &tiles;
  const ProductWeights &weights;
  mlir::Value lhs;
  bool lhsTransposed;
  mlir::Value next;
  const TargetCosts &costs;
  int64_t lanes, laneBytes;

  // Of the block:
  Range rows;
  mlir::Value numRows;
  /// What each of its rows asks for of the next panel where panels are copies:
  /// so many elements that follow each other, in a step so many 65536ths of
  /// one.
  mlir::Value rowElements, rowStep;
  /// Whether there is a panel behind the last one, and how many elements behind
  /// the first one.
  mlir::Value hasPanelBehind, panelBehind;
  /// What of the left operand is multiplied next, if it is asked for: its first
  /// row and column, and its products of an element.
  mlir::Value hasNextRows, nextRow, nextFirst, nextCount;

  // Of the panel:
  /// How far behind it the next one lies, 0 if there is none; null for what is
  /// no whole panel. And whether it is the last one.
  mlir::Value nextPanel, isLast;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_PRODUCTREQUESTS_H
