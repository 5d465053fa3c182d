//===-- Iterations.cpp - Derivatives of ragged.iterate -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over rows is differentiated as the recursion over the chains of its
// executed iterations (docs/AdaptiveDepth.md). The recursion is never run: what
// its derivative needs is recorded by the loop.
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/DifferentiableOpInterface.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/Derivatives/LevelsDerivative.h"
#include "dialects/Ragged/Derivatives/ReverseSweep.h"
#include "dialects/Ragged/Derivatives/Tape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace cambium;

/// The rows that the region of `op` computes, as a region of the recursion: the
/// state of a node's only child is the row before the iteration. Gives the
/// flags.
static Value takeBody(ragged::IterateOp op, Region &body, OpBuilder &builder) {
  Location loc = op.getLoc();
  Block &block = body.emplaceBlock();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&block);
  Value edges = block.addArgument(ragged::RowsType::get(op.getContext()), loc);
  IRMapping mapping;
  mapping.map(op.getIdsArg(), block.addArgument(op.getIdsArg().getType(), loc));
  for (BlockArgument state : op.getStateArgs()) {
    Value child = block.addArgument(state.getType(), loc);
    Value slot = ragged::ToSlotsOp::create(builder, loc, child, edges, 1);
    mapping.map(state,
                nn::ReshapeOp::create(builder, loc, state.getType(), slot));
  }
  for (BlockArgument shared : op.getSharedArgs())
    mapping.map(shared, block.addArgument(shared.getType(), loc));
  for (Operation &inner : op.getBody().front().without_terminator()) {
    if (isa<ragged::IterationOp>(inner))
      mapping.map(inner.getResult(0),
                  ragged::IterationOp::create(builder, loc, edges).getResult());
    else
      builder.clone(inner, mapping);
  }
  SmallVector<Value> yielded;
  for (OperandRange values :
       {op.getYieldedStates(), op.getYieldedRecords(), op.getYieldedShared()})
    for (Value value : values)
      yielded.push_back(mapping.lookupOrDefault(value));
  ragged::YieldOp::create(builder, loc, yielded);
  Operation *end = op.getBody().front().getTerminator();
  return mapping.lookupOrDefault(end->getOperand(0));
}

/// Puts the recursion in the place of the loop; the loop says how long its
/// chains are.
static ExecutedLoop toLevels(ragged::IterateOp op, OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(op);
  Location loc = op.getLoc();
  Value forest = ragged::IterationsOp::create(
      builder, loc, ragged::ForestType::get(op.getContext()), op.getSteps(),
      op.getMax());
  Value rows =
      ragged::IndexOp::create(builder, loc, forest, ragged::Index::Rows);
  rows =
      ragged::PartOp::create(builder, loc, rows, forest, ragged::Part::Inner);
  SmallVector<Type> types(op.getStates().getTypes());
  llvm::append_range(types, op.getRecords().getTypes());
  llvm::append_range(types, op.getShared().getTypes());
  auto levels = ragged::LevelsOp::create(
      builder, loc, types, ragged::Direction::Up, ragged::Part::Inner, forest,
      rows, /*edges=*/ValueRange(), op.getInit(), op.getShared(),
      op.getInit().size(), op.getRecords().size(), op.getRematerialize());
  Value flags = takeBody(op, levels.getBody(), builder);
  Value roots =
      ragged::IndexOp::create(builder, loc, forest, ragged::Index::Roots);
  for (auto [state, all] :
       llvm::zip_equal(op.getStates(), levels.getRecurrentResults()))
    state.replaceAllUsesWith(
        ragged::GatherOp::create(builder, loc, all, roots));
  for (auto [number, all] :
       llvm::zip_equal(op.getHistories(), op.getHistoryResults()))
    all.replaceAllUsesWith(levels.getRecurrentResults()[number]);
  op.getRecords().replaceAllUsesWith(levels.getNodeResults());
  op.getSharedResults().replaceAllUsesWith(levels.getSharedResults());
  return {op, expandTape(levels, builder), flags};
}

