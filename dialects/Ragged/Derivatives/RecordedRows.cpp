//===-- dialects/Ragged/Derivatives/RecordedRows.cpp - Records ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Derivatives/RecordedRows.h"
#include "cambium/Support/Rows.h"
#include "dialects/Ragged/Derivatives/Tape.h"
#include "dialects/Ragged/IR/RowOrigins.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

//===----------------------------------------------------------------------===//
// Numbers of rows
//===----------------------------------------------------------------------===//

namespace {
/// Finds where the numbers of rows of values of a region are known outside of
/// it.
class RowCounts {
public:
  explicit RowCounts(RepeatOp loop) : loop(loop) {}

  std::optional<RowOrigin> of(Value value) {
    while (!isOutside(value)) {
      std::optional<RowOrigin> origin = originOfRows(value);
      if (!origin)
        return std::nullopt;
      if (origin->count) {
        if (isOutside(origin->source))
          return origin;
        // A number may be told by what stands outside.
        if (!origin->source.getType().isIndex())
          return std::nullopt;
      }
      value = origin->source;
    }
    return RowOrigin{value,
                     [](OpBuilder &builder, Location loc, Value from) -> Value {
                       return tensor::DimOp::create(builder, loc, from, 0);
                     }};
  }

private:
  bool isOutside(Value value) {
    return !loop.getBody().isAncestor(value.getParentRegion());
  }

  RepeatOp loop;
};
} // namespace

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

bool RecordedRows::isRebuilt(Value value) {
  if (isa<BlockArgument>(value))
    return false;
  if (auto known = rebuilt.find(value); known != rebuilt.end())
    return known->second;
  auto isKept = [&](Value operand) {
    return loop.getBody().isAncestor(operand.getParentRegion()) &&
           !isRebuilt(operand);
  };
  bool answer = loop.getRematerialize() || !canBeKept(value.getType()) ||
                !RowCounts(loop).of(value) ||
                isCopiedAgain(value, rowsLike(value)) ||
                isComputedAgain(value, isKept);
  rebuilt[value] = answer;
  return answer;
}

Value RecordedRows::rowsLike(Value value) {
  std::optional<RowOrigin> origin = RowCounts(loop).of(value);
  return origin && hasRows(origin->source.getType()) ? origin->source : Value();
}

/// The rows [t * count, (t + 1) * count) of a record.
static Value offsetOf(OpBuilder &builder, Location loc, Value iteration,
                      Value count) {
  return arith::MulIOp::create(builder, loc, iteration, count);
}

namespace {
/// The place of rows in an array of such rows.
struct Place {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  Place(OpBuilder &builder, RankedTensorType type, Value first, Value count) {
    offsets.assign(type.getRank(), builder.getIndexAttr(0));
    strides.assign(type.getRank(), builder.getIndexAttr(1));
    for (int64_t size : type.getShape())
      sizes.push_back(builder.getIndexAttr(size));
    offsets[0] = first;
    sizes[0] = count;
  }
};
} // namespace

Value RecordedRows::read(OpBuilder &builder, Value value, Value iteration) {
  auto &[record, count] = placeholders[value];
  Location loc = loop.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  if (!record) {
    RowOrigin origin = *RowCounts(loop).of(value);
    count = origin.count(outer.getBuilder(), loc, outer.value(origin.source));
    record = outer.create<tensor::EmptyOp>(loc, type.getShape(),
                                           type.getElementType(), count);
  }
  Place place(builder, type, offsetOf(builder, loc, iteration, count), count);
  return tensor::ExtractSliceOp::create(
      builder, loc, type, record, place.offsets, place.sizes, place.strides);
}

namespace {
/// The records of a loop under construction: what each holds so far, and the
/// number of its rows in an iteration.
class RecordWriter {
public:
  RecordWriter(OpBuilder &builder, RepeatOp loop, ArrayRef<Value> primals,
               ArrayRef<Value> counts)
      : builder(builder), loop(loop), primals(primals), counts(counts),
        records(loop.getStateArgs().take_back(primals.size())) {}

