//===-- dialects/Ragged/ToLinalg/Attention.cpp - Attention as products ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Per segment and head, a tile of queries meets all keys: memory is that of a
// tile times the keys, not of queries times keys. Each segment has scratch
// memory of its own, at the place of its keys, so that nothing is allocated per
// segment.
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/ToLinalg/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

namespace {
constexpr int64_t kTile = 64;

/// A window of a matrix.
struct Window {
  OpFoldResult row, column, numRows, numColumns;
};

Value readWindow(LinalgBuilder &b, Value matrix, const Window &at) {
  OpFoldResult one = b.getBuilder().getIndexAttr(1);
  return b.make<tensor::ExtractSliceOp>(
      matrix, ArrayRef<OpFoldResult>{at.row, at.column},
      ArrayRef<OpFoldResult>{at.numRows, at.numColumns},
      ArrayRef<OpFoldResult>{one, one});
}

Value writeWindow(LinalgBuilder &b, Value block, Value matrix,
                  const Window &at) {
  OpFoldResult one = b.getBuilder().getIndexAttr(1);
  return b.make<tensor::InsertSliceOp>(
      block, matrix, ArrayRef<OpFoldResult>{at.row, at.column},
      ArrayRef<OpFoldResult>{at.numRows, at.numColumns},
      ArrayRef<OpFoldResult>{one, one});
}

/// `lhs^T . rhs`, added to `dest`.
Value addTransposedProduct(LinalgBuilder &b, Value lhs, Value rhs, Value dest) {
  return linalg::MatmulTransposeAOp::create(
             b.getBuilder(), b.getLoc(), ValueRange{lhs, rhs}, ValueRange{dest})
      .getResult(0);
}

/// The sum of each row of `a * c`, elementwise.
Value sumProducts(LinalgBuilder &b, Value a, Value c, Value dest) {
  AffineMap all = AffineMap::getMultiDimIdentityMap(2, b.getContext());
  auto generic = b.make<linalg::GenericOp>(
      dest.getType(), ValueRange{a, c}, dest,
      ArrayRef<AffineMap>{all, all, b.dims(2, {0})},
      ArrayRef<utils::IteratorType>{utils::IteratorType::parallel,
                                    utils::IteratorType::reduction},
      [](OpBuilder &builder, Location loc, ValueRange args) {
        LinalgBuilder b(builder, loc);
        Value product = b.make<arith::MulFOp>(args[0], args[1]);
        b.make<linalg::YieldOp>(b.add(args[2], product));
      });
  return generic.getResult(0);
}

/// The loops over tiles of queries, and what a tile reads and writes.
template <typename OpT> class Tiles {
public:
  using Prepare = function_ref<SmallVector<Value>()>;
  using Body =
      function_ref<SmallVector<Value>(ValueRange prepared, ValueRange state)>;

  Tiles(OpT op, LinalgBuilder &b)
      : op(op), b(b), queries(b, op.getQueryRows()), keys(b, op.getKeyRows()),
        element(tensorType(op.getQuery()).getElementType()),
        keyColumns(tensorType(op.getKey()).getDimSize(1) / op.getHeads()),
        valueColumns(tensorType(op.getValue()).getDimSize(1) / op.getHeads()),
        scores(scratch(kTile)) {}

  /// Memory for `rows` elements per key. Not an empty tensor: equal ones would
  /// be merged. Flat: in a recursion it is allocated for the largest level.
  Value scratch(int64_t rows) {
    Value size = b.make<arith::MulIOp>(keys.numRows(), b.index(rows));
    auto type = RankedTensorType::get({ShapedType::kDynamic}, element);
    return b.make<bufferization::AllocTensorOp>(type, ValueRange{size});
  }
  /// An array with an element per query of a tile.
  Value scratchColumn() {
    return b.make<bufferization::AllocTensorOp>(
        RankedTensorType::get({kTile}, element), ValueRange());
  }

  /// `prepare` once per segment and head, then `body` once per tile with the
  /// state of the results.
  SmallVector<Value> forEach(ValueRange init, Prepare prepare, Body body) {
    Value zero = b.index(0);
    auto doHead = [&](Value h, ValueRange state) {
      head = h;
      SmallVector<Value> prepared = prepare();
      return forEachTile(prepared, state, body);
    };
    auto doSegment = [&](Value s, ValueRange state) {
      std::tie(queryBegin, queryEnd) = queries.segment(s);
      auto [keyBegin, keyEnd] = keys.segment(s);
      firstKey = keyBegin, numKeys = b.sub(keyEnd, keyBegin);
      return b.loops(zero, b.index(op.getHeads()), state, doHead);
    };
    return b.loops(zero, queries.numSegments(), init, doSegment);
  }

  /// Where the rows and columns of the head are in arrays of rows.
  Window ofKeys(int64_t columns) {
    return {firstKey, firstColumn(columns), numKeys, attribute(columns)};
  }
  Window ofQueries(int64_t columns) {
    return {firstQuery, firstColumn(columns), numQueries, attribute(columns)};
  }
  /// The first `count` of the `rows` rows of scratch memory, with a column per
  /// key of the segment.
  Value ofScratch(Value scratch, int64_t rows, OpFoldResult count) {
    Value first = b.make<arith::MulIOp>(firstKey, b.index(rows));
    Value size = b.make<arith::MulIOp>(numKeys, b.index(rows));
    Value flat = b.rowRange(scratch, first, size);
    auto type = RankedTensorType::get({rows, ShapedType::kDynamic}, element);
    Value matrix = b.make<tensor::ExpandShapeOp>(
        type, flat, ArrayRef<ReassociationIndices>{{0, 1}},
        ArrayRef<OpFoldResult>{attribute(rows), numKeys});
    return readWindow(b, matrix, {attribute(0), attribute(0), count, numKeys});
  }
  /// The first elements of a scratch column.
  Value column(Value scratch) {
    return b.make<tensor::ExtractSliceOp>(
        RankedTensorType::get({ShapedType::kDynamic}, element), scratch,
        ArrayRef<OpFoldResult>{attribute(0)},
        ArrayRef<OpFoldResult>{numQueries},
        ArrayRef<OpFoldResult>{attribute(1)});
  }
  /// The column of the head in an array with a column per head.
  Value columnOfHead(Value array) {
    OpFoldResult one = attribute(1);
    return b.make<tensor::ExtractSliceOp>(
        RankedTensorType::get({ShapedType::kDynamic}, element), array,
        ArrayRef<OpFoldResult>{firstQuery, head},
        ArrayRef<OpFoldResult>{numQueries, one},
        ArrayRef<OpFoldResult>{one, one});
  }
  Value setColumnOfHead(Value column, Value array) {
    OpFoldResult one = attribute(1);
    return b.make<tensor::InsertSliceOp>(
        column, array, ArrayRef<OpFoldResult>{firstQuery, head},
        ArrayRef<OpFoldResult>{numQueries, one},
        ArrayRef<OpFoldResult>{one, one});
  }

  /// The keys (or values) of the segment and head, as columns.
  Value across(Value rows, int64_t columns, Value scratchRows) {
    Value block = readWindow(b, rows, ofKeys(columns));
    Value dest = ofScratch(scratchRows, columns, attribute(columns));
    return b.make<linalg::TransposeOp>(block, dest, ArrayRef<int64_t>{1, 0})
        .getResult()[0];
  }

  /// The scaled scores of the tile; those of later keys are minus infinity.
  Value scaledScores(Value keysAcross) {
    Value dest = b.fill(ofScratch(scores, kTile, numQueries), 0);
    Value query = readWindow(b, op.getQuery(), ofQueries(keyColumns));
    Value product = b.matmul(query, keysAcross, dest);
    Value scale = b.number(element, op.getScale().convertToDouble());
    // The number of a query in its segment is that of the last key it sees.
    Value before = b.sub(cast<Value>(firstQuery), queryBegin);
    auto body = [&](LinalgBuilder &b, ValueRange args) -> Value {
      Value scaled = b.make<arith::MulFOp>(args[0], scale);
      if (!op.getCausal())
        return scaled;
      Value query = b.add(b.make<linalg::IndexOp>(0), before);
      Value isLater = b.make<arith::CmpIOp>(arith::CmpIPredicate::ugt,
                                            b.make<linalg::IndexOp>(1), query);
      Value never = b.number(element, -std::numeric_limits<double>::infinity());
      return b.make<arith::SelectOp>(isLater, never, scaled);
    };
    return b.elementwise(product, {}, body);
  }

private:
  SmallVector<Value> forEachTile(ValueRange prepared, ValueRange state,
                                 Body body) {
    Value size = b.index(kTile);
    Value count = b.make<arith::CeilDivSIOp>(b.sub(queryEnd, queryBegin), size);
    return b.loops(b.index(0), count, state, [&](Value t, ValueRange state) {
      Value first = b.add(queryBegin, b.make<arith::MulIOp>(t, size));
      firstQuery = first;
      numQueries =
          b.make<arith::MinSIOp>(size, b.sub(queryEnd, first)).getResult();
      return body(prepared, state);
    });
  }
  OpFoldResult attribute(int64_t value) {
    return b.getBuilder().getIndexAttr(value);
  }
  OpFoldResult firstColumn(int64_t columns) {
    return b.make<arith::MulIOp>(head, b.index(columns)).getResult();
  }

  OpT op;
  LinalgBuilder &b;
  RowsView queries, keys;
  Value head, queryBegin, queryEnd;
  OpFoldResult firstQuery, numQueries;
  Value firstKey, numKeys;

public:
  Type element;
  int64_t keyColumns, valueColumns;

private:
  Value scores;
};

/// `f(element, element of column)` for each row of a matrix, in place.
Value withColumn(LinalgBuilder &b, Value matrix, Value column,
                 LinalgBuilder::Body body) {
  return b.map(matrix, column, b.dims(2, {0}), body);
}

Value expOfDifference(LinalgBuilder &b, ValueRange args) {
  return b.make<math::ExpOp>(b.make<arith::SubFOp>(args[1], args[0]));
}
} // namespace

