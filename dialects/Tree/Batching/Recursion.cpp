//===-- Recursion.cpp - How fold and unfold are batched ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cell of a node becomes the cell of all nodes of a level
// (docs/Batching.md). What the cell uses from outside and is one per example
// becomes one more input per node; what is the same for all examples is used as
// it is.
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Batching/Models.h"
#include "dialects/Ragged/Batching/RowsSeen.h"
#include "dialects/Ragged/IR/LoopBuilders.h"
#include "dialects/Tree/Batching/TreeBatching.h"
#include "dialects/Tree/IR/Tree.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::tree;
using ragged::Order;
using ragged::Part;

namespace {
/// What fold and unfold have in common: arrays over all nodes in level order,
/// and the body of a `ragged.levels`.
class RecursionBatcher {
public:
  RecursionBatcher(Operation *op, Value tree, Batcher &batcher,
                   bool cuts = false)
      : op(op), loc(op->getLoc()), batcher(batcher),
        builder(batcher.getBuilder()), tree(tree), forest(batcher.get(tree)),
        cuts(cuts), seen(op, batcher) {}

  /// Node inputs: the operands, and what the regions use of one example.
  LogicalResult addNodeInputs(OperandRange operands);
  /// Batches a region for the leaves; gives its states.
  LogicalResult batchLeaves(Region &region, SmallVectorImpl<Value> &states);
  /// Batches a region as the body of a `ragged.levels`. `addArgs` adds and
  /// tells the arguments behind those of the nodes; `finish` gives what is
  /// yielded.
  LogicalResult batchBody(
      Region &region, Part part,
      function_ref<void(ragged::LevelsBuilder &)> addArgs,
      function_ref<ragged::LevelsYields(ArrayRef<Value> states, Value edges)>
          finish);
  /// Builds the loop around the body; gives its results.
  ragged::LevelsOp buildLevels(ragged::Direction direction, Part part,
                               ValueRange base) {
    return levels.build(builder, direction, part, forest, base, yields);
  }
  Value permute(Value rows, Order order) {
    return builder.createOrFold<ragged::PermuteOp>(loc, rows, forest, order);
  }

  Operation *op;
  Location loc;
  Batcher &batcher;
  OpBuilder &builder;
  Value tree, forest;
  bool cuts;

private:
  LogicalResult addCaptured(Value value);
  /// Tells the batched values that stand for those from outside in a region.
  void enter(BatchContext &context, Region &region, ValueRange inputs);
  void leave();
  Value makeKeys();
  Value partOf(Value array, Part part) {
    return part == Part::All
               ? array
               : builder.createOrFold<ragged::PartOp>(loc, array, forest, part);
  }

  Value nodeRows;
  SmallVector<Value> arrays, captured, outside;
  RowsSeen seen;
  Value keys;
  ragged::LevelsBuilder levels{loc, cuts};
  ragged::LevelsYields yields;
};
} // namespace

LogicalResult RecursionBatcher::addCaptured(Value value) {
  if (isa<TreeType>(value.getType()) || batcher.isUnit(value))
    return success();
  if (hasInnerRows(value.getType())) {
    InFlightDiagnostic diag =
        // [TREE-CELL-C2]
        op->emitOpError() << "expected the cell of one node to use no rows "
                             "that have rows, but got "
                          << value.getType();
    diag.attachNote(value.getLoc()) << "the rows come from here";
    return diag;
  }
  if (hasRows(value.getType()))
    return seen.add(value);
  captured.push_back(value);
  Value perNode =
      ragged::ExpandOp::create(builder, loc, batcher.get(value), nodeRows);
  arrays.push_back(permute(perNode, Order::NodesToLevels));
  return success();
}

LogicalResult RecursionBatcher::addNodeInputs(OperandRange operands) {
  FailureOr<Value> rows = batcher.getNodePartition(op, tree);
  if (failed(rows))
    return failure();
  nodeRows = *rows;
  for (Value operand : operands)
    arrays.push_back(permute(batcher.get(operand), Order::NodesToLevels));
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(op->getRegions(), values);
  for (Value value : values)
    if (failed(addCaptured(value)))
      return failure();
  // The nodes of a level are in the user's order: they fall into examples.
  if (!seen.empty())
    arrays.push_back(
        ragged::IndexOp::create(builder, loc, forest, ragged::Index::Rows));
  return success();
}

void RecursionBatcher::enter(BatchContext &context, Region &region,
                             ValueRange inputs) {
  if (!seen.empty()) {
    seen.enter(context,
               ragged::GroupOp::create(builder, loc, inputs.back(), nodeRows));
    inputs = inputs.drop_back();
  }
  size_t numOperands = inputs.size() - captured.size();
  for (auto [arg, input] :
       llvm::zip(region.getArguments().take_front(numOperands), inputs))
    batcher.set(arg, input);
  outside.clear();
  for (auto [value, input] :
       llvm::zip_equal(captured, inputs.drop_front(numOperands)))
    outside.push_back(batcher.rebind(value, input));
}

