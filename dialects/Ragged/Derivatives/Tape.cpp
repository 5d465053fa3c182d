//===-- Tape.cpp - The tape of a recursion --------------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Derivatives/Tape.h"
#include "cambium/Interfaces/DifferentiableOpInterface.h"
#include "cambium/Support/ElementCost.h"
#include "cambium/Support/Rows.h"
#include "dialects/NN/IR/ConstantLike.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

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
// Tape
//===----------------------------------------------------------------------===//

bool cambium::canBeKept(Type type) {
  Type element = getElementTypeOrSelf(type);
  return hasRows(type) && (element.isF32() || element.isF64() ||
                           element.isInteger(32) || element.isInteger(64));
}

/// Elements of a row, 0 where they are not known.
static int64_t elementsOfRow(Value rows) {
  RankedTensorType row = rowType(cast<RankedTensorType>(rows.getType()));
  return row.hasStaticShape() ? row.getNumElements() : 0;
}

bool cambium::isCopiedAgain(Value value, Value rows) {
  Operation *op = value.getDefiningOp();
  Value copied = op ? nn::copiedOperand(op) : Value();
  if (!copied || !hasRows(value.getType()))
    return false;
  if (hasRows(copied.getType()))
    return elementsOfRow(value) > elementsOfRow(copied);
  return !nn::likeOperand(op) || rows;
}

/// What other ops than elementwise ones read is an array in any case.
bool cambium::isComputedAgain(Value value,
                              llvm::function_ref<bool(Value)> isKept) {
  Operation *op = value.getDefiningOp();
  // On any target: what a step records is decided before there is one.
  if (!op || !OpTrait::hasElementwiseMappableTraits(op) ||
      elementCost(op, TargetCosts()) > 1)
    return false;
  bool inLoops = llvm::all_of(value.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::Elementwise>();
  });
  llvm::SmallSetVector<Value, 2> operands(op->operand_begin(),
                                          op->operand_end());
  return inLoops && llvm::count_if(operands, isKept) <= 1;
}

Value Rematerialized::rowsLike(Value value) const {
  RowKind kind = rows.kind(value);
  const ragged::LevelsArgs &args = recursion.args;
  if (kind != RowKind::Node && kind != RowKind::Edge)
    return {};
  const ragged::Values &arrays =
      kind == RowKind::Node ? args.nodes : args.edges;
  return arrays.empty() ? Value() : arrays.front();
}

/// Whether the rows are what a level puts others in the place of: what the
/// levels pass on cannot be computed again.
static bool isOverwritten(Value value, const Recursion &recursion) {
  auto gather = value.getDefiningOp<ragged::GatherOp>();
  return gather && llvm::is_contained(recursion.args.shared, gather.getInput());
}

bool Rematerialized::contains(Value value) {
  if (!recursion.isLocal(value) || isa<BlockArgument>(value))
    return false;
  if (auto known = answers.find(value); known != answers.end())
    return known->second;
  auto isKept = [&](Value operand) {
    return recursion.isLocal(operand) && !contains(operand);
  };
  bool answer = isNoArray(value);
  if (!answer)
    answer = recursion.rematerialize ? !isOverwritten(value, recursion)
                                     : isCopiedAgain(value, rowsLike(value)) ||
                                           isComputedAgain(value, isKept) ||
                                           dependsOnCaptured(value);
  answers[value] = answer;
  return answer;
}

bool Rematerialized::isNoArray(Value value) const {
  return !canBeKept(value.getType()) || rows.kind(value) == RowKind::Level;
}

bool Rematerialized::dependsOnCaptured(Value value) {
  if (auto known = captured.find(value); known != captured.end())
    return known->second;
  // The rows of all levels together are grouped otherwise than those of one.
  bool answer = llvm::all_of(readBy(value.getDefiningOp()), [&](Value operand) {
    if (!recursion.isLocal(operand) || operand == recursion.args.partition)
      return true;
    return !isa<ragged::RowsType>(operand.getType()) &&
           !isa<BlockArgument>(operand) &&
           rows.kind(operand) != RowKind::Level &&
           (isNoArray(operand) || dependsOnCaptured(operand));
  });
  captured[value] = answer;
  return answer;
}

