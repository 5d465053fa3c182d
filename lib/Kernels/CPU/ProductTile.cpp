//===-- lib/Kernels/CPU/ProductTile.cpp - Register tiles of products -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cambium;

TileEmitter::TileEmitter(OpBuilder &builder, Location loc, Value lhs, Value rhs,
                         Value out, Type element, const TargetCosts &costs)
    : b(builder), loc(loc), lhs(lhs), rhs(rhs), out(out), costs(costs),
      laneBytes(element.getIntOrFloatBitWidth() / 8) {
  lanes = costs.vectorBytes / laneBytes;
  vector = VectorType::get({lanes}, element);
}

Value TileEmitter::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value TileEmitter::plus(Value value, int64_t more) {
  return more ? arith::AddIOp::create(b, loc, value, index(more)).getResult()
              : value;
}

Value TileEmitter::zero() {
  return arith::ConstantOp::create(b, loc, b.getZeroAttr(vector));
}

Value TileEmitter::load(Value memref, ValueRange indices, Value mask) {
  if (mask)
    return vector::MaskedLoadOp::create(b, loc, vector, memref, indices, mask,
                                        zero());
  return vector::LoadOp::create(b, loc, vector, memref, indices);
}

void TileEmitter::store(Value value, Value memref, ValueRange indices,
                        Value mask) {
  if (mask)
    vector::MaskedStoreOp::create(b, loc, memref, indices, mask, value);
  else
    vector::StoreOp::create(b, loc, value, memref, indices);
}

Value TileEmitter::multiplyAdd(Value x, Value y, Value sum) {
  if (costs.hasFMA)
    return vector::FMAOp::create(b, loc, x, y, sum);
  Value product = arith::MulFOp::create(b, loc, x, y);
  return arith::AddFOp::create(b, loc, product, sum);
}

