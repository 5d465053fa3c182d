//===-- LevelsDerivative.cpp - The derivative of ragged.levels ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The derivative of a recursion in one direction is a recursion in the other
// (docs/Design.md). It is built in two sweeps over the same region:
//
// - `LevelSweep` builds the region of the new `ragged.levels`: cotangents of
// the
//   level's own values. What it needs of the forward pass comes in as arrays.
// - `ArraySweep` builds, after the loop and on whole arrays, the cotangents of
//   captured values (weights). For it the loop yields the cotangents of the ops
//   that read them.
//
//===----------------------------------------------------------------------===//
#include "cambium/Autodiff/LevelsDerivative.h"
#include "cambium/Autodiff/ReverseSweep.h"
#include "cambium/Autodiff/Tape.h"
#include "cambium/Interfaces/DifferentiableOpInterface.h"
#include "dialects/NN/IR/ConstantLike.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

namespace {
/// The forward op, and what its values are as arrays over all nodes or edges.
class ForwardArrays {
public:
  ForwardArrays(LevelsOp op, VJPBuilder &outer)
      : op(op), outer(outer), rows(op) {
    auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
    for (auto [i, value] : llvm::enumerate(yield.getValues()))
      yields.try_emplace(value, i);
  }

  LevelsOp op;
  VJPBuilder &outer;

  RowKind kind(Value value) const { return rows.kind(value); }
  bool isRebuilt(Value value) { return isRematerialized(value, op, rows); }
  bool isLocal(Value value) { return value.getParentRegion() == &op.getBody(); }
  Value forest() { return outer.value(op.getForest()); }
  bool isUp() { return op.getDirection() == Direction::Up; }
  unsigned numRecurrent() { return op.getNumRecurrent(); }

  /// Whether a value of the region is what the levels pass on: the argument, or
  /// what is yielded for it.
  std::optional<unsigned> sharedIndex(Value value) {
    for (auto [i, arg] : llvm::enumerate(op.getSharedArgs()))
      if (value == arg || value == yieldedShared(i))
        return i;
    return std::nullopt;
  }
  /// The op that puts the level's rows into a shared array; null if none does.
  PutRowsOp putOf(unsigned shared) {
    return yieldedShared(shared).getDefiningOp<PutRowsOp>();
  }
  /// What the array held in these rows before.
  Value overwrittenRows(unsigned shared) {
    for (Operation *user : op.getSharedArgs()[shared].getUsers())
      if (auto gather = dyn_cast<GatherOp>(user);
          gather && gather.getIndex() == putOf(shared).getIds())
        return gather.getResult();
    llvm_unreachable("the tape holds the rows that are overwritten");
  }
  /// Whether what an op reads and gives of the region are arrays over all nodes
  /// or edges, so that its derivative can be taken after the loop.
  bool hasArrays(Operation *reader) {
    auto isArray = [&](Value value) {
      if (!isLocal(value) || value == op.getEdgesArg())
        return true;
      return !isa<RowsType>(value.getType()) && kind(value) != RowKind::Level;
    };
    return llvm::all_of(reader->getOperands(), isArray) &&
           llvm::all_of(reader->getResults(), isArray);
  }

  /// All edges, grouped by the nodes of the op's part.
  Value edges() {
    if (!edgesValue)
      edgesValue = outer.create<EdgesOp>(op.getLoc(), forest(), op.getPart());
    return edgesValue;
  }

  /// The rows of the op's part of an array over all nodes.
  Value ofPart(Value array) {
    if (op.getPart() == Part::All)
      return array;
    return outer.create<PartOp>(op.getLoc(), array, forest(), op.getPart());
  }

  /// The array of a region argument or of a yielded value of the region.
  Value array(Value value) {
    Value &known = arrays[value];
    if (!known)
      known = build(value);
    return known;
  }

private:
  Value yieldedShared(unsigned shared) {
    auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
    return yield.getValues().take_back(op.getShared().size())[shared];
  }

  Value build(Value value) {
    if (auto arg = dyn_cast<BlockArgument>(value))
      return buildArgument(arg);
    auto it = yields.find(value);
    assert(it != yields.end() &&
           "the tape holds every value that is not built again");
    Value result = outer.value(op.getResult(it->second));
    bool isState = isUp() && it->second < numRecurrent();
    return isState ? ofPart(result) : result;
  }

