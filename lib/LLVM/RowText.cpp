//===-- lib/LLVM/RowText.cpp - The number of a row in a message -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RowText.h"

using namespace mlir;
using namespace cambium;

/// Rows are numbered by i32.
static constexpr size_t kDigits = 10;

Value RowText::constant(int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                  builder.getI64IntegerAttr(value));
}

Value RowText::byteAt(Value base, Value offset) {
  return LLVM::GEPOp::create(builder, loc, base.getType(), builder.getI8Type(),
                             base, ValueRange{offset});
}

Value RowText::allocate(OpBuilder &builder, Location loc, size_t length) {
  Value count =
      LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                               builder.getI64IntegerAttr(length + kDigits + 1));
  return LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      builder.getI8Type(), count);
}

/// All digits stand at the end; the message begins as many bytes late as there
/// are zeros before the first of them, and so ends where it is to end.
Value RowText::write(Value memory, Value message, size_t length, Value number) {
  Type i8 = builder.getI8Type();
  Value ten = constant(10), left = number, skipped = constant(kDigits - 1);
  Value end =
      LLVM::ConstantOp::create(builder, loc, i8, builder.getI8IntegerAttr(0));
  LLVM::StoreOp::create(builder, loc, end,
                        byteAt(memory, constant(length + kDigits)));
  SmallVector<std::pair<Value, int64_t>> digits;
  for (int64_t i = kDigits - 1; i >= 0; --i) {
    Value digit = LLVM::URemOp::create(builder, loc, left, ten);
    digits.push_back({digit, i});
    Value isDigit = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                         left, constant(0));
    skipped =
        LLVM::SelectOp::create(builder, loc, isDigit, constant(i), skipped);
    left = LLVM::UDivOp::create(builder, loc, left, ten);
  }
  Value begin = byteAt(memory, skipped);
  LLVM::MemcpyOp::create(builder, loc, begin, message, constant(length),
                         /*isVolatile=*/false);
  // Behind the message, which ends where the first digit that counts stands.
  for (auto [digit, i] : digits) {
    Value letter = LLVM::TruncOp::create(
        builder, loc, i8,
        LLVM::AddOp::create(builder, loc, digit, constant('0')));
    Value at = byteAt(memory, constant(length + i));
    // Zeros before the number are part of the message: they keep its letters.
    Value old = LLVM::LoadOp::create(builder, loc, i8, at);
    Value isBefore = LLVM::ICmpOp::create(
        builder, loc, LLVM::ICmpPredicate::slt, constant(i), skipped);
    Value byte = LLVM::SelectOp::create(builder, loc, isBefore, old, letter);
    LLVM::StoreOp::create(builder, loc, byte, at);
  }
  return begin;
}
