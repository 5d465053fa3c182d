//===-- dialects/Depth/Batching/Search.cpp - Searches of a batch ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search is a loop over the examples whose search goes on. The body is
// computed for the hypotheses that have not ended, of all examples together. To
// it they are rows of all examples, of which some have none: so it reads other
// rows of an example where they stand.
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/BatchableOpInterface.h"
#include "dialects/Depth/Batching/DepthBatching.h"
#include "dialects/Depth/Batching/SearchBatcher.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "dialects/Train/IR/Train.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

//===----------------------------------------------------------------------===//
// The start
//===----------------------------------------------------------------------===//

/// A beam starts with one hypothesis; what is drawn, with all.
Hypotheses SearchBatcher::makeStart() {
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  bool all = op.getSampled();
  SmallVector<double> isLive(count, all ? 1 : 0),
      score(count, all ? 0 : -std::numeric_limits<double>::infinity());
  isLive.front() = 1;
  score.front() = 0;
  Hypotheses start;
  start.live = numbers(f32, count, isLive);
  start.score = numbers(scoreType, count, score);
  start.length = number(i32, count, 0);
  start.words = spread(batcher.getRows(op.getEnd()), {count, max}, {});
  start.lastWord = spread(batcher.getRows(op.getBegin()), count, {});
  for (Value init : op.getInit()) {
    SmallVector<int64_t> shape{count}, dims;
    auto type = mlir::cast<RankedTensorType>(init.getType());
    llvm::append_range(shape, type.getShape());
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      dims.push_back(dim + 2);
    start.carried.push_back(spread(batcher.getRows(init), shape, dims));
  }
  if (hasGrown())
    start.carried.push_back(number(i32, {count, max}, 0));
  return start;
}

//===----------------------------------------------------------------------===//
// The rows of the body
//===----------------------------------------------------------------------===//

LiveRows SearchBatcher::findLiveRows() {
  Type f32 = builder.getF32Type(), i32 = builder.getI32Type();
  LiveRows rows;
  Value counts = cast(make<nn::SumOp>(now.live, /*dim=*/1), i32);
  rows.own = make<ragged::OfCountsOp>(counts, count);
  Value none = make<ragged::BroadcastOp>(
      counts.getType(),
      make<arith::ConstantOp>(DenseElementsAttr::get(
          RankedTensorType::get({}, i32), builder.getI32IntegerAttr(0))),
      batcher.getCount());
  rows.all = make<ragged::OfCountsOp>(
      make<ragged::PutRowsOp>(counts, none, ids), count);

  // The places of the live ones come first, in their order.
  SmallVector<double> falling;
  for (int64_t place = 0; place < count; ++place)
    falling.push_back(static_cast<double>(count - place));
  Value order = make<arith::MulFOp>(now.live, numbers(f32, count, falling));
  Value first = make<nn::TopOp>(order, count, /*dim=*/1).getPlaces();
  Value rank = make<ragged::PositionsOp>(rows.own, count);
  rows.places = make<ragged::LookUpOp>(first, rank, rows.own);

  // Before each place stand so many live ones.
  SmallVector<float> isBefore;
  for (int64_t from = 0; from < count; ++from)
    for (int64_t to = 0; to < count; ++to)
      isBefore.push_back(from < to ? 1 : 0);
  Value weight = make<arith::ConstantOp>(DenseElementsAttr::get(
      RankedTensorType::get({count, count}, f32), ArrayRef(isBefore)));
  Value before = make<nn::LinearOp>(now.live, weight, Value());
  rows.numbers =
      select(isSet(now.live), cast(before, i32), number(i32, count, -1));
  return rows;
}

void SearchBatcher::bindArguments() {
  auto rowsOf = [&](Value places) {
    return make<ragged::LookUpOp>(places, live.places, live.own);
  };
  batcher.set(op.getWordArg(), rowsOf(now.lastWord));
  for (auto [arg, places] : llvm::zip(op.getStateArgs(), now.carried))
    batcher.set(arg, rowsOf(places));
}