  Value buildArgument(BlockArgument arg) {
    unsigned index = arg.getArgNumber() - 1, nodes = op.getNodes().size();
    if (index < nodes)
      return outer.value(op.getNodes()[index]);
    index -= nodes;
    if (index < op.getEdges().size())
      return outer.value(op.getEdges()[index]);
    index -= op.getEdges().size();
    Value full = outer.value(op.getRecurrentResults()[index]);
    if (!isUp())
      return outer.create<SumParentsOp>(op.getLoc(), full, forest(),
                                        op.getPart());
    Value children =
        outer.create<IndexOp>(op.getLoc(), forest(), Index::Children);
    return outer.create<GatherOp>(op.getLoc(), full, children);
  }

  LevelRows rows;
  llvm::DenseMap<Value, unsigned> yields;
  llvm::DenseMap<Value, Value> arrays;
  Value edgesValue;
};

/// Clones an op that is computed again, with its operands where it is needed.
Value rematerialize(OpBuilder &builder, Value value,
                    llvm::DenseMap<Value, Value> &known,
                    function_ref<Value(Value)> map) {
  Operation *op = value.getDefiningOp();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(map(operand));
  Operation *clone = builder.clone(*op);
  clone->setOperands(operands);
  for (auto [from, to] : llvm::zip_equal(op->getResults(), clone->getResults()))
    known[from] = to;
  return known[value];
}

/// Builds the region of the reverse recursion.
class LevelSweep : public ReverseSweep {
public:
  LevelSweep(OpBuilder &builder, const ActiveValues &active,
             ForwardArrays &forward, Region &region)
      : ReverseSweep(builder, active), forward(forward), block(region.front()),
        region(&region) {
    known[forward.op.getEdgesArg()] = block.getArgument(0);
  }

  /// Captured values get their cotangents after the loop, but for what has no
  /// array over all nodes.
  bool wants(Value operand) override {
    return (forward.isLocal(operand) || visitsInLoop) &&
           ReverseSweep::wants(operand);
  }

  Value value(Value primal) override {
    if (!forward.isLocal(primal))
      return forward.outer.value(primal);
    if (Value found = known.lookup(primal))
      return found;
    if (std::optional<unsigned> shared = forward.sharedIndex(primal))
      return known[primal] = restore(*shared, primal);
    if (forward.isRebuilt(primal))
      return rematerialize(getBuilder(), primal, known,
                           [&](Value v) { return value(v); });
    Value arg = addInput(forward.array(primal), forward.kind(primal));
    known[primal] = arg;
    return arg;
  }

  /// A value that the levels pass on: what the level has made of it comes from
  /// the level above, what it was before is that with the overwritten rows.
  Value restore(unsigned shared, Value primal) {
    PutRowsOp put = forward.putOf(shared);
    if (!put)
      return forward.outer.value(forward.op.getShared()[shared]);
    Value made = put.getResult();
    if (!known.contains(made)) {
      known[made] =
          addShared(forward.outer.value(forward.op.getSharedResults()[shared]));
      restored.push_back(shared);
    }
    if (primal == made)
      return known[made];
    return PutRowsOp::create(getBuilder(), forward.op.getLoc(),
                             value(forward.overwrittenRows(shared)),
                             known[made], value(put.getIds()));
  }

  /// The argument of the array number `slot` that the levels pass on.
  Value sharedArgument(unsigned slot) {
    return block.getArguments().take_back(shared.size())[slot];
  }
  /// An array that the levels pass on, as a new argument of the region.
  Value addShared(Value init) {
    shared.push_back(init);
    return block.addArgument(init.getType(), forward.op.getLoc());
  }

  /// The level's rows of an array, as a new argument of the region.
  Value addInput(Value array, RowKind kind) {
    bool isNode = kind == RowKind::Node;
    unsigned position = 1 + nodes.size() + (isNode ? 0 : edges.size());
    (isNode ? nodes : edges).push_back(array);
    return block.insertArgument(position, array.getType(), forward.op.getLoc());
  }

  /// Remembers ops that read wanted captured values: their results' cotangents
  /// are needed as arrays.
  LogicalResult visit(Operation *op) override {
    bool readsWanted = llvm::any_of(op->getOperands(), [&](Value operand) {
      return !forward.isLocal(operand) && forward.outer.wants(operand);
    });
    if (readsWanted && forward.hasArrays(op)) {
      deferred.push_back(op);
      return ReverseSweep::visit(op);
    }
    if (readsWanted)
      for (Value operand : op->getOperands())
        if (!forward.isLocal(operand) && forward.outer.wants(operand))
          inLoop.insert(operand);
    visitsInLoop = readsWanted;
    LogicalResult result = ReverseSweep::visit(op);
    visitsInLoop = false;
    return result;
  }

