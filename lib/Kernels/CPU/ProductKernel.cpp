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

/// A matrix of any size with any strides, or with contiguous rows.
static MemRefType matrixType(Type element, bool hasRows) {
  constexpr int64_t any = ShapedType::kDynamic;
  auto layout = StridedLayoutAttr::get(element.getContext(), any,
                                       {any, hasRows ? int64_t(1) : any});
  return MemRefType::get({any, any}, element, layout);
}

SmallVector<Type> cambium::productArguments(Type element) {
  Builder builder(element.getContext());
  Type rows = matrixType(element, true);
  return {matrixType(element, false), rows, rows, rows, builder.getI1Type()};
}

namespace {
/// Emits the function.
class KernelEmitter {
public:
  KernelEmitter(func::FuncOp kernel, Type element, const TargetCosts &costs)
      : costs(costs), loc(kernel.getLoc()), b(kernel.getContext()),
        rhs(kernel.getArgument(1)), start(kernel.getArgument(2)),
        out(kernel.getArgument(3)), clear(kernel.getArgument(4)),
        element(element),
        tiles(b, loc, kernel.getArgument(0), rhs, out, element, costs),
        lanes(tiles.numLanes()) {
    b.setInsertionPointToStart(&kernel.getBody().front());
  }

  void emit() {
    Value rows = dim(out, 0), columns = dim(out, 1), depth = dim(rhs, 0);
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

  /// A few rows read the right operand from end to end; more of them go in
  /// blocks.
  void emitRange(const Range &rows, const Range &columns, Value depth) {
    Value count = arith::SubIOp::create(b, loc, rows.last, rows.first);
    Value hasDepth = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                           depth, index(0));
    count = arith::SelectOp::create(b, loc, hasDepth, count, index(0));
    SmallVector<int64_t> heights;
    for (int64_t height = 1; costs.stripeSteps(height) > 1; ++height)
      heights.push_back(height);
    choose(count, heights, [&](int64_t height) {
      if (height)
        tiles.emitStripe(rows.first, height, costs.stripeSteps(height),
                         columns.first, columns.last,
                         {index(0), depth, start, clear});
      else
        emitBlocks(rows, columns, depth);
    });
  }

  /// The first block starts from what was asked for, even if there is nothing
  /// to add; the others from what the one before has left.
  void emitBlocks(const Range &rows, const Range &columns, Value depth) {
    Value zero = index(0), block = index(costs.reductionBlock);
    Value atLeastOnce = arith::MaxUIOp::create(b, loc, depth, index(1));
    loop(zero, atLeastOnce, block, [&](Value k) {
      Value count = arith::SubIOp::create(b, loc, depth, k);
      count = arith::MinUIOp::create(b, loc, count, block);
      Value isFirst =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, k, zero);
      Value from = arith::SelectOp::create(b, loc, isFirst, start, out);
      Value clears = arith::AndIOp::create(b, loc, isFirst, clear);
      emitRowBlocks(rows, columns, {k, count, from, clears});
    });
  }

  /// Rows whose part of the left operand stays in the cache while all panels
  /// pass. Many rows are copied together first, and so are panels that many
  /// rows pass: a row of an operand may be far from the next, each in a page of
  /// its own.
  void emitRowBlocks(const Range &rows, const Range &columns,
                     const ProductDepth &depth) {
    int64_t rowBlock = costs.rowBlock(element.getIntOrFloatBitWidth() / 8);
    loop(rows.first, rows.last, index(rowBlock), [&](Value first) {
      Value count = arith::SubIOp::create(b, loc, rows.last, first);
      count = arith::MinUIOp::create(b, loc, count, index(rowBlock));
      Range block = {first, arith::AddIOp::create(b, loc, first, count)};
      Value isMany = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge,
                                           count, index(costs.copyRows));
      auto branch = scf::IfOp::create(b, loc, isMany, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      emitManyRows(block, columns, depth);
      b.setInsertionPointToStart(branch.elseBlock());
      emitPanels(columns, [&](const ProductPanel &panel) {
        emitRows(block, panel, {}, depth);
      });
    });
  }

  void emitManyRows(const Range &rows, const Range &columns,
                    const ProductDepth &depth) {
    ProductRows left = {
        memoryFor(costs.leftBytes * 8 / element.getIntOrFloatBitWidth()),
        rows.first};
    forTiles(rows, costs.tileRows(costs.tileVectors),
             [&](Value row, int64_t height) {
               tiles.emitCopy(row, height, left, depth);
             });
    Value copy = memoryFor(costs.reductionBlock, costs.tileVectors * lanes);
    emitPanels(columns, [&](const ProductPanel &panel) {
      ProductPanel copied = panel;
      copied.copy = copy;
      tiles.emitCopy(panel, copy, depth);
      emitRows(rows, copied, left, depth);
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

  void emitRows(const Range &range, const ProductPanel &panel,
                const ProductRows &left, const ProductDepth &depth) {
    // Where rows are copied, tiles of all panels are those of the copy.
    int64_t height =
        costs.tileRows(left.copy ? costs.tileVectors : panel.vectors);
    forTiles(range, height, [&](Value row, int64_t height) {
      tiles.emitTile(row, height, panel, left, depth);
    });
  }

  /// Tiles of full height, then of 4, 2 and 1 rows.
  template <typename Body>
  void forTiles(const Range &range, int64_t height, Body body) {
    Value count = arith::SubIOp::create(b, loc, range.last, range.first);
    Value rest = arith::RemUIOp::create(b, loc, count, index(height));
    Value row = arith::SubIOp::create(b, loc, range.last, rest);
    loop(range.first, row, index(height), [&](Value i) { body(i, height); });
    for (int64_t rows = llvm::bit_floor<uint64_t>(height - 1); rows >= 1;
         rows /= 2) {
      Value left = arith::SubIOp::create(b, loc, range.last, row);
      Value enough = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge,
                                           left, index(rows));
      auto branch =
          scf::IfOp::create(b, loc, TypeRange(b.getIndexType()), enough, true);
      {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(branch.thenBlock());
        body(row, rows);
        scf::YieldOp::create(b, loc, plus(row, rows));
        b.setInsertionPointToStart(branch.elseBlock());
        scf::YieldOp::create(b, loc, row);
      }
      row = branch.getResult(0);
    }
  }

  /// Memory of the stack, of the function that runs on a thread.
  Value memoryFor(int64_t size, int64_t width = 0) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(threadBody);
    SmallVector<int64_t> shape{size};
    if (width)
      shape.push_back(width);
    return memref::AllocaOp::create(b, loc, MemRefType::get(shape, element),
                                    b.getI64IntegerAttr(costs.cacheLine));
  }

  const TargetCosts &costs;
  Location loc;
  OpBuilder b;
  Value rhs, start, out, clear;
  Block *threadBody = nullptr;
  Type element;
  TileEmitter tiles;
  int64_t lanes;
};
} // namespace

void cambium::emitProductKernel(func::FuncOp kernel, Type element,
                                const TargetCosts &costs) {
  kernel.addEntryBlock();
  KernelEmitter(kernel, element, costs).emit();
}
