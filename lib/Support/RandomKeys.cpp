//===-- RandomKeys.cpp - Counter-based random numbers in generated code ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/RandomKeys.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cambium;

static Value constant(LinalgBuilder &b, uint64_t value) {
  return b.make<arith::ConstantOp>(
      b.getBuilder().getI64IntegerAttr(static_cast<int64_t>(value)));
}

/// (z xor (z >> shift)) * factor.
static Value scramble(LinalgBuilder &b, Value z, unsigned shift,
                      uint64_t factor) {
  Value high = b.make<arith::ShRUIOp>(z, constant(b, shift));
  Value mixed = b.make<arith::XOrIOp>(z, high);
  return factor == 1
             ? mixed
             : b.make<arith::MulIOp>(mixed, constant(b, factor)).getResult();
}

Value random::mix(LinalgBuilder &b, Value key, Value i) {
  Value count = b.add(i, constant(b, 1));
  Value z = b.add(
      key, b.make<arith::MulIOp>(count, constant(b, 0x9E3779B97F4A7C15u)));
  z = scramble(b, z, 30, 0xBF58476D1CE4E5B9u);
  z = scramble(b, z, 27, 0x94D049BB133111EBu);
  return scramble(b, z, 31, 1);
}

Value random::uniformBits(LinalgBuilder &b, Value key) {
  return b.make<arith::ShRUIOp>(key, constant(b, 40));
}
