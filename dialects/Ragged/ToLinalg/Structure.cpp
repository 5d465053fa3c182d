//===-- Structure.cpp - Counts, indices and forests -----------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/RandomKeys.h"
#include "dialects/RT/IR/Status.h"
#include "dialects/Ragged/ToLinalg/KeepMarked.h"
#include "dialects/Ragged/ToLinalg/ToLinalg.h"
#include "dialects/Ragged/ToLinalg/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

static Lowered lowerNumRows(NumRowsOp op, LinalgBuilder &b) {
  return lowered(RowsView(b, op.getRows()).numRows());
}

static Lowered lowerNumSegments(NumSegmentsOp op, LinalgBuilder &b) {
  return lowered(RowsView(b, op.getRows()).numSegments());
}

static Lowered lowerNumNodes(NumNodesOp op, LinalgBuilder &b) {
  return lowered(ForestView(b, op.getForest()).count(op.getPart()));
}

static rt::ForestIndex arrayOf(Index which) {
  switch (which) {
  case Index::Children:
    return rt::ForestIndex::ChildNodes;
  case Index::Parents:
    return rt::ForestIndex::EdgeParents;
  case Index::Roots:
    return rt::ForestIndex::Roots;
  case Index::Rows:
    return rt::ForestIndex::NodeToUser;
  }
  llvm_unreachable("unknown index array");
}

static Lowered lowerIndex(IndexOp op, LinalgBuilder &b) {
  return lowered(ForestView(b, op.getForest()).array(arrayOf(op.getWhich())));
}

static Value partition(LinalgBuilder &b, Operation *op, Value rows) {
  Value partition = RowsView(b, rows).materialize();
  if (!partition)
    op->emitOpError("expected the partition of an argument or of all edges");
  return partition;
}

static Lowered lowerChain(ChainOp op, LinalgBuilder &b) {
  Value rows = partition(b, op, op.getRows());
  if (!rows)
    return failure();
  return lowered(b.make<rt::ChainOp>(op.getType(), rows, op.getReversed()));
}

static Lowered lowerFromParents(FromParentsOp op, LinalgBuilder &b) {
  Value rows = partition(b, op, op.getRows());
  if (!rows)
    return failure();
  return lowered(b.make<rt::FromParentsOp>(
      op.getType(), rows, memoryOf(b, op.getParents()), op.getArityAttr()));
}

//===----------------------------------------------------------------------===//
// Random keys
//===----------------------------------------------------------------------===//
static Lowered lowerGroup(GroupOp op, LinalgBuilder &b) {
  Value rows = partition(b, op, op.getRows());
  if (!rows)
    return failure();
  return lowered(b.make<rt::GroupOp>(
      op.getType(), rows, memoryOf(b, op.getIds()), b.rows(op.getIds())));
}

static Lowered lowerIterations(IterationsOp op, LinalgBuilder &b) {
  return lowered(b.make<rt::IterationsOp>(op.getType(),
                                          memoryOf(b, op.getSteps()),
                                          b.rows(op.getSteps()), op.getMax()));
}

static Lowered lowerExampleKeys(ExampleKeysOp op, LinalgBuilder &b) {
  auto memref =
      MemRefType::get({ShapedType::kDynamic}, b.getBuilder().getI64Type());
  Value count = b.make<rt::NumExamplesOp>(b.getBuilder().getIndexType());
  Value keys = readOnly(b, b.make<rt::ExampleKeysOp>(memref));
  return lowered(b.rowRange(keys, b.index(0), count));
}

static Lowered lowerKeys(KeysOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  Type i64 = b.getBuilder().getI64Type();
  Value dest = b.empty(op.getType(), rows.numRows());
  return lowered(
      rt::forEach(b, rows.numSegments(), dest, [&](Value s, Value keys) {
        Value key = b.make<tensor::ExtractOp>(op.getInput(), s);
        auto [begin, end] = rows.segment(s);
        Value first = begin;
        return b.loop(begin, end, keys, [&](Value r, Value keys) -> Value {
          Value i = b.make<arith::IndexCastOp>(i64, b.sub(r, first));
          return b.make<tensor::InsertOp>(random::mix(b, key, i), keys, r);
        });
      }));
}

