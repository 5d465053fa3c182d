//===-- Products.cpp - Matrix products by blocks of threads ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block computes a square tile of the result. It brings a slice of both
// operands to shared memory, from which each thread multiplies for elements in
// rows and columns a fixed distance apart: neighbouring threads then read
// neighbouring banks. A sum has its products in ascending order, whatever the
// tile.
//
//===----------------------------------------------------------------------===//
#include "../Products.h"
#include "DeviceBuilder.h"
#include "Stages.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace cambium;

namespace {
/// The operands of a product, of which nothing but the element type is known
/// before the code runs: one function serves all products.
struct Operands {
  Value lhs, rhs, start, out;
  bool isZero;
};

class TileEmitter {
public:
  TileEmitter(OpBuilder &builder, Location loc, Type element,
              const Operands &operands, const TargetCosts &costs)
      : b(builder), loc(loc), element(element), operands(operands),
        costs(costs), device(builder, loc, costs) {}

  /// Emits tile number `tile`.
  void emit(Value tile);

private:
  using Values = SmallVector<Value>;
  static constexpr int64_t kSide = 16;

  Value size(Value memref, int64_t dim) {
    return memref::DimOp::create(b, loc, memref, dim);
  }
  Value smaller(Value x, Value y) {
    return arith::MinSIOp::create(b, loc, x, y);
  }
  Value load(Value memref, Value row, Value column) {
    return memref::LoadOp::create(b, loc, memref, ValueRange{row, column});
  }
  Value zero() {
    return arith::ConstantOp::create(b, loc, b.getZeroAttr(element));
  }
  /// The number in one of two orders, by what is contiguous.
  Value choose(Value isFirst, Value x, Value y) {
    return arith::SelectOp::create(b, loc, isFirst, x, y);
  }
  Value isContiguous(Value memref, int64_t dim);
  void makeShared();
  /// A slice of an operand; `wide` is its dimension of rows or columns.
  void fetch(Value memref, int64_t wide, Value begin, Value depth, Value into);
  Values starts();
  Values multiply(Value depth, ValueRange sums);
  void store(ValueRange sums);

  OpBuilder &b;
  Location loc;
  Type element;
  const Operands &operands;
  const TargetCosts &costs;
  DeviceBuilder device;
  Value thread, rowBegin, columnBegin, lhsSlice, rhsSlice;
  /// Rows and columns of the thread's elements.
  Values rows, columns;
};

Value TileEmitter::isContiguous(Value memref, int64_t dim) {
  auto parts = memref::ExtractStridedMetadataOp::create(b, loc, memref);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                               parts.getStrides()[dim], device.index(1));
}

void TileEmitter::makeShared() {
  int64_t width = costs.blockTile + costs.blockPad;
  auto type = MemRefType::get({costs.blockDepth, width}, element);
  int64_t bytes = type.getNumElements() *
                  llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  reserveShared(
      b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>(),
      2 * bytes);
  lhsSlice = device.shared(type, device.index(0));
  rhsSlice = device.shared(type, device.index(bytes));
}

void TileEmitter::fetch(Value memref, int64_t wide, Value begin, Value depth,
                        Value into) {
  Value depthEnd = size(memref, 1 - wide), wideEnd = size(memref, wide);
  Value one = device.index(1);
  Value lastDepth = arith::SubIOp::create(b, loc, depthEnd, one);
  Value lastWide = arith::SubIOp::create(b, loc, wideEnd, one);
  Value isDeep = isContiguous(memref, 1 - wide);
  int64_t each = costs.blockTile * costs.blockDepth / costs.blockThreads;
  for (int64_t i = 0; i < each; ++i) {
    Value number = device.add(thread, device.index(i * costs.blockThreads));
    auto parts = [&](int64_t size) {
      Value of = device.index(size);
      return std::pair<Value, Value>(
          arith::DivUIOp::create(b, loc, number, of),
          arith::RemUIOp::create(b, loc, number, of));
    };
    auto [wideOfDeep, deepOfDeep] = parts(costs.blockDepth);
    auto [deepOfWide, wideOfWide] = parts(costs.blockTile);
    Value k = choose(isDeep, deepOfDeep, deepOfWide);
    Value w = choose(isDeep, wideOfDeep, wideOfWide);
    Value atDepth = device.add(depth, k), atWide = device.add(begin, w);
    // Rows and columns behind the end give elements that are not stored.
    Value row = smaller(atWide, lastWide), column = smaller(atDepth, lastDepth);
    if (wide == 1)
      std::swap(row, column);
    Value value = choose(device.less(atDepth, depthEnd),
                         load(memref, row, column), zero());
    memref::StoreOp::create(b, loc, value, into, ValueRange{k, w});
  }
}

