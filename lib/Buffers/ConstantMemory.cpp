//===-- lib/Buffers/ConstantMemory.cpp - Constant tensors in memory ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Buffers/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferUtils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_CONSTANTMEMORY
#include "cambium/Buffers/Passes.h.inc"
} // namespace cambium

using namespace cambium;

namespace {
struct ConstantMemory : cambium::impl::ConstantMemoryBase<ConstantMemory> {
  void runOnOperation() override {
    SmallVector<arith::ConstantOp> constants;
    getOperation().walk([&](arith::ConstantOp op) {
      if (isa<RankedTensorType>(op.getType()))
        constants.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    auto alignment =
        static_cast<uint64_t>(rt::getTargetCosts(getOperation()).cacheLine);
    SymbolTableCollection symbols;
    for (arith::ConstantOp op : constants) {
      if (isLargeSplat(op)) {
        rewriter.setInsertionPoint(op);
        fill(op, rewriter);
        continue;
      }
      FailureOr<memref::GlobalOp> global =
          bufferization::getGlobalFor(op, symbols, alignment);
      if (failed(global))
        return signalPassFailure();
      rewriter.setInsertionPoint(op);
      Value memory = memref::GetGlobalOp::create(
          rewriter, op.getLoc(), global->getType(), global->getName());
      rewriter.replaceOpWithNewOp<bufferization::ToTensorOp>(
          op, op.getType(), memory, /*restrict=*/true);
    }
  }

  /// Whether a constant is many times the same number: it would be as large in
  /// the module as in memory.
  static bool isLargeSplat(arith::ConstantOp op) {
    constexpr int64_t maxElements = 1 << 16;
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    return splat && splat.getNumElements() > maxElements;
  }

  static void fill(arith::ConstantOp op, IRRewriter &rewriter) {
    auto type = cast<RankedTensorType>(op.getType());
    Value number = arith::ConstantOp::create(
        rewriter, op.getLoc(),
        cast<TypedAttr>(
            cast<SplatElementsAttr>(op.getValue()).getSplatValue<Attribute>()));
    Value empty =
        tensor::EmptyOp::create(rewriter, op.getLoc(), type, ValueRange());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, number, empty);
  }
};
} // namespace
