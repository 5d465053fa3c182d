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
    SmallVector<rt::AllocOp> allocs(function.front().getOps<rt::AllocOp>());
    for (rt::AllocOp alloc : allocs)
      if (std::optional<Lifetime> life = Lifetime::of(alloc))
        limit(alloc, *life);
  }

  /// Allocates right before the first access, and releases behind the last one.
  static void limit(rt::AllocOp alloc, const Lifetime &life) {
    SmallVector<Operation *> views(life.views.begin(), life.views.end());
    llvm::sort(views, [](Operation *lhs, Operation *rhs) {
      return lhs->isBeforeInBlock(rhs);
    });
    alloc->moveBefore(life.first);
    for (Operation *view : views)
      if (view->isBeforeInBlock(life.first))
        view->moveBefore(life.first);
    OpBuilder builder(life.last->getContext());
    builder.setInsertionPointAfter(life.last);
    memref::DeallocOp::create(builder, alloc.getLoc(), alloc);
  }
};
} // namespace