static Lowered lowerAttention(AttentionOp op, LinalgBuilder &b) {
  Tiles<AttentionOp> tiles(op, b);
  Value keysAcross = tiles.scratch(tiles.keyColumns);
  Value maxima = tiles.scratchColumn(), sums = tiles.scratchColumn();
  Value numQueries = b.rows(op.getQuery());
  SmallVector<Value> results = {b.empty(op.getResult().getType(), numQueries),
                                b.empty(op.getLogSums().getType(), numQueries)};
  auto prepare = [&] {
    return SmallVector<Value>{
        tiles.across(op.getKey(), tiles.keyColumns, keysAcross)};
  };
  auto body = [&](ValueRange prepared, ValueRange state) {
    Value scores = tiles.scaledScores(prepared[0]);
    Value max = b.reduce(
        b.fill(tiles.column(maxima), -std::numeric_limits<double>::infinity()),
        scores, 1, [](LinalgBuilder &b, ValueRange args) -> Value {
          return b.make<arith::MaximumFOp>(args[0], args[1]);
        });
    Value powers = withColumn(b, scores, max, expOfDifference);
    Value sum = b.reduce(b.fill(tiles.column(sums), 0), powers, 1,
                         [](LinalgBuilder &b, ValueRange args) {
                           return b.add(args[0], args[1]);
                         });
    Value weights = withColumn(b, powers, sum,
                               [](LinalgBuilder &b, ValueRange args) -> Value {
                                 return b.make<arith::DivFOp>(args[1], args[0]);
                               });
    Window block = tiles.ofQueries(tiles.valueColumns);
    Value values =
        readWindow(b, op.getValue(), tiles.ofKeys(tiles.valueColumns));
    Value rows =
        b.matmul(weights, values, b.fill(readWindow(b, state[0], block), 0));
    Value logSum =
        b.elementwise(tiles.columnOfHead(state[1]), {max, sum},
                      [](LinalgBuilder &b, ValueRange args) -> Value {
                        return b.add(args[0], b.make<math::LogOp>(args[1]));
                      });
    return SmallVector<Value>{writeWindow(b, rows, state[0], block),
                              tiles.setColumnOfHead(logSum, state[1])};
  };
  return tiles.forEach(results, prepare, body);
}