void RecursionBatcher::leave() {
  for (auto [value, before] : llvm::zip_equal(captured, outside))
    batcher.rebind(value, before);
  seen.leave();
}

/// The random keys of the nodes, in level order; null after an error. They are
/// those of the context around the recursion.
Value RecursionBatcher::makeKeys() {
  if (keys)
    return keys;
  Value around = batcher.getKeys();
  if (!around)
    return {};
  Value perNode = ragged::KeysOp::create(builder, loc, around, nodeRows);
  return keys = permute(perNode, Order::NodesToLevels);
}

LogicalResult RecursionBatcher::batchLeaves(Region &region,
                                            SmallVectorImpl<Value> &result) {
  BatchContext *outer = &batcher.getContext();
  BatchContext context;
  context.makeCount = [&] {
    return Value(
        ragged::NumNodesOp::create(builder, loc, forest, Part::Leaves));
  };
  context.makeKeys = [&] {
    Batcher::ContextScope scope(batcher, *outer);
    Value all = makeKeys();
    return all ? partOf(all, Part::Leaves) : Value();
  };
  context.partitions[batcher.getSpaces().childrenOf(&region)] =
      ragged::EdgesOp::create(builder, loc, forest, Part::Leaves, cuts);
  SmallVector<Value> inputs;
  for (Value array : arrays)
    inputs.push_back(partOf(array, Part::Leaves));
  enter(context, region, inputs);
  Batcher::ContextScope scope(batcher, context);
  if (failed(batcher.batchBlock(region.front())))
    return failure();
  for (Value state : region.front().getTerminator()->getOperands())
    result.push_back(batcher.getRows(state));
  leave();
  return success();
}

LogicalResult RecursionBatcher::batchBody(
    Region &region, Part part,
    function_ref<void(ragged::LevelsBuilder &)> addArgs,
    function_ref<ragged::LevelsYields(ArrayRef<Value>, Value)> finish) {
  for (Value &array : arrays)
    array = partOf(array, part);
  BatchContext *outer = &batcher.getContext();
  OpBuilder::InsertPoint around = builder.saveInsertionPoint();
  Block &block = levels.getBlock();
  Value edges = levels.getEdgesArg();
  for (Value array : arrays)
    levels.addNodes(array);
  builder.setInsertionPointToStart(&block);

  BatchContext context;
  context.makeCount = [&] {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&block);
    return Value(ragged::NumSegmentsOp::create(builder, loc, edges));
  };
  // The keys are one more node input, if they are asked for.
  context.makeKeys = [&] {
    OpBuilder::InsertionGuard guard(builder);
    builder.restoreInsertionPoint(around);
    Batcher::ContextScope scope(batcher, *outer);
    Value all = makeKeys();
    if (!all)
      return Value();
    return Value(levels.addNodes(partOf(all, part)));
  };
  context.partitions[batcher.getSpaces().childrenOf(&region)] = edges;
  enter(context, region, levels.getNodeArgs());
  Batcher::ContextScope scope(batcher, context);
  addArgs(levels);
  if (failed(batcher.batchBlock(region.front())))
    return failure();
  SmallVector<Value> states;
  for (Value state : region.front().getTerminator()->getOperands())
    states.push_back(batcher.getRows(state));
  leave();
  yields = finish(states, edges);
  builder.restoreInsertionPoint(around);
  return success();
}

/// Recursion is over trees of the example, not inside of a cell.
static LogicalResult checkNotNested(Operation *op) {
  Operation *cell = op->getParentOp();
  while (cell && !isa<FoldOp, UnfoldOp>(cell))
    cell = cell->getParentOp();
  if (!cell)
    return success();
  InFlightDiagnostic diag =
      // [TREE-CELL-C3]
      op->emitOpError("expected to stand outside of any cell: recursion "
                      "inside of a cell is not supported");
  diag.attachNote(cell->getLoc()) << "the cell is here";
  return diag;
}

//===----------------------------------------------------------------------===//
// tree.fold
//===----------------------------------------------------------------------===//

/// The arguments of the cell that are stacked: rows of the edges as they are,
/// or in slots.
static void addStackedArgs(FoldOp fold, Batcher &batcher, ValueRange edges,
                           ragged::LevelsBuilder &levels) {
  OpBuilder &builder = batcher.getBuilder();
  int64_t arity = fold.getArity();
  auto add = [&](BlockArgument arg, Value rows) {
    if (!ShapedType::isDynamic(arity))
      rows = ragged::ToSlotsOp::create(builder, arg.getLoc(), rows,
                                       levels.getEdgesArg(), arity);
    batcher.set(arg, rows);
  };
  for (auto [arg, array] : llvm::zip_equal(fold.getEdgeArgs(), edges))
    add(arg, levels.addEdges(array));
  for (BlockArgument arg : fold.getChildArgs())
    add(arg, levels.addRecurrent(rowsType(rowType(arg.getType()))));
}

