//===-- dialects/NN/Batching/Rows.cpp - How ops on rows are batched ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/NN/Batching/NNBatching.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/Batching/Models.h"
#include "dialects/Ragged/IR/Ragged.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

static LogicalResult failWithoutRows(Operation *op, Type type) {
  return op->emitOpError("expected rows (a first dimension '?') of the "
                         "example, but got ")
         << type;
}

namespace {
struct PositionsBatching : BatchingModel<PositionsBatching, PositionsOp> {
  LogicalResult batchRows(PositionsOp op, Batcher &batcher) const {
    if (!hasRows(op.getRows().getType()))
      return failWithoutRows(op, op.getRows().getType());
    FailureOr<Value> rows = batcher.getPartition(op, op.getRows());
    if (failed(rows))
      return failure();
    batcher.set(op.getResult(),
                ragged::PositionsOp::create(batcher.getBuilder(), op.getLoc(),
                                            *rows, op.getLimitAttr()));
    return success();
  }
  RowsRead getRowsRead(Operation *, unsigned) const { return RowsRead::Mixed; }
};
/// The rows that are taken are found by their numbers in the whole array.
struct TakeBatching : BatchingModel<TakeBatching, TakeOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<TakeOp>(operation);
    return hasRows(op.getIndex().getType())
               ? spaces.join(op, op.getIndex(), op.getResult())
               : success();
  }
  LogicalResult batchRows(TakeOp op, Batcher &batcher) const {
    if (!hasRows(op.getInput().getType()))
      return failWithoutRows(op, op.getInput().getType());
    bool isList = op.getIndex().getType().getRank() == 1;
    FailureOr<AllRows> all = batcher.getAllRows(op, op.getInput());
    if (failed(all))
      return failure();
    if (isList && !hasRows(op.getIndex().getType())) {
      takeFixed(op, *all, batcher);
      return success();
    }
    FailureOr<Value> places = Value();
    if (isList)
      places = batcher.getOwnPartition(op, op.getIndex());
    if (failed(places))
      return failure();
    OpBuilder &builder = batcher.getBuilder();
    Value numbers = ragged::RowNumbersOp::create(
        builder, op.getLoc(), batcher.getRows(op.getIndex()), all->partition,
        *places, StringAttr(), IntegerAttr());
    batcher.set(op.getResult(), ragged::GatherOp::create(builder, op.getLoc(),
                                                         all->rows, numbers,
                                                         /*or_zero=*/true));
    return success();
  }
  RowsRead getRowsRead(Operation *, unsigned index) const {
    return index == 0 ? RowsRead::All : RowsRead::Own;
  }

private:
  /// A list of numbers of a fixed length, as `nn.top` gives.
  static void takeFixed(TakeOp op, AllRows all, Batcher &batcher) {
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    Value taken = ragged::PickOp::create(
        builder, loc, asColumns(builder, loc, all.rows),
        batcher.getRows(op.getIndex()), all.partition, /*nearest=*/true);
    batcher.set(op.getResult(),
                reshapeRows(builder, loc, taken,
                            Batcher::batchedType(op.getResult().getType())));
  }
};

struct WindowBatching : BatchingModel<WindowBatching, WindowOp> {
  LogicalResult batchRows(WindowOp op, Batcher &batcher) const {
    if (!hasRows(op.getInput().getType()))
      return failWithoutRows(op, op.getInput().getType());
    FailureOr<Value> rows = batcher.getPartition(op, op.getInput());
    if (failed(rows))
      return failure();
    batcher.set(op.getResult(),
                ragged::AroundOp::create(batcher.getBuilder(), op.getLoc(),
                                         batcher.get(op.getInput()), *rows,
                                         op.getBefore(), op.getAfter()));
    return success();
  }
  RowsRead getRowsRead(Operation *, unsigned) const { return RowsRead::Mixed; }
};

/// Appended rows have a row space of their own; its partition is made once.
struct AppendBatching : BatchingModel<AppendBatching, AppendOp> {
  LogicalResult inferRowSpaces(Operation *, RowSpaces &) const {
    return success();
  }
  LogicalResult batchRows(AppendOp op, Batcher &batcher) const {
    FailureOr<Value> first = batcher.getPartition(op, op.getFirst());
    FailureOr<Value> second = batcher.getPartition(op, op.getSecond());
    if (failed(first) || failed(second))
      return failure();
    FailureOr<Value> whole = makePartition(op, *first, *second, batcher);
    if (failed(whole))
      return failure();
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    Value all = emptyRows(op, *whole, batcher);
    for (auto [rows, partition, isEnd] :
         {std::tuple{op.getFirst(), *first, false},
          std::tuple{op.getSecond(), *second, true}}) {
      Value ids =
          ragged::PlacesOp::create(builder, loc, partition, *whole, isEnd);
      all =
          ragged::PutRowsOp::create(builder, loc, batcher.get(rows), all, ids);
    }
    batcher.set(op.getResult(), all);
    return success();
  }
  RowsRead getRowsRead(Operation *, unsigned) const { return RowsRead::Mixed; }

private:
  static FailureOr<Value> makePartition(AppendOp op, Value first, Value second,
                                        Batcher &batcher) {
    auto &partitions = batcher.getContext().partitions;
    Value &known = partitions[batcher.getSpaces().spaceOf(op.getResult())];
    if (!known)
      known = ragged::AppendOp::create(batcher.getBuilder(), op.getLoc(), first,
                                       second);
    auto made = known.getDefiningOp<ragged::AppendOp>();
    if (made && made.getFirst() == first && made.getSecond() == second)
      return known;
    // [NN-APPEND-C3]
    InFlightDiagnostic diag = op.emitOpError(
        "expected rows that meet appended rows to be appended from the same "
        "kinds of rows");
    diag.attachNote(known.getLoc()) << "they meet rows that come from here";
    return diag;
  }
  static Value emptyRows(AppendOp op, Value whole, Batcher &batcher) {
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    RankedTensorType row = rowType(op.getResult().getType());
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(row));
    Value count = ragged::NumRowsOp::create(builder, loc, whole);
    return ragged::BroadcastOp::create(builder, loc, op.getResult().getType(),
                                       zero, count);
  }
};

struct ExpectNumberBatching
    : BatchingModel<ExpectNumberBatching, ExpectNumberOp> {
  LogicalResult batchRows(ExpectNumberOp op, Batcher &batcher) const {
    ExpectNumberOp::create(batcher.getBuilder(), op.getLoc(),
                           batcher.getRows(op.getInput()), op.getWhat());
    return success();
  }
  RowsRead getRowsRead(Operation *, unsigned) const { return RowsRead::Own; }
};
} // namespace

void nn::attachRowBatching(MLIRContext &context) {
  PositionsOp::attachInterface<PositionsBatching>(context);
  TakeOp::attachInterface<TakeBatching>(context);
  AppendOp::attachInterface<AppendBatching>(context);
  WindowOp::attachInterface<WindowBatching>(context);
  ExpectNumberOp::attachInterface<ExpectNumberBatching>(context);
}
