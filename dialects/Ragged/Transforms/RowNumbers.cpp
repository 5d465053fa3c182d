//===-- RowNumbers.cpp - How many rows ------------------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Ragged/Transforms/RowNumbers.h"
#include "cambium/Interfaces/WorkOpInterface.h"
#include "dialects/Ragged/IR/LoopBuilders.h"
#include "dialects/Ragged/IR/RowOrigins.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

RowNumbers::RowNumbers(func::FuncOp entry, func::FuncOp counter,
                       ImplicitLocOpBuilder &builder)
    : builder(builder) {
  mapping.map(entry.getArguments(), counter.getArguments());
}

/// An array with as many rows as an argument of the region has at most: what
/// the loop begins with.
static Value startOf(IterateOp loop, BlockArgument arg) {
  for (auto [shared, init] :
       llvm::zip_equal(loop.getSharedArgs(), loop.getShared()))
    if (arg == shared)
      return init;
  return loop.getInit().front();
}

Value RowNumbers::of(Value value) {
  while (true) {
    if (mapping.contains(value))
      return tensor::DimOp::create(builder, mapping.lookup(value), 0);
    if (auto arg = dyn_cast<BlockArgument>(value)) {
      Operation *loop = arg.getOwner()->getParentOp();
      if (auto levels = dyn_cast<LevelsOp>(loop))
        return ofLevels(levels, arg);
      if (auto iterate = dyn_cast<IterateOp>(loop)) {
        value = startOf(iterate, arg);
        bound = true;
        continue;
      }
    }
    // What the levels pass on keeps its rows.
    if (auto levels = value.getDefiningOp<LevelsOp>();
        levels && llvm::is_contained(levels.getSharedResults(), value)) {
      unsigned first = levels.getNumResults() - levels.getShared().size();
      value =
          levels.getShared()[cast<OpResult>(value).getResultNumber() - first];
      continue;
    }
    if (auto iterate = value.getDefiningOp<IterateOp>())
      return ofIterate(iterate, cast<OpResult>(value));
    // What an iteration has recorded has as many rows as are taken.
    if (auto slice = value.getDefiningOp<tensor::ExtractSliceOp>())
      if (slice.isDynamicSize(0))
        return rebuild(slice.getDynamicSize(0));
    std::optional<RowOrigin> origin = originOfRows(value);
    if (!origin)
      return value.getDefiningOp() ? ofStructure(value) : Value();
    if (origin->count)
      return built(*origin);
    value = origin->source;
  }
}

Value RowNumbers::rebuild(Value value) {
  if (mapping.contains(value))
    return mapping.lookup(value);
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    auto levels = dyn_cast<LevelsOp>(arg.getOwner()->getParentOp());
    if (!levels || arg != levels.getEdgesArg())
      return {};
    Value edges = edgesOf(levels);
    if (edges)
      mapping.map(value, edges);
    return edges;
  }
  Operation *op = value.getDefiningOp();
  if (Value structure = rebuildStructure(op)) {
    mapping.map(value, structure);
    return structure;
  }
  if (isa<tensor::DimOp>(op)) {
    Value number = of(op->getOperand(0));
    if (number)
      mapping.map(value, number);
    return number;
  }
  if (!isPure(op) || op->getNumRegions() || isa<WorkOpInterface>(op))
    return {};
  for (Value operand : op->getOperands())
    if (!rebuild(operand))
      return {};
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

/// The limit for each row of the counts.
Value RowNumbers::largestCounts(Value counts, int64_t limit) {
  Value rows = of(counts);
  if (!rows)
    return {};
  bound = true;
  auto number = RankedTensorType::get({}, builder.getI32Type());
  Value most = arith::ConstantOp::create(
      builder,
      DenseElementsAttr::get(number, builder.getI32IntegerAttr(limit)));
  return BroadcastOp::create(builder, counts.getType(), most, rows);
}

