//===-- Products.cpp - What a matrix product on memory is
//-------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Products.h"
#include "cambium/Support/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cambium;

Value cambium::memoryOf(Value view) {
  while (Value source = sourceOfView(view.getDefiningOp()))
    view = source;
  return view;
}

/// Whether rows are contiguous.
static bool hasUnitStride(Value memref) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(cast<MemRefType>(memref.getType())
                       .getStridesAndOffset(strides, offset)) &&
         !strides.empty() && strides.back() == 1;
}

std::optional<Product> cambium::classifyProduct(linalg::MatmulOp op) {
  if (!op.hasPureBufferSemantics())
    return std::nullopt;
  Product product;
  product.element = getElementTypeOrSelf(op.getDpsInits()[0].getType());
  if (!product.element.isF32() && !product.element.isF64())
    return std::nullopt;
  for (Value operand : op->getOperands())
    if (getElementTypeOrSelf(operand.getType()) != product.element ||
        !hasUnitStride(operand))
      return std::nullopt;
  AffineExpr m, n, k;
  bindDims(op.getContext(), m, n, k);
  auto maps = op.getIndexingMapsArray();
  auto is = [&](unsigned number, AffineExpr first, AffineExpr second) {
    return maps[number] ==
           AffineMap::get(3, 0, {first, second}, op.getContext());
  };
  product.lhsTransposed = is(0, k, m);
  product.rhsTransposed = is(1, n, k);
  bool known = is(2, m, n) && (product.lhsTransposed || is(0, m, k)) &&
               (product.rhsTransposed || is(1, k, n));
  return known ? std::optional<Product>(product) : std::nullopt;
}

/// The op before that gives the result its first value, if nothing else happens
/// in between.
static linalg::LinalgOp initializationOf(linalg::MatmulOp op) {
  Operation *before = op->getPrevNode();
  while (before && isMemoryEffectFree(before))
    before = before->getPrevNode();
  auto init = dyn_cast_or_null<linalg::LinalgOp>(before);
  if (!init || init.getNumDpsInits() != 1 ||
      init.getDpsInits()[0] != op.getDpsInits()[0])
    return {};
  return init;
}

ProductStart cambium::findStart(linalg::MatmulOp op) {
  linalg::LinalgOp init = initializationOf(op);
  if (!init)
    return {};
  if (auto fill = dyn_cast<linalg::FillOp>(*init))
    if (matchPattern(fill.getInputs()[0], m_AnyZeroFloat()))
      return {fill, true, {}};
  auto broadcast = dyn_cast<linalg::BroadcastOp>(*init);
  if (broadcast && broadcast.getDimensions() == ArrayRef<int64_t>{0} &&
      hasUnitStride(broadcast.getInput()))
    return {broadcast, false, broadcast.getInput()};
  return {};
}

Value cambium::repeatRow(OpBuilder &builder, Location loc, Value row,
                         Value like) {
  auto parts = memref::ExtractStridedMetadataOp::create(builder, loc, row);
  Value rows = memref::DimOp::create(builder, loc, like, 0);
  Value columns = memref::DimOp::create(builder, loc, like, 1);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  constexpr int64_t any = ShapedType::kDynamic;
  Type element = getElementTypeOrSelf(row.getType());
  auto layout = StridedLayoutAttr::get(builder.getContext(), any, {any, 1});
  return memref::ReinterpretCastOp::create(
      builder, loc, MemRefType::get({any, any}, element, layout),
      parts.getBaseBuffer(), OpFoldResult(parts.getOffset()),
      ArrayRef<OpFoldResult>{rows, columns},
      ArrayRef<OpFoldResult>{zero, builder.getIndexAttr(1)});
}
