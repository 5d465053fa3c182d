//===-- dialects/Ragged/ToLinalg/Attention.cpp - Attention as products ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/ToLinalg/AttentionTiles.h"
#include "dialects/Ragged/ToLinalg/DeviceAttention.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

namespace {
//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

class ForwardAttention {
public:
  ForwardAttention(AttentionOp op, LinalgBuilder &b)
      : op(op), b(b), tiles(op, b) {}

  Lowered lower() {
    Value numQueries = b.rows(op.getQuery());
    SmallVector<Value> results = {
        b.empty(op.getResult().getType(), numQueries),
        b.empty(op.getLogSums().getType(), numQueries)};
    auto prepare = [&] {
      return SmallVector<Value>{tiles.scaledKeys(keysAcross)};
    };
    return tiles.forEach(
        results, [&] { allocate(); }, prepare,
        [&](ValueRange prepared, ValueRange state) {
          return doTile(prepared[0], state);
        });
  }

private:
  void allocate() {
    keysAcross = tiles.scratch(tiles.keyColumns);
    maxima = tiles.scratchColumn();
    sums = tiles.scratchColumn();
    if (Value table = op.getRelativeValues())
      distances = tiles.scratchOfDistances(tensorType(table).getDimSize(0));
  }

  /// A query without keys, or all of whose scores are minus infinity, gets
  /// zero.
  SmallVector<Value> doTile(Value keys, ValueRange state) {
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    Value scores = tiles.scores(keys);
    Value max = b.reduce(b.fill(tiles.column(maxima), kNever), scores, 1,
                         // A score that is NaN makes the sum NaN.
                         [](LinalgBuilder &b, ValueRange args) -> Value {
                           return b.make<arith::MaxNumFOp>(args[0], args[1]);
                         });
    max = replaceElements(b, max, kNever, 0);
    Value powers = withColumn(b, scores, max, expOfDifference);
    Value sum = b.reduce(b.fill(tiles.column(sums), 0), powers, 1, addElements);
    sum = replaceElements(b, sum, 0, 1);
    // Rows are divided by the sum of their weights: a head has fewer columns
    // than most segments have keys.
    Value rows = sumValues(tiles.drop(powers), state[0]);
    rows = withColumn(b, rows, sum,
                      [](LinalgBuilder &b, ValueRange args) -> Value {
                        return b.make<arith::DivFOp>(args[1], args[0]);
                      });
    Window ofHead = tiles.queriesOfHead();
    Value logSum =
        b.elementwise(readColumn(b, state[1], ofHead), {max, sum},
                      [](LinalgBuilder &b, ValueRange args) -> Value {
                        return b.add(args[0], b.make<math::LogOp>(args[1]));
                      });
    return {writeWindow(b, rows, state[0], tiles.ofQueries(tiles.valueColumns)),
            writeWindow(b, logSum, state[1], ofHead)};
  }

  Value sumValues(Value weights, Value result) {
    Window block = tiles.ofQueries(tiles.valueColumns);
    Value values =
        readWindow(b, op.getValue(), tiles.ofKeys(tiles.valueColumns));
    Value rows =
        b.matmul(weights, values, b.fill(readWindow(b, result, block), 0));
    if (Value table = op.getRelativeValues())
      rows = b.matmul(tiles.sumByDistance(weights, distances), table, rows);
    return rows;
  }

  AttentionOp op;
  LinalgBuilder &b;
  Tiles<AttentionOp> tiles;
  Value keysAcross, maxima, sums, distances;
};

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

class BackwardAttention {
public:
  BackwardAttention(AttentionGradOp op, LinalgBuilder &b)
      : op(op), b(b), tiles(op, b),
        scale(b.number(tiles.element, op.getScale().convertToDouble())) {}

  Lowered lower() {
    SmallVector<Value> results;
    for (auto [input, result] :
         llvm::zip_equal(op.getInputs(), op.getResults())) {
      RankedTensorType type = tensorType(result);
      Value rows = type.isDynamicDim(0) ? b.rows(input) : Value();
      bool isWritten = results.empty(); // of queries; the others are sums
      results.push_back(isWritten ? b.empty(type, rows) : b.zeros(type, rows));
    }
    auto prepare = [&] {
      return SmallVector<Value>{
          tiles.scaledKeys(keysAcross),
          tiles.across(op.getValue(), tiles.valueColumns, valuesAcross)};
    };
    return tiles.forEach(
        results, [&] { allocate(); }, prepare,
        [&](ValueRange prepared, ValueRange state) {
          return doTile(prepared, state);
        });
  }

private:
  void allocate() {
    keysAcross = tiles.scratch(tiles.keyColumns);
    valuesAcross = tiles.scratch(tiles.valueColumns);
    dscratch = tiles.scratch(tiles.costs.attentionTile);
    means = tiles.scratchColumn();
    if (op.getRate())
      dropped = tiles.scratch(tiles.costs.attentionTile);
    if (Value table = op.getRelativeValues()) {
      ofValues = tiles.scratchOfDistances(tensorType(table).getDimSize(0));
      relativeValues = tiles.distancesAcross(table);
    }
    if (Value table = op.getRelativeKeys())
      ofKeys = tiles.scratchOfDistances(tensorType(table).getDimSize(0));
    if (Value table = op.getDistanceBias())
      ofBias = tiles.scratchOfDistances(tensorType(table).getDimSize(1));
  }

