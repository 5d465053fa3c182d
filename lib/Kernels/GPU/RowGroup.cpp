//===-- RowGroup.cpp - Which ops a block executes row by row --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ProductMath.h"
#include "RowTiles.h"
#include "TensorTiles.h"

using namespace mlir;
using namespace cambium;

/// The matrices whose rows an op writes.
static SmallVector<Value> writtenBy(const RowOp &op) {
  SmallVector<Value> bases;
  for (const RowAccess &access : op.accesses)
    if (access.writes)
      bases.push_back(access.base);
  return bases;
}

/// Whether memory of a block's own can take the place of the rows.
static bool canBeOwn(Value base) {
  if (!base)
    return false;
  auto type = cast<MemRefType>(base.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  int64_t expected = 1;
  for (int64_t dim = type.getRank() - 1; dim > 0; --dim) {
    if (type.isDynamicDim(dim) || strides[dim] != expected)
      return false;
    expected *= type.getDimSize(dim);
  }
  return strides[0] == expected;
}

bool RowGroup::joinsRows(const RowOp &op) const {
  if (ops.empty() || op.count == count || op.count == edgeCount)
    return true;
  const RowOp &other = ops.front();
  return !edgeCount && op.level && other.level && *op.level == *other.level &&
         op.countsEdges != other.countsEdges;
}

bool RowGroup::needsAllOf(const RowOp &reader, bool isRepeated,
                          Value base) const {
  return llvm::any_of(reader.accesses, [&](const RowAccess &access) {
    return access.base == base && !access.writes &&
           (isRepeated || !access.byColumn);
  });
}

bool RowGroup::divideColumns(const TargetCosts &costs) {
  repeated.clear();
  repeated.resize(ops.size());
  width = 0;
  for (const RowOp &op : ops)
    if (op.isProduct()) {
      if (width && op.width != width)
        return false;
      width = op.width;
    }
  isWhole = width && width <= costs.blockSide;
  if (!width || isWhole)
    return true;
  if (width > costs.copiedColumns)
    return false;
  for (size_t i = ops.size(); i-- > 0;) {
    bool isNeeded = ops[i].width != width;
    for (Value base : writtenBy(ops[i]))
      for (size_t j = i + 1; j < ops.size(); ++j)
        isNeeded |= needsAllOf(ops[j], isRepeated(j), base);
    if (!isNeeded)
      continue;
    if (ops[i].isProduct() || !llvm::all_of(writtenBy(ops[i]), canBeOwn))
      return false;
    repeated.set(i);
  }
  return true;
}

/// Whether what two ops have in common is in the same rows and columns.
bool RowGroup::agree(const RowOp &earlier, bool isEarlierRepeated,
                     const RowOp &later, bool isLaterRepeated) const {
  for (const RowAccess &one : earlier.accesses)
    for (const RowAccess &other : later.accesses) {
      if (one.isApartFrom(other))
        continue;
      if (!one.isLocalWith(other))
        return false;
      if (!width || isWhole)
        continue;
      // What is written for all columns is so by one kind of ops alone.
      if (isEarlierRepeated && one.writes) {
        if (other.writes && !isLaterRepeated)
          return false;
        continue;
      }
      bool isDivided = !isEarlierRepeated && !isLaterRepeated && one.byColumn &&
                       other.byColumn;
      if (!isDivided || one.memory.begin != other.memory.begin ||
          one.memory.end != other.memory.end)
        return false;
    }
  return true;
}

/// Whether what ops read of the rows is what ops before have written.
bool RowGroup::isWrittenFirst(Value base) const {
  for (const RowOp &op : ops)
    for (const RowAccess &access : op.accesses)
      if (access.base == base)
        return access.writes && access.covers;
  return false;
}

bool RowGroup::add(const RowOp &op, const TargetCosts &costs) {
  if (!joinsRows(op))
    return false;
  RowGroup before = *this;
  ops.push_back(op);
  if (ops.size() == 1) {
    count = op.count;
  } else if (op.count != count && op.count != edgeCount) {
    edgeCount = op.countsEdges ? op.count : count;
    count = op.countsEdges ? count : op.count;
  }
  bool fits = divideColumns(costs);
  for (size_t i = 0; fits && i + 1 < ops.size(); ++i)
    for (size_t j = i + 1; fits && j < ops.size(); ++j)
      fits = agree(ops[i], isRepeated(i), ops[j], isRepeated(j));
  for (size_t i : repeated.set_bits())
    for (Value base : writtenBy(ops[i]))
      fits &= isWrittenFirst(base);
  if (!fits)
    *this = before;
  return fits;
}

size_t RowGroup::countTogether(size_t first, const TargetCosts &costs) const {
  size_t end = first;
  auto mathAt = [&](size_t number) {
    return mathOf(cast<linalg::MatmulOp>(ops[number].op), costs).math;
  };
  for (; end < ops.size() &&
         static_cast<int64_t>(end - first) < costs.sharedProducts;
       ++end) {
    if (!ops[end].isProduct() || ops[end].count != ops[first].count ||
        ops[end].depth() != ops[first].depth() || mathAt(end) != mathAt(first))
      break;
    bool isFree =
        llvm::none_of(getOps().slice(first, end - first), [&](auto &op) {
          return Accesses::of(op.op).conflictsWith(Accesses::of(ops[end].op));
        });
    if (!isFree)
      break;
  }
  return end - first;
}

int64_t RowGroup::chooseColumnSteps(const TargetCosts &costs) const {
  if (isWhole)
    return 1;
  if (kept.loop)
    return kept.columnSteps;
  size_t together = 1;
  for (size_t i = 0; i < ops.size(); ++i)
    together = std::max(together, countTogether(i, costs));
  // Powers of two, so that a warp reads whole rows of a slice.
  return llvm::bit_floor<uint64_t>(
      std::max<int64_t>(1, costs.rowSums / together));
}

int64_t RowGroup::scratchBytes(const TargetCosts &costs) const {
  int64_t rowSteps = costs.blockTile / 2 / costs.blockSide;
  int64_t columnSteps = chooseColumnSteps(costs);
  int64_t most = 0;
  for (size_t i = 0; i < ops.size(); ++i) {
    DenseSet<Value> lefts;
    int64_t bytes = 0;
    for (const RowOp &op : getOps().slice(i, countTogether(i, costs))) {
      Type element = getElementTypeOrSelf(op.op->getOperand(0).getType());
      bool isTensor =
          mathOf(cast<linalg::MatmulOp>(op.op), costs).math != rt::Math::F32;
      if (lefts.insert(op.op->getOperand(0)).second)
        bytes += isTensor ? tensorBytes(rowSteps, 0, costs)
                          : sliceBytes(element, rowSteps, costs);
      if (!kept.places.contains(op.op))
        bytes += isTensor ? tensorBytes(0, columnSteps, costs)
                          : sliceBytes(element, columnSteps, costs);
    }
    most = std::max(most, bytes);
  }
  return most;
}

bool RowGroup::isBound() const {
  for (size_t j = 1; j < ops.size(); ++j)
    for (size_t i = 0; i < j; ++i)
      if (Accesses::of(ops[i].op).conflictsWith(Accesses::of(ops[j].op)))
        return true;
  return false;
}
