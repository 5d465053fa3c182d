//===-- Pairs.cpp - Rows with rows as products ---------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers of the pairs of a row stand together: scores are a product of all
// other rows of the segment with the row, sums one of its numbers with them.
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/ToLinalg/Windows.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

static Lowered lowerPairs(PairsOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows()), others(b, op.getOthers());
  Type i32 = b.getBuilder().getI32Type();
  auto type = RankedTensorType::get({ShapedType::kDynamic}, i32);
  Value zero = b.index(0), one = b.index(1);
  Value offsets = b.zeros(type, b.add(rows.numRows(), one));
  auto addSegment = [&](Value s, ValueRange state) {
    auto [begin, end] = rows.segment(s);
    auto [otherBegin, otherEnd] = others.segment(s);
    Value size = b.sub(otherEnd, otherBegin);
    return b.loops(begin, end, state, [&](Value r, ValueRange state) {
      Value last = b.add(state[1], size);
      Value number = b.make<arith::IndexCastOp>(i32, last);
      return SmallVector<Value>{
          b.make<tensor::InsertOp>(number, state[0], b.add(r, one)), last};
    });
  };
  SmallVector<Value> made =
      b.loops(zero, rows.numSegments(), {offsets, zero}, addSegment);
  failAtTooMany(b, made[1], "expected fewer than 2^31 pairs of rows");
  Value most = b.make<arith::MulIOp>(rows.numRows(), others.numRows());
  return lowered(b.make<rt::MakeRowsOp>(op.getType(), rows.numRows(),
                                        b.make<rt::AtMostOp>(made[1], most),
                                        memoryOf(b, made[0])));
}

namespace {
/// The pairs of the rows of one segment.
class Pairs {
public:
  template <typename OpT>
  Pairs(LinalgBuilder &b, OpT op)
      : b(b), pairs(b, op.getPairs()), rows(b, op.getRows()),
        others(b, op.getOthers()) {}

  Value numPairs() { return pairs.numRows(); }
  /// `body(array)` for each segment that has rows.
  Value forEach(Value array, function_ref<Value(Value)> prepare,
                function_ref<Value(Value)> body) {
    auto ofSegment = [&](Value s, ValueRange arrays) -> SmallVector<Value> {
      std::tie(begin, height) = range(rows.segment(s));
      std::tie(otherBegin, width) = range(others.segment(s));
      count = b.make<arith::MulIOp>(height, width);
      Value hasRows =
          b.make<arith::CmpIOp>(arith::CmpIPredicate::sgt, height, b.index(0));
      // A loop that is gone through once: it keeps its array where it is.
      Value times =
          b.make<arith::IndexCastUIOp>(b.getBuilder().getIndexType(), hasRows);
      Value prepared = prepare(arrays[0]);
      return {b.loop(b.index(0), times, prepared, [&](Value, Value array) {
        firstPair = pairs.segment(begin).first;
        return body(array);
      })};
    };
    return rt::forEach(b, rows.numSegments(), rt::kWorthwhile, array,
                       ofSegment)[0];
  }

  /// `body(i, array)` for each row i of the segment.
  Value forEachRow(Value array, LinalgBuilder::RowBody body) {
    return b.loop(b.index(0), height, array, [&](Value i, Value array) {
      return body(b.add(begin, i), array);
    });
  }
  /// The numbers of the pairs of row i, and back.
  Value ofRow(Value numbers, Value i) {
    return b.rowRange(numbers, firstOf(i), width);
  }
  Value setRow(Value made, Value numbers, Value i) {
    return b.setRowRange(made, numbers, firstOf(i), width);
  }
  /// The rows, and those that they make pairs with, in an array of all; back.
  Value ofRows(Value all) { return b.rowRange(all, begin, height); }
  Value setRows(Value part, Value all) {
    return b.setRowRange(part, all, begin, height);
  }
  Value ofOthers(Value all) { return b.rowRange(all, otherBegin, width); }
  Value setOthers(Value part, Value all) {
    return b.setRowRange(part, all, otherBegin, width);
  }

private:
  /// Where a segment begins, and how long it is.
  std::pair<Value, Value> range(std::pair<Value, Value> segment) {
    return {segment.first, b.sub(segment.second, segment.first)};
  }
  Value firstOf(Value i) {
    return b.add(firstPair, b.make<arith::MulIOp>(b.sub(i, begin), width));
  }

