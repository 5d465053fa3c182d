//===-- lib/Kernels/CPU/WordRows.cpp - Left operands as words -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WordRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

using namespace mlir;
using namespace cambium;

Value WordRows::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value WordRows::bitsOf(int64_t value) {
  return arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(form.vectorOf(b.getI32Type()),
                             b.getI32IntegerAttr(int32_t(value))));
}

Value WordRows::splat(double value) {
  return arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(form.vectorOf(b.getF32Type()),
                             b.getF32FloatAttr(float(value))));
}

Value WordRows::magnitude(Value bits) {
  return arith::AndIOp::create(b, loc, bits, bitsOf(0x7fffffff));
}

Value WordRows::wordsOf(Value count) {
  int64_t words = form.rowWords();
  int64_t elements = words * (form.keepsF32() ? 1 : form.wordElements());
  Value parts = arith::CeilDivUIOp::create(b, loc, count, index(elements));
  return arith::MulIOp::create(b, loc, parts, index(words));
}

Value WordRows::forVectors(Value matrix, Value row, Value first, Value count,
                           Value carried, Body body) {
  int64_t lanes = form.numLanes();
  Type i32 = form.vectorOf(b.getI32Type()), f32 = form.vectorOf(b.getF32Type());
  Value rest = arith::RemUIOp::create(b, loc, count, index(lanes));
  Value whole = arith::SubIOp::create(b, loc, count, rest);
  for (bool isTail : {false, true}) {
    auto loop = scf::ForOp::create(
        b, loc, isTail ? whole : index(0), isTail ? count : whole, index(lanes),
        carried ? ValueRange(carried) : ValueRange());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value k = loop.getInductionVar();
    SmallVector<Value> at{row, arith::AddIOp::create(b, loc, first, k)};
    Value x;
    if (isTail) {
      Value mask = vector::CreateMaskOp::create(
          b, loc, form.vectorOf(b.getI1Type()), rest);
      x = vector::MaskedLoadOp::create(b, loc, f32, matrix, at, mask, splat(0));
    } else {
      x = vector::LoadOp::create(b, loc, f32, matrix, at);
    }
    Value bits = arith::BitcastOp::create(b, loc, i32, x);
    Value next = body(k, bits, carried ? loop.getRegionIterArg(0) : Value());
    if (carried) {
      scf::YieldOp::create(b, loc, next);
      carried = loop.getResult(0);
    }
  }
  return carried;
}

void WordRows::storeLanes(Value values, Value words, Value offset, Value k) {
  auto type = cast<VectorType>(values.getType());
  int64_t elements = 32 / type.getElementTypeBitWidth();
  if (elements > 1) {
    auto packed =
        VectorType::get({type.getDimSize(0) / elements}, b.getI32Type());
    values = vector::BitCastOp::create(b, loc, packed, values);
    k = arith::DivUIOp::create(b, loc, k, index(elements));
  }
  Value at = arith::AddIOp::create(b, loc, offset, k);
  vector::StoreOp::create(b, loc, values, words, at);
}

void WordRows::emitRounded(Value matrix, Value row, Value first, Value count,
                           Value words, Value offset) {
  if (form.hasTiles())
    return emitTruncated(matrix, row, first, count, words, offset);
  forVectors(matrix, row, first, count, {}, [&](Value k, Value bits, Value) {
    Value isNaN = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ugt,
                                        magnitude(bits), bitsOf(0x7f800000));
    Value odd = arith::ShRUIOp::create(b, loc, bits, bitsOf(16));
    odd = arith::AndIOp::create(b, loc, odd, bitsOf(1));
    Value rounded = arith::AddIOp::create(b, loc, bits, bitsOf(0x7fff));
    rounded = arith::AddIOp::create(b, loc, rounded, odd);
    Value quiet = arith::OrIOp::create(b, loc, bits, bitsOf(0x00400000));
    rounded = arith::SelectOp::create(b, loc, isNaN, quiet, rounded);
    if (form.keepsF32()) {
      rounded = arith::AndIOp::create(b, loc, rounded, bitsOf(0xffff0000));
      rounded = arith::BitcastOp::create(b, loc, form.vectorOf(b.getF32Type()),
                                         rounded);
    } else {
      rounded = arith::ShRUIOp::create(b, loc, rounded, bitsOf(16));
      rounded = arith::TruncIOp::create(b, loc, form.vectorOf(b.getI16Type()),
                                        rounded);
    }
    storeLanes(rounded, words, offset, k);
    return Value();
  });
}

