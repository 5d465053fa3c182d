//===-- dialects/Depth/Batching/SearchGrowth.cpp - Rows of hypotheses -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prefixes are a tree: hypotheses that come from one have its rows. So what
// grows is an array with a place for each step and hypothesis of an example,
// into which a row is written once, and a hypothesis carries the places of its
// rows alone.
//
//===----------------------------------------------------------------------===//
#include "dialects/Depth/Batching/SearchBatcher.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::depth;

Value SearchBatcher::makeStore(BlockArgument rows) {
  RankedTensorType row = rowType(rowType(rows.getType()));
  Value zero =
      make<arith::ConstantOp>(mlir::cast<TypedAttr>(builder.getZeroAttr(row)));
  Value places = make<arith::ConstantIndexOp>(count * max);
  Value size = make<arith::MulIOp>(batcher.getCount(), places);
  return make<ragged::BroadcastOp>(rowsType(row), zero, size);
}

/// The places of the rows of a partition with a segment for each live
/// hypothesis, from the table of its places.
Value SearchBatcher::findPlaces(Value table, Value rows) {
  return make<ragged::LookUpOp>(table, make<ragged::PositionsOp>(rows, max),
                                rows);
}

void SearchBatcher::findGrownRows() {
  Type i32 = builder.getI32Type();
  auto rowsOf = [&](Value places) {
    return make<ragged::LookUpOp>(places, live.places, live.own);
  };
  Value words = rowsOf(now.length), known = rowsOf(now.carried.back());
  Value examples = make<ragged::ExpandOp>(ids, live.own);
  // From here on constants are made for the live ones.
  Value outer = std::exchange(numRows, make<ragged::NumRowsOp>(live.own));
  Value one = number(i32, {}, 1);
  grown.before = make<ragged::OfCountsOp>(words, max);
  grown.after = make<ragged::OfCountsOp>(make<arith::AddIOp>(words, one), max);

  // Word t of the hypothesis at place p has row t * count + p of the example.
  Value own = make<arith::AddIOp>(
      make<arith::MulIOp>(words, number(i32, {}, static_cast<double>(count))),
      live.places);
  SmallVector<double> steps;
  for (int64_t t = 0; t < max; ++t)
    steps.push_back(static_cast<double>(t));
  Value isNew =
      make<arith::CmpIOp>(arith::CmpIPredicate::eq, numbers(i32, max, steps),
                          spread(words, max, {}));
  trace = select(isNew, spread(own, max, {}), known);
  Value first = make<arith::MulIOp>(
      examples, number(i32, {}, static_cast<double>(count * max)));
  Value table = make<arith::AddIOp>(trace, spread(first, max, {}));
  grown.newPlaces = make<arith::AddIOp>(own, first);
  grown.placesBefore = findPlaces(table, grown.before);
  grown.placesAfter = findPlaces(table, grown.after);
  numRows = outer;
}

void SearchBatcher::bindGrown(BatchContext &context) {
  context.append = {};
  if (!hasGrown())
    return;
  RowSpaces &spaces = batcher.getSpaces();
  context.partitions[spaces.innerOf(op.getGrownArgs().front())] = grown.before;
  context.partitions[spaces.innerOf(op.getGrown().front())] = grown.after;
  for (auto [rows, store] : llvm::zip_equal(op.getGrownArgs(), stores))
    batcher.set(rows, make<ragged::GatherOp>(store, grown.placesBefore));
  context.append = [this](Operation *op, Value rows, Value row) {
    return append(op, rows, row);
  };
}

/// Null where the op stands in a loop of the region, or the rows do not grow.
FailureOr<Value> SearchBatcher::append(Operation *append, Value rows,
                                       Value row) {
  auto arg = llvm::find(op.getGrownArgs(), rows);
  if (append->getBlock() != &op.getBody().front() ||
      arg == op.getGrownArgs().end())
    return Value();
  auto number = static_cast<unsigned>(arg - op.getGrownArgs().begin());
  Value store = make<ragged::PutRowsOp>(batcher.getRows(row), stores[number],
                                        grown.newPlaces);
  appended[append->getResult(0)] = {number, store};
  return Value(make<ragged::GatherOp>(store, grown.placesAfter));
}

/// What is yielded for rows that grow are these with one more.
LogicalResult SearchBatcher::keepGrown() {
  if (hasGrown())
    next.push_back(trace);
  for (auto [i, rows] : llvm::enumerate(op.getGrown())) {
    auto [number, store] = appended.lookup(rows);
    if (store && number == i) {
      yields.shared.push_back(store);
      continue;
    }
    // [DEPTH-SEARCH-C12]
    InFlightDiagnostic diag = op.emitOpError()
                              << "expected 'depth.append' of what grows, "
                                 "number "
                              << i << ", to be yielded for it";
    diag.attachNote(rows.getLoc()) << "this is yielded";
    return diag;
  }
  return success();
}
