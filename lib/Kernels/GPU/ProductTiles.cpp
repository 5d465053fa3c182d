//===-- ProductTiles.cpp - Tiles of products by a block of threads --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block brings a slice of the operands to shared memory, from which each
// thread multiplies for elements in rows and columns a fixed distance apart:
// neighbouring threads then read neighbouring banks. A sum has its products in
// ascending order, whatever the tile.
//
//===----------------------------------------------------------------------===//
#include "ProductTiles.h"
#include "TensorTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cambium;

/// A slice of an operand in shared memory, and its bytes.
static std::pair<MemRefType, int64_t> sliceOf(Type element, int64_t steps,
                                              const TargetCosts &costs) {
  auto type = MemRefType::get(
      {costs.blockDepth, steps * costs.blockSide + costs.blockPad}, element);
  int64_t bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  return {type, type.getNumElements() * bytes};
}

int64_t cambium::sliceBytes(Type element, int64_t steps,
                            const TargetCosts &costs) {
  return sliceOf(element, steps, costs).second;
}

int64_t cambium::sharedBytes(Type element, int64_t rowSteps,
                             int64_t columnSteps, const TargetCosts &costs) {
  return sliceBytes(element, rowSteps, costs) +
         sliceBytes(element, columnSteps, costs);
}

// Threads that read at once have 16 columns of one row: in banks of their own
// without anything between rows.
MemRefType cambium::keptType(Type element, int64_t depth, int64_t columnSteps,
                             const TargetCosts &costs) {
  int64_t rows = llvm::alignTo(depth, costs.blockDepth);
  return MemRefType::get({rows, columnSteps * costs.blockSide}, element);
}

namespace {
class TileEmitter {
public:
  TileEmitter(OpBuilder &builder, Location loc, Type element,
              ArrayRef<ProductOperands> products, const ProductTile &tile,
              const TargetCosts &costs)
      : b(builder), loc(loc), element(element), products(products), tile(tile),
        costs(costs), device(builder, loc, costs) {}

  void emit();

private:
  using Values = SmallVector<Value>;

  Value size(Value memref, int64_t dim) {
    return memref::DimOp::create(b, loc, memref, dim);
  }
  Value load(Value memref, Value row, Value column) {
    return memref::LoadOp::create(b, loc, memref, ValueRange{row, column});
  }
  Value zero() {
    return arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  }
  Value isContiguous(Value memref, int64_t dim);
  void makeShared();
  Value wideDepth(Value number, int64_t size);
  /// A slice of an operand: `wide` is its dimension of rows or columns, which
  /// end before `wideEnd`.
  void fetch(Value memref, int64_t wide, int64_t steps, Value begin,
             Value wideEnd, Value depth, Value into);
  void appendStarts(const ProductOperands &product, Values &sums);
  Values multiply(Value depth, ValueRange sums);
  /// Products with row `k` of the slice that begins at `depth`.
  void multiply(Value depth, Value k, size_t product, ArrayRef<Value> left,
                Values &sums);
  void store(const ProductOperands &product, ValueRange sums);

