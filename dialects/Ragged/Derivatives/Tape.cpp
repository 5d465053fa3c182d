//===-- Tape.cpp - The tape of a ragged.levels ---------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Derivatives/Tape.h"
#include "cambium/Interfaces/RowsOpInterface.h"
#include "cambium/Support/Rows.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cambium;

llvm::SetVector<Value> cambium::capturedBy(MutableArrayRef<Region> regions) {
  // Not getUsedValuesDefinedAbove: regions under construction are in no
  // function yet.
  llvm::SetVector<Value> values;
  for (Region &region : regions)
    region.walk([&](Operation *op) {
      for (Value operand : op->getOperands())
        if (!region.isAncestor(operand.getParentRegion()))
          values.insert(operand);
    });
  return values;
}

llvm::SetVector<Value> cambium::readBy(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  values.insert_range(capturedBy(op->getRegions()));
  return values;
}

//===----------------------------------------------------------------------===//
// LevelRows
//===----------------------------------------------------------------------===//

LevelRows::LevelRows(ragged::LevelsOp op) {
  kinds[op.getEdgesArg()] = RowKind::Edge;
  for (BlockArgument arg : op.getNodeArgs())
    kinds[arg] = RowKind::Node;
  for (BlockArgument arg : op.getEdgeArgs())
    kinds[arg] = RowKind::Edge;
  bool up = op.getDirection() == ragged::Direction::Up;
  for (BlockArgument arg : op.getRecurrentArgs())
    kinds[arg] = up ? RowKind::Edge : RowKind::Node;
  for (BlockArgument arg : op.getSharedArgs())
    kinds[arg] = RowKind::Level;
  for (Operation &inner : op.getBody().front().without_terminator()) {
    if (auto loop = dyn_cast<ragged::RepeatOp>(inner)) {
      for (auto [result, init] :
           llvm::zip_equal(loop.getResults(), loop.getInit()))
        kinds[result] = kind(init);
      continue;
    }
    RowKind kind = infer(inner);
    for (Value result : inner.getResults()) {
      bool isOfRows =
          hasRows(result.getType()) || isa<IndexType>(result.getType());
      kinds[result] = isOfRows || kind == RowKind::Unit ? kind : RowKind::Level;
    }
  }
}

/// What the rows, or the segments, of a partition in the region are.
RowKind LevelRows::inferFrom(Value partition, bool isRow) const {
  if (isa<BlockArgument>(partition) && kind(partition) == RowKind::Edge)
    return isRow ? RowKind::Edge : RowKind::Node;
  if (auto group = partition.getDefiningOp<ragged::GroupOp>(); group && isRow)
    return kind(group.getIds());
  return RowKind::Level;
}

RowKind LevelRows::infer(Operation &op) const {
  bool isRow =
      op.hasTrait<ragged::ProducesRows>() || isa<ragged::NumRowsOp>(op);
  bool isSegment =
      op.hasTrait<ragged::ProducesSegments>() || isa<ragged::NumSegmentsOp>(op);
  if (isRow || isSegment)
    for (Value operand : op.getOperands())
      if (isa<ragged::RowsType>(operand.getType()))
        return inferFrom(operand, isRow);
  if (auto rows = dyn_cast<RowsOpInterface>(op);
      rows && op.getNumResults() == 1)
    if (std::optional<RowOrigin> origin = rows.getRowOrigin(0);
        origin && !origin->count)
      return kind(origin->source);
  if (isa<ragged::IterationOp>(op))
    return RowKind::Level;
  // Other ops keep the rows of their operands; a count stands for what it
  // counts.
  for (Value operand : op.getOperands())
    if (RowKind found = kind(operand);
        found == RowKind::Node || found == RowKind::Edge)
      return found;
  bool ofLevel = llvm::any_of(
      readBy(&op), [&](Value value) { return kind(value) != RowKind::Unit; });
  return ofLevel ? RowKind::Level : RowKind::Unit;
}

//===----------------------------------------------------------------------===//
// Tape
//===----------------------------------------------------------------------===//

