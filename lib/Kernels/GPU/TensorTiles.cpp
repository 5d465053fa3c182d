//===-- TensorTiles.cpp - Tiles of products by tensor cores ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block brings a slice of the operands to shared memory, where their numbers
// are rounded to words of 32 bits: one of tf32, or two of bf16 that follow each
// other in the reduction. A row of the left and a column of the right operand
// is a row of words there, so that both are read alike, and the distance of
// rows lets each word that a warp reads or writes at once be in a bank of its
// own. A sum has its products in ascending order of instructions, whatever the
// tile.
//
//===----------------------------------------------------------------------===//
#include "TensorTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cambium;

static int64_t wordsOfRow(const TargetCosts &costs) {
  return costs.sliceWords + costs.slicePad;
}

int64_t cambium::tensorBytes(int64_t rowSteps, int64_t columnSteps,
                             const TargetCosts &costs) {
  return (rowSteps + columnSteps) * costs.blockSide * wordsOfRow(costs) * 4;
}

namespace {
class TensorTileEmitter {
public:
  TensorTileEmitter(OpBuilder &builder, Location loc,
                    ArrayRef<ProductOperands> products, const ProductTile &tile,
                    const TargetCosts &costs)
      : b(builder), loc(loc), products(products), tile(tile), costs(costs),
        device(builder, loc, costs), f32(builder.getF32Type()),
        i32(builder.getI32Type()) {}

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
  Value round(ArrayRef<Value> numbers);
  void fetch(Value memref, int64_t wide, int64_t rowsOfSlice, Value begin,
             Value wideEnd, Value depth, int64_t into);
  Value rowOf(int64_t rowTile);
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
  Type f32, i32;
  rt::Math math = rt::Math::F32;
  /// Numbers that a word holds.
  int64_t perWord = 1;
  /// Left operands, each once; all slices of left ones, and of right ones.
  llvm::SetVector<Value> lefts;
  Value leftSlices, rightSlices;
  int64_t sliceRows = 0, sliceColumns = 0;
  /// The warps stand in a square; a warp has so many tiles of an instruction
  /// below each other, and so many slots for such beside each other. A column
  /// of tiles, of all products, is in the slots of the warps in turn.
  int64_t columnWarps = 1, rowTiles = 1, slots = 1, tilesOfProduct = 1;
  Value thread, group, part, isLateGroup, warpRow;
  /// The column of tiles in each slot, and the same where that is none of the
  /// products': the last one.
  Values tileNumbers, knownTiles;
  Value depthEnd;
};
} // namespace

