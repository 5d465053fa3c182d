//===-- ReuseMemory.cpp - One buffer for values that do not live together -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Buffers/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_REUSEMEMORY
#include "cambium/Buffers/Passes.h.inc"
} // namespace cambium

using namespace cambium;

namespace {
/// An allocation and the ops of its block between which its contents matter.
struct Lifetime {
  memref::AllocOp alloc;
  Operation *first = nullptr, *last = nullptr;

  /// Follows views of the memory; false if it may be reached in other ways.
  bool compute() {
    SmallVector<Value> worklist{alloc.getResult()};
    while (!worklist.empty()) {
      Value memory = worklist.pop_back_val();
      for (OpOperand &use : memory.getUses())
        if (!include(use, worklist))
          return false;
    }
    return first;
  }

private:
  bool include(OpOperand &use, SmallVectorImpl<Value> &worklist) {
    Operation *user = use.getOwner();
    Operation *inBlock = alloc->getBlock()->findAncestorOpInBlock(*user);
    if (!inBlock || user->hasTrait<OpTrait::IsTerminator>())
      return false;
    if (!first || inBlock->isBeforeInBlock(first))
      first = inBlock;
    if (!last || last->isBeforeInBlock(inBlock))
      last = inBlock;
    if (isa<ViewLikeOpInterface>(user)) {
      llvm::append_range(worklist, user->getResults());
      return true;
    }
    return llvm::none_of(user->getResultTypes(),
                         llvm::IsaPred<BaseMemRefType>) &&
           (user->getNumRegions() == 0 || isa<MemoryEffectOpInterface>(user));
  }
};

struct ReuseMemory : cambium::impl::ReuseMemoryBase<ReuseMemory> {
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      reuseIn(*block);
  }

  static bool sameSize(memref::AllocOp a, memref::AllocOp b) {
    return a.getType() == b.getType() &&
           a.getDynamicSizes() == b.getDynamicSizes();
  }

  /// Gives each allocation the memory of one of the same size whose contents
  /// are dead by then, if there is one: the one that has died last is the
  /// warmest.
  static void reuseIn(Block &block) {
    SmallVector<Lifetime> kept;
    for (memref::AllocOp alloc :
         llvm::make_early_inc_range(block.getOps<memref::AllocOp>())) {
      Lifetime lifetime{alloc};
      if (!lifetime.compute())
        continue;
      Lifetime *best = nullptr;
      for (Lifetime &other : kept)
        if (sameSize(other.alloc, alloc) &&
            other.last->isBeforeInBlock(lifetime.first) &&
            (!best || best->last->isBeforeInBlock(other.last)))
          best = &other;
      if (!best) {
        kept.push_back(lifetime);
        continue;
      }
      best->last = lifetime.last;
      alloc.replaceAllUsesWith(best->alloc.getResult());
      alloc.erase();
    }
  }
};
} // namespace
