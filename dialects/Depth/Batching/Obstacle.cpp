//===-- dialects/Depth/Batching/Obstacle.cpp - What forbids compaction ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/BatchableOpInterface.h"
#include "dialects/Depth/Batching/DepthBatching.h"
#include "dialects/Depth/IR/Depth.h"
#include "dialects/Ragged/Batching/RowSpaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

SmallVector<Value> depth::getCaptured(Operation *op) {
  llvm::SetVector<Value> values;
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, values);
  return values.takeVector();
}

namespace {
/// What others read of a row that has stopped must be what it was when the row
/// was computed last. It is, if it is computed from the row's carried values
/// alone (they are kept), row by row, by ops that are the same in every
/// iteration, and draw no random numbers.
class Search {
public:
  Search(IterateOp op, RowSpaces &spaces)
      : op(op), spaces(spaces),
        space(spaces.spaceOf(op.getBody().getArgument(0))) {}

  /// Whether a value of the example is computed from the rows.
  bool reducesRows() {
    auto isRead = [&](Value value) { return isOfSpace(value); };
    return llvm::any_of(op.getBody().front(), [&](Operation &inner) {
      if (llvm::any_of(getCaptured(&inner), isRead))
        return true;
      auto isReduced = [](Type type) { return !hasRows(type); };
      return llvm::any_of(inner.getOperands(), isRead) &&
             llvm::any_of(inner.getResultTypes(), isReduced);
    });
  }

  Obstacle run() {
    for (Operation &inner : op.getBody().front().without_terminator()) {
      for (OpOperand &operand : inner.getOpOperands())
        if (Operation *cause = causeOf(operand))
          return {&inner, cause};
      if (llvm::any_of(getCaptured(&inner),
                       [&](Value value) { return isOfSpace(value); }))
        return {&inner, &inner};
    }
    return {};
  }

private:
  bool isOfSpace(Value value) {
    return hasRows(value.getType()) && spaces.spaceOf(value) == space;
  }
  bool isOutside(Value value) {
    return !op.getBody().isAncestor(value.getParentRegion());
  }

  static RowsRead rowsRead(OpOperand &operand) {
    auto batchable = dyn_cast<BatchableOpInterface>(operand.getOwner());
    return batchable ? batchable.getRowsRead(operand.getOperandNumber())
                     : RowsRead::Mixed;
  }

  static bool drawsRandomNumbers(Operation *op) {
    WalkResult result = op->walk([](BatchableOpInterface inner) {
      return inner.drawsRandomNumbers() ? WalkResult::interrupt()
                                        : WalkResult::advance();
    });
    return result.wasInterrupted();
  }

  Operation *causeOf(OpOperand &operand) {
    if (!isOfSpace(operand.get()))
      return nullptr;
    switch (rowsRead(operand)) {
    case RowsRead::Own:
      return nullptr;
    case RowsRead::Mixed:
      return operand.getOwner();
    case RowsRead::All:
      return findVarying(operand.get());
    }
    llvm_unreachable("unknown way to read rows");
  }

  /// The op that makes a value of a stopped row change; null if none does.
  Operation *findVarying(Value value) {
    SmallVector<Value> worklist{value};
    llvm::DenseSet<Value> seen;
    while (!worklist.empty()) {
      Value next = worklist.pop_back_val();
      Operation *def = next.getDefiningOp();
      if (!def || isOutside(next) || !seen.insert(next).second)
        continue;
      if (drawsRandomNumbers(def))
        return def;
      for (OpOperand &operand : def->getOpOperands()) {
        bool isOwn = rowsRead(operand) == RowsRead::Own;
        if (isOfSpace(operand.get()) && !isOwn)
          return def;
        worklist.push_back(operand.get());
      }
      for (Value value : getCaptured(def)) {
        if (isOfSpace(value))
          return def;
        worklist.push_back(value);
      }
    }
    return nullptr;
  }

  IterateOp op;
  RowSpaces &spaces;
  unsigned space;
};
} // namespace

Obstacle depth::findObstacle(IterateOp op, RowSpaces &spaces) {
  return Search(op, spaces).run();
}

bool depth::reducesRows(IterateOp op, RowSpaces &spaces) {
  return Search(op, spaces).reducesRows();
}