bool cambium::canBeKept(Type type) {
  Type element = getElementTypeOrSelf(type);
  return hasRows(type) && (element.isF32() || element.isF64() ||
                           element.isInteger(32) || element.isInteger(64));
}

/// Whether the rows are what a level puts others in the place of: what the
/// levels pass on cannot be computed again.
static bool isOverwritten(Value value, ragged::LevelsOp op) {
  auto gather = value.getDefiningOp<ragged::GatherOp>();
  auto shared = gather ? dyn_cast<BlockArgument>(gather.getInput()) : nullptr;
  return shared && shared.getOwner() == &op.getBody().front() &&
         llvm::is_contained(op.getSharedArgs(), shared);
}

bool cambium::isRematerialized(Value value, ragged::LevelsOp op,
                               const LevelRows &rows) {
  if (value.getParentRegion() != &op.getBody() || isa<BlockArgument>(value))
    return false;
  if (!canBeKept(value.getType()) || rows.kind(value) == RowKind::Level)
    return true;
  if (op.getRematerialize())
    return !isOverwritten(value, op);
  // The rows of all levels together are grouped otherwise than those of one.
  return llvm::all_of(readBy(value.getDefiningOp()), [&](Value operand) {
    return operand.getParentRegion() != &op.getBody() ||
           operand == op.getEdgesArg() ||
           (!isa<ragged::RowsType>(operand.getType()) &&
            rows.kind(operand) != RowKind::Level &&
            isRematerialized(operand, op, rows));
  });
}

/// Moves what depends on captured values alone in front of the op.
static void hoistInvariant(ragged::LevelsOp op) {
  for (Operation &inner :
       llvm::make_early_inc_range(op.getBody().front().without_terminator())) {
    bool invariant = llvm::none_of(inner.getOperands(), [&](Value operand) {
      return operand.getParentRegion() == &op.getBody();
    });
    if (invariant && isMemoryEffectFree(&inner) && inner.getNumRegions() == 0)
      inner.moveBefore(op);
  }
}

/// What an array that the levels pass on held in the rows that a level puts
/// into it: with it the reverse recursion takes the level back.
static void keepOverwrittenRows(ragged::LevelsOp op, OpBuilder &builder) {
  for (BlockArgument shared : op.getSharedArgs())
    for (Operation *user : llvm::to_vector(shared.getUsers()))
      if (auto put = dyn_cast<ragged::PutRowsOp>(user)) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(put);
        ragged::GatherOp::create(builder, put.getLoc(), shared, put.getIds());
      }
}

ragged::LevelsOp cambium::expandTape(ragged::LevelsOp op, OpBuilder &builder) {
  hoistInvariant(op);
  keepOverwrittenRows(op, builder);
  LevelRows rows(op);
  ragged::LevelsYields yields = op.getYields();
  ragged::Values all = yields.inOrder();
  llvm::DenseSet<Value> known(all.begin(), all.end());
  for (Operation &inner : op.getBody().front().without_terminator())
    for (Value result : inner.getResults()) {
      if (isRematerialized(result, op, rows) || !known.insert(result).second)
        continue;
      (rows.kind(result) == RowKind::Node ? yields.nodes : yields.edges)
          .push_back(result);
    }
  ragged::LevelsYields results = op.byKind(op.getResults());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  auto fresh = ragged::LevelsOp::create(
      builder, op.getLoc(), op.getDirection(), op.getPart(), op.getForest(),
      op.getInputs(), yields, op.getRematerialize(), op.getBody());
  // What was yielded before comes first.
  auto replace = [](ArrayRef<Value> from, ResultRange to) {
    for (auto [old, value] : llvm::zip(from, to))
      Value(old).replaceAllUsesWith(value);
  };
  replace(results.recurrent, fresh.getRecurrentResults());
  replace(results.nodes, fresh.getNodeResults());
  replace(results.edges, fresh.getEdgeResults());
  replace(results.shared, fresh.getSharedResults());
  op.erase();
  return fresh;
}
