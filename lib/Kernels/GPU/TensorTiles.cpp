//===-- TensorTiles.cpp - Tiles of products by tensor cores ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block brings a slice of the operands to shared memory, from which each warp
// multiplies for tiles of an instruction. A sum has its products in ascending
// order of instructions, whatever the tile.
//
//===----------------------------------------------------------------------===//
#include "TensorTiles.h"
#include "TensorSlices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cambium;

int64_t cambium::tensorBytes(int64_t rowSteps, int64_t columnSteps,
                             const TargetCosts &costs) {
  return TensorSlices::bytes((rowSteps + columnSteps) * costs.blockSide, costs);
}

namespace {
class TensorTileEmitter {
public:
  TensorTileEmitter(OpBuilder &builder, Location loc,
                    ArrayRef<ProductOperands> products, const ProductTile &tile,
                    const TargetCosts &costs)
      : b(builder), loc(loc), products(products), tile(tile), costs(costs),
        device(builder, loc, costs), f32(builder.getF32Type()) {}

  void emit();

private:
  using Values = SmallVector<Value>;

  Value size(Value memref, int64_t dim) {
    return memref::DimOp::create(b, loc, memref, dim);
  }
  Value load(Value memref, Value row, Value column) {
    return memref::LoadOp::create(b, loc, memref, ValueRange{row, column});
  }
  Value zero() { return arith::ConstantOp::create(b, loc, b.getZeroAttr(f32)); }
  void placeWarps();
  Values
  inProduct(int64_t slot, int64_t count,
            function_ref<Values(const ProductOperands &, Value column)> emit);
  Value warpRowOf(int64_t rowTile);
  Value rightRowOf(int64_t slot);
  Value leftSliceOf(int64_t slot);
  void forPairs(Value column,
                function_ref<void(Value row, Value first, Value second)> emit);
  void appendStarts(int64_t slot, Values &sums);
  void multiply(int64_t word, Values &sums);
  Values multiplySlice(Value depth, ValueRange sums);
  void store(int64_t slot, ArrayRef<Value> sums);

  OpBuilder &b;
  Location loc;
  ArrayRef<ProductOperands> products;
  const ProductTile &tile;
  const TargetCosts &costs;
  DeviceBuilder device;
  Type f32;
  /// Left operands, each once; all slices of left ones, and of right ones.
  llvm::SetVector<Value> lefts;
  std::optional<TensorSlices> leftSlices, rightSlices;
  int64_t sliceRows = 0, sliceColumns = 0;
  /// The warps stand in a square; a warp has so many tiles of an instruction
  /// below each other, and so many slots for such beside each other. A column
  /// of tiles, of all products, is in the slots of the warps in turn.
  int64_t columnWarps = 1, rowTiles = 1, slots = 1, tilesOfProduct = 1;
  Value group, part, isLateGroup, warpRow;
  /// The column of tiles in each slot, and the same where that is none of the
  /// products': the last one.
  Values tileNumbers, knownTiles;
  Value depthEnd;
};
} // namespace

void TensorTileEmitter::placeWarps() {
  auto [warp, lane] = device.split(device.thread(), costs.warpThreads);
  std::tie(group, part) = device.split(lane, 4);
  isLateGroup = device.less(device.index(3), group);
  int64_t warps = costs.blockThreads / costs.warpThreads;
  int64_t below = sliceRows / costs.matrixRows;
  int64_t rowWarps = std::min(costs.warpRows, below);
  columnWarps = warps / rowWarps, rowTiles = below / rowWarps;
  tilesOfProduct = sliceColumns / costs.matrixColumns;
  int64_t tiles = tilesOfProduct * products.size();
  slots = llvm::divideCeil(tiles, columnWarps);
  Value warpColumn;
  std::tie(warpRow, warpColumn) = device.split(warp, columnWarps);
  for (int64_t slot = 0; slot < slots; ++slot) {
    tileNumbers.push_back(
        device.add(warpColumn, device.index(slot * columnWarps)));
    bool isFull = (slot + 1) * columnWarps <= tiles;
    knownTiles.push_back(
        isFull ? tileNumbers.back()
               : device.smaller(tileNumbers.back(), device.index(tiles - 1)));
  }
}