TileEmitter::Values TileEmitter::starts() {
  Values sums;
  Value one = device.index(1);
  Value lastRow = arith::SubIOp::create(b, loc, size(operands.out, 0), one);
  Value lastColumn = arith::SubIOp::create(b, loc, size(operands.out, 1), one);
  for (Value row : rows)
    for (Value column : columns)
      sums.push_back(operands.isZero
                         ? zero()
                         : load(operands.start, smaller(row, lastRow),
                                smaller(column, lastColumn)));
  return sums;
}

TileEmitter::Values TileEmitter::multiply(Value depth, ValueRange sums) {
  // The slice before is not needed any more, nor what an earlier stage has
  // there.
  device.syncBlock();
  fetch(operands.lhs, 0, rowBegin, depth, lhsSlice);
  fetch(operands.rhs, 1, columnBegin, depth, rhsSlice);
  device.syncBlock();
  Values values(sums);
  Value side = device.index(kSide);
  Value x = arith::RemUIOp::create(b, loc, thread, side);
  Value y = arith::DivUIOp::create(b, loc, thread, side);
  for (int64_t k = 0; k < costs.blockDepth; ++k) {
    Values left, right;
    for (int64_t i = 0; i < costs.blockTile / kSide; ++i) {
      Value away = device.index(i * kSide), at = device.index(k);
      left.push_back(load(lhsSlice, at, device.add(y, away)));
      right.push_back(load(rhsSlice, at, device.add(x, away)));
    }
    for (auto [i, l] : llvm::enumerate(left))
      for (auto [j, r] : llvm::enumerate(right)) {
        Value &sum = values[i * right.size() + j];
        sum = math::FmaOp::create(b, loc, l, r, sum);
      }
  }
  return values;
}

void TileEmitter::store(ValueRange sums) {
  Value numRows = size(operands.out, 0), numColumns = size(operands.out, 1);
  size_t next = 0;
  for (Value row : rows)
    for (Value column : columns) {
      Value isInside = arith::AndIOp::create(b, loc, device.less(row, numRows),
                                             device.less(column, numColumns));
      auto branch = scf::IfOp::create(b, loc, isInside);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      memref::StoreOp::create(b, loc, sums[next++], operands.out,
                              ValueRange{row, column});
    }
}

void TileEmitter::emit(Value tile) {
  makeShared();
  Value width = device.index(costs.blockTile);
  Value across =
      arith::CeilDivUIOp::create(b, loc, size(operands.out, 1), width);
  rowBegin =
      device.multiply(arith::DivUIOp::create(b, loc, tile, across), width);
  columnBegin =
      device.multiply(arith::RemUIOp::create(b, loc, tile, across), width);
  thread = device.thread();
  Value side = device.index(kSide);
  Value x = arith::RemUIOp::create(b, loc, thread, side);
  Value y = arith::DivUIOp::create(b, loc, thread, side);
  for (int64_t i = 0; i < costs.blockTile / kSide; ++i) {
    Value away = device.index(i * kSide);
    rows.push_back(device.add(device.add(rowBegin, y), away));
    columns.push_back(device.add(device.add(columnBegin, x), away));
  }
  Values sums = starts();
  // Threads behind the end have read the last elements, which others write.
  device.syncBlock();
  auto loop = scf::ForOp::create(b, loc, device.index(0), size(operands.lhs, 1),
                                 device.index(costs.blockDepth), sums);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(
        b, loc, multiply(loop.getInductionVar(), loop.getRegionIterArgs()));
  }
  store(loop.getResults());
}
} // namespace

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

bool cambium::spreadProduct(linalg::MatmulOp op, const TargetCosts &costs) {
  std::optional<Product> product = classifyProduct(op);
  if (!product)
    return false;
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value lhs = op.getDpsInputs()[0], rhs = op.getDpsInputs()[1],
        out = op.getDpsInits()[0];
  if (product->lhsTransposed)
    lhs = transpose(b, loc, lhs);
  if (product->rhsTransposed)
    rhs = transpose(b, loc, rhs);
  ProductStart start = findStart(op);
  Value from = start.row ? repeatRow(b, loc, start.row, out) : out;
  Operands operands{forget(b, loc, lhs), forget(b, loc, rhs),
                    forget(b, loc, from), forget(b, loc, out), start.isZero};
  DeviceBuilder device(b, loc, costs);
  Value width = device.index(costs.blockTile);
  auto tiles = [&](int64_t dim) -> Value {
    Value size = memref::DimOp::create(b, loc, out, dim);
    return arith::CeilDivUIOp::create(b, loc, size, width);
  };
  Value count = device.multiply(tiles(0), tiles(1));
  Value tile = beginStage(b, loc, count, rt::Unit::Block, costs);
  TileEmitter(b, loc, product->element, operands, costs).emit(tile);
  op.erase();
  if (start.replaced)
    start.replaced->erase();
  return true;
}