  ForwardArrays &forward;
  Block &block;
  Region *region;
  SmallVector<Value> nodes, edges; // operands of the new op
  SmallVector<Value> shared;       // the same, in the order of arguments
  SmallVector<unsigned> restored;  // forward arrays that are taken back
  llvm::SetVector<Value> inLoop;   // captured, with cotangents in the loop
  bool visitsInLoop = false;
  SmallVector<Operation *> deferred;  // forward ops, last first
  llvm::DenseMap<Value, Value> known; // forward value -> value in the region
};

/// Builds the contributions to captured values from whole arrays.
class ArraySweep : public VJPBuilder {
public:
  ArraySweep(ForwardArrays &forward,
             const llvm::DenseMap<Value, Value> &cotangents)
      : VJPBuilder(forward.outer.getBuilder()), forward(forward),
        cotangents(cotangents) {}

  Value value(Value primal) override {
    if (!forward.isLocal(primal))
      return forward.outer.value(primal);
    if (primal == forward.op.getEdgesArg())
      return forward.edges();
    if (Value found = known.lookup(primal))
      return found;
    if (forward.isRebuilt(primal))
      return rematerialize(getBuilder(), primal, known,
                           [&](Value v) { return value(v); });
    return forward.array(primal);
  }
  Value cotangent(Value result) override { return cotangents.lookup(result); }
  bool wants(Value operand) override {
    return !forward.isLocal(operand) && forward.outer.wants(operand);
  }
  void add(Value operand, Value contribution) override {
    if (wants(operand))
      forward.outer.add(operand, contribution);
  }

private:
  ForwardArrays &forward;
  const llvm::DenseMap<Value, Value> &cotangents;
  llvm::DenseMap<Value, Value> known;
};

/// The whole derivative of one op.
class LevelsDerivative {
public:
  LevelsDerivative(LevelsOp op, VJPBuilder &outer)
      : op(op), outer(outer), loc(op.getLoc()), forward(op, outer) {}

  LogicalResult build() {
    findActive();
    Region region;
    Block &block = region.emplaceBlock();
    block.addArgument(RowsType::get(op.getContext()), loc);
    OpBuilder inner(op.getContext());
    inner.setInsertionPointToEnd(&block);
    LevelSweep sweep(inner, active, forward, region);
    seed(sweep);
    Block &body = op.getBody().front();
    if (failed(sweep.run(body.begin(), std::prev(body.end()))))
      return failure();
    LevelsOp reverse = finish(sweep, region);
    distribute(sweep, reverse);
    return buildDeferred(sweep, reverse);
  }

private:
  /// Values of the region that depend on what is wanted, by a fixed point over
  /// the recurrence.
  void findActive() {
    auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
    auto start = [&](Block::BlockArgListType args, OperandRange operands) {
      for (auto [arg, operand] : llvm::zip_equal(args, operands))
        if (outer.wants(operand))
          active.insert(arg);
    };
    start(op.getNodeArgs(), op.getNodes());
    start(op.getEdgeArgs(), op.getEdges());
    if (!op.getBase().empty())
      start(op.getRecurrentArgs(), op.getBase());
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getBody(), captured);
    for (Value value : captured)
      if (outer.wants(value))
        active.insert(value);
    start(op.getSharedArgs(), op.getShared());
    unsigned firstShared = op.getNumResults() - op.getShared().size();
    bool changed = true;
    while (changed) {
      active.propagate(op.getBody().front().begin(),
                       op.getBody().front().end());
      changed = false;
      for (auto [i, arg] : llvm::enumerate(op.getRecurrentArgs()))
        if (active.contains(yield.getValues()[i]))
          changed |= active.insert(arg);
      for (auto [i, arg] : llvm::enumerate(op.getSharedArgs()))
        if (active.contains(yield.getValues()[firstShared + i]))
          changed |= active.insert(arg);
    }
    for (auto [i, arg] : llvm::enumerate(op.getRecurrentArgs()))
      if (active.contains(arg))
        recurrent.push_back(i);
  }

