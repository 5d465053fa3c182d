//===-- Views.cpp - Partitions and forests as index arithmetic ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/ToLinalg/Views.h"
#include "cambium/Support/Rows.h"
#include "dialects/RT/IR/Status.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

int64_t ragged::elementsOfRow(Value rows) {
  RankedTensorType row = rowType(tensorType(rows));
  return row.hasStaticShape() ? row.getNumElements() : 0;
}

Value ragged::readOnly(LinalgBuilder &b, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  auto tensor = RankedTensorType::get(type.getShape(), type.getElementType());
  return b.make<bufferization::ToTensorOp>(tensor, memref, /*restrict=*/true);
}

void ragged::failAtTooMany(LinalgBuilder &b, Value count, StringRef text) {
  Value isTooMany = b.make<arith::CmpIOp>(arith::CmpIPredicate::sgt, count,
                                          b.index(INT32_MAX));
  b.make<rt::FailIfOp>(isTooMany, Value(),
                       static_cast<int32_t>(rt::Status::OutOfRange), text,
                       /*stop=*/true);
}

static MemRefType indexMemRef(LinalgBuilder &b) {
  return MemRefType::get({ShapedType::kDynamic}, b.getBuilder().getI32Type());
}

Value ragged::memoryOf(LinalgBuilder &b, Value index) {
  return b.make<bufferization::ToBufferOp>(indexMemRef(b), index, true);
}

//===----------------------------------------------------------------------===//
// ForestView
//===----------------------------------------------------------------------===//

Value ForestView::size(rt::ForestSize field) {
  return b.make<rt::ForestSizeOp>(b.getBuilder().getIndexType(), forest, field);
}

/// How many elements an index array has.
static Value arraySize(LinalgBuilder &b, ForestView &forest,
                       rt::ForestIndex field) {
  switch (field) {
  case rt::ForestIndex::LevelNodes:
    return b.add(forest.size(rt::ForestSize::NumLevels), b.index(1));
  case rt::ForestIndex::ChildOffsets:
  case rt::ForestIndex::ParentOffsets:
    return b.add(forest.size(rt::ForestSize::NumNodes), b.index(1));
  case rt::ForestIndex::ChildNodes:
  case rt::ForestIndex::EdgeParents:
  case rt::ForestIndex::ParentEdges:
  case rt::ForestIndex::EdgeToUser:
    return forest.size(rt::ForestSize::NumEdges);
  case rt::ForestIndex::NodeToUser:
  case rt::ForestIndex::UserToNode:
    return forest.size(rt::ForestSize::NumNodes);
  case rt::ForestIndex::Roots:
    return forest.size(rt::ForestSize::NumTrees);
  }
  llvm_unreachable("unknown index array");
}

Value ForestView::array(rt::ForestIndex field) {
  Value memref = b.make<rt::ForestIndexOp>(indexMemRef(b), forest, field);
  return b.rowRange(readOnly(b, memref), b.index(0),
                    arraySize(b, *this, field));
}

/// Without levels there is no second element of `level_nodes`. The number of
/// nodes can be known before the forest is.
Value ForestView::numLeaves() {
  Value one =
      b.make<arith::MinSIOp>(b.index(1), size(rt::ForestSize::NumLevels));
  return b.make<rt::AtMostOp>(
      b.indexAt(array(rt::ForestIndex::LevelNodes), one),
      size(rt::ForestSize::NumNodes));
}

Value ForestView::begin(Part part) {
  return part == Part::Inner ? numLeaves() : b.index(0);
}

Value ForestView::count(Part part) {
  if (part == Part::Leaves)
    return numLeaves();
  Value all = size(rt::ForestSize::NumNodes);
  return part == Part::All ? all : b.sub(all, numLeaves());
}

//===----------------------------------------------------------------------===//
// RowsView
//===----------------------------------------------------------------------===//

RowsView::RowsView(LinalgBuilder &b, Value rows) : b(b), rows(rows) {
  if (auto window = rows.getDefiningOp<WindowOp>()) {
    initWindow(window.getForest(), window.getBegin(), window.getEnd(),
               window.getCuts());
    return;
  }
  if (auto edges = rows.getDefiningOp<EdgesOp>()) {
    ForestView forest(b, edges.getForest());
    Value begin = forest.begin(edges.getPart());
    initWindow(edges.getForest(), begin,
               b.add(begin, forest.count(edges.getPart())), edges.getCuts());
    return;
  }
  initCounts();
  offsets = readOnly(b, b.make<rt::RowsOffsetsOp>(indexMemRef(b), rows));
}

/// The counts of rows that are made from others are known before, and bound
/// memory.
void RowsView::initCounts() {
  Type index = b.getBuilder().getIndexType();
  auto sizeOf = [&](rt::RowsSize field) -> Value {
    return b.make<rt::RowsSizeOp>(index, rows, field);
  };
  if (auto group = rows.getDefiningOp<GroupOp>()) {
    segments = RowsView(b, group.getRows()).numSegments();
    count = b.rows(group.getIds());
  } else if (auto append = rows.getDefiningOp<AppendOp>()) {
    RowsView first(b, append.getFirst()), second(b, append.getSecond());
    segments = first.numSegments();
    count = b.add(first.numRows(), second.numRows());
  } else if (auto runs = rows.getDefiningOp<RunsOp>()) {
    count = RowsView(b, runs.getRows()).numRows();
    segments = b.make<rt::AtMostOp>(sizeOf(rt::RowsSize::NumSegments), count);
  } else if (auto pairs = rows.getDefiningOp<PairsOp>()) {
    segments = RowsView(b, pairs.getRows()).numRows();
    Value most = b.make<arith::MulIOp>(
        segments, RowsView(b, pairs.getOthers()).numRows());
    count = b.make<rt::AtMostOp>(sizeOf(rt::RowsSize::NumRows), most);
  } else if (auto spans = rows.getDefiningOp<SpansOp>()) {
    RowsView whole(b, spans.getRows());
    segments = whole.numSegments();
    count = b.make<rt::AtMostOp>(sizeOf(rt::RowsSize::NumRows),
                                 numSpans(b, whole.numRows()));
  } else if (auto counted = rows.getDefiningOp<OfCountsOp>()) {
    segments = b.rows(counted.getCounts());
    Value limit = b.index(static_cast<int64_t>(counted.getLimit()));
    count = b.make<rt::AtMostOp>(sizeOf(rt::RowsSize::NumRows),
                                 b.make<arith::MulIOp>(segments, limit));
  } else {
    segments = sizeOf(rt::RowsSize::NumSegments);
    count = sizeOf(rt::RowsSize::NumRows);
  }
}

