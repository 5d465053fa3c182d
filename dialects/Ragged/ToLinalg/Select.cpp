//===-- dialects/Ragged/ToLinalg/Select.cpp - Rows of segments by number -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/TopElements.h"
#include "dialects/Ragged/ToLinalg/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

static Lowered lowerTop(TopOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  RankedTensorType type = op.getInput().getType();
  int64_t count = op.getCount();
  Value columns = b.index(type.getDimSize(1)), zero = b.index(0);
  SmallVector<Value> empty;
  for (Type result : op->getResultTypes())
    empty.push_back(
        b.empty(cast<RankedTensorType>(result), rows.numSegments()));
  auto ofSegment = [&](Value s, ValueRange arrays) {
    auto [begin, end] = rows.segment(s);
    Value first = begin, last = end;
    SmallVector<Value> tops{b.row(arrays[0], s), b.row(arrays[1], s)};
    tops = b.loops(zero, columns, tops, [&](Value column, ValueRange tops) {
      return findTop(b, first, last, count, tops, column,
                     [&](Value r) -> Value {
                       return b.make<tensor::ExtractOp>(op.getInput(),
                                                        ValueRange{r, column});
                     });
    });
    return SmallVector<Value>{b.setRow(tops[0], arrays[0], s),
                              b.setRow(tops[1], arrays[1], s)};
  };
  return rt::forEach(b, rows.numSegments(), rt::kWorthwhile, empty, ofSegment);
}

namespace {
/// The rows of a segment by number.
class Numbered {
public:
  Numbered(LinalgBuilder &b, Value numbers, bool nearest)
      : b(b), numbers(numbers), nearest(nearest) {}

  /// Whether all columns share a number.
  bool isShared() { return tensorType(numbers).getRank() == 2; }
  /// The row with the number, counted from the segment's first; for one that
  /// there is not, a number that is not below `count` without a sign.
  Value at(Value s, Value j, Value column, Value count) {
    SmallVector<Value> where{s, j};
    if (!isShared())
      where.push_back(column);
    Value number = b.toIndex(b.make<tensor::ExtractOp>(numbers, where));
    if (!nearest)
      return number;
    number = b.make<arith::MaxSIOp>(number, b.index(0));
    return b.make<arith::MinSIOp>(number, b.sub(count, b.index(1)));
  }

private:
  LinalgBuilder &b;
  Value numbers;
  bool nearest;
};
} // namespace

static Value isBelow(LinalgBuilder &b, Value number, Value count) {
  return b.make<arith::CmpIOp>(arith::CmpIPredicate::ult, number, count);
}

/// A loop that is gone through once if the number is below the count: it keeps
/// its array where it is.
static Value updateIfBelow(LinalgBuilder &b, Value number, Value count,
                           Value array, function_ref<Value(Value)> update) {
  Value times = b.make<arith::IndexCastUIOp>(b.getBuilder().getIndexType(),
                                             isBelow(b, number, count));
  return b.loop(b.index(0), times, array,
                [&](Value, Value array) { return update(array); });
}

static Lowered lowerPick(PickOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  Numbered numbers(b, op.getNumbers(), op.getNearest());
  RankedTensorType type = op.getType();
  Value zero = b.index(0), columns = b.index(type.getDimSize(2));
  auto pickRow = [&](Value s, Value j, Value first, Value count, Value slots) {
    Value number = numbers.at(s, j, zero, count), dest = b.row(slots, j);
    Value row = b.choose(
        isBelow(b, number, count), dest.getType(),
        [&] {
          return b.copy(b.row(op.getInput(), b.add(first, number)), dest);
        },
        [&] { return b.fill(dest, 0); });
    return b.setRow(row, slots, j);
  };
  auto pickElement = [&](Value s, Value j, Value column, Value first,
                         Value count, Value slots) -> Value {
    Value number = numbers.at(s, j, column, count);
    Value element = b.choose(
        isBelow(b, number, count), type.getElementType(),
        [&]() -> Value {
          return b.make<tensor::ExtractOp>(
              op.getInput(), ValueRange{b.add(first, number), column});
        },
        [&] { return b.number(type.getElementType(), 0); });
    return b.make<tensor::InsertOp>(element, slots, ValueRange{j, column});
  };
  Value dest = b.empty(type, rows.numSegments());
  return lowered(
      rt::forEachRow(b, rows.numSegments(), dest, [&](Value s, Value slots) {
        auto [begin, end] = rows.segment(s);
        Value first = begin, count = b.sub(end, begin);
        return b.loop(zero, b.index(type.getDimSize(1)), slots,
                      [&](Value j, Value slots) {
                        if (numbers.isShared())
                          return pickRow(s, j, first, count, slots);
                        return b.loop(zero, columns, slots,
                                      [&](Value column, Value slots) {
                                        return pickElement(s, j, column, first,
                                                           count, slots);
                                      });
                      });
      }));
}

static Value addUp(LinalgBuilder &b, ValueRange args) {
  return b.add(args[0], args[1]);
}

/// Zeros in rows [begin, end).
static Value clearRows(LinalgBuilder &b, Value begin, Value end, Value all) {
  return b.loop(begin, end, all, [&](Value r, Value all) {
    return b.setRow(b.fill(b.row(all, r), 0), all, r);
  });
}