/// Gives the recursions in the body of a loop their tapes.
static void expandInside(ragged::RepeatOp loop, OpBuilder &builder) {
  for (Operation &op : llvm::make_early_inc_range(
           loop.getBody().front().without_terminator())) {
    if (auto levels = dyn_cast<ragged::LevelsOp>(op))
      expandTape(levels, builder);
    else if (auto inner = dyn_cast<ragged::RepeatOp>(op))
      expandInside(inner, builder);
  }
}

SmallVector<ExecutedLoop> cambium::expandTapes(Block &block,
                                               OpBuilder &builder) {
  SmallVector<ExecutedLoop> loops;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto iterate = dyn_cast<ragged::IterateOp>(op))
      loops.push_back(toLevels(iterate, builder));
    else if (auto levels = dyn_cast<ragged::LevelsOp>(op))
      expandTape(levels, builder);
    else if (auto repeat = dyn_cast<ragged::RepeatOp>(op))
      expandInside(repeat, builder);
  }
  return loops;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

/// The region of the recursion as that of a loop: a node's only child is the
/// row itself, before the iteration.
static void giveBody(ExecutedLoop executed, ragged::IterateOp loop,
                     OpBuilder &builder) {
  ragged::LevelsOp levels = executed.levels;
  unsigned numStates = levels.getNumRecurrent();
  size_t numShared = levels.getShared().size();
  loop.getBody().takeBody(levels.getBody());
  Block &block = loop.getBody().front();
  BlockArgument edges = block.getArgument(0), ids = block.getArgument(1);
  for (Operation *user : llvm::make_early_inc_range(edges.getUsers())) {
    if (isa<ragged::IterationOp>(user)) {
      user->setOperand(0, ids);
      continue;
    }
    auto slots = cast<ragged::ToSlotsOp>(user);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(slots);
    slots.getResult().replaceAllUsesWith(nn::ReshapeOp::create(
        builder, slots.getLoc(), slots.getType(), slots.getInput()));
    slots.erase();
  }
  block.eraseArgument(0);
  Operation *end = block.getTerminator();
  SmallVector<Value> values(end->getOperands());
  ArrayRef<Value> all(values);
  SmallVector<Value> yielded{executed.flags};
  llvm::append_range(yielded, all.take_front(numStates));
  llvm::append_range(yielded, all.take_back(numShared));
  llvm::append_range(yielded, all.drop_front(numStates).drop_back(numShared));
  end->setOperands(yielded);
}

/// The states at the end are those of the loop, and how many rows a history has
/// is known without it.
static void replaceHistories(ragged::IterateOp loop, Value forest,
                             OpBuilder &builder) {
  for (auto [state, history] :
       llvm::zip_equal(loop.getStates(), loop.getHistoryResults()))
    for (Operation *user : llvm::to_vector(history.getUsers())) {
      if (auto dim = dyn_cast<tensor::DimOp>(user);
          dim && dim.getConstantIndex() == 0) {
        builder.setInsertionPoint(dim);
        dim.replaceAllUsesWith(Value(ragged::NumNodesOp::create(
            builder, dim.getLoc(), forest, ragged::Part::All)));
      }
      auto gather = dyn_cast<ragged::GatherOp>(user);
      if (!gather)
        continue;
      auto index = gather.getIndex().getDefiningOp<ragged::IndexOp>();
      if (index && index.getWhich() == ragged::Index::Roots)
        gather.getResult().replaceAllUsesWith(state);
    }
}

