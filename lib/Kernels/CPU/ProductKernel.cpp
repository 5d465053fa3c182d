//===-- lib/Kernels/CPU/ProductKernel.cpp - Code of matrix products ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductKernel.h"
#include "ProductTile.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cambium;

SmallVector<Type> cambium::productArguments(Type element) {
  Builder builder(element.getContext());
  Type rows = matrixType(element, true);
  return {matrixType(element, false), rows, rows, rows, builder.getI1Type(),
          builder.getIndexType()};
}

namespace {
/// Emits the function.
class KernelEmitter {
public:
  KernelEmitter(func::FuncOp kernel, Type element, const TargetCosts &costs)
      : costs(costs), loc(kernel.getLoc()), b(kernel.getContext()),
        start(kernel.getArgument(2)), out(kernel.getArgument(3)),
        clear(kernel.getArgument(4)), element(element),
        weights{kernel.getArgument(1), kernel.getArgument(5), {}},
        tiles(b, loc, kernel.getArgument(0), weights, out, element, costs),
        lanes(tiles.numLanes()) {
    b.setInsertionPointToStart(&kernel.getBody().front());
    auto left =
        memref::ExtractStridedMetadataOp::create(b, loc, kernel.getArgument(0));
    isStrided = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                      left.getStrides()[1], index(1));
    weights.isPacked = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                             weights.panelStride,
                                             index(costs.tileVectors * lanes));
  }

  void emit() {
    Value rows = dim(out, 0), columns = dim(out, 1);
    Value depth = dim(weights.matrix, 0);
    Share byRows = shareOf(rows, costs.shareRows,
                           arith::MulIOp::create(b, loc, columns, depth));
    Share byColumns = shareOf(columns, costs.tileVectors * lanes,
                              arith::MulIOp::create(b, loc, rows, depth));
    Value isByRows = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge,
                                           byRows.count, byColumns.count);
    auto choose = [&](Value yes, Value no) -> Value {
      return arith::SelectOp::create(b, loc, isByRows, yes, no);
    };
    auto parallel = rt::ParallelOp::create(
        b, loc, choose(byRows.count, byColumns.count), /*grain=*/1);
    Type type = b.getIndexType();
    Block *body =
        b.createBlock(&parallel.getBody(), {}, {type, type}, {loc, loc});
    Range inRows = rangeOf(byRows, body, rows);
    Range inColumns = rangeOf(byColumns, body, columns);
    threadBody = body;
    emitRange(
        {choose(inRows.first, index(0)), choose(inRows.last, rows)},
        {choose(index(0), inColumns.first), choose(columns, inColumns.last)},
        depth);
    rt::YieldOp::create(b, loc);
    b.setInsertionPointAfter(parallel);
    func::ReturnOp::create(b, loc);
  }

