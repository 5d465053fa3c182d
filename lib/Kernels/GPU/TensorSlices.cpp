//===-- TensorSlices.cpp - Tensor cores' operands ------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The distance of rows lets each word that a warp writes at once, and each 8
// rows that it reads at once, be in banks of their own: rows are 4 words more
// than a multiple of the banks apart.
//
//===----------------------------------------------------------------------===//
#include "TensorSlices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace cambium;

TensorSlices::TensorSlices(OpBuilder &builder, Location loc, rt::Math math,
                           int64_t rows, int64_t beginBytes,
                           const TargetCosts &costs)
    : b(builder), loc(loc), math(math), costs(costs),
      device(builder, loc, costs) {
  auto type = MemRefType::get({rows, costs.sliceWords + costs.slicePad},
                              b.getI32Type());
  words = device.shared(type, device.index(beginBytes));
  address = device.sharedAddress(device.index(beginBytes));
  Value lane = device.lane(), matrix;
  std::tie(matrix, inMatrix) = device.split(lane, 8);
  std::tie(isUpper, isOdd) = device.split(matrix, 2);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The word that holds numbers which follow each other in the reduction.
Value TensorSlices::round(ArrayRef<Value> numbers) {
  if (math == rt::Math::TF32)
    return device.call(b.getI32Type(), "llvm.nvvm.f2tf32.rna", numbers);
  // The first operand is the upper half.
  Value pair = device.call(VectorType::get({2}, b.getBF16Type()),
                           "llvm.nvvm.ff2bf16x2.rn", {numbers[1], numbers[0]});
  return LLVM::BitcastOp::create(b, loc, b.getI32Type(), pair);
}

/// Neighbouring threads have words that follow each other in the reduction
/// where that is contiguous; else each 8 of them neighbouring rows or columns.
void TensorSlices::fetch(const SlicedOperand &operand, int64_t rows,
                         Value depth, int64_t into) {
  Value lastDepth = device.before(operand.depthEnd);
  Value lastWide = device.before(operand.wideEnd);
  auto parts = memref::ExtractStridedMetadataOp::create(b, loc, operand.matrix);
  Value isDeep =
      device.equal(parts.getStrides()[1 - operand.wide], device.index(1));
  int64_t atOnce = costs.blockThreads / costs.sliceWords;
  Value thread = device.thread();
  auto [wideOfDeep, wordOfDeep] = device.split(thread, costs.sliceWords);
  auto [wordOfWide, wideOfWide] = device.split(thread, atOnce);
  Value word = device.choose(isDeep, wordOfDeep, wordOfWide);
  Value first = device.choose(isDeep, wideOfDeep, wideOfWide);
  Value firstDepth =
      device.add(depth, device.multiply(word, device.index(perWord(math))));
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
  for (int64_t i = 0; i < rows; i += atOnce) {
    Value atWide =
        device.add(operand.begin, device.add(first, device.index(i)));
    // Rows and columns behind the end give elements that are not stored.
    Value place = device.smaller(atWide, lastWide);
    SmallVector<Value> numbers;
    for (int64_t k = 0; k < perWord(math); ++k) {
      Value atDepth = device.add(firstDepth, device.index(k));
      Value row = place, column = device.smaller(atDepth, lastDepth);
      if (operand.wide == 1)
        std::swap(row, column);
      Value number = memref::LoadOp::create(b, loc, operand.matrix,
                                            ValueRange{row, column});
      numbers.push_back(
          device.choose(device.less(atDepth, operand.depthEnd), number, zero));
    }
    memref::StoreOp::create(
        b, loc, round(numbers), words,
        ValueRange{device.add(first, device.index(into + i)), word});
  }
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// `ldmatrix`: 8 threads say where the rows of a matrix of 8 x 4 words begin,
/// and each thread gets a word of each matrix.
SmallVector<Value> TensorSlices::read(Value row, Value isBehind, int64_t word,
                                      int64_t matrices) {
  Type i32 = b.getI32Type();
  Value at = device.multiply(
      row, device.index((costs.sliceWords + costs.slicePad) * 4));
  at = device.add(at, device.multiply(isBehind, device.index(16)));
  at = device.add(device.add(address, at), device.index(word * 4));
  at = arith::IndexCastOp::create(b, loc, b.getI64Type(), at);
  Value pointer = LLVM::IntToPtrOp::create(
      b, loc, LLVM::LLVMPointerType::get(b.getContext(), 3), at);
  StringRef name = matrices == 4
                       ? "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16"
                       : "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.b16";
  Type type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(matrices, i32));
  Value all = device.call(type, name, pointer);
  SmallVector<Value> parts;
  for (int64_t i = 0; i < matrices; ++i)
    parts.push_back(LLVM::ExtractValueOp::create(b, loc, all, i));
  return parts;
}

SmallVector<Value> TensorSlices::readRows(Value row, int64_t word) {
  row = device.add(row, inMatrix);
  row = device.add(row, device.multiply(isOdd, device.index(8)));
  return read(row, isUpper, word, 4);
}

SmallVector<Value> TensorSlices::readColumns(Value first, Value second,
                                             int64_t word) {
  Value row = first;
  if (second)
    row = device.choose(device.equal(isUpper, device.index(0)), first, second);
  return read(device.add(row, inMatrix), isOdd, word, second ? 4 : 2);
}
