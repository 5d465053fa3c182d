//===-- lib/Kernels/CPU/WordTiles.cpp - Products of a processor's tiles ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WordTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cambium;

static constexpr int64_t kHeight = TargetCosts::amxRows,
                         kWords = TargetCosts::amxWords;

Value WordTiles::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value WordTiles::i32(int64_t value) {
  return arith::ConstantIntOp::create(b, loc, b.getI32Type(), value);
}

Value WordTiles::add(Value a, Value c) {
  return arith::AddIOp::create(b, loc, a, c);
}

Value WordTiles::times(Value value, int64_t factor) {
  return arith::MulIOp::create(b, loc, value, index(factor));
}

Value WordTiles::memoryFor(int64_t size, Type element) {
  return memref::AllocaOp::create(b, loc, MemRefType::get({size}, element),
                                  b.getI64IntegerAttr(4 * kWords));
}

Value WordTiles::addressOf(Value memory, Value offset) {
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memory);
  return add(base, times(offset, 4));
}

Value WordTiles::pointerTo(Value address) {
  address = arith::IndexCastOp::create(b, loc, b.getI64Type(), address);
  return LLVM::IntToPtrOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext()), address);
}

void WordTiles::intrinsic(StringRef name, ArrayRef<int64_t> registers,
                          ValueRange operands) {
  SmallVector<Value> all;
  for (int64_t number : registers)
    all.push_back(LLVM::ConstantOp::create(b, loc, b.getI8Type(),
                                           b.getI8IntegerAttr(number)));
  llvm::append_range(all, operands);
  LLVM::CallIntrinsicOp::create(
      b, loc, b.getStringAttr(("llvm.x86." + name).str()), all);
}

