//===-- lib/Kernels/CPU/ProductKernel.cpp - Code of matrix products ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductKernel.h"
#include "ProductRequests.h"
#include "ProductShares.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cambium;

SmallVector<Type> cambium::productArguments(Type element, bool lhsTransposed) {
  Builder builder(element.getContext());
  Type rows = matrixType(element, true);
  return {matrixType(element, !lhsTransposed),
          rows,
          rows,
          rows,
          builder.getI1Type(),
          builder.getIndexType(),
          builder.getIndexType()};
}

namespace {
/// Emits the function.
class KernelEmitter : ProductLoops {
public:
  KernelEmitter(func::FuncOp kernel, Type element, bool lhsTransposed,
                ArrayRef<TargetCosts> tileCosts)
      : ProductLoops(kernel, tileCosts.front(),
                     tileCosts.front().vectorBytes * 8 /
                         element.getIntOrFloatBitWidth()),
        start(kernel.getArgument(2)), out(kernel.getArgument(3)),
        clear(kernel.getArgument(4)), tileVectors(kernel.getArgument(6)),
        tileCosts(tileCosts), lhsTransposed(lhsTransposed), element(element),
        weights{kernel.getArgument(1), kernel.getArgument(5), {}, {}},
        tiles(b, loc, kernel.getArgument(0), weights, out, element, costs),
        requests(b, loc, tiles, weights, kernel.getArgument(0), lhsTransposed,
                 kernel.getArguments().back(), costs) {
    b.setInsertionPointToStart(&kernel.getBody().front());
    weights.width = hasOneTile() ? index(costs.tileVectors * lanes)
                                 : times(tileVectors, lanes);
    weights.isPacked = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::ne, weights.panelStride, weights.width);
  }

  void emit() {
    int64_t vectors = tileCosts.back().tileVectors;
    tiles.startFrom(memoryFor(vectors * lanes, element), vectors);
    auto part = function.getArguments().take_back(kNumBounds);
    emitRange({part[0], part[1]}, {part[2], part[3]}, dim(weights.matrix, 0));
    func::ReturnOp::create(b, loc);
  }

private:
  bool hasOneTile() const { return tileCosts.size() == 1; }

  /// Emits code with the costs of each tile, for products that have it.
  void forEachTile(Body<> body) {
    if (hasOneTile())
      return body();
    SmallVector<int64_t> wider;
    for (const TargetCosts &tile : tileCosts.drop_front())
      wider.push_back(tile.tileVectors);
    Value width = weights.width;
    choose(tileVectors, wider, [&](int64_t vectors) {
      costs = *llvm::find_if(tileCosts, [&](const TargetCosts &tile) {
        return tile.tileVectors == vectors || !vectors;
      });
      weights.width = index(costs.tileVectors * lanes);
      body();
    });
    costs = tileCosts.front();
    weights.width = width;
  }

