//===-- dialects/Ragged/ToLinalg/Gathers.cpp - Rows by index ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/ToLinalg/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

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

static Lowered lowerGather(GatherOp op, LinalgBuilder &b) {
  Value dest = b.emptyLike(op.getType(), op.getIndex());
  auto form = op.getOrZero() ? gatherOrZero : gather;
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
  attachLinalgModel<PutRowsOp, lowerPutRows>(context);
  attachLinalgModel<PermuteOp, lowerPermute>(context);
  attachLinalgModel<PartOp, lowerPart>(context);
  attachLinalgModel<JoinOp, lowerJoin>(context);
  attachLinalgModel<SumParentsOp, lowerSumParents>(context);
}