  OpBuilder &b;
  Location loc;
  Type element;
  ArrayRef<ProductOperands> products;
  const ProductTile &tile;
  const TargetCosts &costs;
  DeviceBuilder device;
  /// Left operands, each once; slices of operands, or what is kept of them.
  llvm::SetVector<Value> lefts;
  Values leftSlices, rightSlices;
  Value thread, threadRow, threadColumn;
  /// Rows and columns of the thread's elements.
  Values rows, columns;
};

Value TileEmitter::isContiguous(Value memref, int64_t dim) {
  auto parts = memref::ExtractStridedMetadataOp::create(b, loc, memref);
  return device.equal(parts.getStrides()[dim], device.index(1));
}

void TileEmitter::makeShared() {
  int64_t used = 0;
  auto slice = [&](int64_t steps) {
    auto [type, bytes] = sliceOf(element, steps, costs);
    Value begin = device.index(used);
    used += bytes;
    return std::pair(type, begin);
  };
  SmallVector<std::pair<MemRefType, Value>> parts;
  for (size_t i = 0; i < lefts.size(); ++i)
    parts.push_back(slice(tile.rowSteps));
  for (const ProductOperands &product : products)
    if (!product.kept)
      parts.push_back(slice(tile.columnSteps));
  reserveShared(
      b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>(), used);
  const auto *next = parts.begin();
  auto take = [&] {
    auto [type, place] = *next++;
    return device.shared(type, place);
  };
  for (size_t i = 0; i < lefts.size(); ++i)
    leftSlices.push_back(take());
  for (const ProductOperands &product : products)
    rightSlices.push_back(product.kept ? product.kept : take());
}

/// The depth of an element where neighbouring threads have neighbouring rows or
/// columns. If these are too few for a warp, it takes depths so far apart that
/// they lie in different banks.
Value TileEmitter::wideDepth(Value number, int64_t size) {
  Value depth = device.split(number, size).first;
  if (size >= costs.warpThreads)
    return depth;
  int64_t parts = costs.warpThreads / size;
  auto [first, part] = device.split(depth, parts);
  return device.add(
      first, device.multiply(part, device.index(costs.blockDepth / parts)));
}

void TileEmitter::fetch(Value memref, int64_t wide, int64_t steps, Value begin,
                        Value wideEnd, Value depth, Value into) {
  Value depthEnd = size(memref, 1 - wide);
  Value lastDepth = device.before(depthEnd), lastWide = device.before(wideEnd);
  Value isDeep = isContiguous(memref, 1 - wide);
  int64_t wideSize = steps * costs.blockSide;
  int64_t each = wideSize * costs.blockDepth / costs.blockThreads;
  for (int64_t i = 0; i < each; ++i) {
    Value number = device.add(thread, device.index(i * costs.blockThreads));
    auto [wideOfDeep, deepOfDeep] = device.split(number, costs.blockDepth);
    Value wideOfWide = device.split(number, wideSize).second;
    Value k = device.choose(isDeep, deepOfDeep, wideDepth(number, wideSize));
    Value w = device.choose(isDeep, wideOfDeep, wideOfWide);
    Value atDepth = device.add(depth, k), atWide = device.add(begin, w);
    // Rows and columns behind the end give elements that are not stored.
    Value row = device.smaller(atWide, lastWide),
          column = device.smaller(atDepth, lastDepth);
    if (wide == 1)
      std::swap(row, column);
    Value value = device.choose(device.less(atDepth, depthEnd),
                                load(memref, row, column), zero());
    memref::StoreOp::create(b, loc, value, into, ValueRange{k, w});
  }
}

void TileEmitter::appendStarts(const ProductOperands &product, Values &sums) {
  Value lastRow = device.before(tile.rowEnd);
  Value lastColumn = device.before(size(product.out, 1));
  for (Value row : rows)
    for (Value column : columns)
      sums.push_back(product.isZero
                         ? zero()
                         : load(product.start, device.smaller(row, lastRow),
                                device.smaller(column, lastColumn)));
}

void TileEmitter::multiply(Value depth, Value k, size_t product,
                           ArrayRef<Value> left, Values &sums) {
  Value at = products[product].kept ? device.add(depth, k) : k;
  Values right;
  for (int64_t i = 0; i < tile.columnSteps; ++i)
    right.push_back(
        load(rightSlices[product], at,
             device.add(threadColumn, device.index(i * costs.blockSide))));
  size_t next = product * left.size() * right.size();
  for (Value l : left)
    for (Value r : right) {
      sums[next] = math::FmaOp::create(b, loc, l, r, sums[next]);
      ++next;
    }
}

TileEmitter::Values TileEmitter::multiply(Value depth, ValueRange sums) {
  // The slice before is not needed any more, nor what an earlier stage has
  // there.
  device.syncBlock();
  for (auto [left, slice] : llvm::zip_equal(lefts, leftSlices))
    fetch(left, 0, tile.rowSteps, tile.rowBegin, tile.rowEnd, depth, slice);
  for (auto [product, slice] : llvm::zip_equal(products, rightSlices))
    if (!product.kept)
      fetch(product.rhs, 1, tile.columnSteps, tile.columnBegin,
            size(product.rhs, 1), depth, slice);
  device.syncBlock();
  Values values(sums);
  for (int64_t k = 0; k < costs.blockDepth; ++k) {
    Value at = device.index(k);
    for (auto [l, slice] : llvm::enumerate(leftSlices)) {
      Values left;
      for (int64_t i = 0; i < tile.rowSteps; ++i)
        left.push_back(
            load(slice, at,
                 device.add(threadRow, device.index(i * costs.blockSide))));
      for (auto [p, product] : llvm::enumerate(products))
        if (product.lhs == lefts[l])
          multiply(depth, at, p, left, values);
    }
  }
  return values;
}

void TileEmitter::store(const ProductOperands &product, ValueRange sums) {
  Value numColumns = size(product.out, 1);
  size_t next = 0;
  for (Value row : rows)
    for (Value column : columns) {
      Value isInside =
          arith::AndIOp::create(b, loc, device.less(row, tile.rowEnd),
                                device.less(column, numColumns));
      auto branch = scf::IfOp::create(b, loc, isInside);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      memref::StoreOp::create(b, loc, sums[next++], product.out,
                              ValueRange{row, column});
    }
}

void TileEmitter::emit() {
  for (const ProductOperands &product : products)
    lefts.insert(product.lhs);
  makeShared();
  thread = device.thread();
  std::tie(threadRow, threadColumn) = device.split(thread, costs.blockSide);
  auto places = [&](Value begin, Value own, int64_t steps, Values &into) {
    for (int64_t i = 0; i < steps; ++i)
      into.push_back(device.add(device.add(begin, own),
                                device.index(i * costs.blockSide)));
  };
  places(tile.rowBegin, threadRow, tile.rowSteps, rows);
  places(tile.columnBegin, threadColumn, tile.columnSteps, columns);
  Values sums;
  for (const ProductOperands &product : products)
    appendStarts(product, sums);
  // Threads behind the end have read the last elements, which others write.
  device.syncBlock();
  auto loop =
      scf::ForOp::create(b, loc, device.index(0), size(products.front().lhs, 1),
                         device.index(costs.blockDepth), sums);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(
        b, loc, multiply(loop.getInductionVar(), loop.getRegionIterArgs()));
  }
  size_t each = rows.size() * columns.size();
  for (auto [i, product] : llvm::enumerate(products))
    store(product, loop.getResults().slice(i * each, each));
}
} // namespace

