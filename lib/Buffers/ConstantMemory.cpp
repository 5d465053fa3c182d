//===-- lib/Buffers/ConstantMemory.cpp - Constant tensors in memory ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Buffers/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferUtils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_CONSTANTMEMORY
#include "cambium/Buffers/Passes.h.inc"
} // namespace cambium

using namespace cambium;

/// What vectors may want.
static constexpr uint64_t kAlignment = 64;

namespace {
struct ConstantMemory : cambium::impl::ConstantMemoryBase<ConstantMemory> {
  void runOnOperation() override {
    SmallVector<arith::ConstantOp> constants;
    getOperation().walk([&](arith::ConstantOp op) {
      if (isa<RankedTensorType>(op.getType()))
        constants.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    SymbolTableCollection symbols;
    for (arith::ConstantOp op : constants) {
      FailureOr<memref::GlobalOp> global =
          bufferization::getGlobalFor(op, symbols, kAlignment);
      if (failed(global))
        return signalPassFailure();
      rewriter.setInsertionPoint(op);
      Value memory = memref::GetGlobalOp::create(
          rewriter, op.getLoc(), global->getType(), global->getName());
      rewriter.replaceOpWithNewOp<bufferization::ToTensorOp>(
          op, op.getType(), memory, /*restrict=*/true);
    }
  }
};
} // namespace