  /// The cotangents of what the region yields: those of the results, and those
  /// that the reverse recursion brings. Recurrent arguments come last in the
  /// region, so they are added first and inputs are inserted before them.
  void seed(LevelSweep &sweep) {
    auto yield = cast<YieldOp>(op.getBody().front().getTerminator());
    for (unsigned i : recurrent) {
      Value arg = sweep.block.addArgument(op.getResult(i).getType(), loc);
      sweep.add(yield.getValues()[i], arg);
    }
    unsigned firstShared = op.getNumResults() - op.getShared().size();
    for (auto [i, arg] : llvm::enumerate(op.getSharedArgs()))
      if (active.contains(arg)) {
        sharedArgs.push_back(i);
        Value init = outer.cotangent(op.getSharedResults()[i]);
        if (!init)
          init = constantLike(outer.getBuilder(), loc,
                              outer.value(op.getShared()[i]), 0.0);
        sweep.add(yield.getValues()[firstShared + i], sweep.addShared(init));
      }
    for (auto [i, result] :
         llvm::enumerate(op.getResults().take_front(firstShared))) {
      Value cotangent = outer.cotangent(result);
      Value yielded = yield.getValues()[i];
      if (!cotangent || !active.contains(yielded))
        continue;
      bool isState = forward.isUp() && i < forward.numRecurrent();
      Value array = isState ? forward.ofPart(cotangent) : cotangent;
      sweep.add(yielded, sweep.addInput(array, forward.kind(yielded)));
    }
  }

  /// Ends the region: yields what the reverse recursion passes on (the
  /// cotangents of the recurrent arguments), those of the inputs, and those
  /// that deferred contributions need.
  LevelsOp finish(LevelSweep &sweep, Region &region) {
    OpBuilder &inner = sweep.getBuilder();
    SmallVector<Value> yields, edgeYields, nodeYields;
    for (unsigned i : recurrent)
      yields.push_back(orZero(sweep, op.getRecurrentArgs()[i]));
    auto request = [&](Value value) {
      Value cotangent = sweep.cotangent(value);
      if (!cotangent || requested.contains(value))
        return;
      bool isNode = forward.kind(value) == RowKind::Node;
      SmallVector<Value> &list = isNode ? nodeYields : edgeYields;
      requested[value] = {isNode, static_cast<unsigned>(list.size())};
      list.push_back(cotangent);
    };
    for (auto [arg, operand] : llvm::zip_equal(op.getNodeArgs(), op.getNodes()))
      if (outer.wants(operand))
        request(arg);
    for (auto [arg, operand] : llvm::zip_equal(op.getEdgeArgs(), op.getEdges()))
      if (outer.wants(operand))
        request(arg);
    for (Operation *reader : sweep.deferred)
      for (Value result : reader->getResults())
        request(result);
    llvm::append_range(yields, nodeYields);
    llvm::append_range(yields, edgeYields);
    finishShared(sweep, yields);
    YieldOp::create(inner, loc, yields);
    Direction direction = forward.isUp() ? Direction::Down : Direction::Up;
    SmallVector<Value> base;
    if (direction == Direction::Up && op.getPart() == Part::Inner)
      for (unsigned i : recurrent)
        base.push_back(
            zeroLeaves(cast<RankedTensorType>(op.getResult(i).getType())));
    auto reverse = outer.create<LevelsOp>(
        loc, ValueRange(yields).getTypes(), direction, op.getPart(),
        forward.forest(), sweep.nodes, sweep.edges, base, sweep.shared,
        recurrent.size(), nodeYields.size());
    reverse.getBody().takeBody(region);
    return reverse;
  }

  /// Yields what the levels pass on: cotangents of shared arrays, what is
  /// taken back, and the sums of the cotangents of captured values. Inputs for
  /// these must not be asked for after the yields are known.
  void finishShared(LevelSweep &sweep, SmallVectorImpl<Value> &yields) {
    OpBuilder &inner = sweep.getBuilder();
    size_t first = yields.size();
    for (auto [slot, i] : llvm::enumerate(sharedArgs)) {
      Value cotangent = sweep.cotangent(op.getSharedArgs()[i]);
      if (!cotangent)
        cotangent = constantLike(inner, loc, sweep.sharedArgument(slot), 0.0);
      yields.push_back(cotangent);
    }
    for (unsigned i : sweep.restored)
      yields.push_back(sweep.value(op.getSharedArgs()[i]));
    for (Value captured : sweep.inLoop) {
      Value term = sweep.cotangent(captured);
      if (!term)
        continue;
      Value zero =
          constantLike(outer.getBuilder(), loc, outer.value(captured), 0.0);
      Value sum = sweep.addShared(zero);
      capturedSums.push_back({captured, yields.size() - first});
      yields.push_back(arith::AddFOp::create(inner, loc, sum, term));
    }
  }