/// Of the scores: `scale * weight * (dweight - sum(weight * dweight))`.
static Value scoreCotangent(LinalgBuilder &b, Value weights, Value dweights,
                            Value dest, Value scale) {
  Value mean = sumProducts(b, weights, dweights, b.fill(dest, 0));
  AffineMap all = AffineMap::getMultiDimIdentityMap(2, b.getContext());
  return b.map(dweights, {weights, mean}, {all, b.dims(2, {0})},
               [&](LinalgBuilder &b, ValueRange args) -> Value {
                 Value difference = b.make<arith::SubFOp>(args[2], args[1]);
                 Value scaled = b.make<arith::MulFOp>(args[0], scale);
                 return b.make<arith::MulFOp>(scaled, difference);
               });
}

static Lowered lowerAttentionGrad(AttentionGradOp op, LinalgBuilder &b) {
  Tiles<AttentionGradOp> tiles(op, b);
  int64_t keyColumns = tiles.keyColumns, valueColumns = tiles.valueColumns;
  Value keysAcross = tiles.scratch(keyColumns);
  Value valuesAcross = tiles.scratch(valueColumns);
  Value dscratch = tiles.scratch(kTile), means = tiles.scratchColumn();
  Value scale = b.number(tiles.element, op.getScale().convertToDouble());
  Value numKeys = b.rows(op.getKey());
  SmallVector<Value> results = {
      b.empty(op.getDquery().getType(), b.rows(op.getQuery())),
      b.zeros(op.getDkey().getType(), numKeys),
      b.zeros(op.getDvalue().getType(), numKeys)};
  auto prepare = [&] {
    return SmallVector<Value>{
        tiles.across(op.getKey(), keyColumns, keysAcross),
        tiles.across(op.getValue(), valueColumns, valuesAcross)};
  };
  auto body = [&](ValueRange prepared, ValueRange state) {
    Window ofQueries = tiles.ofQueries(keyColumns);
    Window ofKeys = tiles.ofKeys(keyColumns);
    Window ofValues = tiles.ofKeys(valueColumns);
    Value weights =
        withColumn(b, tiles.scaledScores(prepared[0]),
                   tiles.columnOfHead(op.getLogSums()), expOfDifference);
    Value dy = readWindow(b, op.getDy(), tiles.ofQueries(valueColumns));
    Value dweights = b.matmul(
        dy, prepared[1],
        b.fill(tiles.ofScratch(dscratch, kTile, ofQueries.numRows), 0));
    Value dscores =
        scoreCotangent(b, weights, dweights, tiles.column(means), scale);
    Value dquery = b.matmul(dscores, readWindow(b, op.getKey(), ofKeys),
                            b.fill(readWindow(b, state[0], ofQueries), 0));
    Value dkey = addTransposedProduct(b, dscores,
                                      readWindow(b, op.getQuery(), ofQueries),
                                      readWindow(b, state[1], ofKeys));
    Value dvalue =
        addTransposedProduct(b, weights, dy, readWindow(b, state[2], ofValues));
    return SmallVector<Value>{writeWindow(b, dquery, state[0], ofQueries),
                              writeWindow(b, dkey, state[1], ofKeys),
                              writeWindow(b, dvalue, state[2], ofValues)};
  };
  return tiles.forEach(results, prepare, body);
}

void ragged::attachAttentionLowerings(MLIRContext *context) {
  attachLinalgModel<AttentionOp, lowerAttention>(context);
  attachLinalgModel<AttentionGradOp, lowerAttentionGrad>(context);
}