/// Children come in pairs in a chart alone.
static LogicalResult checkCuts(FoldOp fold) {
  if (!fold.isByCuts() || fold.getTree().getDefiningOp<ChartOp>())
    return success();
  // [TREE-FOLD-C8]
  InFlightDiagnostic diag = fold.emitOpError(
      "expected the tree of a 'tree.chart' where children come in pairs");
  diag.attachNote(fold.getTree().getLoc()) << "the tree comes from here";
  return diag;
}

namespace {
struct FoldBatching
    : BatchableOpInterface::ExternalModel<FoldBatching, FoldOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<FoldOp>(operation);
    if (failed(checkNotNested(op)))
      return failure();
    for (Value operand : op.getNodes())
      if (failed(spaces.joinNodes(op, operand, op.getTree())))
        return failure();
    for (Value operand : op.getEdges())
      if (failed(spaces.joinEdges(op, operand, op.getTree())))
        return failure();
    for (Value result : op.getResults())
      if (failed(spaces.joinNodes(op, result, op.getTree())))
        return failure();
    for (BlockArgument arg : op.getStackedArgs())
      if (hasRows(arg.getType()) &&
          failed(spaces.joinChildren(op, arg, &op.getBody())))
        return failure();
    return success();
  }

  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = cast<FoldOp>(operation);
    if (failed(checkCuts(op)))
      return failure();
    RecursionBatcher recursion(op, op.getTree(), batcher, op.isByCuts());
    if (failed(recursion.addNodeInputs(op.getNodes())))
      return failure();
    SmallVector<Value> base, edges;
    for (Value operand : op.getEdges())
      edges.push_back(
          recursion.permute(batcher.get(operand), Order::EdgesToLevels));
    bool hasLeaves = !op.getLeaf().empty();
    if (hasLeaves && failed(recursion.batchLeaves(op.getLeaf(), base)))
      return failure();
    Part part = hasLeaves ? Part::Inner : Part::All;
    auto addArgs = [&](ragged::LevelsBuilder &levels) {
      addStackedArgs(op, batcher, edges, levels);
    };
    auto finish = [](ArrayRef<Value> states, Value) {
      return ragged::LevelsYields{SmallVector<Value>(states), {}, {}, {}};
    };
    if (failed(recursion.batchBody(op.getBody(), part, addArgs, finish)))
      return failure();
    auto levels = recursion.buildLevels(ragged::Direction::Up, part, base);
    for (auto [state, array] :
         llvm::zip_equal(op.getResults(), levels.getResults()))
      batcher.set(state, recursion.permute(array, Order::NodesToUser));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// tree.unfold
//===----------------------------------------------------------------------===//

struct UnfoldBatching
    : BatchableOpInterface::ExternalModel<UnfoldBatching, UnfoldOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<UnfoldOp>(operation);
    if (failed(checkNotNested(op)))
      return failure();
    for (Value operand : op.getNodes())
      if (failed(spaces.joinNodes(op, operand, op.getTree())))
        return failure();
    for (Value result : op.getResults())
      if (failed(spaces.joinNodes(op, result, op.getTree())))
        return failure();
    return success();
  }

  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = cast<UnfoldOp>(operation);
    OpBuilder &builder = batcher.getBuilder();
    RecursionBatcher recursion(op, op.getTree(), batcher);
    if (failed(recursion.addNodeInputs(op.getNodes())))
      return failure();
    auto addArgs = [&](ragged::LevelsBuilder &levels) {
      for (BlockArgument arg : op.getParentArgs())
        batcher.set(arg, levels.addRecurrent(rowsType(arg.getType())));
    };
    // A node sends its states to its children.
    auto finish = [&](ArrayRef<Value> states, Value edges) {
      ragged::LevelsYields yields;
      for (Value state : states)
        yields.recurrent.push_back(
            ragged::ExpandOp::create(builder, op.getLoc(), state, edges));
      yields.nodes.assign(states.begin(), states.end());
      return yields;
    };
    if (failed(recursion.batchBody(op.getBody(), Part::All, addArgs, finish)))
      return failure();
    auto levels = recursion.buildLevels(ragged::Direction::Down, Part::All, {});
    for (auto [state, array] :
         llvm::zip_equal(op.getResults(), levels.getNodeResults()))
      batcher.set(state, recursion.permute(array, Order::NodesToUser));
    return success();
  }
};
} // namespace

void tree::attachRecursionBatching(MLIRContext &context) {
  FoldOp::attachInterface<FoldBatching>(context);
  UnfoldOp::attachInterface<UnfoldBatching>(context);
}