static Lowered lowerMixKeys(MixKeysOp op, LinalgBuilder &b) {
  Type i64 = b.getBuilder().getI64Type();
  Value count = b.rows(op.getInput());
  Value dest = b.empty(op.getType(), count);
  return lowered(rt::forEach(b, count, dest, [&](Value r, Value keys) -> Value {
    Value key = b.make<tensor::ExtractOp>(op.getInput(), r);
    Value number = b.make<tensor::ExtractOp>(op.getNumbers(), r);
    number = b.make<arith::ExtUIOp>(i64, number);
    return b.make<tensor::InsertOp>(random::mix(b, key, number), keys, r);
  }));
}

static Lowered lowerPositions(PositionsOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  Value last = b.index(static_cast<int64_t>(op.getLimit()) - 1);
  Type i32 = b.getBuilder().getI32Type();
  Value dest = b.empty(op.getType(), rows.numRows());
  return lowered(
      rt::forEach(b, rows.numSegments(), dest, [&](Value s, Value numbers) {
        auto [begin, end] = rows.segment(s);
        Value first = begin;
        return b.loop(begin, end, numbers, [&](Value r, Value all) -> Value {
          Value number = b.make<arith::MinSIOp>(b.sub(r, first), last);
          Value integer = b.make<arith::IndexCastOp>(i32, number);
          return b.make<tensor::InsertOp>(integer, all, r);
        });
      }));
}

/// What stands for a number that no row has.
static constexpr int64_t kNoSuchRow = -2;

/// The call fails where a number that no row has was found.
static Value failAtNoSuchRow(RowNumbersOp op, LinalgBuilder &b, Value numbers) {
  if (!op.getChecked())
    return numbers;
  Value none = b.index(INT32_MAX);
  Value first = b.loops(
      b.index(0), b.rows(numbers), none, [&](Value i, ValueRange found) {
        Value bad =
            b.make<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                  b.indexAt(numbers, i), b.index(kNoSuchRow));
        Value here = b.make<arith::MinSIOp>(i, found[0]);
        return SmallVector<Value>{b.make<arith::SelectOp>(bad, here, found[0])};
      })[0];
  Value isFound = b.make<arith::CmpIOp>(arith::CmpIPredicate::ne, first, none);
  b.make<rt::FailIfOp>(isFound, first,
                       static_cast<int32_t>(rt::Status::OutOfRange),
                       *op.getChecked());
  return numbers;
}

/// The number in the batch of a row of the segment [begin, end) by its number
/// there.
static Value numberInBatch(RowNumbersOp op, LinalgBuilder &b, Value begin,
                           Value end, Value number) {
  Value count = b.sub(end, begin), zero = b.index(0), minusOne = b.index(-1);
  auto compare = [&](arith::CmpIPredicate predicate, Value x,
                     Value y) -> Value {
    return b.make<arith::CmpIOp>(predicate, x, y);
  };
  if (!op.getChecked()) {
    Value within = b.make<arith::MaxSIOp>(number, zero);
    within = b.make<arith::MinSIOp>(within, b.sub(count, b.index(1)));
    Value none = compare(arith::CmpIPredicate::eq, count, zero);
    return b.make<arith::SelectOp>(none, minusOne, b.add(begin, within));
  }
  Value found = compare(arith::CmpIPredicate::ult, number, count);
  Value other = b.index(kNoSuchRow);
  if (std::optional<uint64_t> ignored = op.getIgnored()) {
    Value isIgnored = compare(arith::CmpIPredicate::eq, number,
                              b.index(static_cast<int64_t>(*ignored)));
    other = b.make<arith::SelectOp>(isIgnored, minusOne, other);
    found = b.make<arith::AndIOp>(
        found, b.make<arith::XOrIOp>(isIgnored, b.number(found.getType(), 1)));
  }
  return b.make<arith::SelectOp>(found, b.add(begin, number), other);
}

