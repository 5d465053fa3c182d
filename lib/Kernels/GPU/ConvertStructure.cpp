//===-- ConvertStructure.cpp - Rows and forests that a GPU makes itself
//------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LinkRows.h"
#include "Stages.h"
#include "StructureBuilder.h"
#include "cambium/Kernels/Passes.h"
#include "dialects/RT/IR/Status.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

namespace cambium {
#define GEN_PASS_DEF_CONVERTSTRUCTURE
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// A partition as what is asked of it.
struct Rows {
  Value segments, count, offsets;
};

/// What is asked of a forest, by the numbers of the fields.
struct Forest {
  Value sizes[rt::getMaxEnumValForForestSize() + 1];
  Value arrays[rt::getMaxEnumValForForestIndex() + 1];
  Value &operator[](rt::ForestSize field) {
    return sizes[static_cast<size_t>(field)];
  }
  Value &operator[](rt::ForestIndex field) {
    return arrays[static_cast<size_t>(field)];
  }
};

class StructureConversion : StructureBuilder {
public:
  StructureConversion(func::FuncOp entry, Library &library)
      : StructureBuilder(entry, library) {}

  LogicalResult run() {
    SmallVector<Operation *> ops;
    entry.walk([&](Operation *op) {
      if (isa<rt::MakeRowsOp, rt::GroupOp, rt::ChainOp, rt::ChartOp,
              rt::FromParentsOp, rt::IterationsOp>(op) &&
          !isSequenceOfArgument(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      b.setInsertionPoint(op);
      loc = op->getLoc();
      if (failed(make(op)))
        return failure();
    }
    // Those that ask others go first.
    for (Operation *op : llvm::reverse(ops))
      op->erase();
    return success();
  }

private:
  /// The host makes it.
  bool isSequenceOfArgument(Operation *op) {
    return isa<rt::ChainOp, rt::ChartOp>(op) &&
           isa<BlockArgument>(op->getOperand(0));
  }

  LogicalResult make(Operation *op) {
    return TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](rt::MakeRowsOp rows) {
          return replaceRows(op, {rows.getNumSegments(), rows.getNumRows(),
                                  rows.getOffsets()});
        })
        .Case([&](rt::GroupOp group) { return makeGroup(group); })
        .Case([&](rt::ChainOp chain) { return makeChain(chain); })
        .Case([&](rt::ChartOp chart) {
          return chart.emitOpError(
              "expected rows of an argument: GPU code makes no other chart");
        })
        .Case([&](rt::FromParentsOp trees) { return makeTrees(trees); })
        .Case([&](rt::IterationsOp steps) { return makeIterations(steps); })
        .Default([](Operation *) { return failure(); });
  }

  //===--------------------------------------------------------------------===//
  // Rows
  //===--------------------------------------------------------------------===//

  Rows rowsOf(Value value) {
    auto [known, isNew] = made.try_emplace(value);
    if (isNew) {
      // An argument: asked once, outside of loops.
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&entry.getBody().front());
      auto size = [&](rt::RowsSize field) -> Value {
        return rt::RowsSizeOp::create(b, loc, value, field);
      };
      known->second = {size(rt::RowsSize::NumSegments),
                       size(rt::RowsSize::NumRows),
                       rt::RowsOffsetsOp::create(b, loc, words, value)};
    }
    return known->second;
  }

  LogicalResult replaceRows(Operation *op, const Rows &rows) {
    made[op->getResult(0)] = rows;
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      Value value;
      if (auto size = dyn_cast<rt::RowsSizeOp>(user))
        value = size.getField() == rt::RowsSize::NumRows ? rows.count
                                                         : rows.segments;
      else if (isa<rt::RowsOffsetsOp>(user))
        value = rows.offsets;
      else if (user->hasTrait<rt::NeedsEntry>() || isa<rt::MakeRowsOp>(user))
        continue;
      else
        return user->emitOpError("expected an op that GPU code can be made of");
      user->replaceAllUsesWith(ValueRange{value});
      user->erase();
    }
    return success();
  }

  LogicalResult makeGroup(rt::GroupOp op) {
    Rows whole = rowsOf(op.getRows());
    Value length = plus(whole.segments, 1);
    Rows rows{whole.segments, op.getCount(), {}};
    if (failed(allocate({{&rows.offsets, length}})))
      return failure();
    stage("group_rows", length,
          {op.getIds(), op.getCount(), whole.offsets, rows.offsets});
    return replaceRows(op, rows);
  }

  //===--------------------------------------------------------------------===//
  // Forests
  //===--------------------------------------------------------------------===//

