//===-- dialects/Depth/Batching/Compact.cpp - Reading stopped rows --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compact form of a loop computes the active rows alone. What others read
// of the rows that have stopped stands in arrays of all rows. Where that
// depends on the slice of the iteration, it is computed for all rows in each
// one, from what does not.
//
//===----------------------------------------------------------------------===//
#include "dialects/Depth/Batching/DepthBatching.h"
#include "dialects/Depth/Batching/IterateBatcher.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

/// The ops of the body that a value is computed by, in order.
static SmallVector<Operation *> opsBehind(IterateOp op,
                                          ArrayRef<Value> values) {
  llvm::DenseSet<Operation *> needed;
  SmallVector<Value> worklist(values);
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

/// Whether a value of the body depends on the slices of the iteration.
static bool dependsOnSlices(IterateOp op, Value value) {
  auto isSlice = [&](Value read) {
    return llvm::is_contained(op.getSliceArgs(), read);
  };
  return isSlice(value) ||
         llvm::any_of(opsBehind(op, value), [&](Operation *def) {
           return llvm::any_of(def->getOperands(), isSlice) ||
                  llvm::any_of(getCaptured(def), isSlice);
         });
}

FailureOr<AllRows> IterateBatcher::makeAllRows(Value value) {
  return dependsOnSlices(op, value) ? computeAllRows(value)
                                    : keepAllRows(value);
}

/// The value of all rows with the slices of this iteration. The ops that depend
/// on these are batched once more, for all rows.
FailureOr<AllRows> IterateBatcher::computeAllRows(Value value) {
  Value &known = computed[value];
  if (known)
    return AllRows{known, partition};
  auto isOfSpace = [&](Value other) {
    return hasRows(other.getType()) &&
           batcher.getSpaces().spaceOf(other) == space;
  };
  SmallVector<Operation *> ops;
  for (Operation *def : opsBehind(op, value))
    if (llvm::any_of(def->getResults(), [&](Value result) {
          return isOfSpace(result) && dependsOnSlices(op, result);
        }))
      ops.push_back(def);
  SmallVector<std::pair<Value, Value>> before;
  for (Operation *def : ops)
    for (Value read : def->getOperands()) {
      bool isBound =
          llvm::any_of(before, [&](auto &pair) { return pair.first == read; });
      if (isBound || !isOfSpace(read) || dependsOnSlices(op, read))
        continue;
      FailureOr<AllRows> all = keepAllRows(read);
      if (failed(all))
        return failure();
      before.push_back({read, batcher.rebind(read, all->rows)});
    }
  for (Operation *def : ops)
    for (Value result : def->getResults())
      before.push_back({result, batcher.get(result)});
  {
    BatchContext context = outer;
    Batcher::ContextScope scope(batcher, context);
    if (failed(batcher.batchOps(ops)))
      return failure();
    known = batcher.getRows(value);
  }
  for (auto [read, rows] : before)
    batcher.rebind(read, rows);
  return AllRows{computed[value], partition};
}

/// The value of all rows, as each has left it.
FailureOr<AllRows> IterateBatcher::keepAllRows(Value value) {
  AllRows &known = kept[value];
  if (known.rows)
    return known;
  for (auto [outside, before] : rebound)
    if (outside == value)
      return known = {before, partition};
  Value all = loop.addShared(value.getType());
  return known = {all, partition};
}

/// The kept values of rows whose carried values are `carried`.
LogicalResult IterateBatcher::batchKept(ValueRange carried,
                                        SmallVectorImpl<Value> &values) {
  batcher.set(op.getStateArgs(), carried.take_front(op.getInit().size()));
  SmallVector<Value> wanted;
  for (auto &[value, rows] : kept)
    wanted.push_back(value);
  if (failed(batcher.batchOps(opsBehind(op, wanted))))
    return failure();
  for (auto &[value, rows] : kept)
    if (rows.rows.getParentBlock() == &loop.getBlock())
      values.push_back(batcher.getRows(value));
  return success();
}

/// What the next iteration reads of the rows of this one: computed from their
/// next values, also for a row that stops with them.
LogicalResult IterateBatcher::yieldKept() {
  SmallVector<Value> values;
  if (failed(batchKept(yields.states, values)))
    return failure();
  for (auto [value, all] : llvm::zip_equal(values, loop.getSharedArgs()))
    yields.shared.push_back(make<ragged::PutRowsOp>(value, all, ids));
  return success();
}
