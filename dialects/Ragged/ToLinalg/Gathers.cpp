//===-- dialects/Ragged/ToLinalg/Gathers.cpp - Rows by index ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/ToLinalg/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

/// Row i of the result is row index[i] of the input.
static Value gather(LinalgBuilder &b, Value input, Value index, Value dest) {
  return rt::forEachRow(b, b.rows(index), dest, [&](Value i, Value row) {
    return b.copy(b.row(input, b.indexAt(index, i)), row);
  });
}

/// The same, zero where the index is below 0.
static Value gatherOrZero(LinalgBuilder &b, Value input, Value index,
                          Value dest) {
  return rt::forEachRow(b, b.rows(index), dest, [&](Value i, Value row) {
    Value at = b.indexAt(index, i);
    Value exists =
        b.make<arith::CmpIOp>(arith::CmpIPredicate::sge, at, b.index(0));
    return b.choose(
        exists, row.getType(), [&] { return b.copy(b.row(input, at), row); },
        [&] { return b.fill(row, 0); });
  });
}

/// The same for rows of one element, which lanes of vectors can read.
static Value gatherElements(LinalgBuilder &b, Value input, Value index,
                            Value dest) {
  return b.elementwise(
      dest, index, [&](LinalgBuilder &b, ValueRange args) -> Value {
        return b.make<tensor::ExtractOp>(input, b.toIndex(args[0]));
      });
}

/// Whether elements are read by an elementwise op, which is made one with what
/// reads them. Not those of an array that a loop over levels writes part by
/// part: who reads it and writes a part of it gets a copy.
static bool isElementwise(GatherOp op) {
  auto carried = dyn_cast<BlockArgument>(op.getInput());
  bool isWritten =
      carried && isa<scf::ForOp>(carried.getOwner()->getParentOp());
  return op.getType().getRank() == 1 && !op.getOrZero() && !isWritten &&
         !rt::isGpu(rt::getTarget(op));
}

static Lowered lowerGather(GatherOp op, LinalgBuilder &b) {
  Value dest = b.emptyLike(op.getType(), op.getIndex());
  auto form = op.getOrZero()      ? gatherOrZero
              : isElementwise(op) ? gatherElements
                                  : gather;
  return lowered(form(b, op.getInput(), op.getIndex(), dest));
}

static Lowered lowerScatterSum(ScatterSumOp op, LinalgBuilder &b) {
  Value zeros = b.zeros(op.getType(), op.getCount());
  auto addRow = [&](Value i, Value at, Value all) {
    Value sum = b.update(b.row(all, at), b.row(op.getInput(), i),
                         [](LinalgBuilder &b, ValueRange args) {
                           return b.add(args[0], args[1]);
                         });
    return b.setRow(sum, all, at);
  };
  auto body = [&](Value i, Value all) {
    Value at = b.indexAt(op.getIndex(), i);
    if (!op.getOrZero())
      return addRow(i, at, all);
    // A loop of one iteration, or none, keeps its array where it is.
    Value count = b.make<arith::MinSIOp>(b.add(at, b.index(1)), b.index(1));
    return b.loop(b.index(0), count, all,
                  [&](Value, Value all) { return addRow(i, at, all); });
  };
  return lowered(b.loop(b.index(0), b.rows(op.getIndex()), zeros, body));
}

/// How many rows several arrays have together.
static Value countRows(LinalgBuilder &b, ValueRange arrays) {
  Value count = b.rows(arrays.front());
  for (Value array : arrays.drop_front())
    count = b.add(count, b.rows(array));
  return count;
}

/// Every row with an id of its own.
static Lowered lowerAsAllDistinct(DistinctOp op, LinalgBuilder &b) {
  Type i32 = b.getBuilder().getI32Type();
  bool isOne = op.getIds().size() == 1;
  Value all =
      isOne ? op.getIds().front()
            : b.empty(tensorType(op.getDistinct()), countRows(b, op.getIds()));
  SmallVector<Value> results = {all};
  Value begin = b.index(0);
  for (auto [ids, places] : llvm::zip_equal(op.getIds(), op.getPlaces())) {
    Value count = b.rows(ids);
    results.push_back(rt::forEach(
        b, count, b.emptyLike(tensorType(places), ids),
        [&](Value i, Value places) -> Value {
          Value number = b.make<arith::IndexCastOp>(i32, b.add(begin, i));
          return b.make<tensor::InsertOp>(number, places, i);
        }));
    if (!isOne)
      results[0] = b.setRowRange(ids, results[0], begin, count);
    begin = b.add(begin, count);
  }
  return results;
}

/// The place of `id` in `arrays`: a table, the distinct ids, and how many there
/// are; these as they are with the id.
static Value findPlace(LinalgBuilder &b, Value id,
                       MutableArrayRef<Value> arrays) {
  Type i32 = b.getBuilder().getI32Type();
  Value zero = b.number(i32, 0), one = b.number(i32, 1), at = b.toIndex(id);
  Value &table = arrays[0], &distinct = arrays[1], &number = arrays[2];
  Value count = b.make<tensor::ExtractOp>(number, b.index(0));
  Value found = b.make<tensor::ExtractOp>(table, at);
  Value isPlace =
      b.make<arith::CmpIOp>(arith::CmpIPredicate::ult, found, count);
  Value safe = b.make<arith::SelectOp>(isPlace, found, zero);
  Value there = b.make<tensor::ExtractOp>(distinct, b.toIndex(safe));
  Value isSame = b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, there, id);
  Value isOld = b.make<arith::AndIOp>(isPlace, isSame);
  Value place = b.make<arith::SelectOp>(isOld, safe, count);
  Value more = b.make<arith::SelectOp>(isOld, zero, one);
  Value next = b.make<arith::AddIOp>(count, more);
  table = b.make<tensor::InsertOp>(place, table, at);
  distinct = b.make<tensor::InsertOp>(id, distinct, b.toIndex(place));
  number = b.make<tensor::InsertOp>(next, number, b.index(0));
  return place;
}

