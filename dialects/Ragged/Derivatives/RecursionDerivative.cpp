//===-- RecursionDerivative.cpp - The derivative of a recursion ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The derivative of a recursion in one direction is a recursion in the other
// (docs/Design.md), that of a loop over rows one over the chains of its
// executed iterations (docs/AdaptiveDepth.md).
//
//===----------------------------------------------------------------------===//
#include "LevelSweeps.h"
#include "NestedLoop.h"
#include "cambium/Interfaces/DifferentiableOpInterface.h"
#include "dialects/NN/IR/ConstantLike.h"
#include "dialects/Ragged/Derivatives/LoopDerivatives.h"
#include "dialects/Ragged/Derivatives/Tape.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

namespace {
/// The whole derivative of one op.
class RecursionDerivative {
public:
  RecursionDerivative(const Recursion &recursion, VJPBuilder &outer)
      : op(recursion), outer(outer), loc(op.op->getLoc()), forward(op, outer) {}

  LogicalResult build() {
    findActive();
    LevelsBuilder region(loc, op.cuts);
    OpBuilder inner(loc.getContext());
    inner.setInsertionPointToEnd(&region.getBlock());
    LevelSweep sweep(inner, active, forward, region);
    seed(sweep);
    Block &body = op.getBlock();
    if (failed(sweep.run(body.begin(), std::prev(body.end()))))
      return failure();
    LevelsOp reverse = finish(sweep);
    distribute(sweep, reverse);
    return buildDeferred(sweep, reverse);
  }

private:
  /// Values of the region that depend on what is wanted.
  void findActive() {
    ActiveValues::Pairs taken, carried;
    auto add = [](ActiveValues::Pairs &pairs, ArrayRef<Value> args,
                  ArrayRef<Value> from) {
      for (auto [arg, value] : llvm::zip_equal(args, from))
        pairs.push_back({arg, value});
    };
    add(taken, op.args.nodes, op.inputs.nodes);
    add(taken, op.args.edges, op.inputs.edges);
    if (!op.inputs.base.empty())
      add(taken, op.args.recurrent, op.inputs.base);
    add(taken, op.args.shared, op.inputs.shared);
    add(carried, op.args.recurrent, op.yields.recurrent);
    add(carried, op.args.shared, op.yields.shared);
    active.propagateInLoop(outer, op.getBody(), taken, carried);
    for (auto [i, arg] : llvm::enumerate(op.args.recurrent))
      if (active.contains(arg))
        recurrent.push_back(i);
  }

  /// The cotangents of what the region yields: those of the results, and those
  /// that the reverse recursion brings. Recurrent arguments come last in the
  /// region, so they are added first and inputs are inserted before them.
  void seed(LevelSweep &sweep) {
    for (unsigned i : recurrent)
      sweep.add(op.yields.recurrent[i],
                sweep.region.addRecurrent(op.results.recurrent[i].getType()));
    for (auto [i, arg] : llvm::enumerate(op.args.shared))
      if (active.contains(arg)) {
        Value init = outer.cotangent(op.results.shared[i]);
        if (!init)
          init = constantLike(outer.getBuilder(), loc,
                              outer.value(op.inputs.shared[i]), 0.0);
        shared.push_back({i, sweep.region.addShared(init)});
        sweep.add(op.yields.shared[i], shared.back().second);
      }
    auto seedRows = [&](Value value, Value array) {
      if (array && active.contains(value))
        sweep.add(value, sweep.addInput(array, forward.kind(value)));
    };
    for (auto [i, value] : llvm::enumerate(op.yields.recurrent)) {
      cotangents.push_back(forward.cotangentOfRecurrent(i));
      if (active.contains(value))
        seedRows(value, op.isUp() && cotangents[i]
                            ? forward.ofPart(cotangents[i])
                            : cotangents[i]);
    }
    for (auto [value, result] :
         llvm::zip_equal(op.yields.nodes, op.results.nodes))
      seedRows(value, outer.cotangent(result));
    for (auto [value, result] :
         llvm::zip_equal(op.yields.edges, op.results.edges))
      seedRows(value, outer.cotangent(result));
  }

  /// Ends the region: yields what the reverse recursion passes on (the
  /// cotangents of the recurrent arguments), those of the inputs, and those
  /// that deferred contributions need.
  LevelsOp finish(LevelSweep &sweep) {
    LevelsYields yields;
    for (unsigned i : recurrent)
      yields.recurrent.push_back(orZero(sweep, op.args.recurrent[i]));
    auto request = [&](Value value) {
      Value cotangent = sweep.cotangent(value);
      if (!cotangent || requested.contains(value))
        return;
      bool isNode = forward.kind(value) == RowKind::Node;
      Values &list = isNode ? yields.nodes : yields.edges;
      requested[value] = {isNode, static_cast<unsigned>(list.size())};
      list.push_back(cotangent);
    };
    for (auto [arg, operand] : llvm::zip_equal(op.args.nodes, op.inputs.nodes))
      if (outer.wants(operand))
        request(arg);
    for (auto [arg, operand] : llvm::zip_equal(op.args.edges, op.inputs.edges))
      if (outer.wants(operand))
        request(arg);
    for (Operation *reader : sweep.deferred)
      for (Value result : reader->getResults())
        request(result);
    finishShared(sweep, yields.shared);
    Direction direction = op.isUp() ? Direction::Down : Direction::Up;
    SmallVector<Value> base;
    if (direction == Direction::Up && op.part == Part::Inner)
      for (unsigned i : recurrent)
        base.push_back(
            zeroLeaves(cast<RankedTensorType>(op.args.recurrent[i].getType())));
    return sweep.region.build(outer.getBuilder(), direction, op.part,
                              forward.forest(), base, yields);
  }

