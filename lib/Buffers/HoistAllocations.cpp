//===-- lib/Buffers/HoistAllocations.cpp - Allocations out of loops ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Buffers/Passes.h"
#include "dialects/RT/IR/Bounds.h"
#include "dialects/RT/IR/ForEach.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace cambium {
#define GEN_PASS_DEF_HOISTALLOCATIONS
#include "cambium/Buffers/Passes.h.inc"
} // namespace cambium

using namespace cambium;

/// The outermost loop around the op.
static Operation *outermostLoop(Operation *op) {
  Operation *outermost = nullptr;
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (isa<LoopLikeOpInterface>(parent))
      outermost = parent;
  return outermost;
}

/// A value from outside of the loop that a size never exceeds, or null.
static Value boundOf(Value size, Operation *loop, OpBuilder &builder) {
  return rt::boundOf(size, builder, [&](Value value) {
    return !loop->isAncestor(value.getParentRegion()->getParentOp());
  });
}

/// The buffer with the sizes of the allocation that it stands for.
static Value viewOf(Value buffer, memref::AllocOp alloc, OpBuilder &builder) {
  MemRefType type = alloc.getType();
  SmallVector<OpFoldResult> sizes = alloc.getMixedSizes(),
                            strides(type.getRank());
  int64_t product = 1;
  for (int64_t i = type.getRank() - 1; i >= 0; --i) {
    strides[i] = builder.getIndexAttr(product);
    if (i > 0) // The first size may be dynamic.
      product *= type.getDimSize(i);
  }
  return memref::ReinterpretCastOp::create(builder, alloc.getLoc(), type,
                                           buffer, builder.getIndexAttr(0),
                                           sizes, strides);
}

/// Makes memory of a known size an iteration's own, so that iterations can run
/// at once. Returns whether it is small enough.
static bool makePrivate(memref::AllocOp alloc, const TargetCosts &costs) {
  auto loop = alloc->getParentOfType<rt::ForEachOp>();
  MemRefType type = alloc.getType();
  if (!loop || !type.hasStaticShape())
    return false;
  auto bytesOf = [](MemRefType type) {
    return type.getNumElements() *
           llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  };
  int64_t bytes = bytesOf(type);
  for (auto other : loop.getBody().getOps<memref::AllocaOp>())
    bytes += bytesOf(other.getType());
  bool isBlock = rt::isGpu(rt::getTarget(loop)) && rt::isForBlocks(loop);
  if (bytes > (isBlock ? costs.blockBytes : costs.privateBytes))
    return false;
  OpBuilder builder = OpBuilder::atBlockBegin(&loop.getBody().front());
  auto memory = memref::AllocaOp::create(builder, alloc.getLoc(), type,
                                         alloc.getAlignmentAttr());
  alloc.replaceAllUsesWith(memory.getResult());
  alloc.erase();
  return true;
}

/// The memory of the iteration at hand, in bytes for all of them.
static Value partOf(Value buffer, Value bytes, rt::ForEachOp loop,
                    memref::AllocOp alloc, OpBuilder &builder) {
  Location loc = alloc.getLoc();
  Value shift = arith::MulIOp::create(builder, loc, loop.getNumber(), bytes);
  return memref::ViewOp::create(builder, loc, alloc.getType(), buffer, shift,
                                alloc.getDynamicSizes());
}

/// Says that iterations are executed in order.
static void makeSequential(rt::ForEachOp each) {
  remark::missed(each.getLoc(), remark::RemarkOpts::name("Loop").category(
                                    "buffers-hoist-allocations"))
      << remark::reason("iterations share memory");
  rt::lowerToFor(each);
}

namespace {
struct HoistAllocations
    : cambium::impl::HoistAllocationsBase<HoistAllocations> {
  void runOnOperation() override {
    if (failed(rt::verifyOnMemory(getOperation())))
      return signalPassFailure();
    SmallVector<memref::AllocOp> allocs;
    getOperation()->walk([&](memref::AllocOp op) { allocs.push_back(op); });
    TargetCosts costs = rt::getTargetCosts(getOperation());
    for (memref::AllocOp alloc : allocs)
      if (Operation *loop = outermostLoop(alloc))
        if (!makePrivate(alloc, costs))
          hoist(alloc, loop);
  }

  /// Leaves an allocation without a bound where it is; `buffers-verify`
  /// reports it.
  static void hoist(memref::AllocOp alloc, Operation *loop) {
    // Views need static strides: only the first dimension may be dynamic.
    if (llvm::any_of(alloc.getType().getShape().drop_front(
                         alloc.getType().getRank() ? 1 : 0),
                     ShapedType::isDynamic))
      return;
    OpBuilder builder(loop);
    SmallVector<Value> bounds;
    bool exact = true;
    for (Value size : alloc.getDynamicSizes()) {
      bounds.push_back(boundOf(size, loop, builder));
      if (!bounds.back())
        return;
      exact &= bounds.back() == size;
    }
    rt::ForEachOp inner = allocateForAll(alloc, loop, bounds, builder);
    if (!inner) {
      Value buffer =
          memref::AllocOp::create(builder, alloc.getLoc(), alloc.getType(),
                                  bounds, alloc.getAlignmentAttr());
      builder.setInsertionPoint(alloc);
      if (!exact)
        buffer = viewOf(buffer, alloc, builder);
      alloc.replaceAllUsesWith(buffer);
    }
    // Iterations that share memory cannot run at once.
    Operation *place = inner ? inner.getOperation() : alloc.getOperation();
    while (auto each = place->getParentOfType<rt::ForEachOp>())
      makeSequential(each);
    alloc.erase();
  }

  /// Iterations that are worth a thread each are few: allocates outside of
  /// `loop` for all of them. Returns the loop of these iterations, if any.
  static rt::ForEachOp allocateForAll(memref::AllocOp alloc, Operation *loop,
                                      ArrayRef<Value> bounds,
                                      OpBuilder &builder) {
    auto each = alloc->getParentOfType<rt::ForEachOp>();
    Value count = each && !each.getWork()
                      ? boundOf(each.getCount(), loop, builder)
                      : Value();
    if (!count)
      return {};
    Location loc = alloc.getLoc();
    MemRefType type = alloc.getType();
    int64_t fixed = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    for (int64_t size : type.getShape())
      fixed *= ShapedType::isDynamic(size) ? 1 : size;
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value bytes = constant(fixed);
    for (Value bound : bounds)
      bytes = arith::MulIOp::create(builder, loc, bytes, bound);
    // Each part begins where vectors may.
    int64_t alignment = rt::getTargetCosts(alloc).cacheLine;
    bytes =
        arith::CeilDivUIOp::create(builder, loc, bytes, constant(alignment));
    bytes = arith::MulIOp::create(builder, loc, bytes, constant(alignment));
    Value all = arith::MulIOp::create(builder, loc, count, bytes);
    auto memory = MemRefType::get({ShapedType::kDynamic}, builder.getI8Type());
    Value buffer = memref::AllocOp::create(builder, loc, memory, all,
                                           alloc.getAlignmentAttr());
    builder.setInsertionPoint(alloc);
    alloc.replaceAllUsesWith(partOf(buffer, bytes, each, alloc, builder));
    return each;
  }
};
} // namespace