void TileEmitter::prefetch(Value row, const ProductPanel &panel) {
  int64_t lineLanes = std::max(costs.cacheLine / laneBytes, lanes);
  int64_t width = panel.vectors * lanes;
  for (int64_t lane = 0; lane < width; lane += lineLanes)
    memref::PrefetchOp::create(
        b, loc, rhs, ValueRange{row, plus(panel.column, width + lane)},
        /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
}

Value TileEmitter::loadStart(Value row, Value column, Value mask,
                             const ProductDepth &depth) {
  Value old = load(depth.start, {row, column}, mask);
  return arith::SelectOp::create(b, loc, depth.clear, zero(), old);
}

Value TileEmitter::loadElement(Value row, int64_t height, int64_t number,
                               Value k, const ProductRows &rows,
                               const ProductDepth &depth) {
  Value element;
  if (rows.copy) {
    Value offset = arith::SubIOp::create(b, loc, row, rows.first);
    offset = arith::MulIOp::create(b, loc, offset, depth.count);
    Value inTile = arith::MulIOp::create(b, loc, k, index(height));
    offset = arith::AddIOp::create(b, loc, offset, inTile);
    element = memref::LoadOp::create(b, loc, rows.copy,
                                     ValueRange{plus(offset, number)});
  } else {
    Value column = arith::AddIOp::create(b, loc, depth.first, k);
    element = memref::LoadOp::create(b, loc, lhs,
                                     ValueRange{plus(row, number), column});
  }
  return vector::BroadcastOp::create(b, loc, vector, element);
}

SmallVector<Value> TileEmitter::loadWeights(Value k, const ProductPanel &panel,
                                            const ProductDepth &depth) {
  SmallVector<Value> weights;
  if (panel.copy) {
    for (int64_t v = 0; v < panel.vectors; ++v)
      weights.push_back(load(panel.copy, {k, index(v * lanes)}, {}));
    return weights;
  }
  Value row = arith::AddIOp::create(b, loc, depth.first, k);
  for (int64_t v = 0; v < panel.vectors; ++v)
    weights.push_back(load(rhs, {row, plus(panel.column, v * lanes)},
                           v == panel.vectors - 1 ? panel.mask : Value()));
  prefetch(row, panel);
  return weights;
}

void TileEmitter::emitCopy(const ProductPanel &panel, Value memory,
                           const ProductDepth &depth) {
  auto loop = scf::ForOp::create(b, loc, index(0), depth.count, index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value k = loop.getInductionVar();
  SmallVector<Value> weights = loadWeights(k, panel, depth);
  for (auto [v, weight] : llvm::enumerate(weights))
    store(weight, memory, {k, index(int64_t(v) * lanes)}, {});
}

void TileEmitter::emitCopy(Value row, int64_t height, const ProductRows &rows,
                           const ProductDepth &depth) {
  auto loop = scf::ForOp::create(b, loc, index(0), depth.count, index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value k = loop.getInductionVar();
  Value column = arith::AddIOp::create(b, loc, depth.first, k);
  Value offset = arith::SubIOp::create(b, loc, row, rows.first);
  offset = arith::MulIOp::create(b, loc, offset, depth.count);
  Value inTile = arith::MulIOp::create(b, loc, k, index(height));
  offset = arith::AddIOp::create(b, loc, offset, inTile);
  for (int64_t r = 0; r < height; ++r) {
    Value element =
        memref::LoadOp::create(b, loc, lhs, ValueRange{plus(row, r), column});
    memref::StoreOp::create(b, loc, element, rows.copy,
                            ValueRange{plus(offset, r)});
  }
}

void TileEmitter::emitTile(Value row, int64_t height, const ProductPanel &panel,
                           const ProductRows &rows, const ProductDepth &depth) {
  SmallVector<Value> columns, sums;
  for (int64_t v = 0; v < panel.vectors; ++v)
    columns.push_back(plus(panel.column, v * lanes));
  auto maskAt = [&](int64_t v) {
    return v == panel.vectors - 1 ? panel.mask : Value();
  };
  for (int64_t r = 0; r < height; ++r)
    for (int64_t v = 0; v < panel.vectors; ++v)
      sums.push_back(loadStart(plus(row, r), columns[v], maskAt(v), depth));
  auto reduction =
      scf::ForOp::create(b, loc, index(0), depth.count, index(1), sums);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(reduction.getBody());
    Value k = reduction.getInductionVar();
    SmallVector<Value> next(reduction.getRegionIterArgs());
    SmallVector<Value> weights = loadWeights(k, panel, depth);
    for (int64_t r = 0; r < height; ++r) {
      Value all = loadElement(row, height, r, k, rows, depth);
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
            {plus(row, r), columns[v]}, maskAt(v));
}

void TileEmitter::emitStripeStep(Value row, int64_t height, int64_t steps,
                                 Value first, Value last,
                                 const ProductDepth &depth) {
  SmallVector<Value> elements;
  for (int64_t s = 0; s < steps; ++s)
    for (int64_t r = 0; r < height; ++r)
      elements.push_back(loadElement(row, height, r, index(s), {}, depth));
  auto emitVector = [&](Value column, Value mask) {
    SmallVector<Value> sums;
    for (int64_t r = 0; r < height; ++r)
      sums.push_back(loadStart(plus(row, r), column, mask, depth));
    for (int64_t s = 0; s < steps; ++s) {
      Value weight = load(rhs, {plus(depth.first, s), column}, mask);
      for (int64_t r = 0; r < height; ++r)
        sums[r] = multiplyAdd(elements[s * height + r], weight, sums[r]);
    }
    for (int64_t r = 0; r < height; ++r)
      store(sums[r], out, {plus(row, r), column}, mask);
  };
  Value count = arith::SubIOp::create(b, loc, last, first);
  Value rest = arith::RemUIOp::create(b, loc, count, index(lanes));
  Value whole = arith::SubIOp::create(b, loc, last, rest);
  auto vectors = scf::ForOp::create(b, loc, first, whole, index(lanes));
  auto tail = scf::ForOp::create(b, loc, whole, last, index(lanes));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(vectors.getBody());
  emitVector(vectors.getInductionVar(), {});
  b.setInsertionPointToStart(tail.getBody());
  auto maskType = VectorType::get({lanes}, b.getI1Type());
  emitVector(tail.getInductionVar(),
             vector::CreateMaskOp::create(b, loc, maskType, rest));
}

void TileEmitter::emitStripe(Value row, int64_t height, int64_t steps,
                             Value first, Value last,
                             const ProductDepth &depth) {
  // The first step adds nothing where there is nothing to add.
  auto emitLoop = [&](Value from, Value to, int64_t steps) {
    auto loop = scf::ForOp::create(b, loc, from, to, index(steps));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value k = loop.getInductionVar();
    Value isFirst =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, k, index(0));
    Value start = arith::SelectOp::create(b, loc, isFirst, depth.start, out);
    Value clear = arith::AndIOp::create(b, loc, isFirst, depth.clear);
    emitStripeStep(row, height, steps, first, last, {k, {}, start, clear});
  };
  Value rest = arith::RemUIOp::create(b, loc, depth.count, index(steps));
  Value whole = arith::SubIOp::create(b, loc, depth.count, rest);
  emitLoop(index(0), whole, steps);
  emitLoop(whole, depth.count, 1);
}