static Lowered lowerSpread(SpreadOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  Numbered numbers(b, op.getNumbers(), op.getNearest());
  RankedTensorType type = op.getInput().getType();
  Value zero = b.index(0), columns = b.index(type.getDimSize(2));
  auto addRow = [&](Value s, Value j, Value first, Value count, Value all) {
    Value number = numbers.at(s, j, zero, count);
    return updateIfBelow(b, number, count, all, [&](Value all) {
      Value at = b.add(first, number);
      Value row = b.row(b.row(op.getInput(), s), j);
      return b.setRow(b.update(b.row(all, at), row, addUp), all, at);
    });
  };
  auto addElement = [&](Value s, Value j, Value column, Value first,
                        Value count, Value all) {
    Value number = numbers.at(s, j, column, count);
    return updateIfBelow(b, number, count, all, [&](Value all) -> Value {
      Value x =
          b.make<tensor::ExtractOp>(op.getInput(), ValueRange{s, j, column});
      SmallVector<Value> where{b.add(first, number), column};
      Value sum = b.make<tensor::ExtractOp>(all, where);
      return b.make<tensor::InsertOp>(b.add(sum, x), all, where);
    });
  };
  Value dest = b.empty(op.getType(), rows.numRows());
  return lowered(
      rt::forEach(b, rows.numSegments(), dest, [&](Value s, Value all) {
        auto [begin, end] = rows.segment(s);
        Value first = begin, count = b.sub(end, begin);
        return b.loop(
            zero, b.index(type.getDimSize(1)), clearRows(b, begin, end, all),
            [&](Value j, Value all) {
              if (numbers.isShared())
                return addRow(s, j, first, count, all);
              return b.loop(zero, columns, all, [&](Value column, Value all) {
                return addElement(s, j, column, first, count, all);
              });
            });
      }));
}

static Lowered lowerSumBy(SumByOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  Value size = b.index(op.getSize());
  Value dest = b.empty(op.getType(), rows.numSegments());
  return lowered(
      rt::forEachRow(b, rows.numSegments(), dest, [&](Value s, Value sums) {
        auto [begin, end] = rows.segment(s);
        return b.loop(begin, end, b.fill(sums, 0), [&](Value r, Value sums) {
          Value id = b.indexAt(op.getIds(), r);
          return updateIfBelow(b, id, size, sums, [&](Value sums) {
            Value row = b.row(op.getInput(), r);
            return b.setRow(b.update(b.row(sums, id), row, addUp), sums, id);
          });
        });
      }));
}

static Lowered lowerLookUp(LookUpOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  Value size = b.index(op.getTable().getType().getDimSize(1));
  Value dest = b.empty(op.getType(), rows.numRows());
  return lowered(
      rt::forEach(b, rows.numSegments(), dest, [&](Value s, Value all) {
        auto [begin, end] = rows.segment(s);
        return b.loop(begin, end, all, [&](Value r, Value all) {
          Value id = b.indexAt(op.getIds(), r), row = b.row(all, r);
          Value found = b.choose(
              isBelow(b, id, size), row.getType(),
              [&] { return b.copy(b.row(b.row(op.getTable(), s), id), row); },
              [&] { return b.fill(row, 0); });
          return b.setRow(found, all, r);
        });
      }));
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

static Lowered lowerAround(AroundOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  RankedTensorType type = op.getType();
  Value before = b.index(op.getBefore()), length = b.index(type.getDimSize(1));
  Value dest = b.empty(type, rows.numRows());
  auto fill = [&](Value r, Value k, Value first, Value count, Value window) {
    // Counted from the first row of the segment, below 0 before it.
    Value at = b.sub(b.sub(b.add(r, k), before), first),
          slot = b.row(window, k);
    Value filled = b.choose(
        isBelow(b, at, count), slot.getType(),
        [&] { return b.copy(b.row(op.getInput(), b.add(first, at)), slot); },
        [&] { return b.fill(slot, 0); });
    return b.setRow(filled, window, k);
  };
  return lowered(
      rt::forEach(b, rows.numSegments(), dest, [&](Value s, Value all) {
        auto [begin, end] = rows.segment(s);
        Value first = begin, count = b.sub(end, begin);
        return b.loop(begin, end, all, [&](Value r, Value all) {
          Value window = b.loop(b.index(0), length, b.row(all, r),
                                [&](Value k, Value window) {
                                  return fill(r, k, first, count, window);
                                });
          return b.setRow(window, all, r);
        });
      }));
}

static Lowered lowerSumAround(SumAroundOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  Value before = b.index(op.getBefore());
  Value length = b.index(op.getInput().getType().getDimSize(1));
  Value dest = b.empty(op.getType(), rows.numRows());
  auto add = [&](Value r, Value k, Value first, Value count, Value sum) {
    // The window in which row r stands at k, counted from the segment's first.
    Value at = b.sub(b.sub(b.add(r, before), k), first);
    return updateIfBelow(b, at, count, sum, [&](Value sum) {
      Value window = b.row(op.getInput(), b.add(first, at));
      return b.update(sum, b.row(window, k), addUp);
    });
  };
  return lowered(
      rt::forEach(b, rows.numSegments(), dest, [&](Value s, Value all) {
        auto [begin, end] = rows.segment(s);
        Value first = begin, count = b.sub(end, begin);
        return b.loop(begin, end, all, [&](Value r, Value all) {
          Value sum = b.loop(
              b.index(0), length, b.fill(b.row(all, r), 0),
              [&](Value k, Value sum) { return add(r, k, first, count, sum); });
          return b.setRow(sum, all, r);
        });
      }));
}

void ragged::attachSelectLowerings(MLIRContext *context) {
  attachLinalgModel<TopOp, lowerTop>(context);
  attachLinalgModel<PickOp, lowerPick>(context);
  attachLinalgModel<SpreadOp, lowerSpread>(context);
  attachLinalgModel<SumByOp, lowerSumBy>(context);
  attachLinalgModel<LookUpOp, lowerLookUp>(context);
  attachLinalgModel<AroundOp, lowerAround>(context);
  attachLinalgModel<SumAroundOp, lowerSumAround>(context);
}
