//===-- TopElements.cpp - The greatest of some elements -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/TopElements.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;

namespace {
/// An element and its place.
struct Placed {
  Value element, place;
};
} // namespace

Value cambium::isGreater(LinalgBuilder &b, Value x, Value y) {
  Value greater = b.make<arith::CmpFOp>(arith::CmpFPredicate::OGT, x, y);
  Value isNaN = b.make<arith::CmpFOp>(arith::CmpFPredicate::UNO, x, x);
  Value notYet = b.make<arith::CmpFOp>(arith::CmpFPredicate::ORD, y, y);
  return b.make<arith::OrIOp>(greater, b.make<arith::AndIOp>(isNaN, notYet));
}

/// Whether the first comes before the second: it is greater, or as great and
/// stands before it. A place below 0 is behind all others.
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
  Value stands = b.make<arith::CmpIOp>(arith::CmpIPredicate::ult, first.place,
                                       second.place);
  return b.make<arith::OrIOp>(greater, b.make<arith::AndIOp>(equal, stands));
}

namespace {
/// The elements that were found so far and their places, in two arrays, each
/// in a column.
class Found {
public:
  Found(LinalgBuilder &b, int64_t count, Value column)
      : b(b), count(count), column(column) {}

  Placed read(Value k, ValueRange arrays) {
    auto at = [&](Value array) -> Value {
      return b.make<tensor::ExtractOp>(array, ValueRange{k, column});
    };
    return {at(arrays[0]), at(arrays[1])};
  }
  SmallVector<Value> write(Placed placed, Value k, ValueRange arrays) {
    auto set = [&](Value value, Value array) -> Value {
      return b.make<tensor::InsertOp>(value, array, ValueRange{k, column});
    };
    return {set(placed.element, arrays[0]), set(placed.place, arrays[1])};
  }
  SmallVector<Value> fill(Placed placed, ValueRange arrays) {
    return b.loops(
        b.index(0), b.index(count), arrays,
        [&](Value k, ValueRange arrays) { return write(placed, k, arrays); });
  }
  /// Puts an element where it belongs; the last one drops out.
  SmallVector<Value> insert(Placed placed, ValueRange arrays) {
    SmallVector<Value> state(arrays);
    state.append({placed.element, placed.place});
    state = b.loops(
        b.index(0), b.index(count), state, [&](Value k, ValueRange state) {
          ValueRange arrays = state.take_front(2);
          Placed here = read(k, arrays), carried{state[2], state[3]};
          Value before = comesBefore(b, carried, here);
          auto choose = [&](Placed first, Placed second) -> Placed {
            return {
                b.make<arith::SelectOp>(before, first.element, second.element),
                b.make<arith::SelectOp>(before, first.place, second.place)};
          };
          SmallVector<Value> result = write(choose(carried, here), k, arrays);
          Placed next = choose(here, carried);
          result.append({next.element, next.place});
          return result;
        });
    state.pop_back_n(2);
    return state;
  }

private:
  LinalgBuilder &b;
  int64_t count;
  Value column;
};
} // namespace

SmallVector<Value> cambium::findTop(LinalgBuilder &b, Value begin, Value end,
                                    int64_t count, ValueRange arrays,
                                    Value column,
                                    function_ref<Value(Value)> read) {
  Type element = getElementTypeOrSelf(arrays[0]);
  Type i32 = b.getBuilder().getI32Type(), index = b.getBuilder().getIndexType();
  Value least = b.number(element, -std::numeric_limits<double>::infinity());
  Value zero = b.index(0);
  Found found(b, count, column);
  SmallVector<Value> state = found.fill({least, b.number(i32, -1)}, arrays);
  // The least that was found: almost all elements are below it and cost one
  // comparison. NaN and equal ones are told apart where they are put in.
  state.push_back(least);
  state = b.loops(begin, end, state, [&](Value i, ValueRange state) {
    Value here = read(i);
    Value may =
        b.make<arith::CmpFOp>(arith::CmpFPredicate::UGE, here, state.back());
    Value times = b.make<arith::IndexCastUIOp>(index, may);
    return b.loops(zero, times, state, [&](Value, ValueRange state) {
      Value place = b.make<arith::IndexCastOp>(i32, b.sub(i, begin));
      SmallVector<Value> result =
          found.insert({here, place}, state.drop_back());
      result.push_back(found.read(b.index(count - 1), result).element);
      return result;
    });
  });
  state.pop_back();
  return state;
}
