//===-- RowTiles.cpp - Ops on the same rows, by a block of threads --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RowTiles.h"
#include "../Products.h"
#include "Elements.h"
#include "OwnMemory.h"
#include "ProductMath.h"
#include "ProductTiles.h"
#include "Stages.h"
#include "dialects/RT/IR/ForEach.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace cambium;

static constexpr StringLiteral kFuseFlag = "kernels-fuse-rows";

namespace cambium {
/// Emits the stage of a group: a block executes all ops for a tile of rows, and
/// of columns where there are products.
class RowTileEmitter {
public:
  RowTileEmitter(RowGroup &group, func::FuncOp entry, const TargetCosts &costs)
      : group(group), entry(entry), costs(costs),
        b(group.ops.front().op->getContext()),
        loc(group.ops.front().op->getLoc()), device(b, loc, costs),
        own(group.ops) {}

  LogicalResult emit();

private:
  struct Range {
    Value begin, end;
  };

  void chooseSizes();
  void makeStage();
  Value makeKeptStage(Value numRows);
  void fillKept();
  void makeTile(Value number);
  Value use(Value value, const RowOp *forOthers) {
    return own.use(b, value, forOthers);
  }
  Range rowsOf(const RowOp &op) {
    return op.count == group.count ? rows : edges;
  }
  void emitOp(size_t number);
  ProductOperands operandsOf(const RowOp &op);
  void emitProducts(size_t first, size_t count);
  void emitLoop(const RowOp &op, bool isDivided, const RowOp *forOthers);
  void emitElements(const RowOp &op, bool isDivided, const RowOp *forOthers);
  Value columnsOf(Value row);
  Value cut(Value operand, AffineMap map, Range range, bool isDivided);
  linalg::LinalgOp cut(linalg::LinalgOp op, Range rows, bool isDivided,
                       const RowOp *forOthers);

  RowGroup &group;
  func::FuncOp entry;
  const TargetCosts &costs;
  OpBuilder b;
  Location loc;
  DeviceBuilder device;
  rt::ParallelOp stage;
  int64_t rowTile = 0, columnTile = 0, across = 1;
  Value columnNumber, columnBegin, columnCount;
  Range rows, edges;
  OwnMemory own;
  /// What a block keeps of the right operands of products.
  DenseMap<Operation *, Value> kept;
};
} // namespace cambium

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void RowTileEmitter::chooseSizes() {
  if (group.width) {
    columnTile = group.chooseColumnSteps(costs) * costs.blockSide;
    across = llvm::divideCeil(group.width, columnTile);
    rowTile = costs.blockTile / 2;
  } else {
    rowTile = costs.blockThreads / costs.warpThreads;
  }
}

/// A stage whose blocks take tiles in turn.
void RowTileEmitter::makeStage() {
  Value numRows =
      arith::CeilDivUIOp::create(b, loc, group.count, device.index(rowTile));
  if (group.kept.loop)
    return makeTile(makeKeptStage(numRows));
  Value numTiles = device.multiply(numRows, device.index(across));
  Value tile = beginStage(b, loc, numTiles, rt::Unit::Block, costs);
  stage =
      cast<rt::ParallelOp>(b.getInsertionBlock()->getParentOp()->getParentOp());
  columnNumber = arith::RemUIOp::create(b, loc, tile, device.index(across));
  own.choose(b, loc, columnNumber);
  makeTile(arith::DivUIOp::create(b, loc, tile, device.index(across)));
}

/// A stage whose blocks have the same columns in each iteration of the loop.
/// Returns the number of a tile's rows.
Value RowTileEmitter::makeKeptStage(Value numRows) {
  stage = openStage(b, loc, numRows, rt::Unit::Block);
  Value blocks = device.numBlocks(), block = device.block();
  Value numColumns = device.index(across), one = device.index(1);
  // Blocks of the same columns divide the rows; those left over have nothing.
  Value perColumn = arith::MaxUIOp::create(
      b, loc, one, arith::DivUIOp::create(b, loc, blocks, numColumns));
  Value first = arith::DivUIOp::create(b, loc, block, numColumns);
  Value end = arith::SelectOp::create(b, loc, device.less(first, perColumn),
                                      numColumns, device.index(0));
  auto columns = scf::ForOp::create(
      b, loc, arith::RemUIOp::create(b, loc, block, numColumns), end, blocks);
  b.setInsertionPointToStart(columns.getBody());
  columnNumber = columns.getInductionVar();
  own.choose(b, loc, columnNumber);
  columnBegin = device.multiply(columnNumber, device.index(columnTile));
  fillKept();
  auto tiles = scf::ForOp::create(b, loc, first, stage.getBody().getArgument(1),
                                  perColumn);
  b.setInsertionPointToStart(tiles.getBody());
  return tiles.getInductionVar();
}