  /// The cotangent of a value of the region, zeros if it has none.
  Value orZero(LevelSweep &sweep, Value value) {
    if (Value cotangent = sweep.cotangent(value))
      return cotangent;
    return constantLike(sweep.getBuilder(), loc, sweep.value(value), 0.0);
  }

  Value zeroLeaves(RankedTensorType type) {
    Value count = outer.create<NumNodesOp>(loc, forward.forest(), Part::Leaves);
    RankedTensorType row = type.clone(type.getShape().drop_front());
    Value zero = constantLike(outer.getBuilder(), loc, row, Value(), 0.0);
    return outer.create<BroadcastOp>(loc, type, zero, count);
  }

  /// The array of a cotangent that was requested; null if it is zero.
  Value requestedArray(Value value, LevelsOp reverse) {
    auto it = requested.find(value);
    if (it == requested.end())
      return {};
    auto [isNode, index] = it->second;
    return isNode ? reverse.getNodeResults()[index]
                  : reverse.getEdgeResults()[index];
  }

  /// Passes the cotangents of the op's operands on.
  void distribute(LevelSweep &sweep, LevelsOp reverse) {
    for (auto [arg, operand] : llvm::zip_equal(op.getNodeArgs(), op.getNodes()))
      if (Value array = requestedArray(arg, reverse))
        outer.add(operand, array);
    for (auto [arg, operand] : llvm::zip_equal(op.getEdgeArgs(), op.getEdges()))
      if (Value array = requestedArray(arg, reverse))
        outer.add(operand, array);
    for (auto [slot, i] : llvm::enumerate(sharedArgs))
      outer.add(op.getShared()[i], reverse.getSharedResults()[slot]);
    for (auto [captured, slot] : capturedSums)
      outer.add(captured, reverse.getSharedResults()[slot]);
    if (op.getBase().empty())
      return;
    // The states of leaves: their own cotangents and the messages that reach
    // them.
    for (auto [slot, i] : llvm::enumerate(recurrent)) {
      Value base = op.getBase()[i];
      if (!outer.wants(base))
        continue;
      Value messages = reverse.getRecurrentResults()[slot];
      outer.add(base, outer.create<SumParentsOp>(
                          loc, messages, forward.forest(), Part::Leaves));
    }
    for (auto [i, base] : llvm::enumerate(op.getBase()))
      if (Value cotangent = outer.cotangent(op.getResult(i));
          cotangent && outer.wants(base))
        outer.add(base, outer.create<PartOp>(loc, cotangent, forward.forest(),
                                             Part::Leaves));
  }

  LogicalResult buildDeferred(LevelSweep &sweep, LevelsOp reverse) {
    llvm::DenseMap<Value, Value> cotangents;
    for (auto &[value, place] : requested)
      cotangents[value] = requestedArray(value, reverse);
    ArraySweep arrays(forward, cotangents);
    for (Operation *reader : sweep.deferred)
      if (failed(cast<DifferentiableOpInterface>(reader).buildVJP(arrays)))
        return failure();
    return success();
  }

  LevelsOp op;
  VJPBuilder &outer;
  Location loc;
  ForwardArrays forward;
  ActiveValues active;
  SmallVector<unsigned>
      recurrent; // the recurrent values that are differentiated
  llvm::MapVector<Value, std::pair<bool, unsigned>>
      requested;                    // -> node?, index
  SmallVector<unsigned> sharedArgs; // the shared arrays with a cotangent
  /// Captured values, and which shared result holds their cotangent.
  SmallVector<std::pair<Value, unsigned>> capturedSums;
};

struct Model : DifferentiableOpInterface::ExternalModel<Model, LevelsOp> {
  LogicalResult buildVJP(Operation *op, VJPBuilder &builder) const {
    return LevelsDerivative(cast<LevelsOp>(op), builder).build();
  }
};
} // namespace

void cambium::registerLevelsDerivative(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, RaggedDialect *) {
    LevelsOp::attachInterface<Model>(*context);
  });
}
