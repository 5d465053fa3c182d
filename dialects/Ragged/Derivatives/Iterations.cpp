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
#include "dialects/Ragged/IR/LoopBuilders.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace cambium;

/// The rows that the region of `op` computes, as a region of the recursion: the
/// state of a node's only child is the row before the iteration. Gives what it
/// yields and, apart, the flags.
static std::pair<ragged::LevelsYields, Value>
cloneBody(ragged::IterateOp op, Value rows, ragged::LevelsBuilder &levels,
          OpBuilder &builder) {
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&levels.getBlock());
  Value edges = levels.getEdgesArg();
  IRMapping mapping;
  mapping.map(op.getIdsArg(), levels.addNodes(rows));
  for (BlockArgument state : op.getStateArgs()) {
    Value child = levels.addRecurrent(state.getType());
    Value slot = ragged::ToSlotsOp::create(builder, loc, child, edges, 1);
    mapping.map(state,
                nn::ReshapeOp::create(builder, loc, state.getType(), slot));
  }
  for (auto [arg, array] : llvm::zip_equal(op.getSharedArgs(), op.getShared()))
    mapping.map(arg, levels.addShared(array));
  for (Operation &inner : op.getBody().front().without_terminator()) {
    if (isa<ragged::IterationOp>(inner))
      mapping.map(inner.getResult(0),
                  ragged::IterationOp::create(builder, loc, edges).getResult());
    else
      builder.clone(inner, mapping);
  }
  ragged::IterateYields yields = op.getYields();
  for (ragged::Values *values :
       {&yields.states, &yields.shared, &yields.records})
    for (Value &value : *values)
      value = mapping.lookupOrDefault(value);
  return {{yields.states, yields.records, {}, yields.shared},
          mapping.lookupOrDefault(yields.flags)};
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
  ragged::LevelsBuilder body(loc);
  auto [yields, flags] = cloneBody(op, rows, body, builder);
  ragged::LevelsOp levels =
      body.build(builder, ragged::Direction::Up, ragged::Part::Inner, forest,
                 op.getInit(), yields, op.getRematerialize());
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

/// Moves the region of the recursion into that of a loop: a node's only child
/// is the row itself, before the iteration.
static void moveBody(ragged::LevelsOp levels, ragged::IterateOp op,
                     ragged::IterateBuilder &loop, OpBuilder &builder) {
  for (BlockArgument ids : levels.getNodeArgs())
    ids.replaceAllUsesWith(loop.getIdsArg());
  for (auto [arg, init] :
       llvm::zip_equal(levels.getRecurrentArgs(), op.getInit()))
    arg.replaceAllUsesWith(loop.addState(init));
  for (BlockArgument arg : levels.getSharedArgs())
    arg.replaceAllUsesWith(loop.addShared(arg.getType()));
  Value edges = levels.getEdgesArg();
  for (Operation *user : llvm::make_early_inc_range(edges.getUsers())) {
    if (isa<ragged::IterationOp>(user)) {
      user->setOperand(0, loop.getIdsArg());
      continue;
    }
    auto slots = cast<ragged::ToSlotsOp>(user);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(slots);
    slots.getResult().replaceAllUsesWith(nn::ReshapeOp::create(
        builder, slots.getLoc(), slots.getType(), slots.getInput()));
    slots.erase();
  }
  Block &body = levels.getBody().front();
  loop.getBlock().getOperations().splice(loop.getBlock().end(),
                                         body.getOperations(), body.begin(),
                                         Block::iterator(body.getTerminator()));
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
  ragged::IterateBuilder body(op.getLoc());
  moveBody(levels, op, body, builder);
  ragged::LevelsYields yields = levels.getYields();
  ragged::Values records = yields.nodes;
  llvm::append_range(records, yields.edges);
  auto histories = llvm::to_vector(llvm::seq<int64_t>(op.getInit().size()));
  ragged::IterateOp loop =
      body.build(builder, op.getMax(), op.getActive(), op.getShared(),
                 {flags, yields.recurrent, yields.shared, records},
                 op.getRematerialize(), histories);
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
  ragged::Values kept(levels.getNodeResults());
  llvm::append_range(kept, levels.getEdgeResults());
  for (auto [from, to] : llvm::zip_equal(kept, loop.getRecords()))
    from.replaceAllUsesWith(to);
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
