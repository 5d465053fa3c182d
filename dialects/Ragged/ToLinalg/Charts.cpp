//===-- Charts.cpp - Spans of sequences, and their cuts -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The spans of a segment of n rows stand by length, then by their first row:
// those of l + 1 rows begin at l n - l (l - 1) / 2.
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/ToLinalg/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

static Value times(LinalgBuilder &b, Value x, Value y) {
  return b.make<arith::MulIOp>(x, y);
}

Value ragged::cutsOf(LinalgBuilder &b, Value sides) {
  return b.make<arith::DivUIOp>(sides, b.index(2));
}

/// n (n + 1) / 2.
Value ragged::numSpans(LinalgBuilder &b, Value rows) {
  Value twice = times(b, rows, b.add(rows, b.index(1)));
  return b.make<arith::DivUIOp>(twice, b.index(2));
}

static Lowered lowerChart(ChartOp op, LinalgBuilder &b) {
  Value rows = RowsView(b, op.getRows()).materialize();
  if (!rows)
    return op.emitOpError("expected the partition of an argument");
  return lowered(b.make<rt::ChartOp>(op.getType(), rows));
}

static Lowered lowerSpans(SpansOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  Type i32 = b.getBuilder().getI32Type();
  auto type = RankedTensorType::get({ShapedType::kDynamic}, i32);
  Value zero = b.index(0), one = b.index(1), segments = rows.numSegments();
  SmallVector<Value> made = b.loops(
      zero, segments, {b.zeros(type, b.add(segments, one)), zero},
      [&](Value s, ValueRange state) {
        auto [begin, end] = rows.segment(s);
        Value last = b.add(state[1], numSpans(b, b.sub(end, begin)));
        Value number = b.make<arith::IndexCastOp>(i32, last);
        return SmallVector<Value>{
            b.make<tensor::InsertOp>(number, state[0], b.add(s, one)), last};
      });
  failAtTooMany(b, made[1], "expected fewer than 2^31 spans of rows");
  Value most = numSpans(b, rows.numRows());
  return lowered(b.make<rt::MakeRowsOp>(op.getType(), segments,
                                        b.make<rt::AtMostOp>(made[1], most),
                                        memoryOf(b, made[0])));
}

/// The number of the first span of l + 1 of n rows.
static Value firstOfLength(LinalgBuilder &b, Value l, Value n) {
  return b.sub(times(b, l, b.add(n, b.index(1))), numSpans(b, l));
}

static Lowered lowerSpanEnds(SpanEndsOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows()), spans(b, op.getSpans());
  Type i32 = b.getBuilder().getI32Type();
  Value zero = b.index(0);
  auto fill = [&](Value s, Value all) {
    auto [begin, end] = rows.segment(s);
    Value first = spans.segment(s).first, n = b.sub(end, begin);
    return b.loop(zero, n, all, [&](Value l, Value all) {
      Value at = b.add(first, firstOfLength(b, l, n));
      return b.loop(zero, b.sub(n, l), all, [&](Value i, Value all) -> Value {
        Value row = op.getLast() ? b.add(i, l) : i;
        Value number = b.make<arith::IndexCastOp>(i32, row);
        return b.make<tensor::InsertOp>(number, all, b.add(at, i));
      });
    });
  };
  Value dest = b.empty(op.getType(), spans.numRows());
  return lowered(rt::forEach(b, rows.numSegments(), dest, fill));
}

/// A dimension of twice as many rows becomes two, and back.
static SmallVector<ReassociationIndices> pairs(int64_t rank) {
  SmallVector<ReassociationIndices> groups{{0, 1}};
  for (int64_t dim = 2; dim < rank; ++dim)
    groups.push_back({dim});
  return groups;
}

static Lowered lowerToCuts(ToCutsOp op, LinalgBuilder &b) {
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<OpFoldResult> shape{cutsOf(b, b.rows(op.getInput()))};
  for (int64_t size : type.getShape().drop_front())
    shape.push_back(b.getBuilder().getIndexAttr(size));
  return lowered(b.make<tensor::ExpandShapeOp>(type, op.getInput(),
                                               pairs(type.getRank()), shape));
}

static Lowered lowerFromCuts(FromCutsOp op, LinalgBuilder &b) {
  int64_t rank = cast<RankedTensorType>(op.getInput().getType()).getRank();
  return lowered(b.make<tensor::CollapseShapeOp>(op.getType(), op.getInput(),
                                                 pairs(rank)));
}

void ragged::attachChartLowerings(MLIRContext *context) {
  attachLinalgModel<ChartOp, lowerChart>(context);
  attachLinalgModel<SpansOp, lowerSpans>(context);
  attachLinalgModel<SpanEndsOp, lowerSpanEnds>(context);
  attachLinalgModel<ToCutsOp, lowerToCuts>(context);
  attachLinalgModel<FromCutsOp, lowerFromCuts>(context);
}
