//===-- Segments.cpp - Ops over the rows of segments ----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/TopElements.h"
#include "dialects/Ragged/ToLinalg/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

static Lowered lowerBroadcast(BroadcastOp op, LinalgBuilder &b) {
  RankedTensorType type = op.getType();
  auto kept = llvm::to_vector(llvm::seq<int64_t>(1, type.getRank()));
  return lowered(
      b.broadcast(op.getInput(), b.empty(type, op.getCount()), kept));
}

static Lowered lowerExpand(ExpandOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  Value dest = b.empty(op.getType(), rows.numRows());
  return lowered(
      rt::forEach(b, rows.numSegments(), dest, [&](Value s, Value all) {
        auto [begin, end] = rows.segment(s);
        return b.loop(begin, end, all, [&](Value r, Value all) {
          return b.setRow(b.copy(b.row(op.getInput(), s), b.row(all, r)), all,
                          r);
        });
      }));
}

static Value sumOf(LinalgBuilder &b, ValueRange args) {
  return b.add(args[0], args[1]);
}
static Value maxOf(LinalgBuilder &b, ValueRange args) {
  return b.make<arith::MaximumFOp>(args[0], args[1]);
}

/// The maximum of rows [begin, end) in `dest`, 0 if there are none.
static Value maxRows(LinalgBuilder &b, Value begin, Value end, Value dest,
                     function_ref<Value(Value)> source) {
  Value any = b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, begin, end);
  Value start = b.choose(
      any, dest.getType(), [&] { return b.copy(source(begin), dest); },
      [&] { return b.fill(dest, 0); });
  return b.loop(b.add(begin, b.index(1)), end, start, [&](Value i, Value max) {
    return b.update(max, source(i), maxOf);
  });
}

/// The row divided by the number of rows in [begin, end), at least 1.
static Value divideByCount(LinalgBuilder &b, Value begin, Value end,
                           Value row) {
  Value count = b.make<arith::MaxSIOp>(b.sub(end, begin), b.index(1));
  Value integer =
      b.make<arith::IndexCastOp>(b.getBuilder().getI64Type(), count);
  Value divisor =
      b.make<arith::SIToFPOp>(tensorType(row).getElementType(), integer);
  return b.elementwise(row, row,
                       [&](LinalgBuilder &b, ValueRange args) -> Value {
                         return b.make<arith::DivFOp>(args[0], divisor);
                       });
}

/// The logarithm of the sum of the exponentials of rows [begin, end), shifted
/// by their maximum where that is finite.
static Value logSumExpRows(LinalgBuilder &b, Value begin, Value end, Value dest,
                           function_ref<Value(Value)> source) {
  Value max = maxRows(b, begin, end, b.empty(tensorType(dest), {}), source);
  Value shift = b.elementwise(max, max, [](LinalgBuilder &b, ValueRange args) {
    return finiteOrZero(b, args[0]);
  });
  auto shiftedExp = [](LinalgBuilder &b, ValueRange args) -> Value {
    return b.make<math::ExpOp>(b.sub(args[0], args[1]));
  };
  Value sum = b.loop(begin, end, b.fill(dest, 0), [&](Value i, Value sum) {
    Value exp = b.elementwise(b.empty(tensorType(dest), {}), {source(i), shift},
                              shiftedExp);
    return b.update(sum, exp, sumOf);
  });
  return b.elementwise(sum, {sum, shift},
                       [](LinalgBuilder &b, ValueRange args) -> Value {
                         return b.add(b.make<math::LogOp>(args[0]), args[1]);
                       });
}

static Lowered lowerReduce(ReduceOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  RowSource source(op.getInput());
  Value dest = b.empty(op.getType(), rows.numSegments());
  return lowered(
      rt::forEachRow(b, rows.numSegments(), dest, [&](Value s, Value row) {
        auto [begin, end] = rows.segment(s);
        auto read = [&](Value i) { return source.row(b, i); };
        if (op.getKind() == ReduceKind::Max)
          return maxRows(b, begin, end, row, read);
        if (op.getKind() == ReduceKind::LogSumExp)
          return logSumExpRows(b, begin, end, row, read);
        Value sum = sumRows(b, begin, end, row, read);
        return op.getKind() == ReduceKind::Sum
                   ? sum
                   : divideByCount(b, begin, end, sum);
      }));
}

