//===-- DeviceAttention.cpp - Attention with tiles of keys, too -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/ToLinalg/DeviceAttention.h"
#include "dialects/Ragged/ToLinalg/DeviceTiles.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

static constexpr double kNever = -std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

namespace {
/// The largest score and the sum of a query are those of the keys so far; what
/// has been added becomes smaller when a larger score comes.
class ForwardOnDevice {
public:
  ForwardOnDevice(AttentionOp op, LinalgBuilder &b)
      : op(op), b(b), tiles(op, b) {}

  Lowered lower() {
    Value rows = b.rows(op.getQuery());
    SmallVector<Value> results = {b.empty(op.getResult().getType(), rows),
                                  b.empty(op.getLogSums().getType(), rows)};
    return tiles.forQueries(results,
                            [&](ValueRange state) { return doUnit(state); });
  }

private:
  SmallVector<Value> doUnit(ValueRange state) {
    memory = tiles.scratch(), decays = tiles.scratchColumn();
    ofKeys = tiles.scratchOfKeys();
    if (Value table = op.getRelativeValues())
      distances = tiles.scratchOfDistances(tensorType(table).getDimSize(0));
    Value maxima = tiles.column(tiles.scratchColumn());
    Value sums = tiles.column(tiles.scratchColumn());
    Window block = tiles.ofQueries(tiles.valueColumns);
    Value none = b.fill(readWindow(b, state[0], block), 0);
    Value init[] = {writeWindow(b, none, state[0], block),
                    b.fill(maxima, kNever), b.fill(sums, 0)};
    SmallVector<Value> last = tiles.overKeys(
        init, [&](ValueRange state) { return addKeys(state, block); });
    return finish(last, state[1], block);
  }

  /// The maximum, but 0 where no key is seen: then all powers are 0.
  static Value known(LinalgBuilder &b, Value maximum) {
    Type type = maximum.getType();
    Value isNever = b.make<arith::CmpFOp>(arith::CmpFPredicate::OEQ, maximum,
                                          b.number(type, kNever));
    return b.make<arith::SelectOp>(isNever, b.number(type, 0), maximum);
  }
  static Value powerOf(LinalgBuilder &b, ValueRange args) {
    Value score = args.back(), maximum = known(b, args.front());
    return b.make<math::ExpOp>(b.make<arith::SubFOp>(score, maximum));
  }
  static Value multiply(LinalgBuilder &b, ValueRange args) {
    return b.make<arith::MulFOp>(args[1], args[0]);
  }

  SmallVector<Value> addKeys(ValueRange state, const Window &block) {
    Value scores = tiles.scores(memory, ofKeys);
    Value before = b.copy(state[1], tiles.column(decays));
    Value max = b.reduce(state[1], scores, 1,
                         [](LinalgBuilder &b, ValueRange args) -> Value {
                           return b.make<arith::MaximumFOp>(args[0], args[1]);
                         });
    Value decay =
        b.elementwise(before, max, [](LinalgBuilder &b, ValueRange args) {
          return powerOf(b, {args[0], args[1]});
        });
    Value powers = withColumn(b, scores, max, powerOf);
    Value sum = b.elementwise(state[2], decay, multiply);
    sum = b.reduce(sum, powers, 1, addElements);
    Value rows = withColumn(b, readWindow(b, state[0], block), decay, multiply);
    rows = addValues(tiles.drop(powers), rows);
    return {writeWindow(b, rows, state[0], block), max, sum};
  }

  Value addValues(Value weights, Value rows) {
    Value values =
        readWindow(b, op.getValue(), tiles.ofKeys(tiles.valueColumns));
    rows = b.matmul(weights, values, rows);
    Value table = op.getRelativeValues();
    if (!table)
      return rows;
    Value sums = b.fill(tiles.firstRows(distances), 0);
    return b.matmul(tiles.collectByDistance(weights, sums), table, rows);
  }