/// In the loop's first iteration a block reads the columns that it keeps; in
/// each one if it has more columns than it can keep.
void RowTileEmitter::fillKept() {
  for (const RowOp &op : group.ops)
    if (auto place = group.kept.places.find(op.op);
        place != group.kept.places.end()) {
      Type element = getElementTypeOrSelf(op.op->getOperand(1).getType());
      MemRefType type =
          keptType(element, op.depth(), columnTile / costs.blockSide, costs);
      kept[op.op] = device.shared(type, device.index(place->second));
    }
  scf::ForOp loop = group.kept.loop;
  Value isFirst =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                            loop.getInductionVar(), loop.getLowerBound());
  Value areFew = device.less(device.numBlocks(), device.index(across));
  auto branch =
      scf::IfOp::create(b, loc, arith::OrIOp::create(b, loc, isFirst, areFew));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  device.syncBlock();
  for (const RowOp &op : group.ops)
    if (kept.contains(op.op))
      emitKept(b, loc, operandsOf(op), columnBegin, costs);
  device.syncBlock();
}

void RowTileEmitter::makeTile(Value number) {
  rows.begin = device.multiply(number, device.index(rowTile));
  rows.end = arith::MinSIOp::create(
      b, loc, group.count, device.add(rows.begin, device.index(rowTile)));
  if (group.width) {
    columnBegin = device.multiply(columnNumber, device.index(columnTile));
    columnCount = arith::MinSIOp::create(
        b, loc, device.index(columnTile),
        arith::SubIOp::create(b, loc, device.index(group.width), columnBegin));
  }
  if (!group.edgeCount)
    return;
  const LevelOfForest &level = *group.ops.front().level;
  edges.begin = level.firstEdge(b, loc, rows.begin, group.edgeCount);
  edges.end = level.firstEdge(b, loc, rows.end, group.edgeCount);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

ProductOperands RowTileEmitter::operandsOf(const RowOp &op) {
  auto product = cast<linalg::MatmulOp>(op.op);
  ProductOperands operands(b, product, *classifyProduct(product), op.start,
                           [&](Value value) { return use(value, nullptr); });
  operands.kept = kept.lookup(op.op);
  return operands;
}

void RowTileEmitter::emitProducts(size_t first, size_t count) {
  SmallVector<ProductOperands> products;
  DenseMap<Value, Value> lefts;
  Type element;
  rt::Math math = rt::Math::F32;
  for (const RowOp &op : ArrayRef(group.ops).slice(first, count)) {
    auto product = cast<linalg::MatmulOp>(op.op);
    element = getElementTypeOrSelf(product.getDpsInits()[0].getType());
    math = chooseMath(product, costs, kFuseFlag);
    products.push_back(operandsOf(op));
    ProductOperands &last = products.back();
    last.lhs =
        lefts.try_emplace(product.getDpsInputs()[0], last.lhs).first->second;
  }
  int64_t side = costs.blockSide;
  ProductTile tile{{},  {}, columnBegin, rowTile / side, columnTile / side,
                   math};
  Range range = rowsOf(group.ops[first]);
  tile.rowEnd = range.end;
  auto loop =
      scf::ForOp::create(b, loc, range.begin, range.end, device.index(rowTile));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  tile.rowBegin = loop.getInductionVar();
  emitProductTile(b, loc, element, products, tile, costs);
}

/// The tile's columns of a row.
Value RowTileEmitter::columnsOf(Value row) {
  OpFoldResult one = b.getIndexAttr(1);
  return memref::SubViewOp::create(b, loc, row, OpFoldResult(columnBegin),
                                   OpFoldResult(columnCount), one);
}

/// A warp executes an iteration.
void RowTileEmitter::emitLoop(const RowOp &op, bool isDivided,
                              const RowOp *forOthers) {
  auto old = cast<rt::ForEachOp>(op.op);
  Range range = rowsOf(op);
  IRMapping mapping;
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(old.getBody(), used);
  for (Value value : used)
    if (Value other = use(value, forOthers); other != value)
      mapping.map(value, other);
  auto loop = scf::ForOp::create(
      b, loc, device.add(range.begin, device.warp()), range.end,
      device.index(costs.blockThreads / costs.warpThreads));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  mapping.map(old.getNumber(), loop.getInductionVar());
  for (Operation &inner : old.getBody().front().without_terminator())
    b.clone(inner, mapping);
  if (isDivided)
    loop.walk([&](linalg::LinalgOp inner) {
      b.setInsertionPoint(inner);
      for (OpOperand &operand : inner->getOpOperands()) {
        auto type = dyn_cast<MemRefType>(operand.get().getType());
        if (type && type.getRank() == 1)
          operand.set(columnsOf(operand.get()));
      }
    });
  spreadOverLanes(*loop.getBody(), stage, costs);
}

/// The part of an operand that is the tile's.
Value RowTileEmitter::cut(Value operand, AffineMap map, Range range,
                          bool isDivided) {
  Value count = arith::SubIOp::create(b, loc, range.end, range.begin);
  SmallVector<OpFoldResult> offsets, sizes,
      strides(map.getNumResults(), b.getIndexAttr(1));
  for (auto [dim, result] : llvm::enumerate(map.getResults())) {
    unsigned loopDim = cast<AffineDimExpr>(result).getPosition();
    bool isColumn = isDivided && loopDim == 1;
    offsets.push_back(loopDim == 0 ? OpFoldResult(range.begin)
                      : isColumn   ? OpFoldResult(columnBegin)
                                   : b.getIndexAttr(0));
    sizes.push_back(loopDim == 0 ? OpFoldResult(count)
                    : isColumn   ? OpFoldResult(columnCount)
                                 : memref::getMixedSize(b, loc, operand, dim));
  }
  return memref::SubViewOp::create(b, loc, operand, offsets, sizes, strides);
}

/// A copy of the op for the tile's rows, and its columns.
linalg::LinalgOp RowTileEmitter::cut(linalg::LinalgOp op, Range range,
                                     bool isDivided, const RowOp *forOthers) {
  SmallVector<Value> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = use(operand.get(), forOthers);
    auto type = dyn_cast<MemRefType>(value.getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (type && map.getNumResults() != 0)
      value = cut(value, map, range, isDivided);
    operands.push_back(value);
  }
  auto copy = cast<linalg::LinalgOp>(
      clone(b, op.getOperation(), TypeRange(), operands));
  SmallVector<linalg::IndexOp> numbers;
  copy->walk([&](linalg::IndexOp number) { numbers.push_back(number); });
  for (linalg::IndexOp number : numbers) {
    Value begin = number.getDim() == 0                ? range.begin
                  : isDivided && number.getDim() == 1 ? columnBegin
                                                      : Value();
    if (!begin)
      continue;
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointAfter(number);
    Value sum = arith::AddIOp::create(b, loc, number, begin);
    number.getResult().replaceAllUsesExcept(sum, sum.getDefiningOp());
  }
  return copy;
}

void RowTileEmitter::emitElements(const RowOp &op, bool isDivided,
                                  const RowOp *forOthers) {
  linalg::LinalgOp part =
      cut(cast<linalg::LinalgOp>(op.op), rowsOf(op), isDivided, forOthers);
  Elements elements(b, part, costs);
  Value count = elements.count();
  bool isRow =
      elements.canReduceTogether() &&
      part.getIteratorTypesArray().back() == utils::IteratorType::reduction;
  if (isRow)
    elements.emitTogether(device.warp(), count,
                          device.index(costs.blockThreads / costs.warpThreads));
  else
    elements.emit(device.thread(), count, device.index(costs.blockThreads));
  part->erase();
}

void RowTileEmitter::emitOp(size_t number) {
  const RowOp &op = group.ops[number];
  auto emit = [&](const RowOp *forOthers) {
    bool isDivided = group.width && !group.isWhole && !group.isRepeated(number);
    isa<rt::ForEachOp>(op.op) ? emitLoop(op, isDivided, forOthers)
                              : emitElements(op, isDivided, forOthers);
  };
  if (group.isRepeated(number) && own.isReadOutside(op)) {
    // For others, one block writes the rows.
    Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          columnNumber, device.index(0));
    auto branch = scf::IfOp::create(b, loc, isFirst);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    emit(&op);
  }
  emit(nullptr);
}

LogicalResult RowTileEmitter::emit() {
  b.setInsertionPoint(group.ops.back().op);
  chooseSizes();
  Operation *place =
      entry.getBody().front().findAncestorOpInBlock(*group.ops.front().op);
  for (size_t i : group.repeated.set_bits())
    if (failed(own.allocate(group.ops[i], across, place)))
      return failure();
  makeStage();
  Accesses open;
  for (size_t i = 0; i < group.ops.size();) {
    size_t count = std::max<size_t>(1, group.countTogether(i, costs));
    Accesses accesses;
    for (const RowOp &op : ArrayRef(group.ops).slice(i, count))
      accesses.add(Accesses::of(op.op));
    if (open.conflictsWith(accesses)) {
      device.syncBlock();
      open = {};
    }
    group.ops[i].isProduct() ? emitProducts(i, count) : emitOp(i);
    open.add(accesses);
    i += count;
  }
  for (const RowOp &op : llvm::reverse(group.ops)) {
    op.op->erase();
    if (op.start.replaced)
      op.start.replaced->erase();
  }
  return success();
}

LogicalResult RowGroup::emit(func::FuncOp entry, const TargetCosts &costs) {
  return RowTileEmitter(*this, entry, costs).emit();
}
