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
#include "mlir/Dialect/Utils/IndexingUtils.h"

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
      if (std::optional<Filling> filling = findFilling(op)) {
        rewriter.setInsertionPoint(op);
        fill(op, *filling, rewriter);
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

  /// A number, and what other elements there are.
  struct Filling {
    TypedAttr number;
    SmallVector<std::pair<int64_t, TypedAttr>> others;
  };

  /// What a large constant is that is many times the same number but for a few
  /// elements: it would be as large in the module as in memory.
  static std::optional<Filling> findFilling(arith::ConstantOp op) {
    constexpr int64_t maxElements = 1 << 12;
    constexpr size_t maxOthers = 4;
    auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!elements || elements.getNumElements() <= maxElements)
      return std::nullopt;
    if (elements.isSplat())
      return Filling{elements.getSplatValue<TypedAttr>(), {}};
    auto values = elements.getValues<TypedAttr>();
    Filling filling{values[elements.getNumElements() - 1], {}};
    for (auto [place, value] : llvm::enumerate(values)) {
      if (value == filling.number)
        continue;
      if (filling.others.size() == maxOthers)
        return std::nullopt;
      filling.others.push_back({static_cast<int64_t>(place), value});
    }
    return filling;
  }

  static void fill(arith::ConstantOp op, const Filling &filling,
                   IRRewriter &rewriter) {
    auto type = cast<RankedTensorType>(op.getType());
    Location loc = op.getLoc();
    Value number = arith::ConstantOp::create(rewriter, loc, filling.number);
    Value empty = tensor::EmptyOp::create(rewriter, loc, type, ValueRange());
    Value result =
        linalg::FillOp::create(rewriter, loc, number, empty).getResult(0);
    for (auto [place, value] : filling.others) {
      SmallVector<Value> indices;
      for (int64_t index : delinearize(place, computeStrides(type.getShape())))
        indices.push_back(arith::ConstantIndexOp::create(rewriter, loc, index));
      Value other = arith::ConstantOp::create(rewriter, loc, value);
      result = tensor::InsertOp::create(rewriter, loc, other, result, indices);
    }
    rewriter.replaceOp(op, result);
  }
};
} // namespace