  LinalgBuilder &b;
  RowsView pairs, rows, others;
  Value begin, height, otherBegin, width, firstPair, count;
};
} // namespace

static Lowered lowerPairScores(PairScoresOp op, LinalgBuilder &b) {
  Pairs pairs(b, op);
  auto score = [&](Value scores) {
    Value others = pairs.ofOthers(op.getRhs());
    return pairs.forEachRow(scores, [&](Value i, Value scores) {
      auto product = b.make<linalg::MatvecOp>(
          ValueRange{others, b.row(op.getLhs(), i)},
          ValueRange{b.fill(pairs.ofRow(scores, i), 0)});
      return pairs.setRow(product.getResult(0), scores, i);
    });
  };
  return lowered(pairs.forEach(
      b.empty(op.getType(), pairs.numPairs()),
      [](Value scores) { return scores; }, score));
}

/// A row is the product of its weights with the others.
static Lowered lowerSumOfOthers(PairSumOp op, LinalgBuilder &b) {
  Pairs pairs(b, op);
  auto clear = [&](Value sums) {
    return pairs.setRows(b.fill(pairs.ofRows(sums), 0), sums);
  };
  auto sum = [&](Value sums) {
    Value others = pairs.ofOthers(op.getInput());
    return pairs.forEachRow(sums, [&](Value i, Value sums) {
      auto product = b.make<linalg::VecmatOp>(
          ValueRange{pairs.ofRow(op.getWeights(), i), others},
          ValueRange{b.row(sums, i)});
      return b.setRow(product.getResult(0), sums, i);
    });
  };
  Value count = RowsView(b, op.getRows()).numRows();
  return lowered(pairs.forEach(b.empty(op.getType(), count), clear, sum));
}

/// Each row is added to the others, as often as its weights say.
static Lowered lowerSumOfRows(PairSumOp op, LinalgBuilder &b) {
  Pairs pairs(b, op);
  auto clear = [&](Value sums) {
    return pairs.setOthers(b.fill(pairs.ofOthers(sums), 0), sums);
  };
  AffineMap all = AffineMap::getMultiDimIdentityMap(2, b.getContext());
  SmallVector<AffineMap> maps{b.dims(2, {0}), b.dims(2, {1}), all};
  SmallVector<utils::IteratorType> iterators(2, utils::IteratorType::parallel);
  auto addRow = [&](Value i, Value part) -> Value {
    auto body = [](OpBuilder &builder, Location loc, ValueRange args) {
      LinalgBuilder b(builder, loc);
      Value product = b.make<arith::MulFOp>(args[0], args[1]);
      b.make<linalg::YieldOp>(b.add(args[2], product));
    };
    return b
        .make<linalg::GenericOp>(part.getType(),
                                 ValueRange{pairs.ofRow(op.getWeights(), i),
                                            b.row(op.getInput(), i)},
                                 part, maps, iterators, body)
        .getResult(0);
  };
  auto sum = [&](Value sums) {
    return pairs.setOthers(pairs.forEachRow(pairs.ofOthers(sums), addRow),
                           sums);
  };
  Value count = RowsView(b, op.getOthers()).numRows();
  return lowered(pairs.forEach(b.empty(op.getType(), count), clear, sum));
}

static Lowered lowerPairSum(PairSumOp op, LinalgBuilder &b) {
  return op.getTransposed() ? lowerSumOfRows(op, b) : lowerSumOfOthers(op, b);
}

void ragged::attachPairLowerings(MLIRContext *context) {
  attachLinalgModel<PairsOp, lowerPairs>(context);
  attachLinalgModel<PairScoresOp, lowerPairScores>(context);
  attachLinalgModel<PairSumOp, lowerPairSum>(context);
}
