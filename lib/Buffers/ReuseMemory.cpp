//===-- ReuseMemory.cpp - One buffer for values that do not live together -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Buffers/Passes.h"
#include "cambium/Support/Lifetime.h"
#include "dialects/RT/IR/RT.h"
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

  /// Memory of one size: by the place where its contents die, that of the op
  /// and then the earliest allocation last.
  using Pool = std::map<std::pair<size_t, int64_t>, memref::AllocOp>;

  /// Gives each allocation the memory of one of the same size whose contents
  /// are dead by then, if there is one: the one that has died last is the
  /// warmest.
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
      size_t last = places.lookup(lifetime->last);
      // The last of those that die before.
      auto found = pool.lower_bound({places.lookup(lifetime->first),
                                     std::numeric_limits<int64_t>::min()});
      if (found == pool.begin()) {
        pool[{last, -number++}] = alloc;
        continue;
      }
      auto [key, memory] = *--found;
      pool.erase(found);
      pool[{last, key.second}] = memory;
      alloc.replaceAllUsesWith(memory.getResult());
      alloc.erase();
    }
  }
};
} // namespace