  /// Yields what the levels pass on: cotangents of shared arrays, what is
  /// taken back, and the sums of the cotangents of captured values. Inputs for
  /// these must not be asked for after the yields are known.
  void finishShared(LevelSweep &sweep, Values &yields) {
    OpBuilder &inner = sweep.getBuilder();
    for (auto [i, arg] : shared) {
      Value cotangent = sweep.cotangent(op.args.shared[i]);
      if (!cotangent)
        cotangent = constantLike(inner, loc, arg, 0.0);
      yields.push_back(cotangent);
    }
    for (unsigned i : sweep.restored)
      yields.push_back(sweep.value(op.args.shared[i]));
    for (Value captured : sweep.inLoop) {
      Value term = sweep.cotangent(captured);
      if (!term)
        continue;
      Value zero =
          constantLike(outer.getBuilder(), loc, outer.value(captured), 0.0);
      Value sum = sweep.region.addShared(zero);
      capturedSums.push_back({captured, yields.size()});
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
    for (auto [arg, operand] : llvm::zip_equal(op.args.nodes, op.inputs.nodes))
      if (Value array = requestedArray(arg, reverse))
        outer.add(operand, array);
    for (auto [arg, operand] : llvm::zip_equal(op.args.edges, op.inputs.edges))
      if (Value array = requestedArray(arg, reverse))
        outer.add(operand, array);
    for (auto [result, carried] : llvm::zip(reverse.getSharedResults(), shared))
      outer.add(op.inputs.shared[carried.first], result);
    for (auto [captured, slot] : capturedSums)
      outer.add(captured, reverse.getSharedResults()[slot]);
    if (op.inputs.base.empty())
      return;
    // The states of leaves: their own cotangents and the messages that reach
    // them.
    for (auto [slot, i] : llvm::enumerate(recurrent)) {
      Value base = op.inputs.base[i];
      if (!outer.wants(base))
        continue;
      Value messages = forward.alongEdges(reverse.getRecurrentResults()[slot]);
      outer.add(base, outer.create<SumParentsOp>(
                          loc, messages, forward.forest(), Part::Leaves));
    }
    for (auto [cotangent, base] : llvm::zip_equal(cotangents, op.inputs.base))
      if (cotangent && outer.wants(base))
        outer.add(base, outer.create<PartOp>(loc, cotangent, forward.forest(),
                                             Part::Leaves));
  }

  LogicalResult buildDeferred(LevelSweep &sweep, LevelsOp reverse) {
    llvm::DenseMap<Value, Value> ofReaders;
    for (auto &[value, place] : requested)
      ofReaders[value] = requestedArray(value, reverse);
    ArraySweep arrays(forward, ofReaders);
    for (Operation *reader : sweep.deferred)
      if (failed(cast<DifferentiableOpInterface>(reader).buildVJP(arrays)))
        return failure();
    return success();
  }

  const Recursion &op;
  VJPBuilder &outer;
  Location loc;
  ForwardArrays forward;
  ActiveValues active;
  /// The recurrent values that are differentiated.
  SmallVector<unsigned> recurrent;
  /// Those of the results for recurrent values, null where it is zero.
  SmallVector<Value> cotangents;
  llvm::MapVector<Value, std::pair<bool, unsigned>>
      requested; // -> node?, index
  /// The shared arrays with a cotangent, and the region argument that holds it.
  SmallVector<std::pair<unsigned, Value>> shared;
  /// Captured values, and which shared result holds their cotangent.
  SmallVector<std::pair<Value, unsigned>> capturedSums;
};

struct LevelsModel
    : DifferentiableOpInterface::ExternalModel<LevelsModel, LevelsOp> {
  void expandTape(Operation *op, OpBuilder &builder, bool) const {
    cambium::expandTape(cast<LevelsOp>(op), builder);
  }
  LogicalResult buildVJP(Operation *op, VJPBuilder &builder) const {
    return RecursionDerivative(Recursion(cast<LevelsOp>(op)), builder).build();
  }
};

/// A loop in the region of another one is executed again where its derivative
/// is, and keeps its tape there.
struct IterateModel
    : DifferentiableOpInterface::ExternalModel<IterateModel, IterateOp> {
  void expandTape(Operation *op, OpBuilder &builder, bool inLoop) const {
    if (!inLoop)
      cambium::expandTape(cast<IterateOp>(op), builder);
  }
  LogicalResult buildVJP(Operation *operation, VJPBuilder &builder) const {
    auto op = cast<IterateOp>(operation);
    if (op->getBlock() != builder.getBuilder().getInsertionBlock())
      return NestedLoop(op, builder).build();
    Recursion recursion(op);
    addForest(recursion, op, builder);
    return RecursionDerivative(recursion, builder).build();
  }

private:
  /// The forest of what was executed, and the numbers of the rows at its nodes.
  static void addForest(Recursion &recursion, IterateOp op,
                        VJPBuilder &builder) {
    Location loc = op.getLoc();
    recursion.forest = builder.create<IterationsOp>(
        loc, ForestType::get(op.getContext()), op.getSteps(), op.getMax());
    Value rows = builder.create<IndexOp>(loc, recursion.forest, Index::Rows);
    recursion.inputs.nodes = {
        builder.create<PartOp>(loc, rows, recursion.forest, Part::Inner)};
  }
};
} // namespace

void cambium::registerRecursionDerivatives(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, RaggedDialect *) {
    LevelsOp::attachInterface<LevelsModel>(*context);
    IterateOp::attachInterface<IterateModel>(*context);
  });
}
