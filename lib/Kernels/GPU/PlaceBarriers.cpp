//===-- PlaceBarriers.cpp - Where all blocks wait for each other ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Kernels/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SetVector.h"

namespace cambium {
#define GEN_PASS_DEF_PLACEBARRIERS
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// What is read or written: a memory of the entry, or rows of a parameter. Two
/// ops that name one parameter in the same way mean the same memory.
struct Memory {
  const void *identity = nullptr;
  const void *kind = nullptr;
  bool operator==(const Memory &other) const {
    return identity == other.identity && kind == other.kind;
  }
};

/// Accesses since the last barrier, or of a stage.
struct Accesses {
  SmallVector<Memory> reads, writes;

  static bool meet(ArrayRef<Memory> some, ArrayRef<Memory> others) {
    return llvm::any_of(some, [&](const Memory &memory) {
      return llvm::any_of(others, [&](const Memory &other) {
        // Memory of unknown origin may be any.
        return memory == other || !memory.identity || !other.identity;
      });
    });
  }
  bool conflictsWith(const Accesses &later) const {
    return meet(writes, later.reads) || meet(writes, later.writes) ||
           meet(reads, later.writes);
  }
  static void addNew(SmallVector<Memory> &to, ArrayRef<Memory> from) {
    for (const Memory &memory : from)
      if (!llvm::is_contained(to, memory))
        to.push_back(memory);
  }
  void add(const Accesses &more) {
    addNew(reads, more.reads);
    addNew(writes, more.writes);
  }
  size_t size() const { return reads.size() + writes.size(); }
};

Memory memoryOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      value = view.getViewSource();
    else if (auto parts = dyn_cast<memref::ExtractStridedMetadataOp>(op))
      value = parts.getSource();
    else
      break;
  }
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

/// What ops on the touched rows of a parameter use beside memory.
bool addTouched(Operation *op, Accesses &accesses) {
  Attribute param = rt::getParam(op);
  if (!param || isMemoryEffectFree(op))
    return false;
  Memory count{param.getAsOpaquePointer(), nullptr};
  OperationName touched(rt::TouchedOp::getOperationName(), op->getContext());
  Memory list{param.getAsOpaquePointer(), touched.getAsOpaquePointer()};
  accesses.reads.push_back(count);
  if (!hasSingleEffect<MemoryEffects::Read>(op)) {
    accesses.reads.push_back(list);
    accesses.writes.append({count, list});
  }
  return true;
}

/// What an op itself reads and writes, without the ops in it.
void addAccesses(Operation *op, Accesses &accesses) {
  // One thread alone writes what failed, and none reads it.
  if (addTouched(op, accesses) || isa<rt::FailIfOp>(op))
    return;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects)
    return;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const MemoryEffects::EffectInstance &effect : instances) {
    Value value = effect.getValue();
    Memory memory =
        value && isa<MemRefType>(value.getType()) ? memoryOf(value) : Memory{};
    if (isa<MemoryEffects::Read>(effect.getEffect()))
      accesses.reads.push_back(memory);
    else if (isa<MemoryEffects::Write>(effect.getEffect()))
      accesses.writes.push_back(memory);
  }
}

/// Whether the memory behind a value is the block's.
bool isShared(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(op))
      value = view.getViewSource();
    else if (auto global = dyn_cast<memref::GetGlobalOp>(op))
      return global.getType().getMemorySpace() != Attribute();
    else
      return false;
  }
  return false;
}

Accesses accessesOf(rt::ParallelOp stage) {
  Accesses all;
  stage.getBody().walk([&](Operation *op) {
    if (isa<LLVM::CallIntrinsicOp>(op))
      return;
    if (auto load = dyn_cast<memref::LoadOp>(op);
        load && isShared(load.getMemRef()))
      return;
    if (auto store = dyn_cast<memref::StoreOp>(op);
        store && isShared(store.getMemRef()))
      return;
    Accesses own;
    addAccesses(op, own);
    all.add(own);
  });
  return all;
}

class BarrierPlacer {
public:
  explicit BarrierPlacer(func::FuncOp entry) : entry(entry) {}

  void run() {
    Accesses open;
    place(entry.getBody(), open);
  }

private:
  /// `open` is what may have happened since the last barrier.
  void place(Region &region, Accesses &open) {
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(block))
        place(&op, open);
  }

  void place(Operation *op, Accesses &open) {
    if (isa<rt::BarrierOp>(op)) {
      open = {};
      return;
    }
    if (auto stage = dyn_cast<rt::ParallelOp>(op))
      return meet(op, accessesOf(stage), open);
    if (isa<scf::IfOp>(op))
      return branch(op, open);
    if (op->getNumRegions() != 0)
      return loop(op, open);
    Accesses own;
    addAccesses(op, own);
    meet(op, own, open);
  }

  void meet(Operation *op, const Accesses &own, Accesses &open) {
    if (open.conflictsWith(own)) {
      OpBuilder builder(op);
      rt::BarrierOp::create(builder, op->getLoc());
      open = {};
    }
    open.add(own);
  }

  void branch(Operation *op, Accesses &open) {
    Accesses after = open;
    for (Region &region : op->getRegions()) {
      Accesses one = open;
      place(region, one);
      after.add(one);
    }
    open = after;
  }

  /// An iteration may follow another one, or none.
  void loop(Operation *op, Accesses &open) {
    size_t before;
    do {
      before = open.size();
      Accesses one = open;
      for (Region &region : op->getRegions())
        place(region, one);
      open.add(one);
    } while (open.size() != before);
  }

  func::FuncOp entry;
};

struct PlaceBarriers : cambium::impl::PlaceBarriersBase<PlaceBarriers> {
  using PlaceBarriersBase::PlaceBarriersBase;

  void runOnOperation() override {
    for (auto entry : getOperation().getOps<func::FuncOp>())
      if (rt::isEntry(entry))
        BarrierPlacer(entry).run();
  }
};
} // namespace
