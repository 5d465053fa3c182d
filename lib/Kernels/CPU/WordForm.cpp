//===-- lib/Kernels/CPU/WordForm.cpp - How words of panels are multiplied -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WordForm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cambium;

WordForm::WordForm(OpBuilder &builder, Location loc, rt::PanelFormat format,
                   const TargetCosts &costs)
    : b(builder), loc(loc), format(format), costs(costs),
      lanes(costs.vectorBytes / 4) {}

Type WordForm::sumType() const {
  return isInt8() ? Type(b.getI32Type()) : Type(b.getF32Type());
}

Type WordForm::leftType() const {
  return keepsF32() ? Type(b.getF32Type()) : Type(b.getI32Type());
}

Value WordForm::broadcast(Value scalar) {
  return vector::BroadcastOp::create(b, loc, vectorOf(scalar.getType()),
                                     scalar);
}

Value WordForm::constant(Type type, int64_t value) {
  IntegerAttr number = b.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(vector, number));
  return arith::ConstantOp::create(b, loc, number);
}

Value WordForm::lanesOf(Value words, Type element) {
  int64_t count = lanes * 32 / element.getIntOrFloatBitWidth();
  return vector::BitCastOp::create(b, loc, VectorType::get({count}, element),
                                   words);
}

Value WordForm::intrinsic(StringRef name, Type type,
                          ValueRange operands) const {
  return LLVM::CallIntrinsicOp::create(b, loc, type, b.getStringAttr(name),
                                       operands)
      .getResult(0);
}

Value WordForm::truncated(Value elements) const {
  return intrinsic("llvm.x86.avx512bf16.cvtneps2bf16.512",
                   vectorOf(b.getBF16Type()), elements);
}

Value WordForm::leftPart(Value word, int64_t part) {
  if (keepsF32())
    return broadcast(word);
  if (hasDot())
    return lanesOf(broadcast(word),
                   isInt8() ? Type(b.getI8Type()) : Type(b.getBF16Type()));
  // Bytes 0 and 2, or 1 and 3, as 16 bits; they have no sign.
  Type i32 = b.getI32Type();
  if (part)
    word = arith::ShRUIOp::create(b, loc, word, constant(i32, 8));
  word = arith::AndIOp::create(b, loc, word, constant(i32, 0x00ff00ff));
  return lanesOf(broadcast(word), b.getI16Type());
}

Value WordForm::rightPart(Value words, int64_t part) {
  if (hasDot())
    return lanesOf(words,
                   isInt8() ? Type(b.getI8Type()) : Type(b.getBF16Type()));
  if (isInt8()) {
    // The same bytes with their signs.
    Value pairs = lanesOf(words, b.getI16Type());
    Value eight = constant(pairs.getType(), 8);
    if (!part)
      pairs = arith::ShLIOp::create(b, loc, pairs, eight);
    return arith::ShRSIOp::create(b, loc, pairs, eight);
  }
  // A bf16 is the upper half of an f32.
  Type type = words.getType();
  if (part)
    words = arith::AndIOp::create(b, loc, words,
                                  constant(type, int32_t(0xffff0000)));
  else
    words = arith::ShLIOp::create(b, loc, words, constant(type, 16));
  return arith::BitcastOp::create(b, loc, vectorOf(b.getF32Type()), words);
}

Value WordForm::multiplyAdd(Value left, Value right, Value sum) {
  if (hasDot())
    return intrinsic(!isInt8()     ? "llvm.x86.avx512bf16.dpbf16ps.512"
                     : lanes == 16 ? "llvm.x86.avx512.vpdpbusd.512"
                                   : "llvm.x86.avx512.vpdpbusd.256",
                     sum.getType(), {sum, left, right});
  if (isInt8()) {
    Value pairs = intrinsic(lanes == 16  ? "llvm.x86.avx512.pmaddw.d.512"
                            : lanes == 8 ? "llvm.x86.avx2.pmadd.wd"
                                         : "llvm.x86.sse2.pmadd.wd",
                            sum.getType(), {left, right});
    return arith::AddIOp::create(b, loc, sum, pairs);
  }
  if (costs.hasFMA)
    return vector::FMAOp::create(b, loc, left, right, sum);
  // The product is exact.
  Value product = arith::MulFOp::create(b, loc, left, right);
  return arith::AddFOp::create(b, loc, product, sum);
}