/// Moves what depends on captured values alone in front of the op.
static void hoistInvariant(const Recursion &recursion) {
  for (Operation &inner :
       llvm::make_early_inc_range(recursion.getBlock().without_terminator())) {
    bool invariant = llvm::none_of(inner.getOperands(), [&](Value operand) {
      return recursion.isLocal(operand);
    });
    if (invariant && isMemoryEffectFree(&inner) && inner.getNumRegions() == 0)
      inner.moveBefore(recursion.op);
  }
}

/// What an array that the levels pass on held in the rows that a level puts
/// into it: with it the reverse recursion takes the level back.
static void keepOverwrittenRows(const Recursion &recursion,
                                OpBuilder &builder) {
  for (Value shared : recursion.args.shared)
    for (Operation *user : llvm::to_vector(shared.getUsers()))
      if (auto put = dyn_cast<ragged::PutRowsOp>(user)) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(put);
        ragged::GatherOp::create(builder, put.getLoc(), shared, put.getIds());
      }
}

/// What the region yields with the tape: what it yields already, and behind it
/// the values of the region that are in no result.
static ragged::LevelsYields yieldsWithTape(const Recursion &recursion,
                                           OpBuilder &builder) {
  hoistInvariant(recursion);
  keepOverwrittenRows(recursion, builder);
  LevelRows rows(recursion);
  Rematerialized rematerialized(recursion, rows);
  ragged::LevelsYields yields = recursion.yields;
  llvm::DenseSet<Value> known;
  for (ragged::Values *values : {&yields.nodes, &yields.edges, &yields.shared})
    known.insert_range(*values);
  auto keep = [&](Value value) {
    if (!rematerialized.contains(value) && known.insert(value).second)
      (rows.kind(value) == RowKind::Node ? yields.nodes : yields.edges)
          .push_back(value);
  };
  // The states of all nodes are an array of which those of children are read.
  if (recursion.endsAtRoots)
    llvm::for_each(recursion.args.recurrent, keep);
  else
    known.insert_range(yields.recurrent);
  for (Operation &inner : recursion.getBlock().without_terminator())
    llvm::for_each(inner.getResults(), keep);
  return yields;
}

/// What was yielded before comes first.
static void replaceAll(ValueRange from, ValueRange to) {
  for (auto [old, value] : llvm::zip(from, to))
    old.replaceAllUsesWith(value);
}

ragged::LevelsOp cambium::expandTape(ragged::LevelsOp op, OpBuilder &builder) {
  expandTapes(op.getBody().front(), builder, /*inLoop=*/true);
  ragged::LevelsYields yields = yieldsWithTape(Recursion(op), builder);
  ragged::LevelsYields results = op.byKind(op.getResults());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  auto fresh = ragged::LevelsOp::create(
      builder, op.getLoc(), op.getDirection(), op.getPart(), op.getForest(),
      op.getInputs(), yields, op.getRematerialize(), op.getCuts(),
      op.getBody());
  replaceAll(results.recurrent, fresh.getRecurrentResults());
  replaceAll(results.nodes, fresh.getNodeResults());
  replaceAll(results.edges, fresh.getEdgeResults());
  replaceAll(results.shared, fresh.getSharedResults());
  op.erase();
  return fresh;
}

ragged::IterateOp cambium::expandTape(ragged::IterateOp op,
                                      OpBuilder &builder) {
  expandTapes(op.getBody().front(), builder, /*inLoop=*/true);
  ragged::LevelsYields tape = yieldsWithTape(Recursion(op), builder);
  ragged::IterateYields yields = op.getYields();
  assert(tape.edges.empty() && "rows of a loop are those of nodes");
  yields.records = std::move(tape.nodes);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  auto fresh = ragged::IterateOp::create(
      builder, op.getLoc(), op.getMax(), op.getActive(), op.getInit(),
      op.getShared(), yields, op.getRematerialize(), op.getBody());
  // Records come last.
  replaceAll(op.getResults(), fresh.getResults());
  op.erase();
  return fresh;
}

void cambium::expandTapes(Block &block, OpBuilder &builder, bool inLoop) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (auto differentiable = dyn_cast<DifferentiableOpInterface>(op))
      differentiable.expandTape(builder, inLoop);
}