void TensorTileEmitter::placeWarps() {
  thread = device.thread();
  auto [warp, lane] = device.split(thread, costs.warpThreads);
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

/// The word that holds numbers which follow each other in the reduction.
Value TensorTileEmitter::round(ArrayRef<Value> numbers) {
  if (math == rt::Math::TF32)
    return device.call(i32, "llvm.nvvm.f2tf32.rna", numbers);
  // The first operand is the upper half.
  Value pair = device.call(VectorType::get({2}, b.getBF16Type()),
                           "llvm.nvvm.ff2bf16x2.rn", {numbers[1], numbers[0]});
  return LLVM::BitcastOp::create(b, loc, i32, pair);
}

/// A slice of an operand: `wide` is its dimension of rows or columns, which end
/// before `wideEnd`. Neighbouring threads have words that follow each other in
/// the reduction where that is contiguous; else each 8 of them neighbouring
/// rows or columns.
void TensorTileEmitter::fetch(Value memref, int64_t wide, int64_t rowsOfSlice,
                              Value begin, Value wideEnd, Value depth,
                              int64_t into) {
  Value lastDepth = device.before(depthEnd), lastWide = device.before(wideEnd);
  auto parts = memref::ExtractStridedMetadataOp::create(b, loc, memref);
  Value isDeep = device.equal(parts.getStrides()[1 - wide], device.index(1));
  int64_t atOnce = costs.blockThreads / costs.sliceWords;
  auto [wideOfDeep, wordOfDeep] = device.split(thread, costs.sliceWords);
  auto [wordOfWide, wideOfWide] = device.split(thread, atOnce);
  Value word = device.choose(isDeep, wordOfDeep, wordOfWide);
  Value first = device.choose(isDeep, wideOfDeep, wideOfWide);
  Value slices = wide == 0 ? leftSlices : rightSlices;
  Value firstDepth =
      device.add(depth, device.multiply(word, device.index(perWord)));
  for (int64_t i = 0; i < rowsOfSlice; i += atOnce) {
    Value atWide = device.add(begin, device.add(first, device.index(i)));
    // Rows and columns behind the end give elements that are not stored.
    Value place = device.smaller(atWide, lastWide);
    Values numbers;
    for (int64_t k = 0; k < perWord; ++k) {
      Value atDepth = device.add(firstDepth, device.index(k));
      Value row = place, column = device.smaller(atDepth, lastDepth);
      if (wide == 1)
        std::swap(row, column);
      numbers.push_back(device.choose(device.less(atDepth, depthEnd),
                                      load(memref, row, column), zero()));
    }
    memref::StoreOp::create(
        b, loc, round(numbers), slices,
        ValueRange{device.add(first, device.index(into + i)), word});
  }
}

/// The thread's first row in a tile of an instruction, in the block's tile.
Value TensorTileEmitter::rowOf(int64_t rowTile) {
  Value row =
      device.multiply(warpRow, device.index(rowTiles * costs.matrixRows));
  row = device.add(row, device.index(rowTile * costs.matrixRows));
  return device.add(row, group);
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
    Value row = device.add(rowOf(i / 2), device.index(i % 2 * 8));
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
  StringRef name = math == rt::Math::TF32
                       ? "llvm.nvvm.mma.m16n8k8.row.col.tf32"
                       : "llvm.nvvm.mma.m16n8k16.row.col.bf16";
  auto at = [&](Value slices, Value row, int64_t below, int64_t behind) {
    Value column = device.add(part, device.index(word + behind));
    return load(slices, device.add(row, device.index(below)), column);
  };
  SmallVector<Values> left(rowTiles);
  size_t next = 0;
  for (int64_t slot = 0; slot < slots; ++slot) {
    if (slot == 0 || lefts.size() != 1)
      for (int64_t i = 0; i < rowTiles; ++i) {
        Value row = device.add(leftSliceOf(slot), rowOf(i));
        left[i] = {at(leftSlices, row, 0, 0), at(leftSlices, row, 8, 0),
                   at(leftSlices, row, 0, 4), at(leftSlices, row, 8, 4)};
      }
    Value column = device.add(
        device.multiply(knownTiles[slot], device.index(costs.matrixColumns)),
        group);
    Value right[] = {at(rightSlices, column, 0, 0),
                     at(rightSlices, column, 0, 4)};
    for (int64_t i = 0; i < rowTiles; ++i, next += 4) {
      Values operands(left[i]);
      operands.append({right[0], right[1]});
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
    fetch(left, 0, sliceRows, tile.rowBegin, tile.rowEnd, depth, i * sliceRows);
  for (auto [i, product] : llvm::enumerate(products))
    fetch(product.rhs, 1, sliceColumns, tile.columnBegin, size(product.rhs, 1),
          depth, i * sliceColumns);
  device.syncBlock();
  Values values(sums);
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
  math = tile.math, perWord = math == rt::Math::BF16 ? 2 : 1;
  for (const ProductOperands &product : products)
    lefts.insert(product.lhs);
  sliceRows = tile.rowSteps * costs.blockSide;
  sliceColumns = tile.columnSteps * costs.blockSide;
  depthEnd = size(products.front().lhs, 1);
  int64_t words = wordsOfRow(costs), used = 0;
  auto slices = [&](int64_t rows) {
    int64_t begin = used;
    used += rows * words * 4;
    return std::pair(MemRefType::get({rows, words}, i32), begin);
  };
  auto ofLefts = slices(sliceRows * lefts.size());
  auto ofRights = slices(sliceColumns * products.size());
  reserveShared(
      b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>(), used);
  leftSlices = device.shared(ofLefts.first, device.index(ofLefts.second));
  rightSlices = device.shared(ofRights.first, device.index(ofRights.second));
  placeWarps();
  Values sums;
  for (int64_t slot = 0; slot < slots; ++slot)
    appendStarts(slot, sums);
  // Threads behind the end have read the last elements, which others write.
  device.syncBlock();
  auto loop =
      scf::ForOp::create(b, loc, device.index(0), depthEnd,
                         device.index(costs.sliceWords * perWord), sums);
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
