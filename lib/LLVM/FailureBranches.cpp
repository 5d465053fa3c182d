//===-- FailureBranches.cpp - Where entries go when something has failed -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------===//
#include "FailureBranches.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace cambium;

/// From the last to the first: each split moves only what stands before the
/// next one.
void FailureBranches::split() {
  for (const Branch &branch : llvm::reverse(branches)) {
    Operation *op = branch.op;
    Block *block = op->getBlock();
    Block *rest = block->splitBlock(std::next(Block::iterator(op)));
    auto failIf = dyn_cast<rt::FailIfOp>(op);
    if (failIf)
      leave(branch, rest);
    builder.setInsertionPointToEnd(block);
    Value condition = failIf ? Value(failIf.getCondition()) : op->getResult(0);
    cf::CondBranchOp::create(builder, op->getLoc(), condition, branch.failing,
                             rest);
    if (failIf)
      failIf.erase();
  }
}

/// Goes on behind a failure; on a GPU one thread has recorded it.
void FailureBranches::leave(const Branch &branch, Block *rest) {
  Location loc = branch.op->getLoc();
  Block *next = branch.next ? branch.next : rest;
  branch.failing->moveBefore(rest);
  builder.setInsertionPointToEnd(branch.failing);
  if (branch.record) {
    cf::CondBranchOp::create(builder, loc, branch.isFirst, branch.record, next);
    branch.record->moveBefore(rest);
    builder.setInsertionPointToEnd(branch.record);
  }
  cf::BranchOp::create(builder, loc, next);
}

Block *FailureBranches::endOfEntry(Location loc) {
  if (end)
    return end;
  end = builder.createBlock(&function.getBody(), function.getBody().end());
  SmallVector<Value> status;
  if (types.getServices().returnsStatus())
    status.push_back(types.access(builder, loc).constant(1, 32));
  func::ReturnOp::create(builder, loc, status);
  return end;
}