/// The body, in a context whose rows are all those around the search.
LogicalResult SearchBatcher::batchRegion() {
  BatchContext context = outer;
  context.keys = {};
  context.partitions[batcher.getSpaces().spaceOf(op.getWordArg())] = live.all;
  context.makeKeys = [this] {
    return makeIterationKeys(batcher, outer, before, loop.getBlock(),
                             [this] { return make<ragged::IterationOp>(ids); });
  };
  bindGrown(context);
  Batcher::ContextScope scope(batcher, context);
  bindArguments();
  if (failed(batcher.batchBlock(op.getBody().front())))
    return failure();
  scores = batcher.getRows(op.getYield().getActive());
  for (Value value : op.getNextStates())
    next.push_back(batcher.getRows(value));
  if (failed(keepGrown()))
    return failure();
  if (!op.getSampled())
    return success();
  Value keys = batcher.getKeys();
  if (!keys)
    return failure();
  drawKeys = make<ragged::KeysOp>(keys, live.all);
  return success();
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

LogicalResult SearchBatcher::batchBody() {
  OpBuilder::InsertionGuard guard(builder);
  Value ends = batcher.getRows(op.getEnd());
  batcher.getCount(); // is built here, outside of the loop
  before = builder.saveInsertionPoint();
  builder.setInsertionPointToStart(&loop.getBlock());
  ids = loop.getIdsArg();
  numRows = make<tensor::DimOp>(ids, 0);
  end = make<ragged::GatherOp>(ends, ids);
  live = findLiveRows();
  if (hasGrown())
    findGrownRows();
  if (failed(batchRegion()))
    return failure();
  Hypotheses next = follow(choose());
  yields.states = next.inOrder();
  yields.flags = isSet(make<nn::MaxOp>(next.live, /*dim=*/1));
  return success();
}

/// To gradients, what was found is constant.
void SearchBatcher::setResults(const Hypotheses &found) {
  batcher.set(op.getWords(), found.words);
  batcher.set(op.getLengths(), found.length);
  batcher.set(op.getScores(), make<train::StopGradientOp>(found.score));
}

LogicalResult SearchBatcher::run() {
  numRows = batcher.getCount();
  SmallVector<Value> states;
  for (Value array : makeStart().inOrder())
    states.push_back(loop.addState(array));
  now = Hypotheses::fromOrder(states);
  SmallVector<Value> shared;
  for (BlockArgument rows : op.getGrownArgs()) {
    shared.push_back(makeStore(rows));
    stores.push_back(loop.addShared(shared.back().getType()));
  }
  if (failed(batchBody()))
    return failure();
  ragged::IterateOp batched =
      loop.build(builder, max, /*active=*/Value(), shared, yields,
                 /*rematerialize=*/false);
  setResults(Hypotheses::fromOrder(batched.getStates()));
  return success();
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kGrownRows = "the rows of a hypothesis";

/// All that grows has as many rows; behind a step, one more.
static LogicalResult joinGrown(SearchOp op, RowSpaces &spaces) {
  for (Value rows : op.getGrownArgs())
    spaces.addInner(rows, kGrownRows);
  for (Value rows : op.getGrown())
    if (!spaces.hasInner(rows))
      spaces.addInner(rows, kGrownRows);
  for (unsigned i = 1; i < op.getGrownArgs().size(); ++i)
    if (failed(spaces.joinInners(op, op.getGrownArgs()[0],
                                 op.getGrownArgs()[i])) ||
        failed(spaces.joinInners(op, op.getGrown()[0], op.getGrown()[i])))
      return failure();
  return success();
}

namespace {
struct SearchBatching
    : BatchableOpInterface::ExternalModel<SearchBatching, SearchOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = mlir::cast<SearchOp>(operation);
    Value first = op.getWordArg();
    spaces.setMadeBy(op, first, "the hypotheses of a search");
    for (Value value : op.getStateArgs())
      if (failed(spaces.join(op, first, value)))
        return failure();
    for (Value value : op.getGrownArgs())
      if (failed(spaces.join(op, first, value)))
        return failure();
    for (Value value : op.getYield().getValues())
      if (failed(spaces.join(op, first, value)))
        return failure();
    return joinGrown(op, spaces);
  }
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    return SearchBatcher(mlir::cast<SearchOp>(op), batcher).run();
  }
  bool sharesRowSpaces(Operation *) const { return true; }
  bool drawsRandomNumbers(Operation *op) const {
    return mlir::cast<SearchOp>(op).getSampled();
  }
};

struct AppendBatching
    : BatchableOpInterface::ExternalModel<AppendBatching, AppendOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = mlir::cast<AppendOp>(operation);
    spaces.takeInner(op, op.getRows());
    if (!spaces.hasInner(op.getResult()))
      spaces.addInner(op.getResult(), kGrownRows);
    if (failed(spaces.join(op, op.getRows(), op.getRow())))
      return failure();
    return spaces.join(op, op.getRows(), op.getResult());
  }
  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = mlir::cast<AppendOp>(operation);
    auto &append = batcher.getContext().append;
    FailureOr<Value> rows = Value();
    if (append)
      rows = append(op, op.getRows(), op.getRow());
    if (failed(rows))
      return failure();
    // [DEPTH-APPEND-C2]
    if (!*rows)
      return op.emitOpError("expected to stand in the region of a search, and "
                            "rows that grow in it");
    batcher.set(op.getResult(), *rows);
    return success();
  }
};
} // namespace

void depth::attachSearchBatching(MLIRContext &context) {
  AppendOp::attachInterface<AppendBatching>(context);
  SearchOp::attachInterface<SearchBatching>(context);
}
