//===-- dialects/RT/IR/Bounds.cpp - Bounds of sizes -----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/RT/IR/Bounds.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cambium;

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

namespace {
class Bounds {
public:
  Bounds(OpBuilder &builder, function_ref<bool(Value)> isKnown)
      : builder(builder), isKnown(isKnown) {}

  Value of(Value size) {
    if (isKnown(size))
      return size;
    Operation *op = size.getDefiningOp();
    if (!op)
      return {};
    if (op->hasTrait<OpTrait::ConstantLike>())
      return builder.clone(*op)->getResult(0);
    return TypeSwitch<Operation *, Value>(op)
        .Case([&](rt::AtMostOp size) { return of(size.getBound()); })
        .Case([&](arith::MinSIOp min) {
          Value bound = of(min.getRhs());
          return bound ? bound : of(min.getLhs());
        })
        // What is taken off a size is another one, or an offset: not negative.
        .Case([&](arith::SubIOp rest) { return of(rest.getLhs()); })
        .Case<arith::AddIOp, arith::MulIOp, arith::MaxSIOp, arith::MaxUIOp>(
            [&](auto both) { return ofBoth(both); })
        .Case<arith::DivUIOp, arith::CeilDivUIOp>(
            [&](auto part) { return ofPart(part); })
        .Case([&](affine::AffineApplyOp apply) { return ofApply(apply); })
        .Case([&](rt::ForestSizeOp count) { return ofForest(count); })
        .Case([&](rt::NumTouchedOp count) { return ofTouched(count); })
        .Case([&](memref::DimOp dim) {
          std::optional<int64_t> index = dim.getConstantIndex();
          return index ? ofDim(dim.getSource(), *index) : Value();
        })
        .Default([](Operation *) { return Value(); });
  }

private:
  /// What grows with both operands.
  template <typename Op> Value ofBoth(Op op) {
    Value lhs = of(op.getLhs());
    Value rhs = lhs ? of(op.getRhs()) : Value();
    return rhs ? Op::create(builder, op.getLoc(), lhs, rhs).getResult()
               : Value();
  }

  /// Parts of a size that is divided by a number.
  template <typename Op> Value ofPart(Op op) {
    if (!matchPattern(op.getRhs(), m_Constant()))
      return {};
    return ofBoth(op);
  }

  Value ofApply(affine::AffineApplyOp op) {
    if (!isMonotone(op.getAffineMap().getResult(0)))
      return {};
    SmallVector<Value> bounds;
    for (Value operand : op.getMapOperands())
      if (bounds.push_back(of(operand)); !bounds.back())
        return {};
    return affine::AffineApplyOp::create(builder, op.getLoc(),
                                         op.getAffineMap(), bounds);
  }

  /// The rows of a forest of iterations: each of its trees is a chain.
  Value ofForest(rt::ForestSizeOp size) {
    auto forest = size.getForest().getDefiningOp<rt::IterationsOp>();
    Value rows = forest ? of(forest.getCount()) : Value();
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

  /// No row is touched twice.
  Value ofTouched(rt::NumTouchedOp count) {
    auto param = SymbolTable::lookupNearestSymbolFrom<nn::ParamOp>(
        count, count.getParamAttr());
    if (!param)
      return {};
    auto type = cast<RankedTensorType>(param.getType());
    return arith::ConstantIndexOp::create(builder, count.getLoc(),
                                          type.getDimSize(0));
  }

  /// The size of a dimension of memory whose sizes an op says.
  Value ofDim(Value memory, int64_t index) {
    Location loc = memory.getLoc();
    auto type = cast<MemRefType>(memory.getType());
    if (!type.isDynamicDim(index))
      return arith::ConstantIndexOp::create(builder, loc,
                                            type.getDimSize(index));
    if (isKnown(memory))
      return memref::DimOp::create(builder, loc, memory, index);
    Operation *op = memory.getDefiningOp();
    if (auto part = dyn_cast_or_null<OffsetSizeAndStrideOpInterface>(op)) {
      // A part that drops dimensions has more sizes than the type.
      SmallVector<OpFoldResult> sizes = part.getMixedSizes();
      auto size = static_cast<int64_t>(sizes.size()) == type.getRank()
                      ? dyn_cast<Value>(sizes[index])
                      : Value();
      return size ? of(size) : Value();
    }
    if (auto expand = dyn_cast_or_null<memref::ExpandShapeOp>(op)) {
      auto size = dyn_cast<Value>(expand.getMixedOutputShape()[index]);
      return size ? of(size) : Value();
    }
    auto collapse = dyn_cast_or_null<memref::CollapseShapeOp>(op);
    if (!collapse)
      return {};
    Value product = arith::ConstantIndexOp::create(builder, loc, 1);
    for (int64_t source : collapse.getReassociationIndices()[index]) {
      Value bound = ofDim(collapse.getSrc(), source);
      if (!bound)
        return {};
      product = arith::MulIOp::create(builder, loc, product, bound);
    }
    return product;
  }

  OpBuilder &builder;
  function_ref<bool(Value)> isKnown;
};
} // namespace

Value rt::boundOf(Value size, OpBuilder &builder,
                  function_ref<bool(Value)> isKnown) {
  return Bounds(builder, isKnown).of(size);
}

std::optional<int64_t> rt::staticBytes(MemRefType type) {
  constexpr int64_t kMostBytes = int64_t(1) << 60;
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t size : type.getShape()) {
    if (ShapedType::isDynamic(size))
      continue;
    if (size > 0 && bytes > kMostBytes / size)
      return std::nullopt;
    bytes *= size;
  }
  return bytes;
}
