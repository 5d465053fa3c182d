//===-- RowsOfIds.cpp - What depends on ids alone -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RowsOfIds.h"
#include "cambium/Interfaces/BatchableOpInterface.h"
#include "cambium/Support/Rows.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

/// The op as one that works row by row, or null.
static BatchableOpInterface asRowwise(Operation *op) {
  auto rowwise = dyn_cast<BatchableOpInterface>(op);
  return rowwise && rowwise.isRowwise() && isPure(op) &&
                 op->getNumRegions() == 0 && !rowwise.drawsRandomNumbers()
             ? rowwise
             : BatchableOpInterface();
}

std::optional<int64_t> ragged::lookupBound(OpOperand &operand) {
  auto op = asRowwise(operand.getOwner());
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!op || !type || !hasRows(type) || type.getRank() != 1 ||
      !type.getElementType().isInteger(32) || op->getNumResults() != 1 ||
      !op.isRowOperand(operand.getOperandNumber()))
    return std::nullopt;
  return op.getIdBound(operand.getOperandNumber());
}

RowsOfIds::RowsOfIds(Value ids, Block &block, IsGiven isGiven)
    : ids(ids), block(&block) {
  shared.insert(ids);
  for (Operation &op : block.without_terminator()) {
    if (!dependsOnIdsAlone(&op, isGiven))
      continue;
    shared.insert_range(op.getResults());
    bool looksUp = llvm::any_of(op.getOpOperands(), [](OpOperand &operand) {
      return lookupBound(operand).has_value();
    });
    if (!looksUp && !cast<BatchableOpInterface>(op).movesDataOnly())
      computing.insert(&op);
  }
  addNeeded();
}

/// Row operands are shared; others are the same for all rows.
bool RowsOfIds::dependsOnIdsAlone(Operation *op, IsGiven isGiven) const {
  BatchableOpInterface rowwise = asRowwise(op);
  if (!rowwise)
    return false;
  bool reads = false;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isShared = shared.contains(operand.get());
    if (isShared != rowwise.isRowOperand(operand.getOperandNumber()) ||
        (!isShared && !isGiven(operand.get())))
      return false;
    reads |= isShared;
  }
  return reads;
}

/// Look-ups and ops that only arrange elements are needed where a computation
/// reads them.
void RowsOfIds::addNeeded() {
  isOp.insert_range(computing);
  for (Operation &op : llvm::reverse(block->without_terminator())) {
    if (!isOp.contains(&op))
      continue;
    for (Value operand : op.getOperands())
      if (operand != ids && shared.contains(operand))
        isOp.insert(operand.getDefiningOp());
    ops.push_back(&op);
  }
  std::reverse(ops.begin(), ops.end());
}

int64_t RowsOfIds::getWork() const {
  int64_t work = 0;
  for (Operation *op : computing)
    for (Value operand : op->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (type && !shared.contains(operand) && type.getRank() > 1 &&
          type.hasStaticShape())
        work += type.getNumElements();
    }
  return work;
}

bool RowsOfIds::isOutside(OpOperand &use) const {
  return !isOp.contains(use.getOwner());
}

SmallVector<OpResult> RowsOfIds::getResults() const {
  SmallVector<OpResult> results;
  for (Operation *op : computing)
    for (OpResult result : op->getResults())
      if (llvm::any_of(result.getUses(),
                       [&](OpOperand &use) { return isOutside(use); }))
        results.push_back(result);
  return results;
}

void RowsOfIds::erase() {
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      op->erase();
  ops.clear();
}