static Lowered lowerRowNumbers(RowNumbersOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  Type i32 = b.getBuilder().getI32Type();
  auto number = [&](Value s, Value i, Value all) -> Value {
    auto [begin, end] = rows.segment(s);
    Value at = numberInBatch(op, b, begin, end, b.indexAt(op.getIndex(), i));
    return b.make<tensor::InsertOp>(b.make<arith::IndexCastOp>(i32, at), all,
                                    i);
  };
  Value dest = b.emptyLike(op.getType(), op.getIndex());
  if (!op.getPlaces())
    return lowered(failAtNoSuchRow(
        op, b,
        rt::forEach(b, b.rows(op.getIndex()), dest,
                    [&](Value i, Value all) { return number(i, i, all); })));
  RowsView places(b, op.getPlaces());
  Value numbers =
      rt::forEach(b, places.numSegments(), dest, [&](Value s, Value all) {
        auto [begin, end] = places.segment(s);
        return b.loop(begin, end, all,
                      [&](Value i, Value all) { return number(s, i, all); });
      });
  return lowered(failAtNoSuchRow(op, b, numbers));
}

/// The offsets of a sum of partitions are the sums of theirs.
static Lowered lowerAppend(AppendOp op, LinalgBuilder &b) {
  RowsView first(b, op.getFirst()), second(b, op.getSecond());
  Type i32 = b.getBuilder().getI32Type();
  auto type = RankedTensorType::get({ShapedType::kDynamic}, i32);
  Value segments = first.numSegments(), one = b.index(1);
  Value offsets = b.zeros(type, b.add(segments, one));
  offsets = rt::forEach(b, segments, offsets, [&](Value s, Value all) -> Value {
    Value end = b.add(first.segment(s).second, second.segment(s).second);
    Value number = b.make<arith::IndexCastOp>(i32, end);
    return b.make<tensor::InsertOp>(number, all, b.add(s, one));
  });
  Value count = b.add(first.numRows(), second.numRows());
  return lowered(b.make<rt::MakeRowsOp>(op.getType(), segments, count,
                                        memoryOf(b, offsets)));
}

static Lowered lowerOfCounts(OfCountsOp op, LinalgBuilder &b) {
  Type i32 = b.getBuilder().getI32Type();
  auto type = RankedTensorType::get({ShapedType::kDynamic}, i32);
  Value segments = b.rows(op.getCounts()), one = b.index(1), zero = b.index(0);
  SmallVector<Value> last = b.loops(
      zero, segments, {b.zeros(type, b.add(segments, one)), zero},
      [&](Value s, ValueRange state) {
        Value end = b.add(state[1], b.indexAt(op.getCounts(), s));
        Value number = b.make<arith::IndexCastOp>(i32, end);
        return SmallVector<Value>{
            b.make<tensor::InsertOp>(number, state[0], b.add(s, one)), end};
      });
  Value most = b.make<arith::MulIOp>(
      segments, b.index(static_cast<int64_t>(op.getLimit())));
  return lowered(b.make<rt::MakeRowsOp>(op.getType(), segments,
                                        b.make<rt::AtMostOp>(last[1], most),
                                        memoryOf(b, last[0])));
}