void WordTiles::move(StringRef name, int64_t tile, Value address, Value words) {
  Value bytes =
      arith::IndexCastOp::create(b, loc, b.getI64Type(), times(words, 4));
  intrinsic(name, {tile}, {pointerTo(address), bytes});
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

void WordTiles::begin(Value leftWords, Value panelWords, int64_t columns) {
  left = leftWords, panels = panelWords, width = columns;
  shapes = memoryFor(16, b.getI32Type());
  sums = memoryFor(kRows * width, form.sumType());
  rest = memoryFor(kHeight * width, b.getI32Type());
  // The first palette, then 16 bits for the bytes of a row of each tile, then
  // 8 bits for its rows.
  for (int64_t word = 0; word < 16; ++word) {
    int64_t value = word == 0 ? 1 : word >= 4 && word < 8 ? 0x00400040 : 0;
    memref::StoreOp::create(b, loc, i32(value), shapes, index(word));
  }
}

void WordTiles::setRows(Value count) {
  Value rows = arith::IndexCastOp::create(b, loc, b.getI32Type(), count);
  auto by = [&](int64_t factor) -> Value {
    return arith::MulIOp::create(b, loc, rows, i32(factor));
  };
  auto isTwo =
      scf::IfOp::create(b, loc, TypeRange{b.getI32Type(), b.getI32Type()},
                        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt,
                                              count, index(kHeight)),
                        /*withElse=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    // 16 rows and the others. Subtracting from all bytes at once would borrow.
    b.setInsertionPointToStart(isTwo.thenBlock());
    rows = arith::SubIOp::create(b, loc, rows, i32(kHeight));
    Value ofSums = add(by(0x01010000), i32(0x1010));
    Value ofOthers = add(by(0x100), i32(0x10100010));
    scf::YieldOp::create(b, loc, ValueRange{ofSums, ofOthers});
    b.setInsertionPointToStart(isTwo.elseBlock());
    rows = arith::IndexCastOp::create(b, loc, b.getI32Type(), count);
    ofSums = by(0x01010101), ofOthers = add(rows, i32(0x10101000));
    scf::YieldOp::create(b, loc, ValueRange{ofSums, ofOthers});
  }
  memref::StoreOp::create(b, loc, isTwo.getResult(0), shapes, index(12));
  memref::StoreOp::create(b, loc, isTwo.getResult(1), shapes, index(13));
  intrinsic("ldtilecfg", {}, pointerTo(addressOf(shapes, index(0))));
}

void WordTiles::end() { intrinsic("tilerelease", {}); }

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void WordTiles::beginPanel(const ProductPanel &panel, Value first, Value count,
                           Value words) {
  leftWords = words;
  numSteps = arith::DivUIOp::create(b, loc, count, index(kHeight));
  numRest = arith::RemUIOp::create(b, loc, count, index(kHeight));
  auto parts = memref::ExtractStridedMetadataOp::create(b, loc, panels);
  Value number = arith::DivUIOp::create(b, loc, panel.column, index(width));
  Value inPanel = arith::RemUIOp::create(b, loc, panel.column, index(width));
  Value offset = arith::MulIOp::create(b, loc, number, parts.getStrides()[0]);
  offset = add(add(offset, parts.getOffset()), inPanel);
  panelAt = addressOf(panels, add(offset, times(first, width)));
  firstRow = first;
  fillRest(panel);
}

void WordTiles::fillRest(const ProductPanel &panel) {
  Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, numRest,
                                    index(0));
  auto isNeeded = scf::IfOp::create(b, loc, any, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(isNeeded.thenBlock());
  Value number = arith::DivUIOp::create(b, loc, panel.column, index(width));
  Value inPanel = arith::RemUIOp::create(b, loc, panel.column, index(width));
  Value first = add(firstRow, times(numSteps, kHeight));
  VectorType type = form.vectorOf(b.getI32Type());
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  auto fill = [&](Value from, Value to, bool isZero) {
    auto loop = scf::ForOp::create(b, loc, from, to, index(1));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value row = loop.getInductionVar();
    Value source = add(times(add(first, row), width), inPanel);
    for (int64_t v = 0; v < panel.vectors; ++v) {
      Value column = index(v * kWords);
      Value words = zero;
      if (!isZero)
        words = vector::LoadOp::create(b, loc, type, panels,
                                       {number, add(source, column)});
      vector::StoreOp::create(b, loc, words, rest,
                              add(times(row, width), column));
    }
  };
  fill(index(0), numRest, false);
  fill(numRest, index(kHeight), true);
}

void WordTiles::multiply(const ProductPanel &panel, Value row, Value count,
                         Value all) {
  auto isLess = [&](Value a, Value c) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, a, c);
  };
  Value most = index(kRows);
  Value isOther =
      arith::AndIOp::create(b, loc, isLess(count, most), isLess(most, all));
  auto ifOther = [&](Value rows) {
    auto branch = scf::IfOp::create(b, loc, isOther, /*withElse=*/false);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    setRows(rows);
  };
  ifOther(count);
  auto isTwo = scf::IfOp::create(b, loc, isLess(index(kHeight), count),
                                 /*withElse=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(isTwo.thenBlock());
    for (int64_t v = 0; v < panel.vectors; v += 2)
      emitUnit({2, v, std::min<int64_t>(2, panel.vectors - v)}, row);
    b.setInsertionPointToStart(isTwo.elseBlock());
    emitUnit({1, 0, panel.vectors}, row);
  }
  ifOther(most);
}

void WordTiles::emitUnit(const Unit &unit, Value row) {
  for (int64_t r = 0; r < unit.rows; ++r)
    for (int64_t v = 0; v < unit.vectors; ++v)
      intrinsic("tilezero", {unit.sum(r, v)});
  Value leftAt = addressOf(left, arith::MulIOp::create(b, loc, row, leftWords));
  Value column = index(unit.first * kWords * 4);
  Value rightAt = add(panelAt, column);
  auto loop = scf::ForOp::create(b, loc, index(0), numSteps, index(1));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value step = loop.getInductionVar();
    emitStep(unit, add(leftAt, times(step, kWords * 4)),
             add(rightAt, times(step, kHeight * width * 4)));
  }
  Value any = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, numRest,
                                    index(0));
  auto hasRest = scf::IfOp::create(b, loc, any, /*withElse=*/false);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(hasRest.thenBlock());
    emitStep(unit, add(leftAt, times(numSteps, kWords * 4)),
             addressOf(rest, index(unit.first * kWords)));
  }
  for (int64_t r = 0; r < unit.rows; ++r)
    for (int64_t v = 0; v < unit.vectors; ++v)
      move("tilestored64", unit.sum(r, v),
           addressOf(sums,
                     index(r * kHeight * width + (unit.first + v) * kWords)),
           index(width));
}

void WordTiles::emitStep(const Unit &unit, Value leftAt, Value rightAt) {
  StringRef product = form.isInt8() ? "tdpbusd" : "tdpbf16ps";
  Value ofTile = times(leftWords, kHeight * 4);
  for (int64_t r = 0; r < unit.rows; ++r) {
    move("tileloadd64", unit.left(r), r ? add(leftAt, ofTile) : leftAt,
         leftWords);
    for (int64_t v = 0; v < unit.vectors; ++v) {
      if (r == 0)
        move("tileloadd64", unit.right(v), add(rightAt, index(v * kWords * 4)),
             index(width));
      intrinsic(product, {unit.sum(r, v), unit.left(r), unit.right(v)});
    }
  }
}

SmallVector<Value> WordTiles::loadSums(const ProductPanel &panel, Value row) {
  SmallVector<Value> vectors;
  for (int64_t v = 0; v < panel.vectors; ++v)
    vectors.push_back(vector::LoadOp::create(
        b, loc, form.vectorOf(form.sumType()), sums,
        ValueRange{add(times(row, width), index(v * kWords))}));
  return vectors;
}
