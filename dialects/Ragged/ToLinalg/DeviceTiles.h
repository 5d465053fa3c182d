//===-- dialects/Ragged/ToLinalg/DeviceTiles.h - Attention's blocks -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a GPU a block of threads has a tile of queries, or of keys, of one segment
// and head, and goes through the tiles of the others. Its memory is that of a
// tile, whatever the length of segments. Tiles begin with their segment, so
// that a batch gives the bits of its examples.
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TOLINALG_DEVICETILES_H
#define CAMBIUM_DIALECTS_RAGGED_TOLINALG_DEVICETILES_H

#include "dialects/Ragged/ToLinalg/AttentionTile.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace cambium::ragged {

template <typename OpT> class DeviceTiles : public AttentionTile<OpT> {
  using Base = AttentionTile<OpT>;
  using Base::addMore;
  using Base::allKeys;
  using Base::attribute;
  using Base::firstKey;
  using Base::firstQuery;
  using Base::head;
  using Base::keys;
  using Base::keysBefore;
  using Base::numKeys;
  using Base::numQueries;
  using Base::op;
  using Base::placeOf;
  using Base::queries;
  using Base::queryBegin;
  using Base::queryEnd;
  using Values = SmallVector<Value>;

public:
  using Base::costs;
  using Base::element;
  using Base::keyColumns;
  using Base::scratchOfDistances;
  using Body = function_ref<Values(ValueRange)>;

  DeviceTiles(OpT op, LinalgBuilder &b) : Base(op, b), b(b) {}

  /// A block for each tile of queries: `body` has where they are.
  Values forQueries(ValueRange arrays, Body body) {
    return forUnits(queries, costs.attentionTile, arrays,
                    [&](Value segment, Value tile, ValueRange state) {
                      setSegment(segment);
                      setQueries(tile);
                      return body(state);
                    });
  }
  /// The same for tiles of keys.
  Values forKeys(ValueRange arrays, Body body) {
    return forUnits(keys, costs.attentionKeys, arrays,
                    [&](Value segment, Value tile, ValueRange state) {
                      setSegment(segment);
                      setKeys(tile);
                      return body(state);
                    });
  }

  /// The tiles of keys that the unit's queries see, one after the other.
  Values overKeys(ValueRange init, Body body) {
    Value size = b.index(costs.attentionKeys);
    Value end = allKeys;
    if (op.getCausal())
      end = within(b.add(behindQueries(), more()), allKeys);
    // A tile without queries has no work.
    Value some = b.make<arith::CmpIOp>(arith::CmpIPredicate::sgt,
                                       cast<Value>(numQueries), b.index(0));
    end = b.make<arith::SelectOp>(some, end, b.index(0));
    Value count = b.make<arith::CeilDivSIOp>(end, size);
    return b.loops(b.index(0), count, init, [&](Value t, ValueRange state) {
      setKeys(t);
      return body(state);
    });
  }
  /// The tiles of queries that see one of the unit's keys.
  Values overQueries(ValueRange init, Body body) {
    Value size = b.index(costs.attentionTile), begin = b.index(0);
    Value all = b.sub(queryEnd, queryBegin);
    if (op.getCausal()) {
      Value first = within(b.sub(keysBefore, more()), all);
      begin = b.make<arith::DivSIOp>(first, size);
    }
    Value some =
        b.make<arith::CmpIOp>(arith::CmpIPredicate::sgt, numKeys, b.index(0));
    Value count = b.make<arith::CeilDivSIOp>(all, size);
    count = b.make<arith::SelectOp>(some, count, b.index(0));
    return b.loops(begin, count, init, [&](Value t, ValueRange state) {
      setQueries(t);
      return body(state);
    });
  }

  /// Memory of the unit: for a number per query and key of a tile, and for one
  /// per query. Rows are so far apart that what a product reads or writes of
  /// them at once lies in different banks: two rows of a left operand; with
  /// tensor cores eight rows of two columns, and of four threads each.
  Value scratch() {
    int64_t apart = rt::getMath(op) == rt::Math::F32 ? costs.blockDepth
                                                     : costs.matrixColumns;
    return allocate({costs.attentionTile, costs.attentionKeys + apart});
  }
  Value scratchColumn() { return allocate(costs.attentionTile); }
  /// A number per key of a tile, as a column.
  Value scratchOfOnes() { return allocate({costs.attentionKeys, 1}); }
  Value firstKeys(Value memory) {
    return readWindow(b, memory,
                      {attribute(0), attribute(0), numKeys, attribute(1)});
  }
  Value ofScratch(Value memory) {
    return readWindow(b, memory,
                      {attribute(0), attribute(0), numQueries, numKeys});
  }
  /// Memory for what distances add to the scores, where there are such.
  Value scratchOfKeys() {
    Value table = op.getRelativeKeys();
    return table ? scratchOfDistances(tensorType(table).getDimSize(0))
                 : Value();
  }

  /// The scores of the tile; minus infinity for keys that are not seen.
  Value scores(Value memory, Value distances) {
    Value query = readWindow(b, op.getQuery(), this->ofQueries(keyColumns));
    Value key = readWindow(b, op.getKey(), this->ofKeys(keyColumns));
    Value product = multiplyByRows(query, key, b.fill(ofScratch(memory), 0));
    Value byDistance;
    if (Value table = op.getRelativeKeys())
      byDistance = perDistance(query, table, distances);
    return b.elementwise(product, {}, [&](LinalgBuilder &b, ValueRange args) {
      Value score = args[0];
      if (byDistance)
        score = b.add(score, atDistance(b, byDistance));
      return addMore(b, Base::scale(b, score));
    });
  }

  /// Rows of the tile times the rows of a table of distances: what a distance
  /// adds.
  Value perDistance(Value rows, Value table, Value scratch) {
    return multiplyByRows(rows, table, b.fill(this->firstRows(scratch), 0));
  }
  /// Adds to each element of the tile what its distance adds.
  Value addByDistance(Value tile, Value byDistance) {
    return b.elementwise(tile, {}, [&](LinalgBuilder &b, ValueRange args) {
      return b.add(args[0], atDistance(b, byDistance));
    });
  }

  /// `lhs . rhs^T`, added to `dest`.
  Value multiplyByRows(Value lhs, Value rhs, Value dest) {
    return linalg::MatmulTransposeBOp::create(b.getBuilder(), b.getLoc(),
                                              ValueRange{lhs, rhs},
                                              ValueRange{dest})
        .getResult(0);
  }

  /// Adds the elements of the tile to the columns of their distances, in the
  /// order of keys.
  Value collectByDistance(Value tile, Value sums) {
    Value size = b.index(tensorType(sums).getDimSize(1));
    SmallVector<utils::IteratorType> kinds = {utils::IteratorType::parallel,
                                              utils::IteratorType::parallel,
                                              utils::IteratorType::reduction};
    auto generic = b.make<linalg::GenericOp>(
        sums.getType(), tile, sums,
        ArrayRef<AffineMap>{b.dims(3, {0, 2}), b.dims(3, {0, 1})}, kinds,
        [&](OpBuilder &builder, Location loc, ValueRange args) {
          LinalgBuilder b(builder, loc);
          Value i = b.make<linalg::IndexOp>(0), at = b.make<linalg::IndexOp>(1);
          Value j = b.make<linalg::IndexOp>(2);
          Value isThere = b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, at,
                                                placeOf(b, i, j, size));
          Value term =
              b.make<arith::SelectOp>(isThere, args[0], b.number(element, 0));
          b.make<linalg::YieldOp>(b.add(args[1], term));
        });
    return generic.getResult(0);
  }