/// A row ends a run unless one of its segment with the same number follows.
static Lowered lowerRuns(RunsOp op, LinalgBuilder &b) {
  RowsView rows(b, op.getRows());
  Value numRows = rows.numRows(), one = b.index(1);
  auto arrayOf = [&](Type type) {
    return RankedTensorType::get({ShapedType::kDynamic}, type);
  };
  Type i32 = b.getBuilder().getI32Type();
  SmallVector<Value> ends = {
      b.empty(arrayOf(i32), numRows),
      b.empty(arrayOf(b.getBuilder().getI1Type()), numRows)};
  ends = rt::forEach(
      b, rows.numSegments(), /*work=*/1, ends, [&](Value s, ValueRange state) {
        auto [begin, end] = rows.segment(s);
        Value behind = end;
        return b.loops(begin, end, state, [&](Value r, ValueRange state) {
          Value next = b.add(r, one);
          Value within = b.make<arith::MinSIOp>(next, b.sub(behind, one));
          Value differs = b.make<arith::CmpIOp>(arith::CmpIPredicate::ne,
                                                b.indexAt(op.getIds(), within),
                                                b.indexAt(op.getIds(), r));
          Value isLast =
              b.make<arith::CmpIOp>(arith::CmpIPredicate::eq, next, behind);
          Value isEnd = b.make<arith::OrIOp>(differs, isLast);
          Value number = b.make<arith::IndexCastOp>(i32, next);
          return SmallVector<Value>{
              b.make<tensor::InsertOp>(number, state[0], r),
              b.make<tensor::InsertOp>(isEnd, state[1], r)};
        });
      });
  auto [kept, numEnds] = keepMarked(b, ends[0], numRows, ends[1]);
  Value runs = b.make<rt::AtMostOp>(numEnds, numRows), list = kept;
  Value offsets = b.zeros(arrayOf(i32), b.add(numRows, one));
  offsets = rt::forEach(b, runs, offsets, [&](Value i, Value all) -> Value {
    Value end = b.make<tensor::ExtractOp>(list, i);
    return b.make<tensor::InsertOp>(end, all, b.add(i, one));
  });
  return lowered(b.make<rt::MakeRowsOp>(op.getType(), runs, numRows,
                                        memoryOf(b, offsets)));
}

static Lowered lowerPlaces(PlacesOp op, LinalgBuilder &b) {
  RowsView part(b, op.getPart()), whole(b, op.getWhole());
  Type i32 = b.getBuilder().getI32Type();
  Value dest = b.empty(op.getType(), part.numRows());
  return lowered(
      rt::forEach(b, part.numSegments(), dest, [&](Value s, Value all) {
        auto [begin, end] = part.segment(s);
        auto [first, last] = whole.segment(s);
        Value distance = op.getEnd() ? b.sub(last, end) : b.sub(first, begin);
        return b.loop(begin, end, all, [&](Value r, Value all) -> Value {
          Value at = b.make<arith::IndexCastOp>(i32, b.add(r, distance));
          return b.make<tensor::InsertOp>(at, all, r);
        });
      }));
}

void ragged::attachStructureLowerings(MLIRContext *context) {
  attachLinalgModel<NumRowsOp, lowerNumRows>(context);
  attachLinalgModel<NumSegmentsOp, lowerNumSegments>(context);
  attachLinalgModel<NumNodesOp, lowerNumNodes>(context);
  attachLinalgModel<IndexOp, lowerIndex>(context);
  attachLinalgModel<ChainOp, lowerChain>(context);
  attachLinalgModel<FromParentsOp, lowerFromParents>(context);
  attachLinalgModel<GroupOp, lowerGroup>(context);
  attachLinalgModel<IterationsOp, lowerIterations>(context);
  attachLinalgModel<ExampleKeysOp, lowerExampleKeys>(context);
  attachLinalgModel<KeysOp, lowerKeys>(context);
  attachLinalgModel<MixKeysOp, lowerMixKeys>(context);
  attachLinalgModel<PositionsOp, lowerPositions>(context);
  attachLinalgModel<RowNumbersOp, lowerRowNumbers>(context);
  attachLinalgModel<AppendOp, lowerAppend>(context);
  attachLinalgModel<PlacesOp, lowerPlaces>(context);
  attachLinalgModel<RunsOp, lowerRuns>(context);
  attachLinalgModel<OfCountsOp, lowerOfCounts>(context);
}

void ragged::registerToLinalgModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, RaggedDialect *) {
    attachStructureLowerings(context);
    attachChartLowerings(context);
    attachSegmentLowerings(context);
    attachSelectLowerings(context);
    attachPairLowerings(context);
    attachMaxSpanningLowering(context);
    attachSlotLowerings(context);
    attachAttentionLowerings(context);
    attachGatherLowerings(context);
    attachRowLists(context);
    attachLevelsLowering(context);
    attachIterateLowering(context);
    attachTrainingLowerings(context);
  });
}
