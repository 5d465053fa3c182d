//===-- lib/Kernels/CPU/ProductKernel.cpp - Code of matrix products ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductKernel.h"
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
  return {matrixType(element, false), rows, rows, rows, builder.getI1Type(),
          builder.getIndexType()};
}

namespace {
/// Columns that are computed together: `vectors` vectors from `column` on, of
/// which the last one has a mask, or none.
struct Panel {
  Value column;
  int64_t vectors;
  Value mask;
};

/// A block of the reduction, [first, last), and what sums start from: the
/// elements of `start`, or 0 with `clear`.
struct Depth {
  Value first, last, start, clear;
};

/// Emits the function.
class KernelEmitter {
public:
  KernelEmitter(func::FuncOp kernel, Type element, const TargetCosts &costs)
      : costs(costs), loc(kernel.getLoc()), b(kernel.getContext()),
        lhs(kernel.getArgument(0)), rhs(kernel.getArgument(1)),
        start(kernel.getArgument(2)), out(kernel.getArgument(3)),
        clear(kernel.getArgument(4)), block(kernel.getArgument(5)),
        lanes(costs.vectorBytes * 8 / element.getIntOrFloatBitWidth()),
        vector(VectorType::get({lanes}, element)) {
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
    emitBlocks(
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

  /// The first block starts from what was asked for, even if there is nothing
  /// to add; the others from what the one before has left.
  void emitBlocks(const Range &rows, const Range &columns, Value depth) {
    Value zero = index(0);
    Value atLeastOnce = arith::MaxUIOp::create(b, loc, depth, index(1));
    loop(zero, atLeastOnce, block, [&](Value k) {
      Value last = arith::AddIOp::create(b, loc, k, block);
      last = arith::MinUIOp::create(b, loc, last, depth);
      Value isFirst =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, k, zero);
      Value from = arith::SelectOp::create(b, loc, isFirst, start, out);
      Value clears = arith::AndIOp::create(b, loc, isFirst, clear);
      emitColumns(rows, columns, {k, last, from, clears});
    });
  }

  /// Panels of the greatest width; the rest in one or two narrower ones.
  void emitColumns(const Range &rows, const Range &columns,
                   const Depth &depth) {
    int64_t wide = costs.tileVectors * lanes;
    Value count = arith::SubIOp::create(b, loc, columns.last, columns.first);
    Value rest = arith::RemUIOp::create(b, loc, count, index(wide));
    Value whole = arith::SubIOp::create(b, loc, columns.last, rest);
    loop(columns.first, whole, index(wide), [&](Value column) {
      emitRows(rows, {column, costs.tileVectors, {}}, depth);
    });
    Value left = arith::CeilDivUIOp::create(b, loc, rest, index(lanes));
    Value isWide = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, left,
                                         index(costs.tileVectors));
    Value vectors = arith::SelectOp::create(b, loc, isWide,
                                            index(costs.tileVectors / 2), left);
    Value step = arith::MulIOp::create(b, loc, vectors, index(lanes));
    step = arith::MaxUIOp::create(b, loc, step, index(lanes));
    loop(whole, columns.last, step, [&](Value column) {
      SmallVector<int64_t> cases;
      for (int64_t width = 1; width < costs.tileVectors; ++width)
        cases.push_back(width);
      auto choice = scf::IndexSwitchOp::create(b, loc, TypeRange(), vectors,
                                               cases, cases.size());
      OpBuilder::InsertionGuard guard(b);
      for (auto [width, region] : llvm::zip(cases, choice.getCaseRegions())) {
        b.createBlock(&region);
        Value lastColumn = plus(column, (width - 1) * lanes);
        Value lanesLeft =
            arith::SubIOp::create(b, loc, columns.last, lastColumn);
        auto maskType = VectorType::get({lanes}, b.getI1Type());
        Value mask = vector::CreateMaskOp::create(b, loc, maskType, lanesLeft);
        emitRows(rows, {column, width, mask}, depth);
        scf::YieldOp::create(b, loc);
      }
      b.createBlock(&choice.getDefaultRegion());
      scf::YieldOp::create(b, loc);
    });
  }