  /// A query without keys, or all of whose scores are minus infinity, gets
  /// zero.
  SmallVector<Value> finish(ValueRange state, Value logSums,
                            const Window &block) {
    Value sum = replaceElements(b, state[2], 0, 1);
    Value rows = withColumn(b, readWindow(b, state[0], block), sum,
                            [](LinalgBuilder &b, ValueRange args) -> Value {
                              return b.make<arith::DivFOp>(args[1], args[0]);
                            });
    Window ofHead = tiles.queriesOfHead();
    Value logSum = b.elementwise(
        readColumn(b, logSums, ofHead), {state[1], sum},
        [](LinalgBuilder &b, ValueRange args) {
          return b.add(known(b, args[0]), b.make<math::LogOp>(args[1]));
        });
    return {writeWindow(b, rows, state[0], block),
            writeWindow(b, logSum, logSums, ofHead)};
  }

  AttentionOp op;
  LinalgBuilder &b;
  DeviceTiles<AttentionOp> tiles;
  Value memory, decays, ofKeys, distances;
};

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

/// First the mean of the weights' cotangents of each query; then cotangents of
/// queries by tiles of them, and those of keys and values by tiles of these:
/// nothing is added to by two blocks.
class BackwardOnDevice {
public:
  BackwardOnDevice(AttentionGradOp op, LinalgBuilder &b)
      : op(op), b(b), tiles(op, b),
        scale(b.number(tiles.element, op.getScale().convertToDouble())) {
    for (Value table :
         {op.getDistanceBias(), op.getRelativeKeys(), op.getRelativeValues()})
      if (table)
        tables.push_back(table);
  }

  Lowered lower() {
    Value init = b.emptyLike(tensorType(op.getLogSums()), op.getLogSums());
    means = tiles
                .forQueries(init,
                            [&](ValueRange state) {
                              return SmallVector<Value>{findMeans(state[0])};
                            })
                .front();
    SmallVector<Value> ofQueries = {empty(op.getQuery())};
    for (Value table : tables)
      ofQueries.push_back(emptySums(table));
    ofQueries = tiles.forQueries(
        ofQueries, [&](ValueRange state) { return doQueries(state); });
    SmallVector<Value> ofKeys = {empty(op.getKey()), empty(op.getValue())};
    if (Value bias = op.getKeyBias())
      ofKeys.push_back(empty(bias));
    ofKeys =
        tiles.forKeys(ofKeys, [&](ValueRange state) { return doKeys(state); });
    SmallVector<Value> results = {ofQueries[0]};
    results.append(ofKeys);
    for (auto [table, sums] :
         llvm::zip_equal(tables, ArrayRef(ofQueries).drop_front()))
      results.push_back(cotangentOf(table, sums));
    return results;
  }

private:
  bool isBias(Value table) { return table == op.getDistanceBias(); }
  int64_t distancesOf(Value table) {
    return tensorType(table).getDimSize(isBias(table) ? 1 : 0);
  }
  Value empty(Value like) { return b.emptyLike(tensorType(like), like); }
  /// Per query, head and distance what elements of that distance add up to.
  Value emptySums(Value table) {
    auto type = RankedTensorType::get(
        {ShapedType::kDynamic,
         distancesOf(table) * static_cast<int64_t>(op.getHeads())},
        tiles.element);
    return b.empty(type, b.rows(op.getQuery()));
  }

  void allocate() {
    memory = tiles.scratch(), cotangents = tiles.scratch();
    ofKeyDistances = tiles.scratchOfKeys();
    if (Value table = op.getRelativeValues())
      ofValueDistances =
          tiles.scratchOfDistances(tensorType(table).getDimSize(0));
  }

  /// The weights of a tile, before dropout, and their cotangents.
  std::pair<Value, Value> makeTile() {
    Value weights = withColumn(
        b, tiles.scores(memory, ofKeyDistances),
        readColumn(b, op.getLogSums(), tiles.queriesOfHead()), expOfDifference);
    Value dy = readWindow(b, op.getDy(), tiles.ofQueries(tiles.valueColumns));
    Value values =
        readWindow(b, op.getValue(), tiles.ofKeys(tiles.valueColumns));
    Value dweights = tiles.multiplyByRows(
        dy, values, b.fill(tiles.ofScratch(cotangents), 0));
    if (Value table = op.getRelativeValues())
      dweights = tiles.addByDistance(
          dweights, tiles.perDistance(dy, table, ofValueDistances));
    return {weights, tiles.drop(dweights)};
  }

