//===-- Recursion.cpp - Loops as their derivatives see them --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Derivatives/Recursion.h"
#include "cambium/Interfaces/BatchableOpInterface.h"
#include "cambium/Support/Rows.h"
#include "dialects/Ragged/Derivatives/Tape.h"
#include "dialects/Ragged/IR/RowOrigins.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

//===----------------------------------------------------------------------===//
// Recursion
//===----------------------------------------------------------------------===//

Recursion::Recursion(LevelsOp op)
    : op(op), direction(op.getDirection()), part(op.getPart()),
      rematerialize(op.getRematerialize()), cuts(op.getCuts()),
      recurrentKind(isUp() ? RowKind::Edge : RowKind::Node), endsAtRoots(false),
      forest(op.getForest()), inputs(op.getInputs()),
      args{op.getEdgesArg(), Values(op.getNodeArgs()), Values(op.getEdgeArgs()),
           Values(op.getRecurrentArgs()), Values(op.getSharedArgs())},
      yields(op.getYields()), results(op.byKind(op.getResults())) {}

Recursion::Recursion(IterateOp op)
    : op(op), rematerialize(op.getRematerialize()), endsAtRoots(true),
      inputs{{Value()}, {}, Values(op.getInit()), Values(op.getShared())},
      args{{},
           {op.getIdsArg()},
           {},
           Values(op.getStateArgs()),
           Values(op.getSharedArgs())},
      results{Values(op.getStates()),
              Values(op.getRecords()),
              {},
              Values(op.getSharedResults())} {
  IterateYields yielded = op.getYields();
  yields = {yielded.states, yielded.records, {}, yielded.shared};
}

Value Recursion::getArrayOf(Value arg) const {
  for (auto [argument, array] : llvm::zip_equal(args.nodes, inputs.nodes))
    if (argument == arg)
      return array;
  for (auto [argument, array] : llvm::zip_equal(args.edges, inputs.edges))
    if (argument == arg)
      return array;
  return {};
}

//===----------------------------------------------------------------------===//
// LevelRows
//===----------------------------------------------------------------------===//

LevelRows::LevelRows(const Recursion &recursion) {
  const LevelsArgs &args = recursion.args;
  if (args.partition)
    kinds[args.partition] = RowKind::Edge;
  for (Value arg : args.nodes)
    kinds[arg] = RowKind::Node;
  for (Value arg : args.edges)
    kinds[arg] = RowKind::Edge;
  for (Value arg : args.recurrent)
    kinds[arg] = recursion.recurrentKind;
  for (Value arg : args.shared)
    kinds[arg] = RowKind::Level;
  for (Operation &inner : recursion.getBlock().without_terminator()) {
    if (auto loop = dyn_cast<RepeatOp>(inner)) {
      inferLoop(loop);
      continue;
    }
    for (OpResult result : inner.getResults())
      kinds[result] = infer(result);
  }
  // What is yielded has a row for what the results have rows for, whatever is
  // known of how it is made.
  const LevelsYields &yields = recursion.yields;
  RowKind recurrent = recursion.isUp() ? RowKind::Node : RowKind::Edge;
  for (auto [values, kind] : {std::pair(&yields.recurrent, recurrent),
                              std::pair(&yields.nodes, RowKind::Node),
                              std::pair(&yields.edges, RowKind::Edge)})
    for (Value value : *values)
      if (recursion.isLocal(value))
        kinds[value] = kind;
}

/// A state keeps the rows that it begins with. Rows as there are outside may
/// differ from level to level.
void LevelRows::inferLoop(RepeatOp loop) {
  bool ofLevel = isOfLevel(*loop);
  for (auto [result, init] : llvm::zip_equal(loop.getResults(), loop.getInit()))
    kinds[result] =
        kind(init) == RowKind::Unit && ofLevel ? RowKind::Level : kind(init);
}

bool LevelRows::isOfLevel(Operation &op) const {
  return llvm::any_of(
      readBy(&op), [&](Value value) { return kind(value) != RowKind::Unit; });
}

/// What the rows, or the segments, of a partition in the region are.
RowKind LevelRows::inferFrom(Value partition, bool isRow) const {
  if (isa<BlockArgument>(partition) && kind(partition) == RowKind::Edge)
    return isRow ? RowKind::Edge : RowKind::Node;
  if (auto group = partition.getDefiningOp<GroupOp>(); group && isRow)
    return kind(group.getIds());
  if (auto all = partition.getDefiningOp<AppendOp>(); all && !isRow)
    return inferFrom(all.getFirst(), isRow);
  return RowKind::Level;
}

RowKind LevelRows::infer(OpResult result) const {
  Operation &op = *result.getOwner();
  if (!isOfLevel(op))
    return RowKind::Unit;
  if (!hasRows(result.getType()) && !isa<IndexType>(result.getType()))
    return RowKind::Level;
  bool isRow = op.hasTrait<ProducesRows>() || isa<NumRowsOp>(op);
  bool isSegment = op.hasTrait<ProducesSegments>() || isa<NumSegmentsOp>(op);
  if (isRow || isSegment)
    for (Value operand : op.getOperands())
      if (isa<RowsType>(operand.getType()))
        return inferFrom(operand, isRow);
  if (auto rowwise = dyn_cast<BatchableOpInterface>(op);
      rowwise && rowwise.isRowwise())
    for (OpOperand &operand : op.getOpOperands())
      if (RowKind found = kind(operand.get());
          rowwise.isRowOperand(operand.getOperandNumber()) &&
          (found == RowKind::Node || found == RowKind::Edge))
        return found;
  // A count stands for what it counts.
  std::optional<RowOrigin> origin = originOfRows(result);
  RowKind found = origin ? kind(origin->source) : inferFromOperands(op);
  // Rows as there are outside may differ from level to level.
  return found == RowKind::Unit ? RowKind::Level : found;
}

/// An op that does not say whose rows a result has keeps those of its operands,
/// if these are of one kind.
RowKind LevelRows::inferFromOperands(Operation &op) const {
  if (isa<RowsOpInterface>(op))
    return RowKind::Level;
  RowKind common = RowKind::Unit;
  for (Value operand : op.getOperands()) {
    RowKind found = kind(operand);
    if (found == RowKind::Unit || !hasRows(operand.getType()))
      continue;
    if (common != RowKind::Unit && common != found)
      return RowKind::Level;
    common = found;
  }
  return common;
}