/// Where rows stop: the partition of active rows, and the forest of what is
/// executed, are those of all rows, of which none stops. Where counts are
/// computed, each is the limit.
Value RowNumbers::rebuildStructure(Operation *op) {
  if (auto group = dyn_cast<GroupOp>(op))
    return isa<BlockArgument>(group.getIds()) ? rebuild(group.getRows())
                                              : Value();
  if (auto iterations = dyn_cast<IterationsOp>(op)) {
    auto max = static_cast<int64_t>(iterations.getMax());
    Value steps = largestCounts(iterations.getSteps(), max);
    return steps ? IterationsOp::create(builder, iterations.getType(), steps,
                                        iterations.getMax())
                 : Value();
  }
  auto counted = dyn_cast<OfCountsOp>(op);
  if (!counted || rebuild(counted.getCounts()))
    return {};
  auto limit = static_cast<int64_t>(counted.getLimit());
  Value counts = largestCounts(counted.getCounts(), limit);
  return counts ? OfCountsOp::create(builder, counted.getType(), counts,
                                     counted.getLimit())
                : Value();
}

/// A record has the rows of all iterations.
Value RowNumbers::ofIterate(IterateOp loop, OpResult result) {
  for (auto [shared, init] :
       llvm::zip_equal(loop.getSharedResults(), loop.getShared()))
    if (result == shared)
      return of(init);
  Value rows = of(loop.getInit().front());
  if (!rows || !llvm::is_contained(loop.getRecords(), result))
    return rows;
  Value most = arith::ConstantIndexOp::create(builder, loop.getMax());
  return arith::MulIOp::create(builder, rows, most);
}

Value RowNumbers::levelsOf(LevelsOp levels) {
  Value forest = rebuild(levels.getForest());
  if (!forest)
    return {};
  auto number = RankedTensorType::get({}, builder.getF64Type());
  auto splat = [&](double value) {
    return DenseElementsAttr::get(number, builder.getF64FloatAttr(value));
  };
  // The loop that adds one for each level.
  Value none = arith::ConstantOp::create(builder, splat(0));
  Value one = arith::ConstantOp::create(builder, splat(1));
  LevelsBuilder loop(builder.getLoc(), levels.getCuts());
  BlockArgument before = loop.addShared(none);
  OpBuilder inside = OpBuilder::atBlockEnd(&loop.getBlock());
  LevelsYields yields;
  yields.shared.push_back(
      arith::AddFOp::create(inside, builder.getLoc(), before, one));
  LevelsOp counted = loop.build(builder, Direction::Up, Part::Inner, forest,
                                ValueRange(), yields);
  return tensor::ExtractOp::create(builder, counted.getResult(0), ValueRange());
}

Value RowNumbers::edgesOf(LevelsOp levels) {
  Value forest = rebuild(levels.getForest());
  return forest ? EdgesOp::create(builder, forest, levels.getPart(),
                                  levels.getCuts())
                : Value();
}

/// The rows of all levels.
Value RowNumbers::ofLevels(LevelsOp levels, BlockArgument arg) {
  auto isIn = [&](Block::BlockArgListType args) {
    return llvm::is_contained(args, arg);
  };
  bool isUp = levels.getDirection() == Direction::Up;
  if (isIn(levels.getEdgeArgs()) || (isUp && isIn(levels.getRecurrentArgs()))) {
    Value edges = edgesOf(levels);
    return edges ? NumRowsOp::create(builder, edges) : Value();
  }
  if (!isIn(levels.getNodeArgs()) && !isIn(levels.getRecurrentArgs()))
    return {};
  Value forest = rebuild(levels.getForest());
  return forest ? NumNodesOp::create(builder, forest, levels.getPart())
                : Value();
}

/// Index arrays of a forest and the like are made again.
Value RowNumbers::ofStructure(Value value) {
  Value same = rebuild(value);
  return same ? tensor::DimOp::create(builder, same, 0) : Value();
}

Value RowNumbers::built(const RowOrigin &origin) {
  Value source = rebuild(origin.source);
  return source ? origin.count(builder, builder.getLoc(), source) : Value();
}