private:
  //===--------------------------------------------------------------------===//
  // Shares of threads
  //===--------------------------------------------------------------------===//

  /// Rows or columns in `count` shares of `size`.
  struct Share {
    Value size, count;
  };
  struct Range {
    Value first, last;
  };

  /// Shares of whole tiles, with enough work in each. Rows or columns are
  /// shared, whatever gives more of them: a few rows have all columns.
  Share shareOf(Value extent, int64_t tile, Value work) {
    work = arith::MaxUIOp::create(b, loc, work, index(1));
    Value tiles = arith::CeilDivUIOp::create(
        b, loc, index(costs.productWork / tile), work);
    Value size = arith::MulIOp::create(b, loc, tiles, index(tile));
    return {size, arith::CeilDivUIOp::create(b, loc, extent, size)};
  }

  /// What the shares of a chunk are of.
  Range rangeOf(const Share &share, Block *chunk, Value extent) {
    Value first =
        arith::MulIOp::create(b, loc, chunk->getArgument(0), share.size);
    Value last =
        arith::MulIOp::create(b, loc, chunk->getArgument(1), share.size);
    return {first, arith::MinUIOp::create(b, loc, last, extent)};
  }

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value dim(Value memref, int64_t number) {
    return memref::DimOp::create(b, loc, memref, number);
  }
  Value plus(Value value, int64_t more) {
    return more ? arith::AddIOp::create(b, loc, value, index(more)).getResult()
                : value;
  }

  /// A loop without results; `body` is called with the builder in it.
  template <typename Body>
  void loop(Value from, Value to, Value step, Body body) {
    auto forOp = scf::ForOp::create(b, loc, from, to, step);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(forOp.getBody());
    body(forOp.getInductionVar());
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

  /// One or two rows have several panels at once, so that a sum need not wait
  /// for the one before. The column that the rest begins with.
  Value emitPanelsAtOnce(const Range &rows, const Range &columns, Value count,
                         Value depth) {
    int64_t atOnce = costs.panelsAtOnce * costs.tileVectors;
    Value isFew = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                        plus(count, -1), index(2));
    isFew = arith::AndIOp::create(b, loc, isFew, weights.isPacked);
    Value few = arith::SelectOp::create(b, loc, isFew, count, index(0));
    Value width = arith::MaxUIOp::create(b, loc, few, index(1));
    width = arith::DivUIOp::create(b, loc, index(atOnce * lanes), width);
    Value all = arith::SubIOp::create(b, loc, columns.last, columns.first);
    Value rest = arith::RemUIOp::create(b, loc, all, width);
    rest = arith::SelectOp::create(b, loc, isFew, rest, all);
    rest = arith::SubIOp::create(b, loc, columns.last, rest);
    choose(few, {1, 2}, [&](int64_t height) {
      if (!height)
        return;
      loop(columns.first, rest, width, [&](Value column) {
        ProductPanel panels{column, atOnce / height, {}};
        ProductDepth whole{index(0), depth, start, clear};
        tiles.emitTile(rows.first, height,
                       tiles.elementsOf(rows.first, height, whole),
                       tiles.weightsOf(panels, whole), panels, whole);
      });
    });
    return rest;
  }

  /// Rows whose part of both other matrices stays in the caches while the
  /// whole reduction passes.
  void emitBlocks(const Range &rows, const Range &columns, Value depth) {
    int64_t bytes = element.getIntOrFloatBitWidth() / 8;
    auto choose = [&](Value is, int64_t yes, Value no) -> Value {
      return arith::SelectOp::create(b, loc, is, index(yes), no);
    };
    Value most =
        choose(isStrided, costs.copiedRowBlock(bytes), index(costs.blockRows));
    Value block = choose(weights.isPacked, costs.panelReductionBlock,
                         index(costs.reductionBlock));
    block = choose(isStrided, costs.copiedReductionBlock, block);
    forEvenParts(rows, most, [&](const Range &part) {
      emitReduction(part, block, columns, depth);
    });
  }

  /// As few blocks as possible, of about the same size. The first one starts
  /// from what was asked for, the others from what the one before has left.
  void emitReduction(const Range &rows, Value block, const Range &columns,
                     Value depth) {
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
      emitRowBlock(rows, columns, {k, count, from, clears});
    });
  }

  /// As few parts of whole tiles as possible, of `most` rows at most and of
  /// about the same size: none has a few rows only.
  template <typename Body>
  void forEvenParts(const Range &rows, Value most, Body body) {
    Value tile = index(costs.tileRows(costs.tileVectors));
    Value count = arith::SubIOp::create(b, loc, rows.last, rows.first);
    Value numParts = arith::CeilDivUIOp::create(b, loc, count, most);
    Value numTiles = arith::CeilDivUIOp::create(b, loc, count, tile);
    auto begin = [&](Value part) -> Value {
      Value tiles = arith::MulIOp::create(b, loc, part, numTiles);
      tiles = arith::DivUIOp::create(b, loc, tiles, numParts);
      Value offset = arith::MulIOp::create(b, loc, tiles, tile);
      return arith::AddIOp::create(b, loc, rows.first, offset);
    };
    loop(index(0), numParts, index(1), [&](Value part) {
      Value last = begin(plus(part, 1));
      last = arith::MinUIOp::create(b, loc, last, rows.last);
      body(Range{begin(part), last});
    });
  }

  /// A left operand whose rows are not contiguous is copied first: what follows
  /// each other in the reduction is far apart, each in a page of its own.
  void emitRowBlock(const Range &rows, const Range &columns,
                    const ProductDepth &depth) {
    Value left =
        memoryFor(costs.copyBytes * 8 / element.getIntOrFloatBitWidth());
    auto copyOf = [&](Value row, int64_t height) {
      Value offset = arith::SubIOp::create(b, loc, row, rows.first);
      offset = arith::MulIOp::create(b, loc, offset, depth.count);
      return tiles.copiedElements(left, offset, height, depth);
    };
    auto copies = scf::IfOp::create(b, loc, isStrided, /*withElse=*/false);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(copies.thenBlock());
      forTiles(rows, [&](Value row, int64_t height) {
        tiles.emitCopy(tiles.elementsOf(row, height, depth),
                       copyOf(row, height), height, depth);
      });
    }
    emitPanels(columns, [&](const ProductPanel &panel) {
      Value part = tiles.weightsOf(panel, depth);
      forTiles(rows, [&](Value row, int64_t height) {
        Value elements =
            arith::SelectOp::create(b, loc, isStrided, copyOf(row, height),
                                    tiles.elementsOf(row, height, depth));
        tiles.emitTile(row, height, elements, part, panel, depth);
      });
    });
  }

  /// Calls `body` for whichever of the cases `value` is, or for 0, which stands
  /// for all others.
  template <typename Body>
  void choose(Value value, ArrayRef<int64_t> cases, Body body) {
    auto choice = scf::IndexSwitchOp::create(b, loc, TypeRange(), value, cases,
                                             cases.size());
    OpBuilder::InsertionGuard guard(b);
    for (auto [number, region] : llvm::zip(cases, choice.getCaseRegions())) {
      b.createBlock(&region);
      body(number);
      scf::YieldOp::create(b, loc);
    }
    b.createBlock(&choice.getDefaultRegion());
    body(0);
    scf::YieldOp::create(b, loc);
  }

  /// All panels of that width; the column that the rest begins with.
  template <typename Body>
  Value emitWhole(const Range &columns, int64_t vectors, Body body) {
    Value wide = index(vectors * lanes);
    Value count = arith::SubIOp::create(b, loc, columns.last, columns.first);
    Value rest = arith::RemUIOp::create(b, loc, count, wide);
    Value whole = arith::SubIOp::create(b, loc, columns.last, rest);
    loop(columns.first, whole, wide,
         [&](Value column) { body(ProductPanel{column, vectors, {}}); });
    return whole;
  }

  /// Panels of a tile's width; the rest in one or two narrower ones.
  template <typename Body> void emitPanels(const Range &columns, Body body) {
    Value whole = emitWhole(columns, costs.tileVectors, body);
    Value rest = arith::SubIOp::create(b, loc, columns.last, whole);
    Value left = arith::CeilDivUIOp::create(b, loc, rest, index(lanes));
    Value isWide = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, left,
                                         index(costs.tileVectors));
    Value vectors = arith::SelectOp::create(b, loc, isWide,
                                            index(costs.tileVectors / 2), left);
    Value step = arith::MulIOp::create(b, loc, vectors, index(lanes));
    step = arith::MaxUIOp::create(b, loc, step, index(lanes));
    SmallVector<int64_t> widths;
    for (int64_t width = 1; width < costs.tileVectors; ++width)
      widths.push_back(width);
    loop(whole, columns.last, step, [&](Value column) {
      choose(vectors, widths, [&](int64_t width) {
        if (!width)
          return;
        Value lastColumn = plus(column, (width - 1) * lanes);
        Value lanesLeft =
            arith::SubIOp::create(b, loc, columns.last, lastColumn);
        auto maskType = VectorType::get({lanes}, b.getI1Type());
        body(ProductPanel{
            column, width,
            vector::CreateMaskOp::create(b, loc, maskType, lanesLeft)});
      });
    });
  }

  /// As few tiles as possible, of about the same height: each of them reads
  /// the whole panel.
  template <typename Body> void forTiles(const Range &range, Body body) {
    int64_t most = costs.tileRows(costs.tileVectors);
    Value count = arith::SubIOp::create(b, loc, range.last, range.first);
    Value numTiles = arith::CeilDivUIOp::create(b, loc, count, index(most));
    numTiles = arith::MaxUIOp::create(b, loc, numTiles, index(1));
    Value height = arith::DivUIOp::create(b, loc, count, numTiles);
    Value numHigher = arith::RemUIOp::create(b, loc, count, numTiles);
    Value higher = arith::MulIOp::create(b, loc, plus(height, 1), numHigher);
    Value middle = arith::AddIOp::create(b, loc, range.first, higher);
    for (int64_t rows = most; rows >= 1; --rows) {
      Value is = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, height,
                                       index(rows));
      Value isHigher = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                             height, index(rows - 1));
      Value from = arith::SelectOp::create(b, loc, is, middle, range.first);
      Value to = arith::SelectOp::create(b, loc, is, range.last, middle);
      Value any = arith::OrIOp::create(b, loc, is, isHigher);
      to = arith::SelectOp::create(b, loc, any, to, from);
      loop(from, to, index(rows), [&](Value row) { body(row, rows); });
    }
  }

  /// Rows that go as a stripe, at most.
  int64_t numStripeRows() const {
    int64_t rows = 0;
    while (costs.stripeSteps(rows + 1) > 1)
      ++rows;
    return rows;
  }

  /// Memory of the stack, of the function that runs on a thread.
  Value memoryFor(int64_t size) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(threadBody);
    return memref::AllocaOp::create(b, loc, MemRefType::get({size}, element),
                                    b.getI64IntegerAttr(costs.cacheLine));
  }

  const TargetCosts &costs;
  Location loc;
  OpBuilder b;
  Value start, out, clear;
  /// Whether rows of the left operand are not contiguous.
  Value isStrided;
  Block *threadBody = nullptr;
  Type element;
  ProductWeights weights;
  TileEmitter tiles;
  int64_t lanes;
};
} // namespace

void cambium::emitProductKernel(func::FuncOp kernel, Type element,
                                const TargetCosts &costs) {
  kernel.addEntryBlock();
  KernelEmitter(kernel, element, costs).emit();
}
