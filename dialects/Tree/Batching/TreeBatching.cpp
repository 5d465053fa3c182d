//===-- TreeBatching.cpp - How tree structure is batched -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Tree/Batching/TreeBatching.h"
#include "cambium/Interfaces/InputUseOpInterface.h"
#include "cambium/Support/NameWithPlace.h"
#include "cambium/Support/Remarks.h"
#include "dialects/Ragged/Batching/Models.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "dialects/Tree/IR/Tree.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::tree;

/// Node rows of the user's order in level order.
static Value toLevels(Batcher &batcher, Location loc, Value rows,
                      Value forest) {
  return batcher.getBuilder().createOrFold<ragged::PermuteOp>(
      loc, rows, forest, ragged::Order::NodesToLevels);
}

namespace {
struct ChainBatching
    : BatchableOpInterface::ExternalModel<ChainBatching, ChainOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<ChainOp>(operation);
    return spaces.joinNodes(op, op.getRows(), op.getResult());
  }
  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = cast<ChainOp>(operation);
    FailureOr<Value> rows = batcher.getPartition(op, op.getRows());
    if (failed(rows))
      return failure();
    batcher.set(op.getResult(),
                ragged::ChainOp::create(batcher.getBuilder(), op.getLoc(),
                                        *rows, op.getReversed()));
    return success();
  }
};

/// The spans are a space of their own.
struct ChartBatching
    : BatchableOpInterface::ExternalModel<ChartBatching, ChartOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<ChartOp>(operation);
    spaces.setMadeBy(op, op.getFirst(), "the spans of a chart");
    if (failed(spaces.joinNodes(op, op.getFirst(), op.getResult())))
      return failure();
    return spaces.join(op, op.getFirst(), op.getLast());
  }
  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = cast<ChartOp>(operation);
    FailureOr<Value> rows = batcher.getPartition(op, op.getRows());
    if (failed(rows))
      return failure();
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    Value spans = ragged::SpansOp::create(builder, loc, *rows);
    unsigned space = batcher.getSpaces().spaceOf(op.getFirst());
    batcher.getContext().partitions[space] = spans;
    batcher.set(op.getResult(), ragged::ChartOp::create(builder, loc, *rows));
    auto ends = [&](bool last) {
      return ragged::SpanEndsOp::create(builder, loc, spans, *rows, last);
    };
    batcher.set(op.getFirst(), ends(false));
    batcher.set(op.getLast(), ends(true));
    remarkMissed(op, "ragged-batch")
        << remark::reason("n rows have n (n + 1) / 2 spans, whose states are "
                          "kept, and (n^3 - n) / 6 places to cut them, which "
                          "training keeps");
    return success();
  }
};

struct FromParentsBatching
    : BatchableOpInterface::ExternalModel<FromParentsBatching, FromParentsOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<FromParentsOp>(operation);
    return spaces.joinNodes(op, op.getParents(), op.getResult());
  }
  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = cast<FromParentsOp>(operation);
    FailureOr<Value> rows = batcher.getPartition(op, op.getParents());
    if (failed(rows))
      return failure();
    OpBuilder &builder = batcher.getBuilder();
    int64_t arity = getMaxArity(op.getResult());
    IntegerAttr checked =
        arity < 0 ? IntegerAttr() : builder.getI32IntegerAttr(arity);
    batcher.set(op.getResult(), ragged::FromParentsOp::create(
                                    builder, op.getLoc(), *rows,
                                    batcher.get(op.getParents()), checked));
    return success();
  }
};

/// No row knows its parent without those of all others.
struct MaxSpanningBatching
    : BatchableOpInterface::ExternalModel<MaxSpanningBatching, MaxSpanningOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<MaxSpanningOp>(operation);
    spaces.takeInner(op, op.getScores());
    return spaces.join(op, op.getScores(), op.getParents());
  }
  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = cast<MaxSpanningOp>(operation);
    FailureOr<Value> rows = batcher.getPartition(op, op.getScores());
    FailureOr<Value> pairs = batcher.getInnerPartition(op, op.getScores());
    if (failed(rows) || failed(pairs))
      return failure();
    OpBuilder &builder = batcher.getBuilder();
    // [TREE-MAX_SPANNING-C2]
    auto checked = builder.getStringAttr(
        nameWithPlace(op) + " expected a score for each pair of rows of its "
                            "example");
    auto made = pairs->getDefiningOp<ragged::PairsOp>();
    if (made && made.getRows() == *rows && made.getOthers() == *rows)
      checked = {};
    batcher.set(op.getParents(),
                ragged::MaxSpanningOp::create(builder, op.getLoc(),
                                              batcher.get(op.getScores()),
                                              *rows, *pairs, checked));
    return success();
  }
  RowsRead getRowsRead(Operation *, unsigned) const { return RowsRead::Mixed; }
};

