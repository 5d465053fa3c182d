//===-- lib/Buffers/UseArena.cpp - Workspace memory for allocations ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Buffers/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_USEARENA
#include "cambium/Buffers/Passes.h.inc"
} // namespace cambium

using namespace cambium;

namespace {
struct UseArena : cambium::impl::UseArenaBase<UseArena> {
  using UseArenaBase::UseArenaBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *op) {
      rewriter.setInsertionPoint(op);
      if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
        rewriter.replaceOpWithNewOp<rt::AllocOp>(alloc, alloc.getType(),
                                                 alloc.getDynamicSizes());
        return;
      }
      if (auto copy = dyn_cast<memref::CopyOp>(op)) {
        rewriter.replaceOpWithNewOp<linalg::CopyOp>(copy, copy.getSource(),
                                                    copy.getTarget());
        return;
      }
      // All memory has its size.
      if (auto size = dyn_cast<rt::AtMostOp>(op); size && !keepBounds)
        rewriter.replaceOp(size, size.getSize());
    });
  }
};
} // namespace