/// Emits for each product that a warp may have in the slot, so many values;
/// `column` is the first of the thread's two columns of the result.
TensorTileEmitter::Values TensorTileEmitter::inProduct(
    int64_t slot, int64_t count,
    function_ref<Values(const ProductOperands &, Value column)> emit) {
  auto [number, place] = device.split(knownTiles[slot], tilesOfProduct);
  Value column =
      device.add(device.multiply(place, device.index(costs.matrixColumns)),
                 device.multiply(part, device.index(2)));
  column = device.add(tile.columnBegin, column);
  int64_t at = slot * columnWarps / tilesOfProduct;
  int64_t last = std::min<int64_t>(
      ((slot + 1) * columnWarps - 1) / tilesOfProduct, products.size() - 1);
  OpBuilder::InsertionGuard guard(b);
  scf::IfOp outermost;
  auto give = [&](ValueRange values) {
    if (count)
      scf::YieldOp::create(b, loc, values);
  };
  for (; at < last; ++at) {
    Value isThis = device.equal(number, device.index(at));
    auto branch = scf::IfOp::create(b, loc, SmallVector<Type>(count, f32),
                                    isThis, /*withElseRegion=*/true);
    if (outermost)
      give(branch.getResults());
    else
      outermost = branch;
    b.setInsertionPointToStart(branch.thenBlock());
    give(emit(products[at], column));
    b.setInsertionPointToStart(branch.elseBlock());
  }
  Values values = emit(products[last], column);
  if (!outermost)
    return values;
  give(values);
  return Values(outermost.getResults());
}

/// The first row of a tile of an instruction in the block's tile.
Value TensorTileEmitter::warpRowOf(int64_t rowTile) {
  Value row =
      device.multiply(warpRow, device.index(rowTiles * costs.matrixRows));
  return device.add(row, device.index(rowTile * costs.matrixRows));
}

/// The first row in the slices of right operands of the tiles in the slot.
Value TensorTileEmitter::rightRowOf(int64_t slot) {
  return device.multiply(knownTiles[slot], device.index(costs.matrixColumns));
}

/// The first row in the slices of left operands of the product in the slot.
Value TensorTileEmitter::leftSliceOf(int64_t slot) {
  Value slice = device.index(0);
  if (lefts.size() == 1)
    return slice;
  Value product = device.split(knownTiles[slot], tilesOfProduct).first;
  for (auto [number, operands] : llvm::enumerate(products)) {
    size_t left = std::distance(lefts.begin(), llvm::find(lefts, operands.lhs));
    slice = device.choose(device.equal(product, device.index(number)),
                          device.index(left * sliceRows), slice);
  }
  return slice;
}

/// Emits for each two neighbouring sums of a thread: for the first row, then
/// for the one 8 below it, in each tile. Half of the threads have their second
/// number first, so that rows of shared memory 8 more than a multiple of the
/// banks apart have banks of their own.
void TensorTileEmitter::forPairs(
    Value column,
    function_ref<void(Value row, Value first, Value second)> emit) {
  Value next = device.add(column, device.index(1));
  Value first = device.choose(isLateGroup, next, column);
  Value second = device.choose(isLateGroup, column, next);
  for (int64_t i = 0; i < rowTiles * 2; ++i) {
    Value row = device.add(warpRowOf(i / 2), device.index(i % 2 * 8));
    row = device.add(row, group);
    emit(device.add(tile.rowBegin, row), first, second);
  }
}

void TensorTileEmitter::appendStarts(int64_t slot, Values &sums) {
  auto starts = [&](const ProductOperands &product, Value column) {
    Values values;
    if (product.isZero) {
      values.assign(rowTiles * 4, zero());
      return values;
    }
    Value lastRow = device.before(tile.rowEnd);
    Value lastColumn = device.before(size(product.out, 1));
    forPairs(column, [&](Value row, Value first, Value second) {
      Value within = device.smaller(row, lastRow);
      Value x = load(product.start, within, device.smaller(first, lastColumn));
      Value y = load(product.start, within, device.smaller(second, lastColumn));
      values.push_back(device.choose(isLateGroup, y, x));
      values.push_back(device.choose(isLateGroup, x, y));
    });
    return values;
  };
  llvm::append_range(sums, inProduct(slot, rowTiles * 4, starts));
}

/// An instruction for each tile of the warp, from a word of the slices on.
void TensorTileEmitter::multiply(int64_t word, Values &sums) {
  Type results = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                                  SmallVector<Type>(4, f32));
  StringRef name = tile.math == rt::Math::TF32
                       ? "llvm.nvvm.mma.m16n8k8.row.col.tf32"
                       : "llvm.nvvm.mma.m16n8k16.row.col.bf16";
  SmallVector<Values> left(rowTiles);
  Values right;
  size_t next = 0;
  for (int64_t slot = 0; slot < slots; ++slot) {
    if (slot == 0 || lefts.size() != 1)
      for (int64_t i = 0; i < rowTiles; ++i)
        left[i] = leftSlices->readRows(
            device.add(leftSliceOf(slot), warpRowOf(i)), word);
    // Two columns of tiles are read at once.
    if (slot % 2 == 0)
      right = rightSlices->readColumns(
          rightRowOf(slot), slot + 1 < slots ? rightRowOf(slot + 1) : Value(),
          word);
    for (int64_t i = 0; i < rowTiles; ++i, next += 4) {
      Values operands(left[i]);
      operands.append(right.begin() + slot % 2 * 2,
                      right.begin() + slot % 2 * 2 + 2);
      operands.append(sums.begin() + next, sums.begin() + next + 4);
      Value all = device.call(results, name, operands);
      for (int64_t k = 0; k < 4; ++k)
        sums[next + k] = LLVM::ExtractValueOp::create(b, loc, all, k);
    }
  }
}

