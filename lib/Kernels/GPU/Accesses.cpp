//===-- Accesses.cpp - What stages read and write -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Accesses.h"
#include "cambium/Support/Views.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cambium;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// The columns of a memory that a view of it shows, as far as they are known.
struct Columns {
  int64_t begin = 0, end = Memory::kAll;

  explicit Columns(Value view) {
    auto type = dyn_cast<MemRefType>(view.getType());
    if (type && type.getRank() > 0 && !type.isDynamicDim(type.getRank() - 1))
      end = type.getShape().back();
  }
  void forget() { begin = 0, end = Memory::kAll; }

  /// The same columns in what the view is of.
  void goThrough(Operation *view) {
    if (isa<memref::CastOp>(view) || end == Memory::kAll)
      return;
    auto part = dyn_cast<memref::SubViewOp>(view);
    unsigned last = part ? part.getSourceType().getRank() - 1 : 0;
    if (!part || part.isDynamicOffset(last) ||
        part.getDroppedDims().test(last) || part.isDynamicStride(last) ||
        part.getStaticStride(last) != 1)
      return forget();
    begin += part.getStaticOffset(last);
    end += part.getStaticOffset(last);
  }
};
} // namespace

/// The memory without its columns.
static Memory rootOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    Operation *parent = cast<BlockArgument>(value).getOwner()->getParentOp();
    return isa<func::FuncOp>(parent)
               ? Memory{value.getAsOpaquePointer(), parent}
               : Memory{};
  }
  // Ops that name a parameter in the same way, and its slot, are one memory.
  if (Attribute param = rt::getParam(op)) {
    const void *kind = op->getName().getAsOpaquePointer();
    if (auto state = dyn_cast<rt::StateOp>(op))
      kind = state.getSlotAttr().getAsOpaquePointer();
    return {param.getAsOpaquePointer(), kind};
  }
  if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    return {global.getNameAttr().getAsOpaquePointer(), nullptr};
  if (isa<rt::AllocOp, memref::AllocaOp>(op))
    return {value.getAsOpaquePointer(), nullptr};
  // What the host gives is never written.
  if (isa<rt::RTDialect>(op->getDialect()) && isMemoryEffectFree(op))
    return {op->getName().getAsOpaquePointer(), nullptr};
  return {};
}

Memory Memory::of(Value value) {
  Columns columns(value);
  while (Operation *op = value.getDefiningOp()) {
    Value source = sourceOfView(op);
    if (!source)
      break;
    value = source;
    columns.goThrough(op);
  }
  Memory memory = rootOf(value);
  memory.begin = columns.begin;
  memory.end = columns.end;
  return memory;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static bool meet(ArrayRef<Memory> some, ArrayRef<Memory> others) {
  return llvm::any_of(some, [&](const Memory &memory) {
    return llvm::any_of(
        others, [&](const Memory &other) { return memory.meets(other); });
  });
}

bool Accesses::conflictsWith(const Accesses &later) const {
  return meet(writes, later.reads) || meet(writes, later.writes) ||
         meet(reads, later.writes);
}

bool Accesses::writesTo(const Memory &memory) const {
  return meet(writes, memory);
}

static void addNew(SmallVector<Memory> &to, ArrayRef<Memory> from) {
  for (const Memory &memory : from)
    if (!llvm::is_contained(to, memory))
      to.push_back(memory);
}

void Accesses::add(const Accesses &more) {
  addNew(reads, more.reads);
  addNew(writes, more.writes);
}

/// What ops on the touched rows of a parameter use beside memory.
bool Accesses::addTouched(Operation *op) {
  Attribute param = rt::getParam(op);
  if (!param || isMemoryEffectFree(op))
    return false;
  Memory count{param.getAsOpaquePointer(), nullptr};
  auto arrayOf = [&](StringRef name) {
    OperationName kind(name, op->getContext());
    return Memory{param.getAsOpaquePointer(), kind.getAsOpaquePointer()};
  };
  if (hasSingleEffect<MemoryEffects::Read>(op)) {
    addNew(reads, count);
  } else if (hasSingleEffect<MemoryEffects::Write>(op)) {
    addNew(writes, count);
  } else {
    Memory all[] = {count, arrayOf(rt::TouchedOp::getOperationName()),
                    arrayOf(rt::TouchedFlagsOp::getOperationName())};
    addNew(reads, all);
    addNew(writes, all);
  }
  return true;
}

/// Whether the memory behind a value is the block's.
static bool isShared(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (Value source = sourceOfView(op))
      value = source;
    else if (auto global = dyn_cast<memref::GetGlobalOp>(op))
      return global.getType().getMemorySpace() != Attribute();
    else
      return false;
  }
  return false;
}

/// What the op itself reads and writes, without the ops in it.
void Accesses::addOwn(Operation *op) {
  // One thread alone writes what failed, and none reads it.
  if (addTouched(op) || isa<rt::FailIfOp>(op))
    return;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const MemoryEffects::EffectInstance &effect : instances) {
    Value value = effect.getValue();
    bool isKnown = value && isa<MemRefType>(value.getType());
    if (isKnown && isShared(value))
      continue;
    Memory memory = isKnown ? Memory::of(value) : Memory{};
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      addNew(reads, memory);
    else if (isa<MemoryEffects::Write>(effect.getEffect()))
      addNew(writes, memory);
  }
}

Accesses Accesses::of(Operation *op) {
  Accesses all;
  op->walk([&](Operation *inner) {
    // What a thread asks of the GPU is no memory of the entry.
    if (!isa<LLVM::CallIntrinsicOp>(inner))
      all.addOwn(inner);
  });
  return all;
}
