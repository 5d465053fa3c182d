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

#include "dialects/Ragged/ToLinalg/AttentionTile.h"

namespace cambium::ragged {

/// The loops over tiles of queries, and what a tile reads and writes.
template <typename OpT> class Tiles : public AttentionTile<OpT> {
  using Base = AttentionTile<OpT>;
  using Base::allKeys;
  using Base::attribute;
  using Base::firstKey;
  using Base::firstQuery;
  using Base::head;
  using Base::keys;
  using Base::numKeys;
  using Base::numQueries;
  using Base::op;
  using Base::queries;
  using Base::queryBegin;
  using Base::queryEnd;

public:
  using Base::costs;
  using Base::element;
  using Base::firstRows;
  using Base::keyColumns;
  using Base::ofKeys;
  using Base::ofQueries;
  using Base::scratchOfDistances;

  using Prepare = function_ref<SmallVector<Value>()>;
  using Body =
      function_ref<SmallVector<Value>(ValueRange prepared, ValueRange state)>;

  Tiles(OpT op, LinalgBuilder &b)
      : Base(op, b), b(b), longest(findLongest()), numChunks(countChunks()) {}

  /// Memory for `rows` elements per key of a segment. Flat: in a recursion it
  /// is allocated for the largest level.
  Value scratch(int64_t rows) {
    return allocate(times(wholeLines(longest), rows));
  }
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
      firstKey = keyBegin, numKeys = allKeys = b.sub(keyEnd, keyBegin);
      SmallVector<Value> prepared = prepare();
      return forEachTile(prepared, state, body);
    };
    auto share = [&](Value end) -> Value {
      return b.make<arith::DivUIOp>(b.make<arith::MulIOp>(end, units),
                                    numChunks);
    };
    auto doChunk = [&](Value c, ValueRange state) {
      scoreScratch = scratch(costs.attentionTile);
      if (Value table = op.getRelativeKeys()) {
        relativeScores = scratchOfDistances(tensorType(table).getDimSize(0));
        relativeKeys = scaled(distancesAcross(table));
      }
      allocate();
      return b.loops(share(c), share(b.add(c, b.index(1))), state, doUnit);
    };
    if (areIndependent())
      return rt::forEach(b, numChunks, rt::kWorthwhile, init, doChunk);
    return b.loops(b.index(0), numChunks, init, doChunk);
  }

  /// The first `count` of the `rows` rows of scratch memory, with a column per
  /// key of the segment.
  Value ofScratch(Value scratch, int64_t rows, OpFoldResult count) {
    Value columns = wholeLines(numKeys);
    Value flat = b.rowRange(scratch, b.index(0), times(columns, rows));
    auto type = RankedTensorType::get({rows, ShapedType::kDynamic}, element);
    Value matrix = b.make<tensor::ExpandShapeOp>(
        type, flat, ArrayRef<ReassociationIndices>{{0, 1}},
        ArrayRef<OpFoldResult>{attribute(rows), columns});
    return readWindow(b, matrix, {attribute(0), attribute(0), count, numKeys});
  }
  /// The keys of the segment and head as columns, times the scale of scores.
  Value scaledKeys(Value scratchRows) {
    return scaled(across(op.getKey(), Base::keyColumns, scratchRows));
  }
  /// The keys (or values) of the segment and head, as columns.
  Value across(Value rows, int64_t columns, Value scratchRows) {
    return transpose(readWindow(b, rows, ofKeys(columns)),
                     ofScratch(scratchRows, columns, attribute(columns)));
  }
  /// A table of distances as columns, once per chunk.
  Value distancesAcross(Value table) {
    RankedTensorType type = tensorType(table);
    auto across = RankedTensorType::get(
        {type.getDimSize(1), type.getDimSize(0)}, element);
    return transpose(
        table, b.make<bufferization::AllocTensorOp>(across, ValueRange()));
  }

  /// The scores of the tile with scaled keys; minus infinity for keys that are
  /// not seen.
  Value scores(Value keysAcross) {
    Value dest =
        b.fill(ofScratch(scoreScratch, costs.attentionTile, numQueries), 0);
    Value query = readWindow(b, op.getQuery(), ofQueries(keyColumns));
    Value scores = b.matmul(query, keysAcross, dest);
    if (relativeKeys)
      scores = addByDistance(scores,
                             perDistance(query, relativeKeys, relativeScores));
    if (!Base::hasMore())
      return scores;
    return b.elementwise(scores, {}, [&](LinalgBuilder &b, ValueRange args) {
      return Base::addMore(b, args[0]);
    });
  }

  /// Rows of the tile times a table of distances, which are columns: what a
  /// distance adds.
  Value perDistance(Value rows, Value tableAcross, Value scratch) {
    return b.matmul(rows, tableAcross, b.fill(firstRows(scratch), 0));
  }

  /// Adds to each element of the tile what its distance adds.
  Value addByDistance(Value tile, Value byDistance) {
    Value size = b.index(tensorType(byDistance).getDimSize(1));
    return forEachQuery(tile, [&](Value i, Value tile) {
      Places places = placesOf(i, size);
      auto addEnd = [&](Value at, const Window &keys) {
        Value term = b.make<tensor::ExtractOp>(byDistance, ValueRange{i, at});
        auto body = [&](LinalgBuilder &b, ValueRange args) {
          return b.add(args[0], term);
        };
        Value sums = b.elementwise(readWindow(b, tile, keys), {}, body);
        tile = writeWindow(b, sums, tile, keys);
      };
      addEnd(b.index(0), places.before);
      addEnd(b.sub(size, b.index(1)), places.behind);
      Value terms = readWindow(b, byDistance, places.own);
      Value sums =
          b.update(readWindow(b, tile, places.between), terms, addElements);
      return writeWindow(b, sums, tile, places.between);
    });
  }

  /// The sums of the elements of each row of the tile by distance.
  Value sumByDistance(Value tile, Value scratch) {
    Value size = b.index(tensorType(scratch).getDimSize(1));
    Value sums = b.fill(firstRows(scratch), 0);
    return forEachQuery(sums, [&](Value i, Value sums) {
      Places places = placesOf(i, size);
      Value own = b.copy(readWindow(b, tile, places.between),
                         readWindow(b, sums, places.own));
      sums = writeWindow(b, own, sums, places.own);
      auto addEnd = [&](Value at, const Window &keys) {
        Window end = {i, at, attribute(1), attribute(1)};
        Value sum = b.reduce(readLine(b, sums, end, 1),
                             readWindow(b, tile, keys), 1, addElements);
        sums = writeWindow(b, sum, sums, end);
      };
      addEnd(b.index(0), places.before);
      addEnd(b.sub(size, b.index(1)), places.behind);
      return sums;
    });
  }

