//===-- TopElements.cpp - The greatest of some elements -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/TopElements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cambium;

namespace {
/// An element and its place.
struct Placed {
  Value element, place;
};
} // namespace

/// Whether a comes before b: it is greater, or as great and stands before it.
static Value comesBefore(LinalgBuilder &b, Placed first, Placed second) {
  auto compare = [&](arith::CmpFPredicate predicate, Value x,
                     Value y) -> Value {
    return b.make<arith::CmpFOp>(predicate, x, y);
  };
  auto isNaN = [&](Value x) {
    return compare(arith::CmpFPredicate::UNO, x, x);
  };
  Value firstNaN = isNaN(first.element), secondNaN = isNaN(second.element);
  Value greater =
      compare(arith::CmpFPredicate::OGT, first.element, second.element);
  Value differ =
      b.make<arith::CmpIOp>(arith::CmpIPredicate::ugt, firstNaN, secondNaN);
  greater = b.make<arith::OrIOp>(greater, differ);
  Value equal =
      compare(arith::CmpFPredicate::OEQ, first.element, second.element);
  equal =
      b.make<arith::OrIOp>(equal, b.make<arith::AndIOp>(firstNaN, secondNaN));
  Value stands = b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, first.place,
                                       second.place);
  return b.make<arith::OrIOp>(greater, b.make<arith::AndIOp>(equal, stands));
}

/// The first element that comes after another one. Without one it is minus
/// infinity at a place behind all others, after which none comes.
static Placed findNext(LinalgBuilder &b, Value begin, Value end, Placed before,
                       Placed none, function_ref<Value(Value)> read) {
  SmallVector<Value> best = b.loops(
      begin, end, {none.element, none.place}, [&](Value i, ValueRange best) {
        Placed here{read(i), b.sub(i, begin)};
        Value take =
            b.make<arith::AndIOp>(comesBefore(b, before, here),
                                  comesBefore(b, here, {best[0], best[1]}));
        return SmallVector<Value>{
            b.make<arith::SelectOp>(take, here.element, best[0]),
            b.make<arith::SelectOp>(take, here.place, best[1])};
      });
  return {best[0], best[1]};
}

SmallVector<Value> cambium::findTop(
    LinalgBuilder &b, Value begin, Value end, int64_t count, Type element,
    ValueRange dests, function_ref<Value(Value)> read,
    function_ref<SmallVector<Value>(Value, Value, Value, ValueRange)> write) {
  using Limits = std::numeric_limits<double>;
  Type i32 = b.getBuilder().getI32Type();
  // Before all: a NaN that stands before the first.
  Placed start{b.number(element, Limits::quiet_NaN()), b.index(-1)};
  Placed none{b.number(element, -Limits::infinity()), b.index(INT32_MAX)};
  SmallVector<Value> state(dests);
  state.append({start.element, start.place});
  state = b.loops(
      b.index(0), b.index(count), state, [&](Value k, ValueRange state) {
        Placed before{state[state.size() - 2], state.back()};
        Placed next = findNext(b, begin, end, before, none, read);
        Value missing = b.make<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                              next.place, none.place);
        Value place = b.make<arith::IndexCastOp>(
            i32, b.make<arith::SelectOp>(missing, b.index(-1), next.place));
        SmallVector<Value> result =
            write(k, next.element, place, state.drop_back(2));
        result.append({next.element, next.place});
        return result;
      });
  state.pop_back_n(2);
  return state;
}