struct RootBatching
    : BatchableOpInterface::ExternalModel<RootBatching, RootOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<RootOp>(operation);
    return spaces.joinNodes(op, op.getRows(), op.getTree());
  }
  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = cast<RootOp>(operation);
    OpBuilder &builder = batcher.getBuilder();
    Value forest = batcher.get(op.getTree());
    if (failed(batcher.getNodePartition(op, op.getTree())))
      return failure();
    Value rows =
        toLevels(batcher, op.getLoc(), batcher.get(op.getRows()), forest);
    Value roots = ragged::IndexOp::create(builder, op.getLoc(), forest,
                                          ragged::Index::Roots);
    batcher.set(op.getResult(),
                ragged::GatherOp::create(builder, op.getLoc(), rows, roots));
    return success();
  }
};

struct ChildRowsBatching
    : BatchableOpInterface::ExternalModel<ChildRowsBatching, ChildRowsOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<ChildRowsOp>(operation);
    if (failed(spaces.joinNodes(op, op.getRows(), op.getTree())))
      return failure();
    return spaces.joinEdges(op, op.getResult(), op.getTree());
  }
  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = cast<ChildRowsOp>(operation);
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    if (failed(batcher.getNodePartition(op, op.getTree())))
      return failure();
    Value forest = batcher.get(op.getTree());
    Value rows = toLevels(batcher, loc, batcher.get(op.getRows()), forest);
    Value children =
        ragged::IndexOp::create(builder, loc, forest, ragged::Index::Children);
    Value edges = ragged::GatherOp::create(builder, loc, rows, children);
    batcher.set(op.getResult(),
                ragged::PermuteOp::create(builder, loc, edges, forest,
                                          ragged::Order::EdgesToUser));
    return success();
  }
};

/// No rows: the zero of a row, repeated no times.
struct NoRowsBatching
    : BatchableOpInterface::ExternalModel<NoRowsBatching, NoRowsOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<NoRowsOp>(operation);
    return spaces.joinChildren(op, op.getResult(), op->getParentRegion());
  }
  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = cast<NoRowsOp>(operation);
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    if (failed(batcher.getPartition(op, op.getResult())))
      return failure();
    RankedTensorType row = rowType(op.getType());
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(row));
    Value none = arith::ConstantIndexOp::create(builder, loc, 0);
    batcher.set(op.getResult(), ragged::BroadcastOp::create(
                                    builder, loc, op.getType(), zero, none));
    return success();
  }
};

/// What is asked of rows that are picked is asked of all.
template <typename OpT>
struct PickedUse : InputUseOpInterface::ExternalModel<PickedUse<OpT>, OpT> {
  void getCopies(Operation *op, unsigned,
                 SmallVectorImpl<Value> &copies) const {
    copies.push_back(op->getResult(0));
  }
  bool needsOneRoot(Operation *, unsigned) const {
    return std::is_same_v<OpT, RootOp>;
  }
};

/// The arguments of a cell that an operand comes in by.
template <typename OpT>
struct CellUse : InputUseOpInterface::ExternalModel<CellUse<OpT>, OpT> {
  void getCopies(Operation *op, unsigned index,
                 SmallVectorImpl<Value> &copies) const {
    cast<OpT>(op).getArgsOf(op->getOpOperand(index), copies);
  }
};
} // namespace

void tree::attachStructureBatching(MLIRContext &context) {
  ChainOp::attachInterface<ChainBatching>(context);
  ChartOp::attachInterface<ChartBatching>(context);
  FromParentsOp::attachInterface<FromParentsBatching>(context);
  MaxSpanningOp::attachInterface<MaxSpanningBatching>(context);
  RootOp::attachInterface<RootBatching>(context);
  ChildRowsOp::attachInterface<ChildRowsBatching>(context);
  NoRowsOp::attachInterface<NoRowsBatching>(context);
  FoldOp::attachInterface<CellUse<FoldOp>>(context);
  UnfoldOp::attachInterface<CellUse<UnfoldOp>>(context);
  RootOp::attachInterface<PickedUse<RootOp>>(context);
  ChildRowsOp::attachInterface<PickedUse<ChildRowsOp>>(context);
}

void tree::registerBatchingModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TreeDialect *) {
    attachRecursionBatching(*context);
    attachStructureBatching(*context);
  });
}