TensorTileEmitter::Values TensorTileEmitter::multiplySlice(Value depth,
                                                           ValueRange sums) {
  // The slice before is not needed any more, nor what an earlier stage has
  // there.
  device.syncBlock();
  for (auto [i, left] : llvm::enumerate(lefts))
    leftSlices->fetch({left, 0, tile.rowBegin, tile.rowEnd, depthEnd},
                      sliceRows, depth, i * sliceRows);
  for (auto [i, product] : llvm::enumerate(products))
    rightSlices->fetch(
        {product.rhs, 1, tile.columnBegin, size(product.rhs, 1), depthEnd},
        sliceColumns, depth, i * sliceColumns);
  device.syncBlock();
  Values values(sums);
  int64_t perWord = TensorSlices::perWord(tile.math);
  for (int64_t word = 0; word < costs.sliceWords; word += costs.matrixWords) {
    // Behind the end of the reduction there is nothing to add.
    Value isThere =
        device.less(device.add(depth, device.index(word * perWord)), depthEnd);
    auto branch = scf::IfOp::create(b, loc, TypeRange(sums), isThere,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, values);
    b.setInsertionPointToStart(branch.thenBlock());
    multiply(word, values);
    scf::YieldOp::create(b, loc, values);
    values.assign(branch.getResults().begin(), branch.getResults().end());
  }
  return values;
}

void TensorTileEmitter::store(int64_t slot, ArrayRef<Value> sums) {
  // Where the slot has no tile, another warp has the last one.
  Value isOwn = device.equal(knownTiles[slot], tileNumbers[slot]);
  inProduct(slot, 0, [&](const ProductOperands &product, Value column) {
    Value numColumns = size(product.out, 1);
    size_t next = 0;
    auto put = [&](Value isRow, Value row, Value at, Value value) {
      Value isInside =
          arith::AndIOp::create(b, loc, isRow, device.less(at, numColumns));
      auto branch = scf::IfOp::create(b, loc, isInside);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(branch.thenBlock());
      memref::StoreOp::create(b, loc, value, product.out, ValueRange{row, at});
    };
    forPairs(column, [&](Value row, Value first, Value second) {
      Value x = sums[next], y = sums[next + 1];
      next += 2;
      Value isRow =
          arith::AndIOp::create(b, loc, isOwn, device.less(row, tile.rowEnd));
      put(isRow, row, first, device.choose(isLateGroup, y, x));
      put(isRow, row, second, device.choose(isLateGroup, x, y));
    });
    return Values();
  });
}

void TensorTileEmitter::emit() {
  for (const ProductOperands &product : products)
    lefts.insert(product.lhs);
  sliceRows = tile.rowSteps * costs.blockSide;
  sliceColumns = tile.columnSteps * costs.blockSide;
  depthEnd = size(products.front().lhs, 1);
  int64_t rows = sliceRows * lefts.size();
  int64_t columns = sliceColumns * products.size();
  reserveShared(
      b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>(),
      TensorSlices::bytes(rows + columns, costs));
  leftSlices.emplace(b, loc, tile.math, rows, 0, costs);
  rightSlices.emplace(b, loc, tile.math, columns,
                      TensorSlices::bytes(rows, costs), costs);
  placeWarps();
  Values sums;
  for (int64_t slot = 0; slot < slots; ++slot)
    appendStarts(slot, sums);
  // Threads behind the end have read the last elements, which others write.
  device.syncBlock();
  auto loop = scf::ForOp::create(
      b, loc, device.index(0), depthEnd,
      device.index(costs.sliceWords * TensorSlices::perWord(tile.math)), sums);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    scf::YieldOp::create(
        b, loc,
        multiplySlice(loop.getInductionVar(), loop.getRegionIterArgs()));
  }
  Values results(loop.getResults());
  for (int64_t slot = 0; slot < slots; ++slot)
    store(slot, ArrayRef(results).slice(slot * rowTiles * 4, rowTiles * 4));
}

void cambium::emitTensorTile(OpBuilder &builder, Location loc,
                             ArrayRef<ProductOperands> products,
                             const ProductTile &tile,
                             const TargetCosts &costs) {
  TensorTileEmitter(builder, loc, products, tile, costs).emit();
}