private:
  /// Scratch rows begin with a line of the caches.
  Value wholeLines(Value elements) {
    constexpr int64_t kLine = 16;
    Value lines = b.make<arith::CeilDivUIOp>(elements, b.index(kLine));
    return b.make<arith::MulIOp>(lines, b.index(kLine));
  }
  Value times(Value value, int64_t factor) {
    return b.make<arith::MulIOp>(value, b.index(factor));
  }
  Value transpose(Value matrix, Value dest) {
    return b.make<linalg::TransposeOp>(matrix, dest, ArrayRef<int64_t>{1, 0})
        .getResult()[0];
  }
  Value scaled(Value matrix) {
    return b.elementwise(matrix, {}, [&](LinalgBuilder &b, ValueRange args) {
      return Base::scale(b, args[0]);
    });
  }

  /// The keys of a query as windows of its row of the tile: those before all
  /// that the table tells apart, those behind, and those between, whose places
  /// in the table, one behind the other, are `own`.
  struct Places {
    Window before, between, behind, own;
  };
  Places placesOf(Value i, Value size) {
    Value half = b.make<arith::ShRUIOp>(size, b.index(1));
    Value first =
        b.sub(b.index(0), b.add(Base::distance(b, i, b.index(0)), half));
    Value begin = amongKeys(first), end = amongKeys(b.add(first, size));
    OpFoldResult one = attribute(1), count = b.sub(end, begin);
    return {{i, attribute(0), one, begin},
            {i, begin, one, count},
            {i, end, one, b.sub(numKeys, end)},
            {i, b.sub(begin, first), one, count}};
  }
  Value amongKeys(Value key) {
    key = b.make<arith::MaxSIOp>(key, b.index(0));
    return b.make<arith::MinSIOp>(key, numKeys);
  }
  Value forEachQuery(Value state, LinalgBuilder::RowBody body) {
    return b.loop(b.index(0), cast<Value>(numQueries), state, body);
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

  LinalgBuilder &b;
  Value longest, numChunks, scoreScratch, relativeKeys, relativeScores;
};

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TOLINALG_ATTENTIONTILES_H
