//===-- LevelsDerivative.cpp - The derivative of ragged.levels -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The derivative of a recursion in one direction is a recursion in the other
// (docs/Design.md).
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Derivatives/LevelsDerivative.h"
#include "LevelSweeps.h"
#include "dialects/NN/IR/ConstantLike.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

namespace {
/// The whole derivative of one op.
class LevelsDerivative {
public:
  LevelsDerivative(LevelsOp op, VJPBuilder &outer)
      : op(op), outer(outer), loc(op.getLoc()), forward(op, outer) {}

  LogicalResult build() {
    findActive();
    LevelsBuilder region(loc);
    OpBuilder inner(op.getContext());
    inner.setInsertionPointToEnd(&region.getBlock());
    LevelSweep sweep(inner, active, forward, region);
    seed(sweep);
    Block &body = op.getBody().front();
    if (failed(sweep.run(body.begin(), std::prev(body.end()))))
      return failure();
    LevelsOp reverse = finish(sweep);
    distribute(sweep, reverse);
    return buildDeferred(sweep, reverse);
  }

private:
  /// Values of the region that depend on what is wanted, by a fixed point over
  /// the recurrence.
  void findActive() {
    auto start = [&](Block::BlockArgListType args, OperandRange operands) {
      for (auto [arg, operand] : llvm::zip_equal(args, operands))
        if (outer.wants(operand))
          active.insert(arg);
    };
    start(op.getNodeArgs(), op.getNodes());
    start(op.getEdgeArgs(), op.getEdges());
    if (!op.getBase().empty())
      start(op.getRecurrentArgs(), op.getBase());
    for (Value value : capturedBy(op.getBody()))
      if (outer.wants(value))
        active.insert(value);
    start(op.getSharedArgs(), op.getShared());
    const LevelsYields &yields = forward.getYields();
    auto carry = [&](Block::BlockArgListType args, ArrayRef<Value> yielded) {
      bool changed = false;
      for (auto [arg, value] : llvm::zip_equal(args, yielded))
        if (active.contains(value))
          changed |= active.insert(arg);
      return changed;
    };
    bool changed = true;
    while (changed) {
      active.propagate(op.getBody().front().begin(),
                       op.getBody().front().end());
      changed = carry(op.getRecurrentArgs(), yields.recurrent);
      changed |= carry(op.getSharedArgs(), yields.shared);
    }
    for (auto [i, arg] : llvm::enumerate(op.getRecurrentArgs()))
      if (active.contains(arg))
        recurrent.push_back(i);
  }

  /// The cotangents of what the region yields: those of the results, and those
  /// that the reverse recursion brings. Recurrent arguments come last in the
  /// region, so they are added first and inputs are inserted before them.
  void seed(LevelSweep &sweep) {
    const LevelsYields &yields = forward.getYields();
    for (unsigned i : recurrent)
      sweep.add(
          yields.recurrent[i],
          sweep.region.addRecurrent(op.getRecurrentResults()[i].getType()));
    for (auto [i, arg] : llvm::enumerate(op.getSharedArgs()))
      if (active.contains(arg)) {
        Value init = outer.cotangent(op.getSharedResults()[i]);
        if (!init)
          init = constantLike(outer.getBuilder(), loc,
                              outer.value(op.getShared()[i]), 0.0);
        shared.push_back({i, sweep.region.addShared(init)});
        sweep.add(yields.shared[i], shared.back().second);
      }
    auto seedRows = [&](ResultRange results, ArrayRef<Value> yielded) {
      for (auto [result, value] : llvm::zip_equal(results, yielded)) {
        Value cotangent = outer.cotangent(result);
        if (!cotangent || !active.contains(value))
          continue;
        Value array =
            forward.holdsStates(result) ? forward.ofPart(cotangent) : cotangent;
        sweep.add(value, sweep.addInput(array, forward.kind(value)));
      }
    };
    seedRows(op.getRecurrentResults(), yields.recurrent);
    seedRows(op.getNodeResults(), yields.nodes);
    seedRows(op.getEdgeResults(), yields.edges);
  }

  /// Ends the region: yields what the reverse recursion passes on (the
  /// cotangents of the recurrent arguments), those of the inputs, and those
  /// that deferred contributions need.
  LevelsOp finish(LevelSweep &sweep) {
    LevelsYields yields;
    for (unsigned i : recurrent)
      yields.recurrent.push_back(orZero(sweep, op.getRecurrentArgs()[i]));
    auto request = [&](Value value) {
      Value cotangent = sweep.cotangent(value);
      if (!cotangent || requested.contains(value))
        return;
      bool isNode = forward.kind(value) == RowKind::Node;
      Values &list = isNode ? yields.nodes : yields.edges;
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
    finishShared(sweep, yields.shared);
    Direction direction = forward.isUp() ? Direction::Down : Direction::Up;
    SmallVector<Value> base;
    if (direction == Direction::Up && op.getPart() == Part::Inner)
      for (unsigned i : recurrent)
        base.push_back(zeroLeaves(
            cast<RankedTensorType>(op.getRecurrentResults()[i].getType())));
    return sweep.region.build(outer.getBuilder(), direction, op.getPart(),
                              forward.forest(), base, yields);
  }

  /// Yields what the levels pass on: cotangents of shared arrays, what is
  /// taken back, and the sums of the cotangents of captured values. Inputs for
  /// these must not be asked for after the yields are known.
  void finishShared(LevelSweep &sweep, Values &yields) {
    OpBuilder &inner = sweep.getBuilder();
    for (auto [i, arg] : shared) {
      Value cotangent = sweep.cotangent(op.getSharedArgs()[i]);
      if (!cotangent)
        cotangent = constantLike(inner, loc, arg, 0.0);
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
    for (auto [arg, operand] : llvm::zip_equal(op.getNodeArgs(), op.getNodes()))
      if (Value array = requestedArray(arg, reverse))
        outer.add(operand, array);
    for (auto [arg, operand] : llvm::zip_equal(op.getEdgeArgs(), op.getEdges()))
      if (Value array = requestedArray(arg, reverse))
        outer.add(operand, array);
    for (auto [result, carried] : llvm::zip(reverse.getSharedResults(), shared))
      outer.add(op.getShared()[carried.first], result);
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
      if (Value cotangent = outer.cotangent(op.getRecurrentResults()[i]);
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
      requested; // -> node?, index
  /// The shared arrays with a cotangent, and the region argument that holds it.
  SmallVector<std::pair<unsigned, Value>> shared;
  /// Captured values, and which shared result holds their cotangent.
  SmallVector<std::pair<Value, unsigned>> capturedSums;
};

struct LevelsModel
    : DifferentiableOpInterface::ExternalModel<LevelsModel, LevelsOp> {
  LogicalResult buildVJP(Operation *op, VJPBuilder &builder) const {
    return LevelsDerivative(cast<LevelsOp>(op), builder).build();
  }
};
} // namespace

void cambium::registerLevelsDerivative(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, RaggedDialect *) {
    LevelsOp::attachInterface<LevelsModel>(*context);
  });
}