void cambium::emitProductTile(OpBuilder &builder, Location loc, Type element,
                              ArrayRef<ProductOperands> products,
                              const ProductTile &tile,
                              const TargetCosts &costs) {
  if (tile.math != rt::Math::F32)
    return emitTensorTile(builder, loc, products, tile, costs);
  TileEmitter(builder, loc, element, products, tile, costs).emit();
}

void cambium::emitKept(OpBuilder &b, Location loc,
                       const ProductOperands &product, Value columnBegin,
                       const TargetCosts &costs) {
  DeviceBuilder device(b, loc, costs);
  auto type = cast<MemRefType>(product.kept.getType());
  auto last = [&](unsigned dim) -> Value {
    Value size = memref::DimOp::create(b, loc, product.rhs, dim);
    return arith::SubIOp::create(b, loc, size, device.index(1));
  };
  Value lastRow = last(0), lastColumn = last(1);
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  Value columns = device.index(type.getDimSize(1));
  auto loop = scf::ForOp::create(b, loc, device.thread(),
                                 device.index(type.getNumElements()),
                                 device.index(costs.blockThreads));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar();
  Value row = arith::DivUIOp::create(b, loc, number, columns);
  Value column = arith::RemUIOp::create(b, loc, number, columns);
  Value from = device.add(columnBegin, column);
  Value value = memref::LoadOp::create(
      b, loc, product.rhs,
      ValueRange{arith::MinSIOp::create(b, loc, row, lastRow),
                 arith::MinSIOp::create(b, loc, from, lastColumn)});
  value =
      arith::SelectOp::create(b, loc, device.less(lastRow, row), zero, value);
  memref::StoreOp::create(b, loc, value, product.kept, ValueRange{row, column});
}

/// A matrix of which neither sizes nor strides are known.
static Value forget(OpBuilder &b, Location loc, Value matrix) {
  constexpr int64_t any = ShapedType::kDynamic;
  auto layout = StridedLayoutAttr::get(b.getContext(), any, {any, any});
  auto type = MemRefType::get({any, any},
                              getElementTypeOrSelf(matrix.getType()), layout);
  if (matrix.getType() == type)
    return matrix;
  return memref::CastOp::create(b, loc, type, matrix);
}

static Value transpose(OpBuilder &b, Location loc, Value matrix) {
  auto swap =
      AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0}, b.getContext());
  return memref::TransposeOp::create(b, loc, matrix, AffineMapAttr::get(swap));
}

ProductOperands::ProductOperands(OpBuilder &b, linalg::MatmulOp op,
                                 const Product &product,
                                 const ProductStart &starts,
                                 function_ref<Value(Value)> use, bool isShared)
    : isZero(starts.isZero) {
  Location loc = op.getLoc();
  lhs = use(op.getDpsInputs()[0]);
  rhs = use(op.getDpsInputs()[1]);
  out = use(op.getDpsInits()[0]);
  if (product.lhsTransposed)
    lhs = transpose(b, loc, lhs);
  if (product.rhsTransposed)
    rhs = transpose(b, loc, rhs);
  start = starts.row ? repeatRow(b, loc, use(starts.row), out) : out;
  if (!isShared)
    return;
  for (Value *matrix : {&lhs, &rhs, &start, &out})
    *matrix = forget(b, loc, *matrix);
}