private:
  /// Inside of an elementwise op on the tile: the number of the query for the
  /// distance of the element.
  Value atDistance(LinalgBuilder &b, Value byDistance) {
    Value i = b.make<linalg::IndexOp>(0), j = b.make<linalg::IndexOp>(1);
    Value size = b.index(tensorType(byDistance).getDimSize(1));
    return b.make<tensor::ExtractOp>(byDistance,
                                     ValueRange{i, placeOf(b, i, j, size)});
  }

  /// Not an empty tensor: equal ones would be merged.
  Value allocate(ArrayRef<int64_t> shape) {
    return b.make<bufferization::AllocTensorOp>(
        RankedTensorType::get(shape, element), ValueRange());
  }
  Value within(Value number, Value most) {
    number = b.make<arith::MaxSIOp>(number, b.index(0));
    return b.make<arith::MinSIOp>(number, most);
  }
  /// So many more keys than queries the segment has.
  Value more() { return b.sub(allKeys, b.sub(queryEnd, queryBegin)); }
  /// Queries of the segment up to the end of the tile.
  Value behindQueries() {
    return b.add(b.sub(cast<Value>(firstQuery), queryBegin),
                 cast<Value>(numQueries));
  }

  void setSegment(Value segment) {
    std::tie(queryBegin, queryEnd) = queries.segment(segment);
    auto [begin, end] = keys.segment(segment);
    keyBegin = begin, allKeys = b.sub(end, begin);
  }
  /// Where a tile begins in a segment of so many rows, and its size.
  std::pair<Value, Value> place(Value tile, int64_t size, Value rows) {
    Value width = b.index(size);
    Value begin =
        b.make<arith::MinSIOp>(b.make<arith::MulIOp>(tile, width), rows);
    return {begin, b.make<arith::MinSIOp>(width, b.sub(rows, begin))};
  }
  void setQueries(Value tile) {
    auto [begin, size] =
        place(tile, costs.attentionTile, b.sub(queryEnd, queryBegin));
    firstQuery = b.add(queryBegin, begin), numQueries = size;
  }
  void setKeys(Value tile) {
    std::tie(keysBefore, numKeys) = place(tile, costs.attentionKeys, allKeys);
    firstKey = b.add(keyBegin, keysBefore);
  }

  /// Before the tiles of a segment there is one for each segment before it, and
  /// one for `size` rows before it: no segment has more tiles.
  Value firstUnit(RowsView &rows, Value segment, int64_t size) {
    Value begin = rows.segment(segment).first;
    return b.add(b.make<arith::DivUIOp>(begin, b.index(size)), segment);
  }

  /// The last segment whose first unit is not behind `unit`.
  Value findSegment(RowsView &rows, Value unit, int64_t size) {
    Value one = b.index(1);
    Value most = b.sub(rows.numSegments(), one);
    auto isLess = [](LinalgBuilder &b, Value x, Value y) -> Value {
      return b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, x, y);
    };
    auto search = b.make<mlir::scf::WhileOp>(
        mlir::TypeRange{one.getType(), one.getType()},
        ValueRange{b.index(0), most},
        [&](OpBuilder &builder, Location loc, ValueRange range) {
          LinalgBuilder inner(builder, loc);
          inner.make<mlir::scf::ConditionOp>(isLess(inner, range[0], range[1]),
                                             range);
        },
        [&](OpBuilder &builder, Location loc, ValueRange range) {
          LinalgBuilder inner(builder, loc);
          Value sum = inner.add(inner.add(range[0], range[1]), one);
          Value middle = inner.make<arith::ShRUIOp>(sum, one);
          Value isBehind = isLess(inner, unit, firstUnit(rows, middle, size));
          Value low = inner.make<arith::SelectOp>(isBehind, range[0], middle);
          Value high = inner.make<arith::SelectOp>(
              isBehind, inner.sub(middle, one), range[1]);
          inner.make<mlir::scf::YieldOp>(ValueRange{low, high});
        });
    return search.getResult(0);
  }

  Values forUnits(RowsView &rows, int64_t size, ValueRange arrays,
                  function_ref<Values(Value, Value, ValueRange)> body) {
    Value heads = b.index(op.getHeads());
    Value tiles = b.make<arith::DivUIOp>(rows.numRows(), b.index(size));
    Value units =
        b.make<arith::MulIOp>(b.add(tiles, rows.numSegments()), heads);
    return rt::forEach(
        b, units, rt::kWorthwhile, arrays, [&](Value unit, ValueRange state) {
          head = b.make<arith::RemUIOp>(unit, heads);
          Value number = b.make<arith::DivUIOp>(unit, heads);
          Value segment = findSegment(rows, number, size);
          Value tile = b.sub(number, firstUnit(rows, segment, size));
          return body(segment, tile, state);
        });
  }

  LinalgBuilder &b;
  Value keyBegin;
};

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TOLINALG_DEVICETILES_H
