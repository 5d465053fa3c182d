//===-- dialects/Ragged/ToLinalg/AttentionTiles.h - Tiles of attention ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Per unit (a segment and a head), a tile of queries meets all keys: memory is
// that of a tile times the keys, not of queries times keys. Units are computed
// in chunks, which run at once; a chunk has scratch memory of its own, as large
// as its longest segment needs, so that nothing is allocated per unit.
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TOLINALG_ATTENTIONTILES_H
#define CAMBIUM_DIALECTS_RAGGED_TOLINALG_ATTENTIONTILES_H

#include "cambium/Support/RandomKeys.h"
#include "dialects/Ragged/ToLinalg/Windows.h"
#include <cmath>

namespace cambium::ragged {

/// The sum of each row of `a * c`, elementwise.
inline Value sumProducts(LinalgBuilder &b, Value a, Value c, Value dest) {
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
  const TargetCosts costs;

  using Prepare = function_ref<SmallVector<Value>()>;
  using Body =
      function_ref<SmallVector<Value>(ValueRange prepared, ValueRange state)>;

  Tiles(OpT op, LinalgBuilder &b)
      : costs(rt::getTargetCosts(op)), op(op), b(b),
        queries(b, op.getQueryRows()), keys(b, op.getKeyRows()),
        element(tensorType(op.getQuery()).getElementType()),
        keyColumns(tensorType(op.getKey()).getDimSize(1) / op.getHeads()),
        valueColumns(tensorType(op.getValue()).getDimSize(1) / op.getHeads()),
        longest(findLongest()), numChunks(countChunks()) {}

  /// Memory for `rows` elements per key of a segment. Flat: in a recursion it
  /// is allocated for the largest level.
  Value scratch(int64_t rows) { return allocate(times(longest, rows)); }
  /// An array with an element per query of a tile.
  Value scratchColumn() { return allocate(b.index(costs.attentionTile)); }

  /// `allocate` once per chunk, `prepare` once per unit, then `body` once per
  /// tile with the state of the results.
  SmallVector<Value> forEach(ValueRange init, function_ref<void()> allocate,
                             Prepare prepare, Body body) {
    Value heads = b.index(op.getHeads());
    Value units = b.make<arith::MulIOp>(queries.numSegments(), heads);
    auto doUnit = [&](Value unit, ValueRange state) {
      Value segment = b.make<arith::DivUIOp>(unit, heads);
      head = b.make<arith::RemUIOp>(unit, heads);
      std::tie(queryBegin, queryEnd) = queries.segment(segment);
      auto [keyBegin, keyEnd] = keys.segment(segment);
      firstKey = keyBegin, numKeys = b.sub(keyEnd, keyBegin);
      SmallVector<Value> prepared = prepare();
      return forEachTile(prepared, state, body);
    };
    auto share = [&](Value end) -> Value {
      return b.make<arith::DivUIOp>(b.make<arith::MulIOp>(end, units),
                                    numChunks);
    };
    auto doChunk = [&](Value c, ValueRange state) {
      scoreScratch = scratch(costs.attentionTile);
      if (Value table = op.getRelativeKeys())
        relativeScores = scratchOfDistances(tensorType(table).getDimSize(0));
      allocate();
      return b.loops(share(c), share(b.add(c, b.index(1))), state, doUnit);
    };
    if (areIndependent())
      return rt::forEach(b, numChunks, rt::kWorthwhile, init, doChunk);
    return b.loops(b.index(0), numChunks, init, doChunk);
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
    Value flat = b.rowRange(scratch, b.index(0), times(numKeys, rows));
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
  /// The column of the head in an array with a column per head, of the tile's
  /// queries or of the segment's keys.
  Window queriesOfHead() {
    return {firstQuery, head, numQueries, attribute(1)};
  }
  Window keysOfHead() { return {firstKey, head, numKeys, attribute(1)}; }
  /// The row of the head in a table with a row per head.
  Window rowOfHead(int64_t columns) {
    return {head, attribute(0), attribute(1), attribute(columns)};
  }

  /// The keys (or values) of the segment and head, as columns.
  Value across(Value rows, int64_t columns, Value scratchRows) {
    Value block = readWindow(b, rows, ofKeys(columns));
    Value dest = ofScratch(scratchRows, columns, attribute(columns));
    return b.make<linalg::TransposeOp>(block, dest, ArrayRef<int64_t>{1, 0})
        .getResult()[0];
  }

  /// The scores of the tile; minus infinity for keys that are not seen.
  Value scores(Value keysAcross) {
    Value dest =
        b.fill(ofScratch(scoreScratch, costs.attentionTile, numQueries), 0);
    Value query = readWindow(b, op.getQuery(), ofQueries(keyColumns));
    Value product = b.matmul(query, keysAcross, dest);
    Value byDistance;
    if (Value table = op.getRelativeKeys())
      byDistance = perDistance(query, table, relativeScores);
    auto body = [&](LinalgBuilder &b, ValueRange args) {
      return finishScore(b, args[0], byDistance);
    };
    return b.elementwise(product, {}, body);
  }

  /// Weights, or their cotangents, with dropout, in place: the same elements
  /// each time.
  Value drop(Value weights) {
    if (!op.getRate())
      return weights;
    double rate = op.getRate()->convertToDouble();
    auto threshold = static_cast<int64_t>(std::ceil(rate * (1 << 24)));
    auto body = [&](LinalgBuilder &b, ValueRange args) -> Value {
      Type i64 = b.getBuilder().getI64Type();
      auto number = [&](int64_t value) -> Value {
        return b.make<arith::ConstantIntOp>(i64, value);
      };
      Value key = b.make<tensor::ExtractOp>(op.getRandom(), queryRow(b));
      Value place = b.make<arith::MulIOp>(b.make<linalg::IndexOp>(1),
                                          b.index(op.getHeads()));
      place = b.make<arith::IndexCastOp>(i64, b.add(place, head));
      key = random::mix(b, key, number(*op.getId()));
      Value bits = random::uniformBits(b, random::mix(b, key, place));
      Value isDropped = b.make<arith::CmpIOp>(arith::CmpIPredicate::ult, bits,
                                              number(threshold));
      Value kept =
          b.make<arith::MulFOp>(args[0], b.number(element, 1 / (1 - rate)));
      return b.make<arith::SelectOp>(isDropped, b.number(element, 0), kept);
    };
    return b.elementwise(weights, {}, body);
  }

  /// Rows of the tile times the rows of a table of distances: what a distance
  /// adds.
  Value perDistance(Value rows, Value table, Value scratch) {
    Value dest = b.fill(firstRows(scratch), 0);
    return linalg::MatmulTransposeBOp::create(b.getBuilder(), b.getLoc(),
                                              ValueRange{rows, table},
                                              ValueRange{dest})
        .getResult(0);
  }
  /// Adds to each element of the tile what its distance adds.
  Value addByDistance(Value tile, Value byDistance) {
    return b.elementwise(tile, {}, [&](LinalgBuilder &b, ValueRange args) {
      return b.add(args[0], atDistance(b, byDistance));
    });
  }
  /// The sums of the elements of each row of the tile by distance.
  Value sumByDistance(Value tile, Value scratch) {
    Value sums = b.fill(firstRows(scratch), 0);
    Value size = b.index(tensorType(scratch).getDimSize(1));
    Value count = cast<Value>(numQueries);
    return b.loop(b.index(0), count, sums, [&](Value i, Value sums) {
      return b.loop(b.index(0), numKeys, sums, [&](Value j, Value sums) {
        Value at = placeOf(b, i, j, size);
        Value term = b.make<tensor::ExtractOp>(tile, ValueRange{i, j});
        Value old = b.make<tensor::ExtractOp>(sums, ValueRange{i, at});
        return Value(b.make<tensor::InsertOp>(b.add(old, term), sums,
                                              ValueRange{i, at}));
      });
    });
  }
  /// Scratch memory for a number per query of a tile and distance.
  Value scratchOfDistances(int64_t distances) {
    return b.make<bufferization::AllocTensorOp>(
        RankedTensorType::get({costs.attentionTile, distances}, element),
        ValueRange());
  }
  Value firstRows(Value scratch) {
    int64_t columns = tensorType(scratch).getDimSize(1);
    return readWindow(
        b, scratch,
        {attribute(0), attribute(0), numQueries, attribute(columns)});
  }

private:
  Value times(Value value, int64_t factor) {
    return b.make<arith::MulIOp>(value, b.index(factor));
  }
  /// Not an empty tensor: equal ones would be merged.
  Value allocate(Value size) {
    auto type = RankedTensorType::get({ShapedType::kDynamic}, element);
    return b.make<bufferization::AllocTensorOp>(type, ValueRange{size});
  }

  /// The most keys of a segment; at most all keys, a bound that can be known
  /// before the segments are.
  Value findLongest() {
    auto body = [&](Value s, ValueRange state) -> SmallVector<Value> {
      auto [begin, end] = keys.segment(s);
      return {b.make<arith::MaxSIOp>(state[0], b.sub(end, begin))};
    };
    Value most =
        b.loops(b.index(0), keys.numSegments(), {b.index(0)}, body).front();
    return b.make<rt::AtMostOp>(most, keys.numRows());
  }

  /// Whether units write nothing that others do: the cotangent of a table of
  /// distances is a sum over all of them.
  bool areIndependent() {
    return !op.getRelativeKeys() && !op.getRelativeValues() &&
           !op.getDistanceBias();
  }

  /// As many as there is work for.
  Value countChunks() {
    if (!areIndependent())
      return b.index(1);
    int64_t width = tensorType(op.getKey()).getDimSize(1);
    Value work =
        times(b.make<arith::MulIOp>(b.rows(op.getQuery()), longest), width);
    Value count =
        b.make<arith::CeilDivUIOp>(work, b.index(costs.attentionWork));
    count = b.make<arith::MaxUIOp>(count, b.index(1));
    return b.make<arith::MinSIOp>(count, b.index(costs.attentionChunks));
  }

  /// The number of a query of the tile, or of a key, in the batch.
  Value queryRow(LinalgBuilder &b) {
    return b.add(b.make<linalg::IndexOp>(0), cast<Value>(firstQuery));
  }
  /// How far key `j` is behind query `i` of the tile: 0 for the last ones.
  Value distance(LinalgBuilder &b, Value i, Value j) {
    Value query = b.add(b.sub(cast<Value>(firstQuery), queryBegin), i);
    Value more = b.sub(numKeys, b.sub(queryEnd, queryBegin));
    return b.sub(j, b.add(query, more));
  }
  /// The place of that distance in a table of `size`.
  Value placeOf(LinalgBuilder &b, Value i, Value j, Value size) {
    Value half = b.make<arith::ShRUIOp>(size, b.index(1));
    Value place = b.add(distance(b, i, j), half);
    place = b.make<arith::MaxSIOp>(place, b.index(0));
    return b.make<arith::MinSIOp>(place, b.sub(size, b.index(1)));
  }
  /// Inside of an elementwise op on the tile: the number of the query for the
  /// distance of the element.
  Value atDistance(LinalgBuilder &b, Value byDistance) {
    Value i = b.make<linalg::IndexOp>(0), j = b.make<linalg::IndexOp>(1);
    Value size = b.index(tensorType(byDistance).getDimSize(1));
    return b.make<tensor::ExtractOp>(byDistance,
                                     ValueRange{i, placeOf(b, i, j, size)});
  }

  Value finishScore(LinalgBuilder &b, Value product, Value byDistance) {
    if (byDistance)
      product = b.add(product, atDistance(b, byDistance));
    Value score = b.make<arith::MulFOp>(
        product, b.number(element, op.getScale().convertToDouble()));
    if (Value bias = op.getKeyBias()) {
      Value row = b.add(b.make<linalg::IndexOp>(1), firstKey);
      score =
          b.add(score, b.make<tensor::ExtractOp>(bias, ValueRange{row, head}));
    }
    bool hasBias = static_cast<bool>(op.getDistanceBias());
    if (!hasBias && !op.getCausal())
      return score;
    Value i = b.make<linalg::IndexOp>(0), j = b.make<linalg::IndexOp>(1);
    if (Value bias = op.getDistanceBias()) {
      Value size = b.index(tensorType(bias).getDimSize(1));
      score = b.add(score, b.make<tensor::ExtractOp>(
                               bias, ValueRange{head, placeOf(b, i, j, size)}));
    }
    if (!op.getCausal())
      return score;
    Value isLater = b.make<arith::CmpIOp>(arith::CmpIPredicate::sgt,
                                          distance(b, i, j), b.index(0));
    Value never = b.number(element, -std::numeric_limits<double>::infinity());
    return b.make<arith::SelectOp>(isLater, never, score);
  }

  SmallVector<Value> forEachTile(ValueRange prepared, ValueRange state,
                                 Body body) {
    Value size = b.index(costs.attentionTile);
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
  Value longest, numChunks, scoreScratch, relativeScores;
};

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TOLINALG_ATTENTIONTILES_H
