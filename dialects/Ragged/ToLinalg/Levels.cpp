//===-- Levels.cpp - The recursion as a loop over levels ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/ToLinalg/Views.h"
#include "dialects/Ragged/ToLinalg/WholeRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

/// The number of edges, or of cuts, for that of the links to children.
static Value perEdge(LinalgBuilder &b, LevelsOp op, Value links) {
  return op.getCuts() ? cutsOf(b, links) : links;
}

/// Which array over nodes is the numbers of the rows, where the forest is of
/// chains of iterations: each level has rows of the level before, in their
/// order. None if there is none.
static std::optional<unsigned> findRowNumbers(LevelsOp op) {
  if (!op.getForest().getDefiningOp<IterationsOp>() ||
      op.getDirection() != Direction::Down || op.getPart() != Part::Inner)
    return std::nullopt;
  for (auto [i, array] : llvm::enumerate(op.getNodes()))
    if (auto part = array.getDefiningOp<PartOp>())
      if (auto index = part.getInput().getDefiningOp<IndexOp>();
          index && index.getWhich() == Index::Rows &&
          index.getForest() == op.getForest())
        return i;
  return std::nullopt;
}

namespace {
/// `ragged.levels` as `scf.for`: arrays over nodes and edges are carried by the
/// loop, each level reads its rows as slices and puts its results into theirs.
/// Children are read by index from rows that earlier levels have put in place.
///
/// Downwards along chains of iterations there is a second loop. Its levels have
/// all rows, and so have those that they get messages from: these and all that
/// is reached by the numbers of rows are views.
class LevelLoop {
public:
  LevelLoop(LevelsOp op, LinalgBuilder &b)
      : op(op), b(b), forest(b, op.getForest()) {}

  SmallVector<Value> build() {
    first = b.index(op.getPart() == Part::Inner ? 1 : 0);
    partBegin = forest.begin(op.getPart());
    Value count = b.sub(forest.size(rt::ForestSize::NumLevels), first);
    std::optional<unsigned> numbers = findRowNumbers(op);
    int64_t moved = 0;
    for (Value messages : op.getRecurrentArgs())
      moved += elementsOfRow(messages);
    if (!numbers ||
        !isWorthWholePart(op.getBody(), op.getNodeArgs()[*numbers], moved))
      return makeLoop(b.index(0), count, count, op.getBody(), makeArrays());
    Region whole;
    IRMapping mapping;
    op.getBody().cloneInto(&whole, mapping);
    Value wholeNumbers = mapping.lookup(op.getNodeArgs()[*numbers]);
    Value rest = b.sub(count, countWhole(count));
    SmallVector<Value> arrays =
        makeLoop(b.index(0), rest, count, op.getBody(), makeArrays());
    rowNumbers = wholeNumbers;
    return makeLoop(rest, count, count, whole, arrays);
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

  SmallVector<Value> makeLoop(Value begin, Value end, Value count, Region &body,
                              ValueRange arrays) {
    return b.loops(begin, end, arrays, [&](Value i, ValueRange arrays) {
      return buildLevel(levelOf(i, count), body, arrays);
    });
  }

  /// How many levels have all rows and so does the next one: rows do not come
  /// back, so that these levels are the first ones.
  Value countWhole(Value count) {
    Value levels = forest.array(rt::ForestIndex::LevelNodes);
    Value all = forest.numLeaves();
    Value number =
        b.loop(b.index(0), count, b.index(0), [&](Value i, Value number) {
          Value level = b.add(first, i);
          Value nodes = b.sub(b.indexAt(levels, b.add(level, b.index(1))),
                              b.indexAt(levels, level));
          Value isWhole =
              b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, nodes, all);
          return b.add(number, b.make<arith::IndexCastUIOp>(
                                   b.getBuilder().getIndexType(), isWhole));
        });
    return b.make<arith::MaxSIOp>(b.sub(number, b.index(1)), b.index(0));
  }

  Value levelOf(Value i, Value count) {
    if (isUp())
      return b.add(first, i);
    Value last = b.add(first, b.sub(count, b.index(1)));
    return b.sub(last, i);
  }

  SmallVector<Value> buildLevel(Value level, Region &body, ValueRange arrays) {
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
    setIteration(b, body.getArgument(0), b.sub(level, first));
    LevelsYields all = op.byKind(arrays);
    if (rowNumbers)
      useWholeArrays(body, all);
    SmallVector<Value> values =
        inlineBody(b, body, makeArguments(all).inOrder());
    return storeResults(op.byKind(values), all).inOrder();
  }

  /// What is put into all rows of an array is all that is read of it. An array
  /// that nobody reads then is left as it is, if no one asks for it at the end.
  void useWholeArrays(Region &body, const LevelsYields &arrays) {
    for (Operation *user : llvm::make_early_inc_range(rowNumbers.getUsers()))
      if (auto put = dyn_cast<PutRowsOp>(user))
        if (put.getIds() == rowNumbers && put.getRows() != put.getAll()) {
          put.getResult().replaceAllUsesWith(put.getRows());
          put.erase();
        }
    useAllRows(b, rowNumbers, nodeCount);
    size_t shared = arrays.shared.size();
    ValueRange args = body.getArguments().take_back(shared);
    MutableOperandRange yielded(body.front().getTerminator());
    for (auto [i, arg, result] : llvm::enumerate(args, op.getSharedResults()))
      if (arg.use_empty() && result.use_empty())
        yielded.slice(yielded.size() - shared + i, 1).assign(arg);
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
      if (rowNumbers) { // of the next level's edges
        sums.push_back(
            b.rowRange(messages, b.add(edgeBegin, nodeCount), nodeCount));
        continue;
      }
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
      for (auto [row, array] : llvm::zip_equal(rows, into)) {
        // A view is stored before what it is of is written.
        OpBuilder::InsertionGuard guard(b.getBuilder());
        if (auto view = row.getDefiningOp<tensor::ExtractSliceOp>();
            view && rowNumbers && view->getBlock() == begin.getParentBlock())
          b.getBuilder().setInsertionPointAfter(view);
        stored.push_back(b.setRowRange(row, array, begin, count));
      }
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
  /// The numbers of all rows, in the body of levels that have all; else null.
  Value rowNumbers;
};
} // namespace

static Lowered lowerLevels(LevelsOp op, LinalgBuilder &b) {
  return LevelLoop(op, b).build();
}

void ragged::attachLevelsLowering(MLIRContext *context) {
  attachLinalgModel<LevelsOp, lowerLevels>(context);
}
