//===-- RowLoop.cpp - Loops of which each iteration writes one row --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RowLoop.h"
#include "cambium/Support/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace cambium;

ChosenRow RowLoop::chosen(Value value) {
  ChosenRow result{Memory::of(value), {}, {}};
  Operation *first = nullptr;
  while (Value source = sourceOfView(value.getDefiningOp())) {
    if (!loop->isProperAncestor(value.getDefiningOp()))
      break;
    first = value.getDefiningOp();
    value = source;
  }
  result.from = value;
  auto part = dyn_cast_or_null<memref::SubViewOp>(first);
  if (part && isOneInteger(part.getMixedSizes()[0]))
    result.row = dyn_cast<Value>(part.getMixedOffsets()[0]);
  return result;
}

/// Whether what the op does is known.
bool RowLoop::add(Operation *op) {
  if (auto touched = dyn_cast<rt::TouchOp>(op)) {
    bool isFirst = !touch;
    touch = touched;
    return isFirst;
  }
  if (isa<memref::AllocaOp, rt::ForEachOp>(op) ||
      op->hasTrait<rt::NeedsEntry>())
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return isMemoryEffectFree(op) ||
           op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const MemoryEffects::EffectInstance &effect : instances) {
    if (!effect.getValue() || !isa<MemRefType>(effect.getValue().getType()))
      return false;
    bool isRead = isa<MemoryEffects::Read>(effect.getEffect());
    (isRead ? reads : writes).push_back(chosen(effect.getValue()));
  }
  return true;
}

/// Whether iterations of different rows have no bytes in common that one of
/// them writes.
bool RowLoop::isIndependent() {
  auto isOwn = [&](const ChosenRow &one, const ChosenRow &other) {
    return !one.memory.meets(other.memory) ||
           (one.from == other.from && one.row == row && other.row == row);
  };
  return llvm::all_of(writes, [&](const ChosenRow &written) {
    return llvm::all_of(reads,
                        [&](auto &read) { return isOwn(written, read); }) &&
           llvm::all_of(writes,
                        [&](auto &other) { return isOwn(written, other); });
  });
}

bool RowLoop::find() {
  if (loop.getNumResults() != 0 ||
      !isZeroInteger(getAsOpFoldResult(loop.getLowerBound())) ||
      !isOneInteger(getAsOpFoldResult(loop.getStep())))
    return false;
  bool isKnown = true;
  loop.getBody()->walk([&](Operation *op) { isKnown &= add(op); });
  if (!isKnown || writes.empty())
    return false;
  row = writes.front().row;
  if (!row || !row.getDefiningOp() ||
      row.getDefiningOp()->getBlock() != loop.getBody() ||
      (touch && touch.getRow() != row))
    return false;
  return isIndependent();
}

bool RowLoop::areRowsDistinct() {
  auto cast = row.getDefiningOp<arith::IndexCastOp>();
  auto load = cast ? cast.getIn().getDefiningOp<memref::LoadOp>() : nullptr;
  return load && load.getMemRef().getDefiningOp<rt::TouchedOp>() &&
         load.getIndices()[0] == loop.getInductionVar();
}