void WordRows::emitTruncated(Value matrix, Value row, Value first, Value count,
                             Value words, Value offset) {
  Type f32 = form.vectorOf(b.getF32Type());
  forVectors(matrix, row, first, count, {}, [&](Value k, Value bits, Value) {
    Value x = arith::BitcastOp::create(b, loc, f32, bits);
    storeLanes(form.truncated(x), words, offset, k);
    return Value();
  });
  // Behind them, where a panel has zeros, too, there must be numbers.
  Value lanes = index(form.numLanes());
  Value vectors = arith::CeilDivUIOp::create(b, loc, count, lanes);
  Value last =
      arith::MulIOp::create(b, loc, wordsOf(count), index(form.wordElements()));
  auto loop = scf::ForOp::create(
      b, loc, arith::MulIOp::create(b, loc, vectors, lanes), last, lanes);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Type bf16 = form.vectorOf(b.getBF16Type());
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(bf16));
  storeLanes(zero, words, offset, loop.getInductionVar());
}

Value WordRows::partOf(Value largest, Value &inverse) {
  Type i32 = b.getI32Type(), f32 = b.getF32Type();
  auto isBelow = [&](int64_t bits) -> Value {
    Value limit = arith::ConstantIntOp::create(b, loc, i32, bits);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, largest,
                                 limit);
  };
  auto number = [&](double value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(float(value)));
  };
  // The bits of 2^-120, whose inverse is a number, and of infinity.
  Value isSmall = isBelow(0x03800000), isFinite = isBelow(0x7f800000);
  Value size = arith::BitcastOp::create(b, loc, f32, largest);
  inverse = arith::DivFOp::create(b, loc, number(127), size);
  inverse = arith::SelectOp::create(b, loc, isSmall, number(0), inverse);
  Value part = arith::DivFOp::create(b, loc, size, number(127));
  part = arith::SelectOp::create(b, loc, isSmall, number(0), part);
  return arith::SelectOp::create(
      b, loc, isFinite, part, number(std::numeric_limits<float>::quiet_NaN()));
}

Value WordRows::emitIntegers(Value matrix, Value row, Value count, Value words,
                             Value offset) {
  Value largest =
      forVectors(matrix, row, index(0), count, bitsOf(0),
                 [&](Value, Value bits, Value most) -> Value {
                   // Absolute values are in the order of their bits.
                   return arith::MaxUIOp::create(b, loc, magnitude(bits), most);
                 });
  largest = vector::ReductionOp::create(b, loc, vector::CombiningKind::MAXUI,
                                        largest);
  Value inverse;
  Value part = partOf(largest, inverse);
  Type f32 = form.vectorOf(b.getF32Type()), i32 = form.vectorOf(b.getI32Type());
  inverse = vector::BroadcastOp::create(b, loc, f32, inverse);
  // A number whose last bits are those of an integer that is added.
  constexpr int64_t magic = 12582912;
  forVectors(matrix, row, index(0), count, {}, [&](Value k, Value bits, Value) {
    Value x = arith::BitcastOp::create(b, loc, f32, bits);
    x = arith::MulFOp::create(b, loc, x, inverse);
    x = arith::AddFOp::create(b, loc, x, splat(magic));
    Value n = arith::BitcastOp::create(b, loc, i32, x);
    n = arith::AddIOp::create(b, loc, n, bitsOf(128));
    n = arith::TruncIOp::create(b, loc, form.vectorOf(b.getI8Type()), n);
    storeLanes(n, words, offset, k);
    return Value();
  });
  return part;
}
