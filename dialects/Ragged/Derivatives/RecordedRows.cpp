//===-- dialects/Ragged/Derivatives/RecordedRows.cpp - Records ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Derivatives/RecordedRows.h"
#include "cambium/Interfaces/BatchableOpInterface.h"
#include "cambium/Support/Rows.h"
#include "dialects/Ragged/Derivatives/Tape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

//===----------------------------------------------------------------------===//
// Numbers of rows
//===----------------------------------------------------------------------===//

namespace {
/// Where the number of rows of a value of the region is known outside of it.
struct RowCount {
  enum Kind { Number, Dim, Rows, Segments, Nodes, Edges } kind;
  Value source;
  Part part = Part::All;

  /// Builds the number; `value` gives what stands for the source.
  Value build(OpBuilder &builder, Location loc,
              function_ref<Value(Value)> value) const {
    Value from = value(source);
    switch (kind) {
    case Number:
      return from;
    case Dim:
      return tensor::DimOp::create(builder, loc, from, 0);
    case Rows:
      return NumRowsOp::create(builder, loc, from);
    case Segments:
      return NumSegmentsOp::create(builder, loc, from);
    case Nodes:
      return NumNodesOp::create(builder, loc, from, part);
    case Edges:
      return NumRowsOp::create(builder, loc,
                               EdgesOp::create(builder, loc, from, Part::All));
    }
    llvm_unreachable("unknown kind of count");
  }
};

/// Finds the numbers of rows of values of a region.
class RowCounts {
public:
  explicit RowCounts(RepeatOp loop) : loop(loop) {}

  std::optional<RowCount> of(Value value) {
    if (isOutside(value))
      return RowCount{RowCount::Dim, value};
    for (auto [arg, init] :
         llvm::zip_equal(loop.getStateArgs(), loop.getInit()))
      if (value == arg)
        return RowCount{RowCount::Dim, init};
    if (isa<BlockArgument>(value))
      return std::nullopt;
    Operation *def = value.getDefiningOp();
    if (def->hasTrait<ProducesRows>())
      return ofPartition(def, RowCount::Rows);
    if (def->hasTrait<ProducesSegments>())
      return ofPartition(def, RowCount::Segments);
    return llvm::TypeSwitch<Operation *, std::optional<RowCount>>(def)
        .Case([&](BroadcastOp op) { return ofNumber(op.getCount()); })
        .Case([&](ScatterSumOp op) { return ofNumber(op.getCount()); })
        .Case([&](GatherOp op) { return of(op.getIndex()); })
        .Case([&](RowNumbersOp op) { return of(op.getIndex()); })
        .Case([&](PutRowsOp op) { return of(op.getAll()); })
        .Case([&](PermuteOp op) { return of(op.getInput()); })
        .Case([&](MixKeysOp op) { return of(op.getInput()); })
        .Case([&](AttentionOp op) { return of(op.getQuery()); })
        .Case([&](tensor::CastOp op) { return of(op.getSource()); })
        .Case([&](RepeatOp op) {
          return of(op.getInit()[cast<OpResult>(value).getResultNumber()]);
        })
        .Case([&](PartOp op) { return ofForest(op.getForest(), op.getPart()); })
        .Case([&](JoinOp op) { return ofForest(op.getForest(), Part::All); })
        .Case([&](SumParentsOp op) {
          return ofForest(op.getForest(), op.getPart());
        })
        .Case([&](LevelsOp op) { return ofLevels(op, value); })
        .Default([&](Operation *op) { return ofRowwise(op); });
  }

private:
  bool isOutside(Value value) {
    return !loop.getBody().isAncestor(value.getParentRegion());
  }

  std::optional<RowCount> ofPartition(Operation *op, RowCount::Kind kind) {
    for (Value operand : op->getOperands())
      if (isa<RowsType>(operand.getType()))
        return isOutside(operand) ? std::optional(RowCount{kind, operand})
                                  : std::nullopt;
    return std::nullopt;
  }

  std::optional<RowCount> ofNumber(Value number) {
    if (isOutside(number))
      return RowCount{RowCount::Number, number};
    Operation *def = number.getDefiningOp();
    if (auto dim = dyn_cast_if_present<tensor::DimOp>(def))
      return of(dim.getSource());
    if (isa_and_present<NumRowsOp>(def))
      return ofPartition(def, RowCount::Rows);
    if (isa_and_present<NumSegmentsOp>(def))
      return ofPartition(def, RowCount::Segments);
    return std::nullopt;
  }