/// One step of the search for the first of the greatest rows, element by
/// element: `best` and `where` for the rows before r and for row r. NaN is
/// greater than all.
static SmallVector<Value> searchStep(LinalgBuilder &b, Value row, Value r,
                                     ValueRange state) {
  Type i64 = b.getBuilder().getI64Type();
  Value here = b.make<arith::IndexCastOp>(i64, r);
  int64_t rank = tensorType(row).getRank();
  SmallVector<AffineMap> maps(
      3, AffineMap::getMultiDimIdentityMap(rank, b.getContext()));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto step = [&](OpBuilder &builder, Location loc, ValueRange args) {
    LinalgBuilder b(builder, loc);
    Value take = isGreater(b, args[0], args[1]);
    b.make<linalg::YieldOp>(
        ValueRange{b.make<arith::SelectOp>(take, args[0], args[1]),
                   b.make<arith::SelectOp>(take, here, args[2])});
  };
  auto generic = b.make<linalg::GenericOp>(TypeRange(state), row, state, maps,
                                           iterators, step);
  return llvm::to_vector_of<Value>(generic.getResults());
}

static Lowered lowerMaxGrad(MaxGradOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  RankedTensorType type = op.getType();
  RankedTensorType rowType = type.clone(type.getShape().drop_front());
  RankedTensorType idType = rowType.clone(b.getBuilder().getI64Type());
  Value dest = b.empty(type, rows.numRows());
  return lowered(
      rt::forEach(b, rows.numSegments(), dest, [&](Value s, Value all) {
        auto [begin, end] = rows.segment(s);
        Value none = b.fill(b.empty(rowType, {}),
                            -std::numeric_limits<double>::infinity());
        Value first =
            b.make<arith::IndexCastOp>(b.getBuilder().getI64Type(), begin);
        Value start =
            b.make<linalg::FillOp>(first, b.empty(idType, {})).getResult(0);
        Value where =
            b.loops(begin, end, {none, start}, [&](Value r, ValueRange state) {
              return searchStep(b, b.row(op.getInput(), r), r, state);
            })[1];
        return b.loop(begin, end, all, [&](Value r, Value all) {
          Value here =
              b.make<arith::IndexCastOp>(b.getBuilder().getI64Type(), r);
          auto send = [&](LinalgBuilder &b, ValueRange args) -> Value {
            Value chosen =
                b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, args[0], here);
            return b.make<arith::SelectOp>(chosen, args[1],
                                           b.number(args[1].getType(), 0));
          };
          Value row =
              b.elementwise(b.row(all, r), {where, b.row(op.getDy(), s)}, send);
          return b.setRow(row, all, r);
        });
      }));
}

static Lowered lowerSoftmax(SoftmaxOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  RankedTensorType type = op.getType();
  RankedTensorType rowType = type.clone(type.getShape().drop_front());
  auto shiftedExp = [](LinalgBuilder &b, ValueRange args) -> Value {
    return b.make<math::ExpOp>(b.sub(args[0], args[1]));
  };
  auto divide = [](LinalgBuilder &b, ValueRange args) -> Value {
    return b.make<arith::DivFOp>(args[0], args[1]);
  };
  Value dest = b.empty(type, rows.numRows());
  return lowered(
      rt::forEach(b, rows.numSegments(), dest, [&](Value s, Value all) {
        auto [begin, end] = rows.segment(s);
        Value max = maxRows(b, begin, end, b.empty(rowType, {}),
                            [&](Value r) { return b.row(op.getInput(), r); });
        Value exps = b.loop(begin, end, all, [&](Value r, Value all) {
          Value exp = b.elementwise(b.row(all, r),
                                    {b.row(op.getInput(), r), max}, shiftedExp);
          return b.setRow(exp, all, r);
        });
        Value zero = b.fill(b.empty(rowType, {}), 0);
        Value sum = b.loop(begin, end, zero, [&](Value r, Value sum) {
          return b.update(sum, b.row(exps, r), sumOf);
        });
        return b.loop(begin, end, exps, [&](Value r, Value all) {
          Value row = b.row(all, r);
          return b.setRow(b.elementwise(row, {row, sum}, divide), all, r);
        });
      }));
}

void ragged::attachSegmentLowerings(MLIRContext *context) {
  attachLinalgModel<BroadcastOp, lowerBroadcast>(context);
  attachLinalgModel<ExpandOp, lowerExpand>(context);
  attachLinalgModel<ReduceOp, lowerReduce>(context);
  attachLinalgModel<MaxGradOp, lowerMaxGrad>(context);
  attachLinalgModel<SoftmaxOp, lowerSoftmax>(context);
}
