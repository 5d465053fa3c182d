//===-- Levels.cpp - The recursion as a loop over levels ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/ToLinalg/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

/// The number of edges, or of cuts, for that of the links to children.
static Value perEdge(LinalgBuilder &b, LevelsOp op, Value links) {
  return op.getCuts() ? cutsOf(b, links) : links;
}

namespace {
/// `ragged.levels` as `scf.for`: arrays over nodes and edges are carried by the
/// loop, each level reads its rows as slices and puts its results into theirs.
/// Children are read by index from rows that earlier levels have put in place.
class LevelLoop {
public:
  LevelLoop(LevelsOp op, LinalgBuilder &b)
      : op(op), b(b), forest(b, op.getForest()) {}

  SmallVector<Value> build() {
    first = b.index(op.getPart() == Part::Inner ? 1 : 0);
    partBegin = forest.begin(op.getPart());
    Value count = b.sub(forest.size(rt::ForestSize::NumLevels), first);
    return b.loops(b.index(0), count, makeArrays(),
                   [&](Value i, ValueRange arrays) {
                     return buildLevel(levelOf(i, count), arrays);
                   });
  }

private:
  bool isUp() { return op.getDirection() == Direction::Up; }

  /// Recurrent results are arrays over all nodes or edges, with the base in
  /// place.
  SmallVector<Value> makeArrays() {
    Value nodes = forest.count(op.getPart()),
          edges = perEdge(b, op, forest.size(rt::ForestSize::NumEdges));
    LevelsYields arrays;
    for (auto [i, result] : llvm::enumerate(op.getRecurrentResults())) {
      Value rows = isUp() ? forest.count(Part::All) : edges;
      Value array = b.empty(tensorType(result), rows);
      if (!op.getBase().empty())
        array = b.setRowRange(op.getBase()[i], array, b.index(0),
                              forest.numLeaves());
      arrays.recurrent.push_back(array);
    }
    for (Value result : op.getNodeResults())
      arrays.nodes.push_back(b.empty(tensorType(result), nodes));
    for (Value result : op.getEdgeResults())
      arrays.edges.push_back(b.empty(tensorType(result), edges));
    llvm::append_range(arrays.shared, op.getShared());
    return arrays.inOrder();
  }

  Value levelOf(Value i, Value count) {
    if (isUp())
      return b.add(first, i);
    Value last = b.add(first, b.sub(count, b.index(1)));
    return b.sub(last, i);
  }

  SmallVector<Value> buildLevel(Value level, ValueRange arrays) {
    Value levels = forest.array(rt::ForestIndex::LevelNodes);
    nodeBegin = b.indexAt(levels, level);
    Value nodeEnd = b.indexAt(levels, b.add(level, b.index(1)));
    window = b.make<WindowOp>(RowsType::get(b.getContext()), op.getForest(),
                              nodeBegin, nodeEnd, op.getCuts());
    RowsView rows(b, window);
    nodeCount = rows.numSegments();
    edgeCount = rows.numRows();
    childBegin =
        b.indexAt(forest.array(rt::ForestIndex::ChildOffsets), nodeBegin);
    edgeBegin = perEdge(b, op, childBegin);
    partOffset = b.sub(nodeBegin, partBegin);
    setIteration(b, op.getEdgesArg(), b.sub(level, first));
    LevelsYields all = op.byKind(arrays);
    SmallVector<Value> values =
        inlineBody(b, op.getBody(), makeArguments(all).inOrder());
    return storeResults(op.byKind(values), all).inOrder();
  }

  LevelsArgs makeArguments(const LevelsYields &arrays) {
    LevelsArgs args{window, {}, {}, {}, arrays.shared};
    for (Value nodes : op.getNodes())
      args.nodes.push_back(b.rowRange(nodes, partOffset, nodeCount));
    for (Value edges : op.getEdges())
      args.edges.push_back(b.rowRange(edges, edgeBegin, edgeCount));
    if (!isUp()) {
      args.recurrent = makeMessages(arrays.recurrent);
      return args;
    }
    Value childCount = op.getCuts() ? b.add(edgeCount, edgeCount) : edgeCount;
    Value children = b.rowRange(forest.array(rt::ForestIndex::ChildNodes),
                                childBegin, childCount);
    for (Value states : arrays.recurrent) {
      Value rows = b.make<GatherOp>(states.getType(), states, children);
      args.recurrent.push_back(op.getCuts() ? b.make<ToCutsOp>(rows) : rows);
    }
    return args;
  }

  /// What each of the level's nodes gets from its parents.
  Values makeMessages(ArrayRef<Value> arrays) {
    Values sums;
    for (Value messages : arrays) {
      if (op.getCuts())
        messages = b.make<FromCutsOp>(messages);
      Value dest = b.empty(tensorType(messages), nodeCount);
      sums.push_back(
          sumParents(b, messages, op.getForest(), nodeBegin, nodeCount, dest));
    }
    return sums;
  }

  LevelsYields storeResults(const LevelsYields &values,
                            const LevelsYields &arrays) {
    auto store = [&](ArrayRef<Value> rows, ArrayRef<Value> into, Value begin,
                     Value count) {
      Values stored;
      for (auto [row, array] : llvm::zip_equal(rows, into))
        stored.push_back(b.setRowRange(row, array, begin, count));
      return stored;
    };
    LevelsYields stored;
    stored.recurrent =
        store(values.recurrent, arrays.recurrent,
              isUp() ? nodeBegin : edgeBegin, isUp() ? nodeCount : edgeCount);
    stored.nodes = store(values.nodes, arrays.nodes, partOffset, nodeCount);
    stored.edges = store(values.edges, arrays.edges, edgeBegin, edgeCount);
    for (auto [value, array] : llvm::zip_equal(values.shared, arrays.shared))
      stored.shared.push_back(storeShared(value, array));
    return stored;
  }

  /// What the next level gets stands where the level got it: rows are put into
  /// that array, anything else is computed into it.
  Value storeShared(Value value, Value array) {
    OpOperand *place = nullptr;
    Value whole = value;
    while (auto put = whole.getDefiningOp<PutRowsOp>()) {
      place = &put.getAllMutable();
      whole = put.getAll();
    }
    if (whole == array)
      return value;
    OpBuilder::InsertionGuard guard(b.getBuilder());
    if (place)
      b.getBuilder().setInsertionPoint(place->getOwner());
    Value stored = b.make<bufferization::MaterializeInDestinationOp>(
                        array.getType(), whole, array)
                       .getResult();
    if (!place)
      return stored;
    place->set(stored);
    return value;
  }

  LevelsOp op;
  LinalgBuilder &b;
  ForestView forest;
  /// The first level and node of the part.
  Value first, partBegin;
  /// The level at hand.
  Value window, nodeBegin, nodeCount, edgeBegin, edgeCount, partOffset;
  /// Where its children begin, of which a cut has two.
  Value childBegin;
};
} // namespace

static Lowered lowerLevels(LevelsOp op, LinalgBuilder &b) {
  return LevelLoop(op, b).build();
}

void ragged::attachLevelsLowering(MLIRContext *context) {
  attachLinalgModel<LevelsOp, lowerLevels>(context);
}