  LogicalResult replaceForest(Operation *op, Forest &forest, Value nodes,
                              Value edges) {
    for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
      Value value;
      if (auto size = dyn_cast<rt::ForestSizeOp>(user))
        value = forest[size.getField()];
      else if (auto array = dyn_cast<rt::ForestIndexOp>(user))
        value = forest[array.getField()];
      else
        return user->emitOpError("expected an op that GPU code can be made of");
      if (value == forest[rt::ForestIndex::LevelNodes])
        boundReads(user->getResult(0), nodes);
      if (value == forest[rt::ForestIndex::ChildOffsets])
        boundReads(user->getResult(0), edges);
      user->replaceAllUsesWith(ValueRange{value});
      user->erase();
    }
    return success();
  }

  /// Memory of the arrays, for the most that there can be.
  using StructureBuilder::allocate;
  LogicalResult allocate(Forest &forest, Value nodes, Value edges, Value levels,
                         Value trees) {
    using Field = rt::ForestIndex;
    Value ends = plus(nodes, 1);
    return allocate({{&forest[Field::LevelNodes], plus(levels, 1)},
                     {&forest[Field::ChildOffsets], ends},
                     {&forest[Field::ChildNodes], edges},
                     {&forest[Field::EdgeParents], edges},
                     {&forest[Field::ParentOffsets], ends},
                     {&forest[Field::ParentEdges], edges},
                     {&forest[Field::NodeToUser], nodes},
                     {&forest[Field::UserToNode], nodes},
                     {&forest[Field::EdgeToUser], edges},
                     {&forest[Field::Roots], trees}});
  }

  /// The arrays from the offsets of children on, as the library takes them.
  static ValueRange linksOf(Forest &forest) {
    return ArrayRef(forest.arrays)
        .slice(static_cast<size_t>(rt::ForestIndex::ChildOffsets));
  }

  LogicalResult makeIterations(rt::IterationsOp op) {
    auto max = static_cast<int64_t>(op.getMax());
    Value rows = op.getCount(), most = index(max + 1);
    Value nodes = times(rows, max + 1), edges = times(rows, max);
    Value parts = index(costs.warpThreads),
          numSums = index((max + 1) * costs.warpThreads);
    Forest forest;
    Value counts, sums;
    if (failed(allocate(forest, nodes, edges, most, rows)) ||
        failed(allocate({{&counts, index(1)}, {&sums, numSums}})))
      return failure();
    Value levelNodes = forest[rt::ForestIndex::LevelNodes];
    stage("count_iterations", numSums, {rows, parts, op.getSteps(), sums});
    stage("add_iterations", most, {parts, sums, levelNodes});
    stage("sum_iterations", index(1), {most, levelNodes, counts});
    SmallVector<Value> arguments{rows, parts, op.getSteps(),
                                 sums, most,  levelNodes};
    llvm::append_range(arguments, linksOf(forest));
    stage("place_iterations", numSums, arguments);
    Value allNodes = read(levelNodes, max + 1);
    forest[rt::ForestSize::NumNodes] = atMost(allNodes, nodes);
    forest[rt::ForestSize::NumEdges] =
        atMost(arith::SubIOp::create(b, loc, allNodes, rows), edges);
    forest[rt::ForestSize::NumLevels] = atMost(read(counts, 0), most);
    forest[rt::ForestSize::NumTrees] = rows;
    forest[rt::ForestSize::MaxLevelNodes] = rows;
    forest[rt::ForestSize::MaxLevelEdges] = rows;
    return replaceForest(op, forest, nodes, edges);
  }

  LogicalResult makeChain(rt::ChainOp op) {
    Rows rows = rowsOf(op.getRows());
    Value parents;
    if (failed(allocate({{&parents, rows.count}})))
      return failure();
    Value reversed =
        arith::ConstantIntOp::create(b, loc, op.getReversed(), /*width=*/1);
    stage("link_chain", rows.segments, {rows.offsets, reversed, parents});
    return makeForest(op, "chain", rows, parents, /*arity=*/1);
  }

  LogicalResult makeTrees(rt::FromParentsOp op) {
    return makeForest(op, "from_parents", rowsOf(op.getRows()), op.getParents(),
                      static_cast<int32_t>(op.getArity().value_or(-1)));
  }

  /// The forest of the parents of rows within their segments.
  LogicalResult makeForest(Operation *op, StringRef name, const Rows &rows,
                           Value parents, int32_t arity) {
    Value count = rows.count, parts = index(costs.listParts);
    Forest forest;
    Trees trees;
    if (failed(allocate(forest, count, count, count, rows.segments)) ||
        failed(allocate({{&trees.heights, count},
                         {&trees.children, count},
                         {&trees.above, count},
                         {&trees.numbers, count},
                         {&trees.pending, count},
                         {&trees.queue, plus(count, 1)},
                         {&trees.tops, rows.segments},
                         {&trees.errors, times(rows.segments, 2)},
                         {&trees.sums, index(3 * costs.listParts)},
                         {&trees.counts, index(kNumCounts)}})))
      return failure();
    Value counts = trees.counts;
    Value widest = arith::ConstantIntOp::create(b, loc, arity, /*width=*/32);
    stage("measure_tree", rows.segments,
          {rows.offsets, parents, widest, trees.heights, trees.children,
           trees.above, trees.numbers, trees.pending, trees.queue, trees.tops,
           trees.errors});
    stage(
        "measure_part", parts,
        {parts, rows.segments, count, trees.errors, trees.heights, trees.sums});
    stage("measure_all", index(1),
          {parts, rows.segments, count, trees.sums, counts});
    failIfWrong(name, counts);
    forest[rt::ForestSize::NumLevels] = atMost(read(counts, kLevels), count);
    orderNodes(forest, trees, rows);
    forest[rt::ForestSize::NumNodes] = count;
    forest[rt::ForestSize::NumEdges] = atMost(read(counts, kEdges), count);
    forest[rt::ForestSize::NumTrees] = rows.segments;
    forest[rt::ForestSize::MaxLevelNodes] =
        atMost(read(counts, kWidestNodes), count);
    forest[rt::ForestSize::MaxLevelEdges] =
        atMost(read(counts, kWidestEdges), count);
    return replaceForest(op, forest, count, count);
  }

  /// What is known of trees before their arrays are.
  struct Trees {
    Value heights, children, above, numbers, pending, queue, tops, errors, sums,
        counts;
  };

  /// The arrays: nodes by height, those of a level in the order of rows; the
  /// children of a node in the order of rows.
  void orderNodes(Forest &forest, const Trees &trees, const Rows &rows) {
    using Field = rt::ForestIndex;
    Value count = rows.count, parts = index(costs.listParts);
    Value levels = forest[rt::ForestSize::NumLevels];
    Value order = forest[Field::NodeToUser];
    Value levelNodes = forest[Field::LevelNodes];
    Value childOffsets = forest[Field::ChildOffsets];
    Value userToNode = forest[Field::UserToNode];
    orderByKeys(b, loc, {count, trees.heights, order, userToNode}, costs,
                library);
    stage("begin_level", plus(levels, 1),
          {count, trees.heights, order, levelNodes});
    stage("number_node", count, {order, userToNode});
    stage("sum_edges", parts,
          {parts, count, trees.children, trees.above, order, trees.sums});
    // The queue is empty.
    stage("place_edges", parts,
          {parts, count, trees.children, trees.above, order, trees.sums,
           childOffsets, trees.queue, forest[Field::ParentOffsets]});
    stage("link_parent", count,
          {trees.above, trees.numbers, trees.queue, childOffsets,
           forest[Field::ChildNodes], forest[Field::EdgeParents],
           forest[Field::ParentOffsets], forest[Field::ParentEdges], userToNode,
           forest[Field::EdgeToUser]});
    stage("place_root", rows.segments,
          {trees.tops, userToNode, forest[Field::Roots]});
    stage("widest_of_part", parts,
          {parts, levels, levelNodes, childOffsets, trees.sums});
    stage("widest_of_all", index(1), {parts, trees.sums, trees.counts});
  }

  /// What is counted of all trees.
  enum : int64_t {
    kError,
    kErrorRow,
    kEdges,
    kLevels,
    kWidestNodes,
    kWidestEdges,
    kNumCounts
  };

  /// The entry ends with the first error: there is no forest.
  void failIfWrong(StringRef name, Value counts) {
    Value code = read(counts, kError), row = read(counts, kErrorRow);
    auto failIf = [&](int64_t number, rt::Status status, StringRef text) {
      Value isIt = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, code,
                                         index(number));
      rt::FailIfOp::create(b, loc, isIt, row, static_cast<int32_t>(status),
                           (name + ": " + text).str(), /*stop=*/true);
    };
    using rt::Status;
    failIf(1, Status::InvalidArgument,
           "expected at least one row in each segment, but got none before");
    failIf(2, Status::OutOfRange,
           "expected as parent -1 or a row of the segment, but got another");
    failIf(3, Status::InvalidArgument,
           "expected a tree, but got a cycle in the segment that begins with");
    failIf(4, Status::InvalidArgument,
           "expected fewer children of a node, but got more");
    failIf(5, Status::InvalidArgument,
           "expected one root in a segment, but got another");
  }

  DenseMap<Value, Rows> made;
};

struct ConvertStructure
    : cambium::impl::ConvertStructureBase<ConvertStructure> {
  using ConvertStructureBase::ConvertStructureBase;

  void runOnOperation() override {
    Library library(&getContext());
    for (auto entry : getOperation().getOps<func::FuncOp>())
      if (rt::isEntry(entry) &&
          failed(StructureConversion(entry, library).run()))
        return signalPassFailure();
  }
};
} // namespace
