//===-- LoopState.h - Arrays and counters of loops --------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TOLINALG_LOOPSTATE_H
#define CAMBIUM_DIALECTS_RAGGED_TOLINALG_LOOPSTATE_H

#include "dialects/Ragged/ToLinalg/Windows.h"

namespace cambium::ragged {

/// Loops that change arrays and counters, which all of them carry.
class LoopState {
public:
  LoopState(LinalgBuilder &b, ValueRange init) : b(b), values(init) {}

  Value get(unsigned i) { return values[i]; }
  void set(unsigned i, Value value) { values[i] = value; }
  ArrayRef<Value> all() { return values; }
  void append(ArrayRef<Value> more) { llvm::append_range(values, more); }
  /// Element `at` of array i.
  Value load(unsigned i, Value at) {
    return b.make<tensor::ExtractOp>(values[i], at);
  }
  void store(unsigned i, Value at, Value element) {
    values[i] = b.make<tensor::InsertOp>(element, values[i], at);
  }
  void forEach(Value begin, Value end, function_ref<void(Value)> body) {
    values = b.loops(begin, end, values, [&](Value i, ValueRange inside) {
      values.assign(inside.begin(), inside.end());
      body(i);
      return values;
    });
  }
  /// A loop that is gone through once: arrays stay where they are.
  void when(Value condition, function_ref<void()> body) {
    Value times =
        b.make<arith::IndexCastUIOp>(b.getBuilder().getIndexType(), condition);
    forEach(b.index(0), times, [&](Value) { body(); });
  }

private:
  LinalgBuilder &b;
  SmallVector<Value> values;
};

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TOLINALG_LOOPSTATE_H
