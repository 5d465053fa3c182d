//===-- ReleaseMemory.cpp - Workspace that is not needed any more --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Kernels/Passes.h"
#include "cambium/Support/Lifetime.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace cambium {
#define GEN_PASS_DEF_RELEASEMEMORY
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
struct ReleaseMemory : cambium::impl::ReleaseMemoryBase<ReleaseMemory> {
  using ReleaseMemoryBase::ReleaseMemoryBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !rt::isEntry(function))
      return;
    // Everything is read before anything moves: after each move the next
    // question for an order numbers the whole block.
    SmallVector<std::pair<rt::AllocOp, Limits>> limits;
    for (rt::AllocOp alloc : function.front().getOps<rt::AllocOp>())
      if (std::optional<Lifetime> life = Lifetime::of(alloc))
        limits.emplace_back(alloc, Limits(*life));
    for (auto &[alloc, limit] : limits)
      limit.apply(alloc);
  }

  /// The ops between which an allocation is needed.
  struct Limits {
    Operation *first, *last;
    /// Views that stand before the first access, in their order.
    SmallVector<Operation *, 2> early;

    explicit Limits(const Lifetime &life) : first(life.first), last(life.last) {
      llvm::copy_if(
          life.views, std::back_inserter(early),
          [&](Operation *view) { return view->isBeforeInBlock(first); });
      llvm::sort(early, [](Operation *lhs, Operation *rhs) {
        return lhs->isBeforeInBlock(rhs);
      });
    }

    /// Allocates right before the first access, releases behind the last one.
    void apply(rt::AllocOp alloc) const {
      alloc->moveBefore(first);
      for (Operation *view : early)
        view->moveBefore(first);
      OpBuilder builder(last->getContext());
      builder.setInsertionPointAfter(last);
      memref::DeallocOp::create(builder, alloc.getLoc(), alloc);
    }
  };
};
} // namespace