  /// What a number is with the costs of the product's tile.
  Value ofTile(llvm::function_ref<int64_t()> number) {
    Value found = index(number());
    for (const TargetCosts &tile : tileCosts.drop_front()) {
      costs = tile;
      Value isTile =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, tileVectors,
                                index(costs.tileVectors));
      found = arith::SelectOp::create(b, loc, isTile, index(number()), found);
    }
    costs = tileCosts.front();
    return found;
  }

  /// A few rows read rows of the right operand from end to end; more of them,
  /// and all where it lies in panels, go in blocks. Without anything to add,
  /// what sums start from is all.
  void emitRange(const Range &rows, const Range &columns, Value depth) {
    Value isEmpty = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          depth, index(0));
    auto branch =
        scf::IfOp::create(b, loc, TypeRange(), isEmpty, /*withElse=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    loop(rows.first, rows.last, index(1), [&](Value row) {
      tiles.emitStart(row, columns.first, columns.last,
                      {index(0), depth, start, clear});
    });
    b.setInsertionPointToStart(branch.elseBlock());
    if (lhsTransposed)
      return emitBlocks(rows, columns, depth);
    Value count = arith::SubIOp::create(b, loc, rows.last, rows.first);
    Value rest = emitPanelsAtOnce(rows, columns, count, depth);
    count = arith::SelectOp::create(b, loc, weights.isPacked, index(0), count);
    SmallVector<int64_t> heights;
    for (int64_t height = 1; height <= numStripeRows(); ++height)
      heights.push_back(height);
    choose(count, heights, [&](int64_t height) {
      if (height)
        tiles.emitStripe(rows.first, height, costs.stripeSteps(height),
                         columns.first, columns.last,
                         {index(0), depth, start, clear});
      else
        emitBlocks(rows, {rest, columns.last}, depth);
    });
  }

  /// A few rows have several panels at once, so that a sum need not wait for
  /// the one before. The column that the rest begins with: all or nothing is
  /// left.
  Value emitPanelsAtOnce(const Range &rows, const Range &columns, Value count,
                         Value depth) {
    Value most = ofTile([&] { return numRowsAtOnce(); });
    Value isFew = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                        plus(count, -1), most);
    isFew = arith::AndIOp::create(b, loc, isFew, weights.isPacked);
    Value few = arith::SelectOp::create(b, loc, isFew, count, index(0));
    forEachTile([&] {
      auto heights =
          llvm::to_vector(llvm::seq(int64_t(1), numRowsAtOnce() + 1));
      choose(few, heights, [&](int64_t height) {
        if (height)
          emitFewRows(rows.first, height, columns,
                      {index(0), depth, start, clear});
      });
    });
    return arith::SelectOp::create(b, loc, isFew, columns.last, columns.first);
  }

  /// As few times as possible, about as many panels each time.
  void emitFewRows(Value row, int64_t height, const Range &columns,
                   const ProductDepth &depth) {
    int64_t most = panelsAtOnce(height);
    Value width = index(costs.tileVectors * lanes);
    Value all = arith::SubIOp::create(b, loc, columns.last, columns.first);
    Value panels = arith::CeilDivUIOp::create(b, loc, all, width);
    Value times = arith::CeilDivUIOp::create(b, loc, panels, index(most));
    times = arith::MaxUIOp::create(b, loc, times, index(1));
    Value step = arith::CeilDivUIOp::create(b, loc, panels, times);
    step = arith::MaxUIOp::create(b, loc, step, index(1));
    step = arith::MulIOp::create(b, loc, step, width);
    SmallVector<int64_t> sizes =
        llvm::to_vector(llvm::seq(int64_t(1), most + 1));
    loop(columns.first, columns.last, step, [&](Value column) {
      Value left = arith::SubIOp::create(b, loc, columns.last, column);
      left = arith::MinUIOp::create(b, loc, left, step);
      left = arith::CeilDivUIOp::create(b, loc, left, width);
      choose(left, sizes, [&](int64_t count) {
        if (!count)
          return;
        ProductPanel panel = maskedPanel(column, count * costs.tileVectors,
                                         costs.tileVectors, columns.last);
        tiles.emitTile(row, height,
                       {tiles.elementsOf(row, height, depth),
                        tiles.weightsOf(panel, depth)},
                       panel, depth);
      });
    });
  }

  /// Rows whose part of both other matrices stays in the caches while the
  /// whole reduction passes.
  void emitBlocks(const Range &rows, const Range &columns, Value depth) {
    int64_t bytes = element.getIntOrFloatBitWidth() / 8;
    Value most =
        index(lhsTransposed ? costs.copiedRowBlock(bytes) : costs.blockRows);
    Value block = arith::SelectOp::create(b, loc, weights.isPacked,
                                          index(costs.panelReductionBlock),
                                          index(costs.reductionBlock));
    if (lhsTransposed)
      block = index(costs.copiedReductionBlock);
    Value tile = ofTile([&] { return costs.tileRows(costs.tileVectors); });
    forEvenParts(rows, most, tile, [&](const Range &part) {
      emitReduction(part, rows.last, block, columns, depth);
    });
  }

  /// As few blocks as possible, of about the same size. The first one starts
  /// from what was asked for, the others from what the one before has left.
  void emitReduction(const Range &rows, Value lastRow, Value block,
                     const Range &columns, Value depth) {
    Value zero = index(0);
    Value numBlocks = arith::CeilDivUIOp::create(b, loc, depth, block);
    Value size = arith::CeilDivUIOp::create(b, loc, depth, numBlocks);
    loop(zero, depth, size, [&](Value k) {
      Value count = arith::SubIOp::create(b, loc, depth, k);
      count = arith::MinUIOp::create(b, loc, count, size);
      Value isFirst =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, k, zero);
      Value from = arith::SelectOp::create(b, loc, isFirst, start, out);
      Value clears = arith::AndIOp::create(b, loc, isFirst, clear);
      emitRowBlock(rows, lastRow, columns, {k, count, from, clears});
    });
  }

  void emitRowBlock(const Range &rows, Value lastRow, const Range &columns,
                    const ProductDepth &depth) {
    requests.beginBlock(rows, lastRow, depth);
    int64_t fewest = fewestInBlocks();
    auto emit = [&](const ProductPanel &panel) {
      Value part = tiles.weightsOf(panel, depth);
      KeptPanel kept = keptPanel(rows, panel, part, depth);
      requests.beginPanel(columns, panel);
      forTiles(rows, fewest, [&](Value row, int64_t height) {
        TileOperands operands{tiles.elementsOf(row, height, depth), part};
        // Lower tiles are those of a few rows: requests only delay them.
        if (height <= costs.fewRows)
          return tiles.emitTile(row, height, operands, panel, depth);
        requests.addTo(operands, row, height);
        emitInTurn(row, height, operands, kept, panel, depth);
      });
    };
    Value count = arith::SubIOp::create(b, loc, columns.last, columns.first);
    Value rest = arith::RemUIOp::create(b, loc, count, weights.width);
    forEachTile([&] { emitWhole(columns, costs.tileVectors, emit); });
    // One code for all tiles.
    emitRest({arith::SubIOp::create(b, loc, columns.last, rest), columns.last},
             emit);
  }

  /// The row that the first tile of a panel begins with; a panel that it keeps
  /// for the others where these are many, or null; and what the others read.
  struct KeptPanel {
    Value firstRow, memory, weights;
  };

  /// In rows of a matrix, lines of a panel use few of the first cache's sets,
  /// and vectors may lie in two lines each.
  KeptPanel keptPanel(const Range &rows, const ProductPanel &panel, Value part,
                      const ProductDepth &depth) {
    if (!lhsTransposed || panel.vectors < costs.tileVectors)
      return {rows.first, {}, part};
    if (!memoryOfPanel)
      memoryOfPanel = memoryFor(
          costs.reductionBlock * tileCosts.back().tileVectors * lanes, element);
    Value memory = tiles.keptPanel(memoryOfPanel, depth);
    Value count = arith::SubIOp::create(b, loc, rows.last, rows.first);
    Value isMany = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge,
                                         count, index(manyRows()));
    auto choose = [&](Value some, Value none) -> Value {
      return arith::SelectOp::create(b, loc, isMany, some, none);
    };
    return {choose(rows.first, index(-1)), memory, choose(memory, part)};
  }

  /// The first tile of a panel, or another one: what is asked for differs.
  void emitInTurn(Value row, int64_t height, TileOperands &operands,
                  const KeptPanel &kept, const ProductPanel &panel,
                  const ProductDepth &depth) {
    bool isLow = kept.memory && height < lowestOfMany();
    if (panel.vectors == costs.tileVectors && !isLow) {
      operands.isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                               row, kept.firstRow);
      operands.kept = kept.memory;
      operands.weights = arith::SelectOp::create(
          b, loc, operands.isFirst, operands.weights, kept.weights);
    }
    tiles.emitTile(row, height, operands, panel, depth);
  }

  /// Panels that so many rows read at once: as many as the registers hold the
  /// sums of, for one row as many as are worth it.
  int64_t panelsAtOnce(int64_t height) const {
    int64_t count = costs.panelsAtOnce;
    while (height > 1 && count > 1 &&
           costs.tileRows(count * costs.tileVectors) < height)
      --count;
    return count;
  }

  /// Rows that read several panels at once, at most.
  int64_t numRowsAtOnce() const {
    int64_t rows = 0;
    while (panelsAtOnce(rows + 1) > 1)
      ++rows;
    return rows;
  }

  /// Rows from which on there are as many tiles as a panel has lines; and the
  /// height of the lowest of these tiles.
  int64_t manyRows() const {
    return tiles.panelLines() * costs.tileRows(costs.tileVectors);
  }
  int64_t lowestOfMany() const {
    int64_t rows = manyRows() + 1;
    int64_t numTiles =
        llvm::divideCeil(rows, costs.tileRows(costs.tileVectors));
    return std::max(rows / numTiles, costs.fewRows + 1);
  }

  /// Rows that go in blocks, at least: fewer go at once or as a stripe, and
  /// parts of more rows have many.
  int64_t fewestInBlocks() {
    if (lhsTransposed)
      return 1;
    int64_t others = numStripeRows();
    for (const TargetCosts &tile : tileCosts) {
      costs = tile;
      others = std::min(others, numRowsAtOnce());
    }
    costs = tileCosts.front();
    return others + 1;
  }

  /// Rows that go as a stripe, at most.
  int64_t numStripeRows() const {
    int64_t rows = 0;
    while (costs.stripeSteps(rows + 1) > 1)
      ++rows;
    return rows;
  }

  Value start, out, clear, tileVectors;
  ArrayRef<TargetCosts> tileCosts;
  /// Whether columns of the left operand are contiguous, and not its rows.
  bool lhsTransposed;
  Type element;
  ProductWeights weights;
  TileEmitter tiles;
  ProductRequests requests;
  /// Of a panel that tiles share; null before one does.
  Value memoryOfPanel;
};
} // namespace

void cambium::emitProductKernel(func::FuncOp kernel, Type element,
                                bool lhsTransposed,
                                ArrayRef<TargetCosts> tiles) {
  kernel.addEntryBlock();
  KernelEmitter(kernel, element, lhsTransposed, tiles).emit();
}
