//===-- ReuseMemory.cpp - One buffer for values that do not live together -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Buffers/Passes.h"
#include "cambium/Support/Lifetime.h"
#include "cambium/Support/Views.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include <limits>
#include <map>

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_REUSEMEMORY
#include "cambium/Buffers/Passes.h.inc"
} // namespace cambium

using namespace cambium;

namespace {
struct ReuseMemory : cambium::impl::ReuseMemoryBase<ReuseMemory> {
  using ReuseMemoryBase::ReuseMemoryBase;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) {
      if (!outsideLoops || !isOrdered(block->getParentOp()))
        blocks.push_back(block);
    });
    for (Block *block : blocks)
      reuseIn(*block);
  }

  /// Whether what is in a loop is executed by all threads, one after the other.
  static bool isOrdered(Operation *parent) {
    return isa<LoopLikeOpInterface>(parent) && !isa<rt::ForEachOp>(parent) &&
           !parent->getParentOfType<rt::ForEachOp>();
  }

  static Value rootOfView(Value memory) {
    while (Value source = sourceOfView(memory.getDefiningOp()))
      memory = source;
    return memory;
  }

  /// Memory of one size: by the place where its contents die, that of the op
  /// and then the earliest allocation last.
  using Pool = std::map<std::pair<size_t, int64_t>, memref::AllocOp>;

  /// Whether an op writes each element of `to`, which it does not read, where
  /// it has read the same one of `from`, and no other of that: neither by a
  /// view nor in its body, which may read memory at any place.
  static bool isInPlace(Operation *op, Value from, Value to) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp || linalgOp.getNumLoops() != linalgOp.getNumParallelLoops())
      return false;
    auto isOther = [&](Value value) {
      Value root = rootOfView(value);
      return root != from && root != to;
    };
    auto readsOther = [&](Operation *inner) {
      return WalkResult(success(llvm::all_of(inner->getOperands(), isOther)));
    };
    if (linalgOp.getBlock()->walk(readsOther).wasInterrupted())
      return false;
    return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
      bool isSame = operand.get() == from || operand.get() == to;
      return isSame ? linalgOp.getMatchingIndexingMap(&operand).isIdentity()
                    : isOther(operand.get());
    });
  }

  /// Of the memory that dies in the op that is the first to use the allocation,
  /// what that op may write to.
  static Pool::iterator findInPlace(Pool &pool, memref::AllocOp alloc,
                                    Operation *first, size_t place) {
    int64_t least = std::numeric_limits<int64_t>::min();
    for (auto it = pool.lower_bound({place, least});
         it != pool.end() && it->first.first == place; ++it)
      if (isInPlace(first, it->second, alloc))
        return it;
    return pool.end();
  }

  /// Gives each allocation the memory of one of the same size whose contents
  /// are dead by then, if there is one: the one that has died last is the
  /// warmest. Warmer yet is what the op reads that writes the allocation first.
  static void reuseIn(Block &block) {
    DenseMap<Operation *, size_t> places;
    for (Operation &op : block)
      places[&op] = places.size();
    std::map<std::pair<void *, SmallVector<void *>>, Pool> pools;
    int64_t number = 0;
    for (memref::AllocOp alloc :
         llvm::make_early_inc_range(block.getOps<memref::AllocOp>())) {
      std::optional<Lifetime> lifetime = Lifetime::of(alloc);
      if (!lifetime)
        continue;
      SmallVector<void *> sizes;
      for (Value size : alloc.getDynamicSizes())
        sizes.push_back(size.getAsOpaquePointer());
      auto type = const_cast<void *>(alloc.getType().getAsOpaquePointer());
      Pool &pool = pools[{type, sizes}];
      size_t first = places.lookup(lifetime->first);
      size_t last = places.lookup(lifetime->last);
      auto found = findInPlace(pool, alloc, lifetime->first, first);
      if (found == pool.end()) {
        // The last of those that die before.
        found = pool.lower_bound({first, std::numeric_limits<int64_t>::min()});
        if (found == pool.begin()) {
          pool[{last, -number++}] = alloc;
          continue;
        }
        --found;
      }
      auto [key, memory] = *found;
      pool.erase(found);
      pool[{last, key.second}] = memory;
      alloc.replaceAllUsesWith(memory.getResult());
      alloc.erase();
    }
  }
};
} // namespace
