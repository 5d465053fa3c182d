//===-- lib/Codegen/UseWorkspace.cpp - Buffers from the workspace ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Codegen/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace cambium {
#define GEN_PASS_DEF_USEWORKSPACE
#include "cambium/Codegen/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
struct UseWorkspace : cambium::impl::UseWorkspaceBase<UseWorkspace> {
  using UseWorkspaceBase::UseWorkspaceBase;

  void runOnOperation() override {
    bool valid = true;
    getOperation().walk([&](Operation *op) {
      if (isa<memref::DeallocOp>(op)) {
        op->erase();
      } else if (auto alloc = dyn_cast<memref::AllocOp>(op)) {
        valid &= succeeded(replace(alloc));
      } else if (isa<rt::AllocOp>(op)) {
        valid &= succeeded(checkPlace(op));
      }
    });
    if (!valid)
      signalPassFailure();
  }

  static LogicalResult replace(memref::AllocOp alloc) {
    if (failed(checkPlace(alloc)))
      return failure();
    if (!alloc.getType().getLayout().isIdentity())
      return alloc.emitOpError("expected an identity layout, but got ") << alloc.getType();
    OpBuilder builder(alloc);
    auto workspace = rt::AllocOp::create(builder, alloc.getLoc(), alloc.getType(),
                                         alloc.getDynamicSizes());
    alloc.replaceAllUsesWith(workspace.getResult());
    alloc.erase();
    return success();
  }

  static LogicalResult checkPlace(Operation *alloc) {
    for (Operation *parent = alloc->getParentOp(); parent; parent = parent->getParentOp()) {
      if (isa<func::FuncOp>(parent))
        return success();
      if (isa<LoopLikeOpInterface, rt::ParallelOp>(parent))
        return alloc->emitOpError("expected no allocation in a loop: its memory is not given "
                                  "back before the entry returns");
    }
    return success();
  }
};
} // namespace
