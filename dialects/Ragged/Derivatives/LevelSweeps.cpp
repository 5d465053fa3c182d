//===-- LevelSweeps.cpp - Sweeps over the region of levels ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LevelSweeps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

//===----------------------------------------------------------------------===//
// ForwardArrays
//===----------------------------------------------------------------------===//

std::optional<unsigned> ForwardArrays::sharedIndex(Value value) {
  for (auto [i, arg] : llvm::enumerate(op.getSharedArgs()))
    if (value == arg || value == yields.shared[i])
      return i;
  return std::nullopt;
}

Value ForwardArrays::overwrittenRows(unsigned shared) {
  for (Operation *user : op.getSharedArgs()[shared].getUsers())
    if (auto gather = dyn_cast<GatherOp>(user);
        gather && gather.getIndex() == putOf(shared).getIds())
      return gather.getResult();
  llvm_unreachable("the tape holds the rows that are overwritten");
}

bool ForwardArrays::hasArrays(Operation *reader) {
  auto isArray = [&](Value value) {
    if (!isLocal(value) || value == op.getEdgesArg())
      return true;
    return !isa<RowsType>(value.getType()) && kind(value) != RowKind::Level;
  };
  return llvm::all_of(reader->getOperands(), isArray) &&
         llvm::all_of(reader->getResults(), isArray);
}

Value ForwardArrays::edges() {
  if (!edgesValue)
    edgesValue = outer.create<EdgesOp>(op.getLoc(), forest(), op.getPart());
  return edgesValue;
}

Value ForwardArrays::ofPart(Value array) {
  if (op.getPart() == Part::All)
    return array;
  return outer.create<PartOp>(op.getLoc(), array, forest(), op.getPart());
}

Value ForwardArrays::array(Value value) {
  Value &known = arrays[value];
  if (!known)
    known = build(value);
  return known;
}

Value ForwardArrays::build(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value))
    return buildArgument(arg);
  Value result = results.lookup(value);
  assert(result && "the tape holds every value that is not built again");
  Value array = outer.value(result);
  return holdsStates(result) ? ofPart(array) : array;
}

Value ForwardArrays::buildArgument(BlockArgument arg) {
  if (Value array = op.getArrayOf(arg))
    return outer.value(array);
  const auto *place = llvm::find(op.getRecurrentArgs(), arg);
  Value full = outer.value(
      op.getRecurrentResults()[place - op.getRecurrentArgs().begin()]);
  if (!isUp())
    return outer.create<SumParentsOp>(op.getLoc(), full, forest(),
                                      op.getPart());
  Value children =
      outer.create<IndexOp>(op.getLoc(), forest(), Index::Children);
  return outer.create<GatherOp>(op.getLoc(), full, children);
}

//===----------------------------------------------------------------------===//
// LevelSweep
//===----------------------------------------------------------------------===//

/// Clones an op that is computed again, with its operands where it is needed.
static Value rematerialize(OpBuilder &builder, Value value,
                           llvm::DenseMap<Value, Value> &known,
                           function_ref<Value(Value)> map) {
  Operation *op = value.getDefiningOp();
  IRMapping mapping;
  for (Value read : readBy(op))
    mapping.map(read, map(read));
  Operation *clone = builder.clone(*op, mapping);
  for (auto [from, to] : llvm::zip_equal(op->getResults(), clone->getResults()))
    known[from] = to;
  return known[value];
}

Value LevelSweep::value(Value primal) {
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

Value LevelSweep::restore(unsigned shared, Value primal) {
  PutRowsOp put = forward.putOf(shared);
  if (!put)
    return forward.outer.value(forward.op.getShared()[shared]);
  Value made = put.getResult();
  if (!known.contains(made)) {
    known[made] = region.addShared(
        forward.outer.value(forward.op.getSharedResults()[shared]));
    restored.push_back(shared);
  }
  if (primal == made)
    return known[made];
  return PutRowsOp::create(getBuilder(), forward.op.getLoc(),
                           value(forward.overwrittenRows(shared)), known[made],
                           value(put.getIds()));
}

Value LevelSweep::addInput(Value array, RowKind kind) {
  return kind == RowKind::Node ? region.addNodes(array)
                               : region.addEdges(array);
}

LogicalResult LevelSweep::visit(Operation *op) {
  llvm::SetVector<Value> read = readBy(op);
  auto isWanted = [&](Value value) {
    return !forward.isLocal(value) && forward.outer.wants(value);
  };
  bool readsWanted = llvm::any_of(read, isWanted);
  // What is computed again is there in the loop alone.
  if (readsWanted && !forward.op.getRematerialize() &&
      op->getNumRegions() == 0 && forward.hasArrays(op)) {
    deferred.push_back(op);
    return ReverseSweep::visit(op);
  }
  for (Value value : read)
    if (isWanted(value))
      inLoop.insert(value);
  visitsInLoop = readsWanted;
  LogicalResult result = ReverseSweep::visit(op);
  visitsInLoop = false;
  return result;
}

//===----------------------------------------------------------------------===//
// ArraySweep
//===----------------------------------------------------------------------===//

Value ArraySweep::value(Value primal) {
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
