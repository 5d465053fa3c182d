//===-- dialects/Ragged/ToLinalg/AttentionTile.h - A tile of scores -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Queries of a segment that meet keys of it: where both are, and what an
// element of the tile is made of. It does not matter how tiles are gone
// through.
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TOLINALG_ATTENTIONTILE_H
#define CAMBIUM_DIALECTS_RAGGED_TOLINALG_ATTENTIONTILE_H

#include "cambium/Support/RandomKeys.h"
#include "dialects/Ragged/ToLinalg/Windows.h"
#include "mlir/Dialect/Math/IR/Math.h"
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

/// `f(element, element of column)` for each row of a matrix, in place.
inline Value withColumn(LinalgBuilder &b, Value matrix, Value column,
                        LinalgBuilder::Body body) {
  return b.map(matrix, column, b.dims(2, {0}), body);
}

inline Value expOfDifference(LinalgBuilder &b, ValueRange args) {
  return b.make<mlir::math::ExpOp>(b.make<arith::SubFOp>(args[1], args[0]));
}
inline Value addElements(LinalgBuilder &b, ValueRange args) {
  return b.add(args[0], args[1]);
}

/// `value`, but `other` where it is `special`.
inline Value replaceElements(LinalgBuilder &b, Value column, double special,
                             double other) {
  return b.elementwise(column, {}, [&](LinalgBuilder &b, ValueRange args) {
    Type type = args[0].getType();
    Value isSpecial = b.make<arith::CmpFOp>(arith::CmpFPredicate::OEQ, args[0],
                                            b.number(type, special));
    return Value(
        b.make<arith::SelectOp>(isSpecial, b.number(type, other), args[0]));
  });
}

inline Value scaleElements(LinalgBuilder &b, Value matrix, Value scale) {
  return b.elementwise(matrix, {}, [&](LinalgBuilder &b, ValueRange args) {
    return Value(b.make<arith::MulFOp>(args[0], scale));
  });
}

/// A tile of the scores of a segment and head.
template <typename OpT> class AttentionTile {
public:
  const TargetCosts costs;

protected:
  OpT op;
  LinalgBuilder &b;
  RowsView queries, keys;

public:
  Type element;
  int64_t keyColumns, valueColumns;

protected:
  Value head, queryBegin, queryEnd;
  OpFoldResult firstQuery, numQueries;
  /// Keys of the tile, and of the segment; those before the tile, or null.
  Value firstKey, numKeys, allKeys, keysBefore;

public:
  AttentionTile(OpT op, LinalgBuilder &b)
      : costs(rt::getTargetCosts(op)), op(op), b(b),
        queries(b, op.getQueryRows()), keys(b, op.getKeyRows()),
        element(tensorType(op.getQuery()).getElementType()),
        keyColumns(tensorType(op.getKey()).getDimSize(1) / op.getHeads()),
        valueColumns(tensorType(op.getValue()).getDimSize(1) / op.getHeads()) {}

  /// Where the rows and columns of the head are in arrays of rows.
  Window ofKeys(int64_t columns) {
    return {firstKey, firstColumn(columns), numKeys, attribute(columns)};
  }
  Window ofQueries(int64_t columns) {
    return {firstQuery, firstColumn(columns), numQueries, attribute(columns)};
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

  /// The first elements of a scratch column.
  Value column(Value scratch) {
    return b.make<tensor::ExtractSliceOp>(
        RankedTensorType::get({ShapedType::kDynamic}, element), scratch,
        ArrayRef<OpFoldResult>{attribute(0)},
        ArrayRef<OpFoldResult>{numQueries},
        ArrayRef<OpFoldResult>{attribute(1)});
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
      Value place =
          b.make<arith::MulIOp>(keyOfSegment(b), b.index(op.getHeads()));
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

protected:
  /// The number of a query of the tile, or of a key, in the batch.
  Value queryRow(LinalgBuilder &b) {
    return b.add(b.make<linalg::IndexOp>(0), cast<Value>(firstQuery));
  }
  /// The number of the key of a column in its segment.
  Value keyOfSegment(LinalgBuilder &b) {
    return behindTile(b, b.make<linalg::IndexOp>(1));
  }
  Value behindTile(LinalgBuilder &b, Value j) {
    return keysBefore ? b.add(j, keysBefore) : j;
  }
  /// How far key `j` is behind query `i` of the tile: 0 for the last ones.
  Value distance(LinalgBuilder &b, Value i, Value j) {
    Value query = b.add(b.sub(cast<Value>(firstQuery), queryBegin), i);
    Value more = b.sub(allKeys, b.sub(queryEnd, queryBegin));
    return b.sub(behindTile(b, j), b.add(query, more));
  }
  /// The place of that distance in a table of `size`.
  Value placeOf(LinalgBuilder &b, Value i, Value j, Value size) {
    Value half = b.make<arith::ShRUIOp>(size, b.index(1));
    Value place = b.add(distance(b, i, j), half);
    place = b.make<arith::MaxSIOp>(place, b.index(0));
    return b.make<arith::MinSIOp>(place, b.sub(size, b.index(1)));
  }
  Value scale(LinalgBuilder &b, Value score) {
    return b.make<arith::MulFOp>(
        score, b.number(element, op.getScale().convertToDouble()));
  }
  /// What a scaled score may have beside the products.
  bool hasMore() {
    return op.getKeyBias() || op.getDistanceBias() || op.getCausal();
  }
  Value addMore(LinalgBuilder &b, Value score) {
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

  OpFoldResult attribute(int64_t value) {
    return b.getBuilder().getIndexAttr(value);
  }
  OpFoldResult firstColumn(int64_t columns) {
    return b.make<arith::MulIOp>(head, b.index(columns)).getResult();
  }
};

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TOLINALG_ATTENTIONTILE_H
