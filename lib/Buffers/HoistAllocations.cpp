//===-- lib/Buffers/HoistAllocations.cpp - Allocations out of loops ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Buffers/Passes.h"
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

static bool isOutside(Value value, Operation *loop) {
  return !loop->isAncestor(value.getParentRegion()->getParentOp());
}

/// Whether the expression grows with its operands, which are not negative.
static bool isMonotone(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() >= 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return true;
  bool allowed = expr.getKind() == AffineExprKind::Add ||
                 expr.getKind() == AffineExprKind::Mul;
  return allowed && isMonotone(binary.getLHS()) && isMonotone(binary.getRHS());
}

static Value boundOf(Value size, Operation *loop, OpBuilder &builder);

/// The expression of the bounds of its operands.
static Value boundOfApply(affine::AffineApplyOp op, Operation *loop,
                          OpBuilder &builder) {
  if (!isMonotone(op.getAffineMap().getResult(0)))
    return {};
  SmallVector<Value> bounds;
  for (Value operand : op.getMapOperands())
    if (bounds.push_back(boundOf(operand, loop, builder)); !bounds.back())
      return {};
  return affine::AffineApplyOp::create(builder, op.getLoc(), op.getAffineMap(),
                                       bounds);
}

/// The rows of a forest of iterations: each of its trees is a chain.
static Value boundOfForest(rt::ForestSizeOp size, Operation *loop,
                           OpBuilder &builder) {
  auto forest = size.getForest().getDefiningOp<rt::IterationsOp>();
  Value rows = forest ? boundOf(forest.getCount(), loop, builder) : Value();
  if (!rows)
    return {};
  Location loc = size.getLoc();
  auto times = [&](int64_t count) -> Value {
    Value factor = arith::ConstantIndexOp::create(builder, loc, count);
    return arith::MulIOp::create(builder, loc, rows, factor);
  };
  auto max = static_cast<int64_t>(forest.getMax());
  switch (size.getField()) {
  case rt::ForestSize::NumNodes:
    return times(max + 1);
  case rt::ForestSize::NumEdges:
    return times(max);
  case rt::ForestSize::NumLevels:
    return arith::ConstantIndexOp::create(builder, loc, max + 1);
  default:
    return rows;
  }
}

/// The size of a dimension of memory whose sizes an op says.
static Value boundOfDim(Value memory, int64_t index, Operation *loop,
                        OpBuilder &builder) {
  Location loc = memory.getLoc();
  auto type = cast<MemRefType>(memory.getType());
  if (!type.isDynamicDim(index))
    return arith::ConstantIndexOp::create(builder, loc, type.getDimSize(index));
  if (isOutside(memory, loop))
    return memref::DimOp::create(builder, loc, memory, index);
  Operation *op = memory.getDefiningOp();
  if (auto part = dyn_cast_or_null<OffsetSizeAndStrideOpInterface>(op)) {
    // A part that drops dimensions has more sizes than the type.
    SmallVector<OpFoldResult> sizes = part.getMixedSizes();
    auto size = static_cast<int64_t>(sizes.size()) == type.getRank()
                    ? dyn_cast<Value>(sizes[index])
                    : Value();
    return size ? boundOf(size, loop, builder) : Value();
  }
  auto collapse = dyn_cast_or_null<memref::CollapseShapeOp>(op);
  if (!collapse)
    return {};
  Value product = arith::ConstantIndexOp::create(builder, loc, 1);
  for (int64_t source : collapse.getReassociationIndices()[index]) {
    Value bound = boundOfDim(collapse.getSrc(), source, loop, builder);
    if (!bound)
      return {};
    product = arith::MulIOp::create(builder, loc, product, bound);
  }
  return product;
}

/// A value from outside of the loop that a size never exceeds; null if none is
/// known. Sizes are not negative, so that a product is bounded by that of the
/// bounds.
static Value boundOf(Value size, Operation *loop, OpBuilder &builder) {
  if (isOutside(size, loop))
    return size;
  Operation *op = size.getDefiningOp();
  if (!op)
    return {};
  if (op->hasTrait<OpTrait::ConstantLike>())
    return builder.clone(*op)->getResult(0);
  if (auto size = dyn_cast<rt::AtMostOp>(op))
    return boundOf(size.getBound(), loop, builder);
  if (auto min = dyn_cast<arith::MinSIOp>(op)) {
    Value bound = boundOf(min.getRhs(), loop, builder);
    return bound ? bound : boundOf(min.getLhs(), loop, builder);
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return boundOfApply(apply, loop, builder);
  if (auto dim = dyn_cast<memref::DimOp>(op))
    if (std::optional<int64_t> index = dim.getConstantIndex())
      return boundOfDim(dim.getSource(), *index, loop, builder);
  if (auto count = dyn_cast<rt::ForestSizeOp>(op))
    return boundOfForest(count, loop, builder);
  // What is taken off a size is another one, or an offset: not negative.
  if (auto rest = dyn_cast<arith::SubIOp>(op))
    return boundOf(rest.getLhs(), loop, builder);
  if (!isa<arith::MulIOp, arith::AddIOp>(op))
    return {};
  Value lhs = boundOf(op->getOperand(0), loop, builder);
  Value rhs = boundOf(op->getOperand(1), loop, builder);
  if (!lhs || !rhs)
    return {};
  if (isa<arith::MulIOp>(op))
    return arith::MulIOp::create(builder, op->getLoc(), lhs, rhs);
  return arith::AddIOp::create(builder, op->getLoc(), lhs, rhs);
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
  if (bytes > costs.privateBytes)
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