  /// A value is recorded where it is made: its memory may be used again.
  void record(Value primal, Value value) {
    auto *entry = llvm::find(primals, primal);
    if (entry == primals.end())
      return;
    size_t i = entry - primals.begin();
    Location loc = loop.getLoc();
    Value first = offsetOf(builder, loc, loop.getIterationArg(), counts[i]);
    Place place(builder, cast<RankedTensorType>(records[i].getType()), first,
                counts[i]);
    records[i] = tensor::InsertSliceOp::create(builder, loc, value, records[i],
                                               place.offsets, place.sizes,
                                               place.strides);
  }

  ArrayRef<Value> getRecords() const { return records; }

private:
  OpBuilder &builder;
  RepeatOp loop;
  ArrayRef<Value> primals, counts;
  SmallVector<Value> records;
};
} // namespace

SmallVector<Value> RecordedRows::countRows(OpBuilder &builder, ValueMap value) {
  SmallVector<Value> counts;
  for (Value primal : llvm::make_first_range(placeholders)) {
    RowOrigin origin = *RowCounts(loop).of(primal);
    counts.push_back(
        origin.count(builder, loop.getLoc(), value(origin.source)));
  }
  return counts;
}

RepeatOp RecordedRows::createLoop(OpBuilder &builder, ArrayRef<Value> counts,
                                  ValueMap value) {
  Location loc = loop.getLoc();
  SmallVector<Value> init;
  for (Value start : loop.getInit())
    init.push_back(value(start));
  Value number = arith::ConstantIndexOp::create(builder, loc, loop.getCount());
  for (auto [primal, count] :
       llvm::zip_equal(llvm::make_first_range(placeholders), counts)) {
    Value all = arith::MulIOp::create(builder, loc, count, number);
    auto type = cast<RankedTensorType>(primal.getType());
    init.push_back(tensor::EmptyOp::create(builder, loc, type.getShape(),
                                           type.getElementType(), all));
  }
  return RepeatOp::create(builder, loc, loop.getCount(), init,
                          loop.getRematerialize());
}

RepeatOp RecordedRows::copyLoop(OpBuilder &builder, ValueMap value) {
  // What the region reads may be built here: it stands in front of the loop.
  IRMapping mapping;
  for (Value captured : capturedBy(loop.getBody()))
    mapping.map(captured, value(captured));
  SmallVector<Value> primals(llvm::make_first_range(placeholders));
  SmallVector<Value> counts = countRows(builder, value);
  RepeatOp fresh = createLoop(builder, counts, value);
  mapping.map(loop.getBody().getArguments(),
              fresh.getBody().getArguments().take_front(
                  loop.getBody().getNumArguments()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&fresh.getBody().front());
  RecordWriter writer(builder, fresh, primals, counts);
  for (Value state : loop.getStateArgs())
    writer.record(state, mapping.lookup(state));
  for (Operation &inner : loop.getBody().front().without_terminator()) {
    builder.clone(inner, mapping);
    for (Value result : inner.getResults())
      writer.record(result, mapping.lookup(result));
  }
  SmallVector<Value> yielded;
  for (Value next : loop.getYielded())
    yielded.push_back(mapping.lookupOrDefault(next));
  llvm::append_range(yielded, writer.getRecords());
  YieldOp::create(builder, loop.getLoc(), yielded);
  return fresh;
}

void RecordedRows::build() {
  if (placeholders.empty())
    return;
  OpBuilder &builder = outer.getBuilder();
  RepeatOp fresh;
  if (loop->getBlock() == builder.getInsertionBlock()) {
    OpBuilder before(loop);
    fresh = copyLoop(before, [](Value value) { return value; });
    // The old loop is dead: a sweep may still hold its values.
    loop->replaceAllUsesWith(
        fresh.getResults().take_front(loop->getNumResults()));
  } else {
    fresh = copyLoop(builder, [&](Value value) { return outer.value(value); });
  }
  for (auto [entry, record] :
       llvm::zip_equal(placeholders,
                       fresh.getResults().drop_front(loop->getNumResults()))) {
    Operation *placeholder = entry.second.rows.getDefiningOp();
    placeholder->replaceAllUsesWith(ValueRange(record));
    placeholder->erase();
  }
}
