//===-- LevelSweeps.cpp - Sweeps over the region of a recursion ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LevelSweeps.h"
#include "dialects/Ragged/Derivatives/Tape.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

//===----------------------------------------------------------------------===//
// ForwardArrays
//===----------------------------------------------------------------------===//

ForwardArrays::ForwardArrays(const Recursion &recursion, VJPBuilder &outer)
    : recursion(recursion), outer(outer), rows(recursion) {
  auto add = [&](ArrayRef<Value> yielded, ArrayRef<Value> from) {
    for (auto [value, result] : llvm::zip_equal(yielded, from))
      results.try_emplace(value, result);
  };
  const LevelsYields &yields = recursion.yields, &all = recursion.results;
  if (!recursion.endsAtRoots) {
    add(yields.recurrent, all.recurrent);
    if (recursion.isUp())
      for (Value result : all.recurrent)
        states.insert(result);
  }
  add(yields.nodes, all.nodes);
  add(yields.edges, all.edges);
}

bool ForwardArrays::isRebuilt(Value value) {
  return rematerialized.contains(value);
}

Value ForwardArrays::cotangentOfRecurrent(unsigned i) {
  Value result = recursion.results.recurrent[i];
  Value cotangent = outer.cotangent(result);
  if (!cotangent || !recursion.endsAtRoots)
    return cotangent;
  Location loc = getLoc();
  Value roots = outer.create<IndexOp>(loc, forest(), Index::Roots);
  Value count = outer.create<NumNodesOp>(loc, forest(), Part::All);
  return outer.create<ScatterSumOp>(loc, cotangent, roots, count);
}

std::optional<unsigned> ForwardArrays::sharedIndex(Value value) {
  for (auto [i, arg, yielded] :
       llvm::enumerate(recursion.args.shared, recursion.yields.shared))
    if (value == arg || value == yielded)
      return i;
  return std::nullopt;
}

Value ForwardArrays::overwrittenRows(unsigned shared) {
  for (Operation *user : recursion.args.shared[shared].getUsers())
    if (auto gather = dyn_cast<GatherOp>(user);
        gather && gather.getIndex() == putOf(shared).getIds())
      return gather.getResult();
  llvm_unreachable("the tape holds the rows that are overwritten");
}

bool ForwardArrays::hasArrays(Operation *reader) {
  auto isArray = [&](Value value) {
    if (!isLocal(value) || value == recursion.args.partition)
      return true;
    return !isa<RowsType>(value.getType()) && kind(value) != RowKind::Level;
  };
  return llvm::all_of(reader->getOperands(), isArray) &&
         llvm::all_of(reader->getResults(), isArray);
}

Value ForwardArrays::edges() {
  if (!edgesValue)
    edgesValue = outer.create<EdgesOp>(getLoc(), forest(), recursion.part,
                                       recursion.cuts);
  return edgesValue;
}

Value ForwardArrays::alongEdges(Value array) {
  return recursion.cuts ? outer.create<FromCutsOp>(getLoc(), array) : array;
}

Value ForwardArrays::ofPart(Value array) {
  if (recursion.part == Part::All)
    return array;
  return outer.create<PartOp>(getLoc(), array, forest(), recursion.part);
}

Value ForwardArrays::array(Value value) {
  Value &known = arrays[value];
  if (!known)
    known = build(value);
  return known;
}

Value ForwardArrays::build(Value value) {
  if (isa<BlockArgument>(value) && !recursion.endsAtRoots)
    return buildArgument(value);
  if (Value array = recursion.getArrayOf(value))
    return outer.value(array);
  Value result = results.lookup(value);
  assert(result && "the tape holds every value that is not built again");
  Value array = outer.value(result);
  return states.contains(result) ? ofPart(array) : array;
}

Value ForwardArrays::buildArgument(Value arg) {
  if (Value array = recursion.getArrayOf(arg))
    return outer.value(array);
  const Values &args = recursion.args.recurrent;
  size_t i = llvm::find(args, arg) - args.begin();
  Value full = outer.value(recursion.results.recurrent[i]);
  Location loc = getLoc();
  if (!recursion.isUp())
    return outer.create<SumParentsOp>(loc, alongEdges(full), forest(),
                                      recursion.part);
  Value children = outer.create<IndexOp>(loc, forest(), Index::Children);
  Value states = outer.create<GatherOp>(loc, full, children);
  return recursion.cuts ? outer.create<ToCutsOp>(loc, states) : states;
}

//===----------------------------------------------------------------------===//
// LevelSweep
//===----------------------------------------------------------------------===//

Value LevelSweep::value(Value primal) {
  if (!forward.isLocal(primal))
    return forward.outer.value(primal);
  if (Value found = known.lookup(primal))
    return found;
  if (std::optional<unsigned> shared = forward.sharedIndex(primal))
    return known[primal] = restore(*shared, primal);
  if (primal.getDefiningOp<IterationOp>())
    return known[primal] =
               create<IterationOp>(forward.getLoc(), region.getEdgesArg())
                   .getResult();
  if (forward.isRebuilt(primal))
    return rebuild(*this, primal, known, forward.rowsLike(primal));
  Value arg = addInput(forward.array(primal), forward.kind(primal));
  known[primal] = arg;
  return arg;
}

Value LevelSweep::restore(unsigned shared, Value primal) {
  PutRowsOp put = forward.putOf(shared);
  if (!put)
    return forward.outer.value(forward.recursion.inputs.shared[shared]);
  Value made = put.getResult();
  if (!known.contains(made)) {
    known[made] = region.addShared(
        forward.outer.value(forward.recursion.results.shared[shared]));
    restored.push_back(shared);
  }
  if (primal == made)
    return known[made];
  return PutRowsOp::create(getBuilder(), forward.getLoc(),
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
  if (readsWanted && !forward.recursion.rematerialize &&
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
  if (primal == forward.recursion.args.partition)
    return forward.edges();
  if (Value found = known.lookup(primal))
    return found;
  if (forward.isRebuilt(primal))
    return rebuild(*this, primal, known, forward.rowsLike(primal));
  return forward.array(primal);
}
