//===-- dialects/NN/Batching/Each.cpp - A body over all rows -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body is batched as the function of an example is, in a context whose rows
// are the rows of the examples: their rows are segments of a partition that the
// host gives (docs/Batching.md).
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InputUseOpInterface.h"
#include "dialects/NN/Batching/NNBatching.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/Batching/Models.h"
#include "dialects/Ragged/Batching/RowsSeen.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
/// Batches one `nn.each`.
class EachBatcher {
public:
  EachBatcher(EachOp op, Batcher &batcher)
      : op(op), loc(op.getLoc()), batcher(batcher),
        builder(batcher.getBuilder()), seen(op, batcher) {}

  LogicalResult run();

private:
  LogicalResult findPartition();
  LogicalResult addCaptured();
  void leave();
  LogicalResult keepPartitions(BatchContext &context);
  bool isOwn(unsigned space);
  BatchContext makeContext();
  Value makeKeys();

  EachOp op;
  Location loc;
  Batcher &batcher;
  OpBuilder &builder;
  BatchContext *outer = nullptr;
  /// The rows of the operands as a partition into rows of the context around,
  /// and how many there are.
  Value partition, count;
  RowsSeen seen;
  SmallVector<std::pair<Value, Value>> rebound;
};
} // namespace

LogicalResult EachBatcher::findPartition() {
  outer = &batcher.getContext();
  if (!outer->stoppingSpaces.empty())
    // [NN-EACH-C10]
    return op.emitOpError("expected to stand outside of loops whose rows stop");
  FailureOr<Value> rows = batcher.getPartition(op, op.getRows().front());
  if (failed(rows))
    return failure();
  partition = *rows;
  count = ragged::NumRowsOp::create(builder, loc, partition);
  return success();
}

/// What the body uses of one example becomes one value per row; rows are seen
/// by each row.
LogicalResult EachBatcher::addCaptured() {
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op.getBody(), captured);
  for (Value value : captured) {
    if (batcher.isUnit(value))
      continue;
    if (hasRows(value.getType())) {
      if (failed(seen.add(value)))
        return failure();
      continue;
    }
    FailureOr<Value> perRow =
        batcher.expandBatched(op, batcher.get(value), op.getRows().front());
    if (failed(perRow))
      return failure();
    rebound.push_back({value, batcher.rebind(value, *perRow)});
  }
  return success();
}

void EachBatcher::leave() {
  for (auto [value, before] : rebound)
    batcher.rebind(value, before);
}

/// The key of row i is mix(key, i), as that of a node.
Value EachBatcher::makeKeys() {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(count);
  Value around;
  {
    Batcher::ContextScope scope(batcher, *outer);
    around = batcher.getKeys();
  }
  if (!around)
    return {};
  return ragged::KeysOp::create(builder, loc, around, partition);
}

BatchContext EachBatcher::makeContext() {
  BatchContext context;
  context.count = count;
  context.makeKeys = [this] { return makeKeys(); };
  RowSpaces &spaces = batcher.getSpaces();
  for (auto [rows, arg] :
       llvm::zip_equal(op.getRows(), op.getBody().getArguments())) {
    if (!hasInnerRows(rows.getType()))
      continue;
    if (Value known = outer->partitions.lookup(spaces.innerOf(rows)))
      context.partitions[spaces.spaceOf(arg)] = known;
  }
  return context;
}

/// Whether the rows are those that a row of an operand has.
bool EachBatcher::isOwn(unsigned space) {
  return llvm::any_of(
      llvm::zip_equal(op.getRows(), op.getBody().getArguments()),
      [&](auto pair) {
        auto [rows, arg] = pair;
        return hasInnerRows(rows.getType()) &&
               batcher.getSpaces().spaceOf(arg) == space;
      });
}

/// What is yielded of a row has the rows of one of its operands, or those that
/// it sees.
LogicalResult EachBatcher::keepPartitions(BatchContext &context) {
  RowSpaces &spaces = batcher.getSpaces();
  for (auto [result, value] :
       llvm::zip_equal(op.getResults(),
                       op.getBody().front().getTerminator()->getOperands())) {
    if (!hasRows(value.getType()))
      continue;
    unsigned space = spaces.spaceOf(value);
    if (!isOwn(space) && !seen.has(space))
      // [NN-EACH-C14]
      return op.emitOpError("expected the region to yield rows of the row at "
                            "hand, but got ")
             << spaces.get(space).what;
    outer->partitions[spaces.innerOf(result)] = context.partitions.at(space);
  }
  return success();
}

LogicalResult EachBatcher::run() {
  if (failed(findPartition()) || failed(addCaptured()))
    return failure();
  SmallVector<Value> results;
  {
    BatchContext context = makeContext();
    for (auto [arg, rows] :
         llvm::zip_equal(op.getBody().getArguments(), op.getRows()))
      batcher.set(arg, batcher.get(rows));
    // The rows at hand may be among those that they see.
    seen.enter(context, partition);
    Batcher::ContextScope scope(batcher, context);
    if (failed(batcher.batchBlock(op.getBody().front())))
      return failure();
    for (Value value : op.getBody().front().getTerminator()->getOperands())
      results.push_back(batcher.getRows(value));
    if (failed(keepPartitions(context)))
      return failure();
  }
  seen.leave();
  leave();
  batcher.set(op.getResults(), results);
  return success();
}

//===----------------------------------------------------------------------===//
// The interfaces
//===----------------------------------------------------------------------===//

namespace {
struct EachBatching
    : BatchableOpInterface::ExternalModel<EachBatching, EachOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<EachOp>(operation);
    if (failed(checkCaptured(op)) || failed(joinAllRows(op, spaces)))
      return failure();
    for (auto [rows, arg] :
         llvm::zip_equal(op.getRows(), op.getBody().getArguments()))
      if (hasInnerRows(rows.getType()) &&
          failed(spaces.joinInner(op, rows, arg)))
        return failure();
    for (auto [result, value] :
         llvm::zip_equal(op.getResults(),
                         op.getBody().front().getTerminator()->getOperands()))
      if (hasInnerRows(result.getType()))
        spaces.setInner(result, value);
    return success();
  }

  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    return EachBatcher(cast<EachOp>(operation), batcher).run();
  }

  RowsRead getRowsRead(Operation *, unsigned) const { return RowsRead::Own; }
  bool sharesRowSpaces(Operation *) const { return true; }

private:
  static LogicalResult checkCaptured(EachOp op) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getBody(), captured);
    for (Value value : captured) {
      if (isa<RankedTensorType>(value.getType()) &&
          !hasInnerRows(value.getType()))
        continue;
      // [NN-EACH-C11]
      InFlightDiagnostic diag =
          op.emitOpError("expected the body for one row to use no trees, and "
                         "no rows that have rows, from outside, but got ")
          << value.getType();
      diag.attachNote(value.getLoc()) << "they come from here";
      return diag;
    }
    return success();
  }
};

/// What the body asks of its row is asked of the operand.
struct EachUse : InputUseOpInterface::ExternalModel<EachUse, EachOp> {
  void getCopies(Operation *op, unsigned index,
                 SmallVectorImpl<Value> &copies) const {
    copies.push_back(cast<EachOp>(op).getBody().getArgument(index));
  }
};
} // namespace

void nn::attachEachBatching(MLIRContext &context) {
  EachOp::attachInterface<EachBatching>(context);
  EachOp::attachInterface<EachUse>(context);
}