  std::optional<RowCount> ofForest(Value forest, Part part) {
    if (!isOutside(forest))
      return std::nullopt;
    return RowCount{RowCount::Nodes, forest, part};
  }

  std::optional<RowCount> ofLevels(LevelsOp op, Value value) {
    if (!isOutside(op.getForest()))
      return std::nullopt;
    auto isIn = [&](ResultRange range) {
      return llvm::is_contained(range, value);
    };
    if (isIn(op.getSharedResults()))
      return std::nullopt;
    bool isUp = op.getDirection() == Direction::Up;
    if (isIn(op.getEdgeResults()) || (!isUp && isIn(op.getRecurrentResults())))
      return RowCount{RowCount::Edges, op.getForest()};
    return ofForest(op.getForest(),
                    isIn(op.getNodeResults()) ? op.getPart() : Part::All);
  }

  std::optional<RowCount> ofRowwise(Operation *op) {
    auto rowwise = dyn_cast<BatchableOpInterface>(op);
    if (!rowwise || !rowwise.isRowwise())
      return std::nullopt;
    for (OpOperand &operand : op->getOpOperands())
      if (hasRows(operand.get().getType()) &&
          rowwise.isRowOperand(operand.getOperandNumber()))
        return of(operand.get());
    return std::nullopt;
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
  auto [it, isNew] = rebuilt.try_emplace(value);
  if (isNew)
    it->second = loop.getRematerialize() || !canBeKept(value.getType()) ||
                 !RowCounts(loop).of(value);
  return it->second;
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
    count = RowCounts(loop).of(value)->build(
        outer.getBuilder(), loc,
        [&](Value source) { return outer.value(source); });
    record = outer.create<tensor::EmptyOp>(loc, type.getShape(),
                                           type.getElementType(), count);
  }
  Place place(builder, type, offsetOf(builder, loc, iteration, count), count);
  return tensor::ExtractSliceOp::create(
      builder, loc, type, record, place.offsets, place.sizes, place.strides);
}

RepeatOp RecordedRows::copyLoop(OpBuilder &builder,
                                function_ref<Value(Value)> value) {
  Location loc = loop.getLoc();
  SmallVector<Value> init, counts;
  for (Value start : loop.getInit())
    init.push_back(value(start));
  Value number = arith::ConstantIndexOp::create(builder, loc, loop.getCount());
  for (auto &[primal, asked] : placeholders) {
    counts.push_back(RowCounts(loop).of(primal)->build(builder, loc, value));
    Value all = arith::MulIOp::create(builder, loc, counts.back(), number);
    auto type = cast<RankedTensorType>(primal.getType());
    init.push_back(tensor::EmptyOp::create(builder, loc, type.getShape(),
                                           type.getElementType(), all));
  }
  auto fresh = RepeatOp::create(builder, loc, loop.getCount(), init,
                                loop.getRematerialize());
  IRMapping mapping;
  for (Value captured : capturedBy(loop.getBody()))
    mapping.map(captured, value(captured));
  mapping.map(loop.getBody().getArguments(),
              fresh.getBody().getArguments().take_front(
                  loop.getBody().getNumArguments()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&fresh.getBody().front());
  // A value is recorded where it is made: its memory may be used again.
  SmallVector<Value> records(
      fresh.getStateArgs().drop_front(loop.getInit().size()));
  auto record = [&](Value primal) {
    auto *entry = placeholders.find(primal);
    if (entry == placeholders.end())
      return;
    size_t i = entry - placeholders.begin();
    Value &all = records[i];
    Value first = offsetOf(builder, loc, fresh.getIterationArg(), counts[i]);
    Place place(builder, cast<RankedTensorType>(all.getType()), first,
                counts[i]);
    all = tensor::InsertSliceOp::create(
        builder, loc, mapping.lookupOrDefault(primal), all, place.offsets,
        place.sizes, place.strides);
  };
  for (Value state : loop.getStateArgs())
    record(state);
  for (Operation &inner : loop.getBody().front().without_terminator()) {
    builder.clone(inner, mapping);
    for (Value result : inner.getResults())
      record(result);
  }
  SmallVector<Value> yielded;
  for (Value next : loop.getYielded())
    yielded.push_back(mapping.lookupOrDefault(next));
  llvm::append_range(yielded, records);
  YieldOp::create(builder, loc, yielded);
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
