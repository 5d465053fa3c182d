//===-- lib/Autodiff/Tape.cpp - The tape of a ragged.levels ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Autodiff/Tape.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cambium;

static bool hasRows(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() > 0 && tensor.isDynamicDim(0);
}

//===----------------------------------------------------------------------===//
// LevelRows
//===----------------------------------------------------------------------===//

LevelRows::LevelRows(ragged::LevelsOp op) {
  for (BlockArgument arg : op.getNodeArgs())
    kinds[arg] = RowKind::Node;
  for (BlockArgument arg : op.getEdgeArgs())
    kinds[arg] = RowKind::Edge;
  bool up = op.getDirection() == ragged::Direction::Up;
  for (BlockArgument arg : op.getRecurrentArgs())
    kinds[arg] = up ? RowKind::Edge : RowKind::Node;
  for (Operation &inner : op.getBody().front().without_terminator()) {
    RowKind kind = infer(inner);
    for (Value result : inner.getResults())
      kinds[result] =
          hasRows(result.getType()) || isa<IndexType>(result.getType())
              ? kind
              : RowKind::Unit;
  }
}

RowKind LevelRows::infer(Operation &op) const {
  if (op.hasTrait<ragged::ProducesRows>() || isa<ragged::NumRowsOp>(op))
    return RowKind::Edge;
  if (op.hasTrait<ragged::ProducesSegments>() || isa<ragged::NumSegmentsOp>(op))
    return RowKind::Node;
  // Other ops keep the rows of their operands; a count stands for what it
  // counts.
  for (Value operand : op.getOperands())
    if (RowKind found = kind(operand); found != RowKind::Unit)
      return found;
  return RowKind::Unit;
}

//===----------------------------------------------------------------------===//
// Tape
//===----------------------------------------------------------------------===//

/// Types that `ragged.levels` can yield.
static bool canBeKept(Type type) {
  Type element = getElementTypeOrSelf(type);
  return hasRows(type) && (element.isF32() || element.isF64() ||
                           element.isInteger(32) || element.isInteger(64));
}

bool cambium::isRematerialized(Value value, ragged::LevelsOp op) {
  if (value.getParentRegion() != &op.getBody() || isa<BlockArgument>(value))
    return false;
  if (!canBeKept(value.getType()))
    return true;
  return llvm::all_of(value.getDefiningOp()->getOperands(), [&](Value operand) {
    return operand.getParentRegion() != &op.getBody() ||
           operand == op.getEdgesArg() || isRematerialized(operand, op);
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

ragged::LevelsOp cambium::expandTape(ragged::LevelsOp op, OpBuilder &builder) {
  hoistInvariant(op);
  LevelRows rows(op);
  auto yield = cast<ragged::YieldOp>(op.getBody().front().getTerminator());
  unsigned recurrent = op.getNumRecurrent(), nodes = op.getNumNodeYields();
  SmallVector<Value> all(yield.getValues());
  SmallVector<Value> states(ArrayRef(all).take_front(recurrent));
  SmallVector<Value> nodeYields(ArrayRef(all).slice(recurrent, nodes));
  SmallVector<Value> edgeYields(ArrayRef(all).drop_front(recurrent + nodes));
  unsigned oldNodes = nodeYields.size(), oldEdges = edgeYields.size();
  llvm::DenseSet<Value> known(all.begin(), all.end());
  for (Operation &inner : op.getBody().front().without_terminator())
    for (Value result : inner.getResults()) {
      if (isRematerialized(result, op) || !known.insert(result).second)
        continue;
      (rows.kind(result) == RowKind::Node ? nodeYields : edgeYields)
          .push_back(result);
    }
  SmallVector<Value> yielded(states);
  llvm::append_range(yielded, nodeYields);
  llvm::append_range(yielded, edgeYields);

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  auto fresh = ragged::LevelsOp::create(
      builder, op.getLoc(), ValueRange(yielded).getTypes(), op.getDirection(),
      op.getPart(), op.getForest(), op.getNodes(), op.getEdges(), op.getBase(),
      recurrent, nodeYields.size());
  yield->setOperands(yielded);
  fresh.getBody().takeBody(op.getBody());
  auto replace = [](ResultRange from, ResultRange to, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
      from[i].replaceAllUsesWith(to[i]);
  };
  replace(op.getRecurrentResults(), fresh.getRecurrentResults(), recurrent);
  replace(op.getNodeResults(), fresh.getNodeResults(), oldNodes);
  replace(op.getEdgeResults(), fresh.getEdgeResults(), oldEdges);
  op.erase();
  return fresh;
}