  /// The sums of weights times their cotangents: a product with ones, so that
  /// they do not become part of a loop that writes the weights.
  Value findMeans(Value all) {
    allocate();
    Window ofHead = tiles.queriesOfHead();
    Value ones = b.fill(tiles.scratchOfOnes(), 1);
    Value none = b.fill(readWindow(b, all, ofHead), 0);
    all = writeWindow(b, none, all, ofHead);
    auto addTile = [&](ValueRange state) -> SmallVector<Value> {
      auto [weights, dweights] = makeTile();
      Value terms = b.elementwise(
          dweights, weights, [](LinalgBuilder &b, ValueRange args) -> Value {
            return b.make<arith::MulFOp>(args[0], args[1]);
          });
      Value sums = b.matmul(terms, tiles.firstKeys(ones),
                            readWindow(b, state[0], ofHead));
      return {writeWindow(b, sums, state[0], ofHead)};
    };
    return tiles.overKeys(all, addTile).front();
  }

  /// Of the scores: `weight * (dweight - mean)`.
  Value scoreCotangent(Value weights, Value dweights) {
    Value mean = readColumn(b, means, tiles.queriesOfHead());
    AffineMap all = AffineMap::getMultiDimIdentityMap(2, b.getContext());
    return b.map(dweights, {weights, mean}, {all, b.dims(2, {0})},
                 [](LinalgBuilder &b, ValueRange args) -> Value {
                   Value difference = b.make<arith::SubFOp>(args[2], args[1]);
                   return b.make<arith::MulFOp>(args[0], difference);
                 });
  }

  /// The columns of a head in the sums of a table.
  Window sumsOf(Value table) { return tiles.ofQueries(distancesOf(table)); }

  SmallVector<Value> doQueries(ValueRange state) {
    allocate();
    SmallVector<Value> next;
    Window block = tiles.ofQueries(tiles.keyColumns);
    SmallVector<Window> blocks = {block};
    for (Value table : tables)
      blocks.push_back(sumsOf(table));
    for (auto [array, at] : llvm::zip_equal(state, blocks))
      next.push_back(
          writeWindow(b, b.fill(readWindow(b, array, at), 0), array, at));
    next = tiles.overKeys(
        next, [&](ValueRange state) { return addToQueries(state, blocks); });
    if (Value table = op.getRelativeKeys()) {
      size_t number = 1 + (llvm::find(tables, table) - tables.begin());
      Value sums = readWindow(b, next[number], blocks[number]);
      Value rows = b.matmul(sums, table, readWindow(b, next[0], block));
      next[0] = writeWindow(b, rows, next[0], block);
    }
    return next;
  }

  SmallVector<Value> addToQueries(ValueRange state, ArrayRef<Window> blocks) {
    SmallVector<Value> next(state);
    auto [weights, dweights] = makeTile();
    Value dscores = scoreCotangent(weights, dweights);
    size_t number = 1;
    auto addSums = [&](Value tile) {
      Value sums = readWindow(b, next[number], blocks[number]);
      next[number] = writeWindow(b, tiles.collectByDistance(tile, sums),
                                 next[number], blocks[number]);
      ++number;
    };
    if (op.getDistanceBias())
      addSums(dscores);
    dscores = scaleElements(b, dscores, scale);
    if (op.getRelativeKeys())
      addSums(dscores);
    Value keys = readWindow(b, op.getKey(), tiles.ofKeys(tiles.keyColumns));
    Value rows = b.matmul(dscores, keys, readWindow(b, next[0], blocks[0]));
    next[0] = writeWindow(b, rows, next[0], blocks[0]);
    if (op.getRelativeValues())
      addSums(tiles.drop(weights));
    return next;
  }