/// Puts a loop that records in the place of the one that counts and of the
/// recursion.
static void record(ExecutedLoop executed, OpBuilder &builder) {
  auto [op, levels, flags] = executed;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(levels);
  SmallVector<Type> types(op.getStates().getTypes());
  types.push_back(op.getSteps().getType());
  for (ResultRange range :
       {levels.getSharedResults(), levels.getRecurrentResults(),
        levels.getNodeResults(), levels.getEdgeResults()})
    llvm::append_range(types, range.getTypes());
  auto histories = llvm::to_vector(llvm::seq<int64_t>(op.getInit().size()));
  auto loop = ragged::IterateOp::create(
      builder, op.getLoc(), types, op.getMax(), op.getActive(), op.getInit(),
      op.getShared(), histories, op.getRematerialize());
  op.getSteps().replaceAllUsesWith(loop.getSteps());
  // What was made of the counts stands before the recursion.
  Operation *last = loop;
  Operation *rows = levels.getNodes().front().getDefiningOp();
  Operation *forest = levels.getForest().getDefiningOp();
  for (Operation *made : {forest, rows->getOperand(0).getDefiningOp(), rows}) {
    made->moveAfter(last);
    last = made;
  }
  levels.getSharedResults().replaceAllUsesWith(loop.getSharedResults());
  levels.getRecurrentResults().replaceAllUsesWith(loop.getHistoryResults());
  SmallVector<Value> records(levels.getNodeResults());
  llvm::append_range(records, levels.getEdgeResults());
  for (auto [from, to] : llvm::zip_equal(records, loop.getRecords()))
    from.replaceAllUsesWith(to);
  giveBody(executed, loop, builder);
  replaceHistories(loop, forest->getResult(0), builder);
  levels.erase();
  op.erase();
}

void cambium::recordTapes(ArrayRef<ExecutedLoop> loops, OpBuilder &builder) {
  for (const ExecutedLoop &loop : loops)
    record(loop, builder);
}

//===----------------------------------------------------------------------===//
// Loops in regions
//===----------------------------------------------------------------------===//

namespace {
/// The derivative of a loop in the region of a recursion or of another loop. It
/// is executed once more where its derivative is, and records there.
class NestedLoop {
public:
  NestedLoop(ragged::IterateOp op, VJPBuilder &outer)
      : op(op), outer(outer), builder(outer.getBuilder()) {}

  LogicalResult build() {
    ragged::IterateOp copy = copyLoop();
    ExecutedLoop executed = toLevels(copy, builder);
    Block *block = builder.getInsertionBlock();
    builder.setInsertionPointToEnd(block);
    ActiveValues active;
    for (auto [primal, value] : inputs)
      if (outer.wants(primal))
        active.insert(value);
    Block::iterator begin(copy), end = block->end();
    active.propagate(begin, end);
    ReverseSweep sweep(builder, active);
    addCotangents(executed, sweep);
    if (failed(sweep.run(Block::iterator(executed.levels), end)))
      return failure();
    for (Value value : distinct)
      if (Value cotangent = sweep.cotangent(value))
        passOn(value, cotangent);
    recordTapes(executed, builder);
    builder.setInsertionPointToEnd(block);
    return success();
  }

private:
  ragged::IterateOp copyLoop() {
    IRMapping mapping;
    for (Value primal : readBy(op)) {
      Value value = outer.value(primal);
      mapping.map(primal, value);
      inputs.push_back({primal, value});
      distinct.insert(value);
    }
    return cast<ragged::IterateOp>(builder.clone(*op, mapping));
  }

  /// Those of the states at the end, which the recursion's roots have.
  void addCotangents(ExecutedLoop executed, ReverseSweep &sweep) {
    for (auto [state, history] :
         llvm::zip_equal(op.getStates(), executed.levels.getRecurrentResults()))
      for (Operation *user : history.getUsers())
        if (isa<ragged::GatherOp>(user))
          sweep.add(user->getResult(0), outer.cotangent(state));
  }

  /// One value may stand for several.
  void passOn(Value value, Value cotangent) {
    for (auto [primal, other] : inputs)
      if (other == value && outer.wants(primal)) {
        outer.add(primal, cotangent);
        return;
      }
  }

  ragged::IterateOp op;
  VJPBuilder &outer;
  OpBuilder &builder;
  SmallVector<std::pair<Value, Value>> inputs;
  llvm::SetVector<Value> distinct;
};

struct IterateModel
    : DifferentiableOpInterface::ExternalModel<IterateModel,
                                               ragged::IterateOp> {
  LogicalResult buildVJP(Operation *op, VJPBuilder &builder) const {
    return NestedLoop(cast<ragged::IterateOp>(op), builder).build();
  }
};
} // namespace

void cambium::registerIterateDerivative(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ragged::RaggedDialect *) {
    ragged::IterateOp::attachInterface<IterateModel>(*context);
  });
}
