//===-- lib/Kernels/CPU/ProductStripes.cpp - Products without panels -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cambium;

void TileEmitter::emitStripeStep(Value row, int64_t height, int64_t steps,
                                 Value first, Value last,
                                 const ProductDepth &depth) {
  SmallVector<Value> elements;
  for (int64_t s = 0; s < steps; ++s)
    for (int64_t r = 0; r < height; ++r)
      elements.push_back(loadElement(lhs, plus(row, r), plus(depth.first, s)));
  // Sums of nothing read the same zeros for all columns: one code for both.
  Value none = index(0);
  Value from = arith::SelectOp::create(
      b, loc, depth.clear, zeroRows(height, last),
      view(depth.start, {row, none}, {index(height), last}, true));
  Value kept = arith::SelectOp::create(b, loc, depth.clear, none, index(-1));
  auto emitVector = [&](Value column, Value mask) {
    Value at = arith::AndIOp::create(b, loc, column, kept);
    SmallVector<Value> sums;
    for (int64_t r = 0; r < height; ++r)
      sums.push_back(load(from, {index(r), at}, mask));
    for (int64_t s = 0; s < steps; ++s) {
      Value weight = load(rhs.matrix, {plus(depth.first, s), column}, mask);
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

void TileEmitter::emitStart(Value row, Value first, Value last,
                            const ProductDepth &depth) {
  emitStripeStep(row, /*height=*/1, /*steps=*/0, first, last, depth);
}

void TileEmitter::emitStripe(Value row, int64_t height, int64_t steps,
                             Value first, Value last,
                             const ProductDepth &depth) {
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