  /// Tiles of full height, then of 4, 2 and 1 rows.
  void emitRows(const Range &range, const Panel &panel, const Depth &depth) {
    int64_t height = costs.tileRows(panel.vectors);
    Value count = arith::SubIOp::create(b, loc, range.last, range.first);
    Value rest = arith::RemUIOp::create(b, loc, count, index(height));
    Value row = arith::SubIOp::create(b, loc, range.last, rest);
    loop(range.first, row, index(height),
         [&](Value i) { emitTile(i, height, panel, depth); });
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
        emitTile(row, rows, panel, depth);
        scf::YieldOp::create(b, loc, plus(row, rows));
        b.setInsertionPointToStart(branch.elseBlock());
        scf::YieldOp::create(b, loc, row);
      }
      row = branch.getResult(0);
    }
  }

  //===--------------------------------------------------------------------===//
  // Tiles
  //===--------------------------------------------------------------------===//

  Value zero() {
    return arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
  }

  Value load(Value memref, ValueRange indices, Value mask) {
    if (mask)
      return vector::MaskedLoadOp::create(b, loc, vector, memref, indices, mask,
                                          zero());
    return vector::LoadOp::create(b, loc, vector, memref, indices);
  }

  void store(Value value, Value memref, ValueRange indices, Value mask) {
    if (mask)
      vector::MaskedStoreOp::create(b, loc, memref, indices, mask, value);
    else
      vector::StoreOp::create(b, loc, value, memref, indices);
  }

  Value multiplyAdd(Value x, Value y, Value sum) {
    if (costs.hasFMA)
      return vector::FMAOp::create(b, loc, x, y, sum);
    Value product = arith::MulFOp::create(b, loc, x, y);
    return arith::AddFOp::create(b, loc, product, sum);
  }

  void emitTile(Value i, int64_t height, const Panel &panel,
                const Depth &depth) {
    SmallVector<Value> rows, columns, sums;
    for (int64_t r = 0; r < height; ++r)
      rows.push_back(plus(i, r));
    for (int64_t v = 0; v < panel.vectors; ++v)
      columns.push_back(plus(panel.column, v * lanes));
    auto maskAt = [&](int64_t v) {
      return v == panel.vectors - 1 ? panel.mask : Value();
    };
    for (int64_t r = 0; r < height; ++r)
      for (int64_t v = 0; v < panel.vectors; ++v) {
        Value old = load(depth.start, {rows[r], columns[v]}, maskAt(v));
        sums.push_back(
            arith::SelectOp::create(b, loc, depth.clear, zero(), old));
      }
    auto reduction =
        scf::ForOp::create(b, loc, depth.first, depth.last, index(1), sums);
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(reduction.getBody());
      Value k = reduction.getInductionVar();
      SmallVector<Value> next(reduction.getRegionIterArgs()), weights;
      for (int64_t v = 0; v < panel.vectors; ++v)
        weights.push_back(load(rhs, {k, columns[v]}, maskAt(v)));
      for (int64_t r = 0; r < height; ++r) {
        Value element =
            memref::LoadOp::create(b, loc, lhs, ValueRange{rows[r], k});
        Value all = vector::BroadcastOp::create(b, loc, vector, element);
        for (int64_t v = 0; v < panel.vectors; ++v) {
          Value &sum = next[r * panel.vectors + v];
          sum = multiplyAdd(all, weights[v], sum);
        }
      }
      scf::YieldOp::create(b, loc, next);
    }
    for (int64_t r = 0; r < height; ++r)
      for (int64_t v = 0; v < panel.vectors; ++v)
        store(reduction.getResult(r * panel.vectors + v), out,
              {rows[r], columns[v]}, maskAt(v));
  }

  const TargetCosts &costs;
  Location loc;
  OpBuilder b;
  Value lhs, rhs, start, out, clear, block;
  int64_t lanes;
  VectorType vector;
};
} // namespace

void cambium::emitProductKernel(func::FuncOp kernel, Type element,
                                const TargetCosts &costs) {
  kernel.addEntryBlock();
  KernelEmitter(kernel, element, costs).emit();
}