/// Where the window is a level, it has no more than the largest one.
void RowsView::initWindow(Value forest, Value begin, Value end, bool ofCuts) {
  cuts = ofCuts;
  ForestView view(b, forest);
  offsets = view.array(rt::ForestIndex::ChildOffsets);
  base = begin;
  segments = b.sub(end, begin);
  first = b.indexAt(offsets, begin);
  count = b.sub(b.indexAt(offsets, end), first);
  if (rows.getDefiningOp<WindowOp>()) {
    segments = b.make<rt::AtMostOp>(segments,
                                    view.size(rt::ForestSize::MaxLevelNodes));
    count =
        b.make<rt::AtMostOp>(count, view.size(rt::ForestSize::MaxLevelEdges));
  }
  if (cuts)
    count = cutsOf(b, count);
}

std::pair<Value, Value> RowsView::segment(Value s) {
  Value at = base ? b.add(base, s) : s;
  Value begin = b.indexAt(offsets, at);
  Value end = b.indexAt(offsets, b.add(at, b.index(1)));
  if (first) {
    begin = b.sub(begin, first);
    end = b.sub(end, first);
  }
  if (cuts)
    return {cutsOf(b, begin), cutsOf(b, end)};
  return {begin, end};
}

Value RowsView::materialize() {
  if (isa<BlockArgument>(rows) ||
      isa_and_nonnull<GroupOp, AppendOp, OfCountsOp, PairsOp, RunsOp, SpansOp>(
          rows.getDefiningOp()))
    return rows;
  auto edges = rows.getDefiningOp<EdgesOp>();
  if (!edges || edges.getPart() == Part::Inner || cuts)
    return {};
  Value memref = b.make<rt::ForestIndexOp>(indexMemRef(b), edges.getForest(),
                                           rt::ForestIndex::ChildOffsets);
  return b.make<rt::MakeRowsOp>(RowsType::get(b.getContext()), segments, count,
                                memref);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// A gather is skipped if every user reads it so.
RowSource::RowSource(Value rows) : source(rows) {
  auto gather = rows.getDefiningOp<GatherOp>();
  if (!gather || gather.getOrZero() ||
      !llvm::hasSingleElement(gather->getUses()))
    return;
  source = gather.getInput();
  index = gather.getIndex();
}

Value RowSource::row(LinalgBuilder &b, Value i) {
  return b.row(source, index ? b.indexAt(index, i) : i);
}

Value ragged::sumRows(LinalgBuilder &b, Value begin, Value end, Value dest,
                      function_ref<Value(Value)> source) {
  Value any = b.make<arith::CmpIOp>(arith::CmpIPredicate::slt, begin, end);
  Value start = b.choose(
      any, dest.getType(), [&] { return b.copy(source(begin), dest); },
      [&] { return b.fill(dest, 0); });
  return b.loop(b.add(begin, b.index(1)), end, start, [&](Value i, Value sum) {
    return b.update(sum, source(i), [](LinalgBuilder &b, ValueRange args) {
      return b.add(args[0], args[1]);
    });
  });
}

Value ragged::sumParents(LinalgBuilder &b, Value messages, Value forest,
                         Value begin, Value count, Value dest) {
  ForestView view(b, forest);
  Value offsets = view.array(rt::ForestIndex::ParentOffsets);
  Value edges = view.array(rt::ForestIndex::ParentEdges);
  return rt::forEachRow(b, count, dest, [&](Value i, Value row) {
    Value node = b.add(begin, i);
    Value from = b.indexAt(offsets, node);
    Value to = b.indexAt(offsets, b.add(node, b.index(1)));
    return sumRows(b, from, to, row, [&](Value k) {
      return b.row(messages, b.indexAt(edges, k));
    });
  });
}

void ragged::setIteration(LinalgBuilder &b, Value rows, Value number) {
  for (Operation *user : llvm::make_early_inc_range(rows.getUsers()))
    if (isa<IterationOp>(user)) {
      user->getResult(0).replaceAllUsesWith(number);
      user->erase();
    }
}

SmallVector<Value> ragged::inlineBody(LinalgBuilder &b, Region &region,
                                      ValueRange args) {
  Block &body = region.front();
  SmallVector<Value> values(body.getTerminator()->getOperands());
  for (Value &value : values)
    if (auto arg = dyn_cast<BlockArgument>(value);
        arg && arg.getOwner() == &body)
      value = args[arg.getArgNumber()];
  body.getTerminator()->erase();
  static_cast<RewriterBase &>(b.getBuilder())
      .inlineBlockBefore(&body, b.getBuilder().getInsertionBlock(),
                         b.getBuilder().getInsertionPoint(), args);
  return values;
}
