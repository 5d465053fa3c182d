//===-- SplitProducts.cpp - Products as wide as what uses them ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Products.h"
#include "RowOps.h"
#include "cambium/Kernels/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace cambium {
#define GEN_PASS_DEF_SPLITPRODUCTS
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

/// The columns of a part of all rows, if it is one: where they begin, and how
/// many there are.
static std::optional<std::pair<int64_t, int64_t>>
columnsOf(memref::SubViewOp part) {
  if (part.getSourceType().getRank() != 2 || part.getType().getRank() != 2 ||
      !isZeroInteger(part.getMixedOffsets()[0]) || !part.hasUnitStride() ||
      part.isDynamicOffset(1) || part.isDynamicSize(1))
    return std::nullopt;
  return std::pair(part.getStaticOffset(1), part.getStaticSize(1));
}

/// The width of the parts in which others use a product's result, or 0 if it is
/// not made of parts of one width.
static int64_t widthOfParts(linalg::MatmulOp product, Operation *start) {
  Value out = product.getDpsInits()[0];
  int64_t all = cast<MemRefType>(out.getType()).getDimSize(1), width = 0;
  for (Operation *user : out.getUsers()) {
    if (user == product || user == start)
      continue;
    auto part = dyn_cast<memref::SubViewOp>(user);
    auto columns = part ? columnsOf(part) : std::nullopt;
    if (!columns || (width && columns->second != width))
      return 0;
    width = columns->second;
    if (columns->first % width != 0)
      return 0;
  }
  return width && width < all && all % width == 0 ? width : 0;
}

/// Columns of a matrix, or elements of a row, where the value is made: what a
/// loop does not change stays outside of it.
static Value cut(OpBuilder &b, Value value, int64_t begin, int64_t count) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointAfterValue(value);
  auto type = cast<MemRefType>(value.getType());
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(type.getRank(), zero),
      sizes(type.getRank(), b.getIndexAttr(count)),
      strides(type.getRank(), one);
  offsets.back() = b.getIndexAttr(begin);
  if (type.isDynamicDim(0))
    sizes.front() = RowsOfMemory(value).count;
  else if (type.getRank() == 2)
    sizes.front() = b.getIndexAttr(type.getDimSize(0));
  return memref::SubViewOp::create(b, value.getLoc(), value, offsets, sizes,
                                   strides);
}

/// Replaces a product by one for each part of its columns.
static void split(linalg::MatmulOp product, const ProductStart &start,
                  int64_t width) {
  Value right = product.getDpsInputs()[1], out = product.getDpsInits()[0];
  int64_t all = cast<MemRefType>(out.getType()).getDimSize(1);
  OpBuilder b(product);
  Location loc = product.getLoc();
  for (int64_t begin = 0; begin < all; begin += width) {
    Value part = cut(b, out, begin, width);
    if (auto fill = dyn_cast_or_null<linalg::FillOp>(start.replaced))
      linalg::FillOp::create(b, fill.getLoc(), fill.getInputs()[0], part);
    else if (start.row)
      linalg::BroadcastOp::create(b, start.replaced->getLoc(),
                                  cut(b, start.row, begin, width), part,
                                  ArrayRef<int64_t>{0});
    Value operands[] = {product.getDpsInputs()[0], cut(b, right, begin, width)};
    linalg::MatmulOp::create(b, loc, operands, ValueRange{part});
  }
  product.erase();
  if (start.replaced)
    start.replaced->erase();
}

/// A product of which others use parts, in a loop.
static void splitIfUsedInParts(linalg::MatmulOp product) {
  std::optional<Product> known = classifyProduct(product);
  if (!known || known->lhsTransposed || known->rhsTransposed ||
      !product->getParentOfType<LoopLikeOpInterface>())
    return;
  Value out = product.getDpsInits()[0];
  auto right = cast<MemRefType>(product.getDpsInputs()[1].getType());
  if (!right.hasStaticShape() || !RowsOfMemory(out).count)
    return;
  ProductStart start = findStart(product);
  if (int64_t width = widthOfParts(product, start.replaced))
    split(product, start, width);
}

namespace {
struct SplitProducts : cambium::impl::SplitProductsBase<SplitProducts> {
  using SplitProductsBase::SplitProductsBase;

  void runOnOperation() override {
    SmallVector<linalg::MatmulOp> products;
    getOperation().walk(
        [&](linalg::MatmulOp product) { products.push_back(product); });
    for (linalg::MatmulOp product : products)
      splitIfUsedInParts(product);
  }
};
} // namespace
