//===-- lib/Kernels/CPU/ProductRequests.cpp - What tiles ask for ahead ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductRequests.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace cambium;

ProductRequests::ProductRequests(OpBuilder &builder, Location loc,
                                 TileEmitter &tiles,
                                 const ProductWeights &weights, Value lhs,
                                 bool lhsTransposed, Value next,
                                 const TargetCosts &costs)
    : b(builder), loc(loc), tiles(tiles), weights(weights), lhs(lhs),
      lhsTransposed(lhsTransposed), next(next), costs(costs),
      laneBytes(getElementTypeOrSelf(lhs.getType()).getIntOrFloatBitWidth() /
                8) {
  lanes = costs.vectorBytes / laneBytes;
}

Value ProductRequests::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value ProductRequests::compare(arith::CmpIPredicate predicate, Value x,
                               Value y) {
  return arith::CmpIOp::create(b, loc, predicate, x, y);
}

Value ProductRequests::select(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b, loc, condition, yes, no);
}

void ProductRequests::beginBlock(const Range &block, Value lastRow,
                                 const ProductDepth &depth) {
  rows = block;
  numRows = arith::SubIOp::create(b, loc, rows.last, rows.first);
  findNextRows(lastRow, depth);
  findPanelBehind(lastRow, depth);
  // No copy is multiplied by a transposed operand.
  if (lhsTransposed)
    return;
  Value some = arith::MaxUIOp::create(b, loc, numRows, index(1));
  Value all = arith::MulIOp::create(b, loc, depth.count, weights.width);
  rowElements = arith::DivUIOp::create(b, loc, all, some);
  Value width = arith::MulIOp::create(b, loc, weights.width, index(1 << 16));
  rowStep = arith::CeilDivUIOp::create(b, loc, width, some);
}

/// It is of what comes next of the reduction, of the next rows, or of the next
/// product.
void ProductRequests::findPanelBehind(Value lastRow,
                                      const ProductDepth &depth) {
  Value all = memref::DimOp::create(b, loc, weights.matrix, 0);
  Value end = arith::AddIOp::create(b, loc, depth.first, depth.count);
  Value isLater = compare(arith::CmpIPredicate::ult, end, all);
  Value hasRows = compare(arith::CmpIPredicate::ult, rows.last, lastRow);
  Value begin = arith::MulIOp::create(b, loc, depth.first, weights.width);
  Value size = arith::MulIOp::create(b, loc, depth.count, weights.width);
  Value first = select(hasRows, index(0), next);
  first = arith::SubIOp::create(b, loc, first, begin);
  panelBehind = select(isLater, size, first);
  Value exists = compare(arith::CmpIPredicate::ne, next, index(0));
  exists = arith::OrIOp::create(b, loc, exists, isLater);
  exists = arith::OrIOp::create(b, loc, exists, hasRows);
  hasPanelBehind = arith::AndIOp::create(b, loc, exists, weights.isPacked);
}

/// The same rows, or the next ones when the reduction has passed. Rows that are
/// contiguous are asked for from end to end, which are those of a tile only if
/// they have no other columns. What stays in the second cache is not asked for.
void ProductRequests::findNextRows(Value lastRow, const ProductDepth &depth) {
  Value all = memref::DimOp::create(b, loc, weights.matrix, 0);
  Value end = arith::AddIOp::create(b, loc, depth.first, depth.count);
  Value isLater = compare(arith::CmpIPredicate::ult, end, all);
  Value hasRows = compare(arith::CmpIPredicate::ult, rows.last, lastRow);
  Value isWhole = compare(arith::CmpIPredicate::eq, depth.count, all);
  Value size = memref::DimOp::create(b, loc, lhs, 0);
  size = arith::MulIOp::create(b, loc, size, all);
  Value isLarge =
      compare(arith::CmpIPredicate::ugt, size, index(costs.cachedElements()));
  Value exists = arith::OrIOp::create(b, loc, isLater, hasRows);
  exists = arith::AndIOp::create(b, loc, exists, isWhole);
  hasNextRows = arith::AndIOp::create(b, loc, exists, isLarge);
  nextRow = select(isLater, rows.first, rows.last);
  nextFirst = select(isLater, end, index(0));
  nextCount = depth.count;
}

void ProductRequests::beginPanel(const Range &columns,
                                 const ProductPanel &panel) {
  Value end =
      arith::AddIOp::create(b, loc, panel.column, index(panel.vectors * lanes));
  isLast = compare(arith::CmpIPredicate::uge, end, columns.last);
  nextPanel = {};
  if (panel.vectors < costs.tileVectors)
    return;
  Value number = arith::DivUIOp::create(b, loc, panel.column, weights.width);
  Value begin = arith::MulIOp::create(b, loc, number, weights.panelStride);
  Value behind = arith::SubIOp::create(b, loc, panelBehind, begin);
  behind = select(hasPanelBehind, behind, index(0));
  nextPanel = select(isLast, behind, weights.panelStride);
}

void ProductRequests::addTo(TileOperands &operands, Value row, int64_t height) {
  if (!nextPanel && !asksForRows())
    return;
  Value offset = arith::SubIOp::create(b, loc, row, rows.first);
  operands.ahead = tiles.castMatrix(operands.weights, true);
  operands.line = index(0);
  if (nextPanel)
    askForPanel(operands, offset, height);
  if (asksForRows())
    askForRows(operands, offset, height);
}

/// A tile that begins `offset` rows behind the first one of the block asks for
/// a line of each row of the next panel, or, where panels are copies, for its
/// share, but not more than a line in a step. One that is alone waits for its
/// own panel: where this is a copy, it asks for what follows there a page
/// ahead. The processor asks for no line beyond a page by itself.
void ProductRequests::askForPanel(TileOperands &operands, Value offset,
                                  int64_t height) {
  Value number = arith::DivUIOp::create(b, loc, offset, index(height));
  operands.line = tiles.lineAhead(number, nextPanel);
  if (lhsTransposed)
    return;
  Value isAlone = compare(arith::CmpIPredicate::eq, numRows, index(height));
  Value step = arith::MulIOp::create(b, loc, rowStep, index(height));
  step = arith::ShRUIOp::create(b, loc, step, index(16));
  step = arith::MinUIOp::create(b, loc, step, index(tiles.lineLanes()));
  Value begin = arith::MulIOp::create(b, loc, offset, rowElements);
  begin = arith::AddIOp::create(b, loc, begin, nextPanel);
  step = select(isAlone, weights.width, step);
  begin = select(isAlone, index(costs.pageBytes / laneBytes), begin);
  operands.ahead = tiles.withRowStep(operands.ahead, weights.isPacked, step);
  operands.line = select(weights.isPacked, begin, operands.line);
}

/// In the last panel, what the tile at its place in the next block has of the
/// left operand.
void ProductRequests::askForRows(TileOperands &operands, Value offset,
                                 int64_t height) {
  Value asks = arith::AndIOp::create(b, loc, hasNextRows, isLast);
  Value row = arith::AddIOp::create(b, loc, nextRow, offset);
  Value left = tiles.piecesOf(row, nextFirst, height, nextCount);
  operands.ahead = select(asks, left, operands.ahead);
  operands.line = select(asks, index(0), operands.line);
}
