//===-- dialects/Depth/Batching/Compact.cpp - Reading stopped rows --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compact form of a loop computes the active rows alone. What others read
// of the rows that have stopped stands in arrays of all rows.
//
//===----------------------------------------------------------------------===//
#include "dialects/Depth/Batching/DepthBatching.h"
#include "dialects/Depth/Batching/IterateBatcher.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

FailureOr<AllRows> IterateBatcher::makeAllRows(Value value) {
  AllRows &known = kept[value];
  if (known.rows)
    return known;
  for (auto [outside, before] : rebound)
    if (outside == value)
      return known = {before, partition};
  Value all = body.front().addArgument(value.getType(), loc);
  return known = {all, partition};
}

/// The ops of the loop from which the kept values are computed, in order.
SmallVector<Operation *> IterateBatcher::findKeptOps() {
  llvm::DenseSet<Operation *> needed;
  SmallVector<Value> worklist;
  for (auto &[value, rows] : kept)
    worklist.push_back(value);
  while (!worklist.empty()) {
    Operation *def = worklist.pop_back_val().getDefiningOp();
    if (!def || !op->isProperAncestor(def) || !needed.insert(def).second)
      continue;
    llvm::append_range(worklist, def->getOperands());
    llvm::append_range(worklist, getCaptured(def));
  }
  SmallVector<Operation *> ops;
  for (Operation &inner : op.getBody().front())
    if (needed.contains(&inner))
      ops.push_back(&inner);
  return ops;
}

/// The kept values of rows whose carried values are `carried`.
LogicalResult IterateBatcher::batchKept(ValueRange carried,
                                        SmallVectorImpl<Value> &values) {
  for (auto [arg, rows] : llvm::zip(op.getBody().getArguments(), carried))
    batcher.set(arg, rows);
  if (failed(batcher.batchOps(findKeptOps())))
    return failure();
  for (auto &[value, rows] : kept)
    if (rows.rows.getParentBlock() == &body.front())
      values.push_back(batcher.getRows(value));
  return success();
}

/// What the next iteration reads of the rows of this one: computed from their
/// next values, also for a row that stops with them.
LogicalResult IterateBatcher::yieldKept(SmallVectorImpl<Value> &yielded) {
  SmallVector<Value> values;
  if (failed(batchKept(ValueRange(yielded).drop_front(), values)))
    return failure();
  Block::BlockArgListType arrays =
      body.front().getArguments().take_back(values.size());
  for (auto [value, all] : llvm::zip_equal(values, arrays))
    yielded.push_back(make<ragged::PutRowsOp>(value, all, ids));
  return success();
}