  SmallVector<Value> doKeys(ValueRange state) {
    allocate();
    SmallVector<Value> next;
    SmallVector<Window> blocks = {tiles.ofKeys(tiles.keyColumns),
                                  tiles.ofKeys(tiles.valueColumns)};
    if (op.getKeyBias())
      blocks.push_back(tiles.keysOfHead());
    for (auto [array, at] : llvm::zip_equal(state, blocks))
      next.push_back(
          writeWindow(b, b.fill(readWindow(b, array, at), 0), array, at));
    return tiles.overQueries(
        next, [&](ValueRange state) { return addToKeys(state, blocks); });
  }

  SmallVector<Value> addToKeys(ValueRange state, ArrayRef<Window> blocks) {
    SmallVector<Value> next(state);
    auto [weights, dweights] = makeTile();
    Value dscores = scoreCotangent(weights, dweights);
    if (op.getKeyBias()) {
      Value line = readColumn(b, next[2], blocks[2]);
      next[2] = writeWindow(b, b.reduce(line, dscores, 0, addElements), next[2],
                            blocks[2]);
    }
    dscores = scaleElements(b, dscores, scale);
    Value query =
        readWindow(b, op.getQuery(), tiles.ofQueries(tiles.keyColumns));
    Value dkey = addTransposedProduct(b, dscores, query,
                                      readWindow(b, next[0], blocks[0]));
    next[0] = writeWindow(b, dkey, next[0], blocks[0]);
    Value dy = readWindow(b, op.getDy(), tiles.ofQueries(tiles.valueColumns));
    Value dvalue = addTransposedProduct(b, tiles.drop(weights), dy,
                                        readWindow(b, next[1], blocks[1]));
    next[1] = writeWindow(b, dvalue, next[1], blocks[1]);
    return next;
  }

  /// A row per query and head.
  Value rowsOfHeads(Value matrix) {
    int64_t heads = static_cast<int64_t>(op.getHeads());
    int64_t columns = tensorType(matrix).getDimSize(1) / heads;
    auto index = [&](int64_t value) -> OpFoldResult {
      return b.getBuilder().getIndexAttr(value);
    };
    auto type = RankedTensorType::get({ShapedType::kDynamic, heads, columns},
                                      tiles.element);
    SmallVector<ReassociationIndices> apart = {{0}, {1, 2}};
    SmallVector<ReassociationIndices> together = {{0, 1}, {2}};
    Value parts = b.make<tensor::ExpandShapeOp>(
        type, matrix, apart,
        ArrayRef<OpFoldResult>{b.rows(matrix), index(heads), index(columns)});
    return b.make<tensor::CollapseShapeOp>(parts, together);
  }

  /// The cotangent of a table, from the sums of all queries.
  Value cotangentOf(Value table, Value sums) {
    RankedTensorType type = tensorType(table);
    if (!isBias(table)) {
      Value rows = table == op.getRelativeKeys() ? op.getQuery() : op.getDy();
      return addTransposedProduct(b, rowsOfHeads(sums), rowsOfHeads(rows),
                                  b.zeros(type, {}));
    }
    auto flat = RankedTensorType::get(type.getNumElements(), tiles.element);
    Value all = b.reduce(b.zeros(flat, {}), sums, 0, addElements);
    SmallVector<ReassociationIndices> apart = {{0, 1}};
    return b.make<tensor::ExpandShapeOp>(type, all, apart);
  }

  AttentionGradOp op;
  LinalgBuilder &b;
  DeviceTiles<AttentionGradOp> tiles;
  /// Those of distances, in the order of the results.
  SmallVector<Value> tables;
  Value scale, means, memory, cotangents, ofKeyDistances, ofValueDistances;
};
} // namespace

Lowered ragged::lowerOnDevice(AttentionOp op, LinalgBuilder &b) {
  return ForwardOnDevice(op, b).lower();
}

Lowered ragged::lowerOnDevice(AttentionGradOp op, LinalgBuilder &b) {
  return BackwardOnDevice(op, b).lower();
}