/// `table[id]` is the place of an id in `distinct` if that one holds the id;
/// else the id has not occurred. So the table need not be cleared, which for
/// many words would take longer than all the rest.
static Lowered lowerDistinct(DistinctOp op, LinalgBuilder &b) {
  if (rt::isGpu(rt::getTarget(op)))
    return lowerAsAllDistinct(op, b);
  Type i32 = b.getBuilder().getI32Type();
  auto limit = static_cast<int64_t>(op.getLimit());
  auto arrayOf = [&](int64_t size) -> Value {
    return b.empty(RankedTensorType::get({size}, i32), {});
  };
  Value none =
      b.make<tensor::InsertOp>(b.number(i32, 0), arrayOf(1), b.index(0));
  SmallVector<Value> arrays = {
      arrayOf(limit),
      b.empty(tensorType(op.getDistinct()), countRows(b, op.getIds())), none};
  SmallVector<Value> results = {Value()};
  for (auto [ids, places] : llvm::zip_equal(op.getIds(), op.getPlaces())) {
    arrays.push_back(b.emptyLike(tensorType(places), ids));
    arrays = b.loops(b.index(0), b.rows(ids), arrays,
                     [&, ids = ids](Value i, ValueRange carried) {
                       SmallVector<Value> arrays(carried);
                       Value id = b.make<tensor::ExtractOp>(ids, i);
                       Value place = findPlace(b, id, arrays);
                       arrays[3] =
                           b.make<tensor::InsertOp>(place, arrays[3], i);
                       return arrays;
                     });
    results.push_back(arrays.pop_back_val());
  }
  Value count = b.indexAt(arrays[2], b.index(0));
  results[0] = b.rowRange(arrays[1], b.index(0), count);
  return results;
}

/// All orders but `edges_to_user` have an array of where their rows come from.
static Lowered lowerPermute(PermuteOp op, LinalgBuilder &b) {
  ForestView forest(b, op.getForest());
  bool nodes = op.getOrder() == Order::NodesToLevels ||
               op.getOrder() == Order::NodesToUser;
  Value count =
      forest.size(nodes ? rt::ForestSize::NumNodes : rt::ForestSize::NumEdges);
  Value dest = b.empty(op.getType(), count);
  switch (op.getOrder()) {
  case Order::NodesToLevels:
    return lowered(gather(b, op.getInput(),
                          forest.array(rt::ForestIndex::NodeToUser), dest));
  case Order::NodesToUser:
    return lowered(gather(b, op.getInput(),
                          forest.array(rt::ForestIndex::UserToNode), dest));
  case Order::EdgesToLevels:
    return lowered(gather(b, op.getInput(),
                          forest.array(rt::ForestIndex::EdgeToUser), dest));
  case Order::EdgesToUser:
    break;
  }
  Value index = forest.array(rt::ForestIndex::EdgeToUser);
  return lowered(rt::forEach(b, count, dest, [&](Value i, Value all) {
    Value at = b.indexAt(index, i);
    return b.setRow(b.copy(b.row(op.getInput(), i), b.row(all, at)), all, at);
  }));
}

static Lowered lowerPart(PartOp op, LinalgBuilder &b) {
  ForestView forest(b, op.getForest());
  return lowered(b.rowRange(op.getInput(), forest.begin(op.getPart()),
                            forest.count(op.getPart())));
}

static Lowered lowerJoin(JoinOp op, LinalgBuilder &b) {
  ForestView forest(b, op.getForest());
  Value leaves = forest.numLeaves();
  Value all = b.empty(op.getType(), forest.count(Part::All));
  all = b.setRowRange(op.getLeaves(), all, b.index(0), leaves);
  return lowered(
      b.setRowRange(op.getInner(), all, leaves, forest.count(Part::Inner)));
}

static Lowered lowerSumParents(SumParentsOp op, LinalgBuilder &b) {
  ForestView forest(b, op.getForest());
  Value count = forest.count(op.getPart());
  return lowered(sumParents(b, op.getInput(), op.getForest(),
                            forest.begin(op.getPart()), count,
                            b.empty(op.getType(), count)));
}

static Lowered lowerPutRows(PutRowsOp op, LinalgBuilder &b) {
  Value ids = op.getIds(); // no id stands twice
  return lowered(
      rt::forEach(b, b.rows(ids), op.getAll(), [&](Value i, Value all) {
        Value at = b.indexAt(ids, i);
        return b.setRow(b.copy(b.row(op.getRows(), i), b.row(all, at)), all,
                        at);
      }));
}

void ragged::attachGatherLowerings(MLIRContext *context) {
  attachLinalgModel<GatherOp, lowerGather>(context);
  attachLinalgModel<ScatterSumOp, lowerScatterSum>(context);
  attachLinalgModel<DistinctOp, lowerDistinct>(context);
  attachLinalgModel<PutRowsOp, lowerPutRows>(context);
  attachLinalgModel<PermuteOp, lowerPermute>(context);
  attachLinalgModel<PartOp, lowerPart>(context);
  attachLinalgModel<JoinOp, lowerJoin>(context);
  attachLinalgModel<SumParentsOp, lowerSumParents>(context);
}