  SmallVector<Value> doTile(ValueRange prepared, ValueRange state) {
    SmallVector<Value> next(state);
    nextTerm = 3;
    Value weights = withColumn(
        b, tiles.scores(prepared[0]),
        readColumn(b, op.getLogSums(), tiles.queriesOfHead()), expOfDifference);
    Value dy = readWindow(b, op.getDy(), tiles.ofQueries(tiles.valueColumns));
    Value dweights = weightCotangent(dy, prepared[1]);
    Value kept = weights;
    if (op.getRate()) {
      Value copy =
          tiles.ofScratch(dropped, tiles.costs.attentionTile, numQueries());
      kept = tiles.drop(b.copy(weights, copy));
      dweights = tiles.drop(dweights);
    }
    Window ofValueColumns = tiles.ofKeys(tiles.valueColumns);
    Value dvalue = addTransposedProduct(
        b, kept, dy, readWindow(b, state[2], ofValueColumns));
    next[2] = writeWindow(b, dvalue, state[2], ofValueColumns);
    Value relative;
    if (op.getRelativeValues())
      relative = tiles.sumByDistance(kept, ofValues);
    Value query =
        readWindow(b, op.getQuery(), tiles.ofQueries(tiles.keyColumns));
    passScores(scoreCotangent(weights, dweights), query, next);
    if (relative)
      next[nextTerm] = addTransposedProduct(b, relative, dy, next[nextTerm]);
    return next;
  }

  OpFoldResult numQueries() { return tiles.ofQueries(1).numRows; }

  Value weightCotangent(Value dy, Value valuesAcross) {
    Value dest = b.fill(
        tiles.ofScratch(dscratch, tiles.costs.attentionTile, numQueries()), 0);
    Value dweights = b.matmul(dy, valuesAcross, dest);
    if (!relativeValues)
      return dweights;
    return tiles.addByDistance(dweights,
                               tiles.perDistance(dy, relativeValues, ofValues));
  }

  /// Of the scores: `weight * (dweight - sum(weight * dweight))`.
  Value scoreCotangent(Value weights, Value dweights) {
    Value mean =
        sumProducts(b, weights, dweights, b.fill(tiles.column(means), 0));
    AffineMap all = AffineMap::getMultiDimIdentityMap(2, b.getContext());
    return b.map(dweights, {weights, mean}, {all, b.dims(2, {0})},
                 [&](LinalgBuilder &b, ValueRange args) -> Value {
                   Value difference = b.make<arith::SubFOp>(args[2], args[1]);
                   Value product = b.make<arith::MulFOp>(args[0], difference);
                   return hasBias() ? product
                                    : b.make<arith::MulFOp>(product, scale);
                 });
  }
  bool hasBias() { return op.getKeyBias() || op.getDistanceBias(); }

  /// Passes the cotangent of the scores on to what they are computed from.
  void passScores(Value dscores, Value query, SmallVector<Value> &next) {
    if (op.getKeyBias())
      addLine(dscores, tiles.keysOfHead(), ShapedType::kDynamic, next);
    if (Value table = op.getDistanceBias()) {
      int64_t size = tensorType(table).getDimSize(1);
      addLine(tiles.sumByDistance(dscores, ofBias), tiles.rowOfHead(size), size,
              next);
    }
    if (hasBias())
      dscores = scaleElements(b, dscores, scale);
    Window ofQueries = tiles.ofQueries(tiles.keyColumns);
    Window ofKeyColumns = tiles.ofKeys(tiles.keyColumns);
    Value dquery = b.matmul(dscores, readWindow(b, op.getKey(), ofKeyColumns),
                            b.fill(readWindow(b, next[0], ofQueries), 0));
    if (Value table = op.getRelativeKeys()) {
      Value sums = tiles.sumByDistance(dscores, ofKeys);
      dquery = b.matmul(sums, table, dquery);
      next[nextTerm] = addTransposedProduct(b, sums, query, next[nextTerm]);
      ++nextTerm;
    }
    next[0] = writeWindow(b, dquery, next[0], ofQueries);
    Value dkey = addTransposedProduct(b, dscores, query,
                                      readWindow(b, next[1], ofKeyColumns));
    next[1] = writeWindow(b, dkey, next[1], ofKeyColumns);
  }

  /// Adds the sums of the columns to a line of the next term's cotangent.
  void addLine(Value matrix, const Window &line, int64_t size,
               SmallVector<Value> &next) {
    Value sum = b.reduce(readLine(b, next[nextTerm], line, size), matrix, 0,
                         addElements);
    next[nextTerm] = writeWindow(b, sum, next[nextTerm], line);
    ++nextTerm;
  }

  AttentionGradOp op;
  LinalgBuilder &b;
  Tiles<AttentionGradOp> tiles;
  Value keysAcross, valuesAcross, dscratch, means, scale;
  Value dropped, relativeValues, ofValues, ofKeys, ofBias;
  /// The number of the result that the next optional operand has.
  unsigned nextTerm = 3;
};
} // namespace

static Lowered lowerAttention(AttentionOp op, LinalgBuilder &b) {
  return rt::isGpu(rt::getTarget(op)) ? lowerOnDevice(op, b)
                                      : ForwardAttention(op, b).lower();
}

static Lowered lowerAttentionGrad(AttentionGradOp op, LinalgBuilder &b) {
  return rt::isGpu(rt::getTarget(op)) ? lowerOnDevice(op, b)
                                      : BackwardAttention(op, b).lower();
}

void ragged::attachAttentionLowerings(MLIRContext *context) {
  attachLinalgModel<AttentionOp, lowerAttention>(context);
  attachLinalgModel<AttentionGradOp, lowerAttentionGrad>(context);
}
