//===-- lib/Kernels/CPU/ProductLoops.cpp - Loops of matrix products ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cambium;

Value ProductLoops::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value ProductLoops::dim(Value memref, int64_t number) {
  return memref::DimOp::create(b, loc, memref, number);
}

Value ProductLoops::plus(Value value, int64_t more) {
  return more ? arith::AddIOp::create(b, loc, value, index(more)).getResult()
              : value;
}

Value ProductLoops::times(Value value, int64_t factor) {
  return arith::MulIOp::create(b, loc, value, index(factor));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void ProductLoops::loop(Value from, Value to, Value step, Body<Value> body) {
  auto forOp = scf::ForOp::create(b, loc, from, to, step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(forOp.getBody());
  body(forOp.getInductionVar());
}

void ProductLoops::choose(Value value, ArrayRef<int64_t> cases,
                          Body<int64_t> body) {
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

void ProductLoops::forEvenParts(const Range &rows, Value most,
                                Body<const Range &> body) {
  forEvenParts(rows, most, index(costs.tileRows(costs.tileVectors)), body);
}

void ProductLoops::forEvenParts(const Range &rows, Value most, Value tile,
                                Body<const Range &> body) {
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

Value ProductLoops::emitWhole(const Range &columns, int64_t vectors,
                              Body<const ProductPanel &> body) {
  Value wide = index(vectors * lanes);
  Value count = arith::SubIOp::create(b, loc, columns.last, columns.first);
  Value rest = arith::RemUIOp::create(b, loc, count, wide);
  Value whole = arith::SubIOp::create(b, loc, columns.last, rest);
  loop(columns.first, whole, wide,
       [&](Value column) { body(ProductPanel{column, vectors, {}}); });
  return whole;
}

Value ProductLoops::vectorsOf(Value columns) {
  return arith::CeilDivUIOp::create(b, loc, columns, index(lanes));
}

ProductPanel ProductLoops::maskedPanel(Value column, int64_t vectors,
                                       int64_t masked, Value last) {
  ProductPanel panel{column, vectors, {}};
  auto type = VectorType::get({lanes}, b.getI1Type());
  for (int64_t v = vectors - masked; v < vectors; ++v) {
    // Less than 0 is as 0.
    Value left = arith::SubIOp::create(b, loc, last, plus(column, v * lanes));
    panel.masks.push_back(vector::CreateMaskOp::create(b, loc, type, left));
  }
  return panel;
}

void ProductLoops::emitPanels(const Range &columns,
                              Body<const ProductPanel &> body) {
  Value whole = emitWhole(columns, costs.tileVectors, body);
  emitRest({whole, columns.last}, body);
}

void ProductLoops::emitRest(const Range &columns,
                            Body<const ProductPanel &> body) {
  Value half = index(llvm::divideCeil(costs.tileVectors, 2));
  // A whole panel with a mask goes as two: its tiles are there. So does one of
  // a wider tile.
  auto widthFrom = [&](Value column) -> Value {
    Value left = arith::SubIOp::create(b, loc, columns.last, column);
    Value vectors = vectorsOf(left);
    Value isWide = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge,
                                         vectors, index(costs.tileVectors));
    return arith::SelectOp::create(b, loc, isWide, half, vectors);
  };
  Value step =
      arith::MulIOp::create(b, loc, widthFrom(columns.first), index(lanes));
  step = arith::MaxUIOp::create(b, loc, step, index(lanes));
  SmallVector<int64_t> widths =
      llvm::to_vector(llvm::seq<int64_t>(1, costs.tileVectors));
  loop(columns.first, columns.last, step, [&](Value column) {
    choose(widthFrom(column), widths, [&](int64_t width) {
      if (width)
        body(maskedPanel(column, width, /*masked=*/1, columns.last));
    });
  });
}

void ProductLoops::forTiles(const Range &range, int64_t fewest,
                            Body<Value, int64_t> body) {
  int64_t most = costs.tileRows(costs.tileVectors);
  // One row more than a tile has goes as two tiles; more rows make no lower
  // ones.
  int64_t lowest = std::min(fewest, (most + 1) / 2);
  Value count = arith::SubIOp::create(b, loc, range.last, range.first);
  Value numTiles = arith::CeilDivUIOp::create(b, loc, count, index(most));
  numTiles = arith::MaxUIOp::create(b, loc, numTiles, index(1));
  Value height = arith::DivUIOp::create(b, loc, count, numTiles);
  Value numHigher = arith::RemUIOp::create(b, loc, count, numTiles);
  Value higher = arith::MulIOp::create(b, loc, plus(height, 1), numHigher);
  Value middle = arith::AddIOp::create(b, loc, range.first, higher);
  for (int64_t rows = most; rows >= lowest; --rows) {
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

Value ProductLoops::memoryFor(int64_t size, Type element) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  return memref::AllocaOp::create(b, loc, MemRefType::get({size}, element),
                                  b.getI64IntegerAttr(costs.cacheLine));
}
