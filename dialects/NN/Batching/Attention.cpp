//===-- dialects/NN/Batching/Attention.cpp - How attention is batched ----===//
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
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
/// Queries and keys may be of two row spaces; the segments of their partitions,
/// which are the rows of the context, correspond.
struct AttentionBatching : BatchingModel<AttentionBatching, AttentionOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<AttentionOp>(operation);
    if (op.hasOwnKeys())
      return joinOwnKeys(op, spaces);
    for (Value operand : {op.getQuery(), op.getKey(), op.getValue(),
                          op.getKeyBias(), op.getGroups()})
      if (operand && !hasRows(operand.getType()))
        return op.emitOpError("expected rows (a first dimension '?') of the "
                              "example, but got ")
               << operand.getType();
    if (failed(spaces.join(op, op.getQuery(), op.getResult())) ||
        failed(spaces.join(op, op.getKey(), op.getValue())))
      return failure();
    if (op.getKeyBias() &&
        failed(spaces.join(op, op.getKey(), op.getKeyBias())))
      return failure();
    if (!op.getGroups())
      return success();
    if (failed(spaces.join(op, op.getQuery(), op.getGroups())))
      return failure();
    return spaces.join(op, op.getQuery(), op.getKey());
  }

  LogicalResult batchRows(AttentionOp op, Batcher &batcher) const {
    bool isOwn = op.hasOwnKeys();
    FailureOr<Value> queries = isOwn
                                   ? getSingles(op, batcher)
                                   : batcher.getOwnPartition(op, op.getQuery());
    FailureOr<AllRows> keys = getKeys(op, op.getKey(), batcher);
    FailureOr<AllRows> values = getKeys(op, op.getValue(), batcher);
    FailureOr<Value> bias = Value(), random = Value();
    if (op.getKeyBias())
      bias = getRows(batcher.getAllRows(op, op.getKeyBias()));
    if (op.getRate())
      random = batcher.getKeysOf(op, op.getQuery());
    if (failed(queries) || failed(keys) || failed(values) || failed(bias) ||
        failed(random) || failed(checkTables(op, batcher)))
      return failure();
    OpBuilder &builder = batcher.getBuilder();
    if (op.getGroups())
      queries = keys->partition = ragged::RunsOp::create(
          builder, op.getLoc(), batcher.get(op.getGroups()), keys->partition);
    IntegerAttr id;
    if (op.getRate())
      id = builder.getI64IntegerAttr(kAttentionIds + op.getId().value_or(0));
    auto table = [&](Value value) {
      return value ? batcher.get(value) : Value();
    };
    auto batched = ragged::AttentionOp::create(
        builder, op.getLoc(), batcher.getRows(op.getQuery()), keys->rows,
        values->rows, *queries, keys->partition, *bias,
        table(op.getDistanceBias()), table(op.getRelativeKeys()),
        table(op.getRelativeValues()), *random,
        cast<IntegerAttr>(op.getHeadsAttr()),
        builder.getF64FloatAttr(op.getScaleFactor()), op.getCausalAttr(),
        cast_if_present<FloatAttr>(op.getRateAttr()), id);
    batcher.set(op.getResult(), batched.getResult());
    return success();
  }

  /// A query that has a place is found among the keys by it; groups are runs
  /// of all rows.
  RowsRead getRowsRead(Operation *operation, unsigned index) const {
    auto op = cast<AttentionOp>(operation);
    if (op.hasOwnKeys())
      return RowsRead::Own;
    if (op.readsPlaces() || op.getGroups())
      return RowsRead::Mixed;
    return index == 0 ? RowsRead::Own : RowsRead::All;
  }

  bool drawsRandomNumbers(Operation *op) const {
    return cast<AttentionOp>(op).getRate().has_value();
  }

private:
  static LogicalResult joinOwnKeys(AttentionOp op, RowSpaces &spaces) {
    for (Value rows : {op.getKey(), op.getValue()})
      spaces.takeInner(op, rows);
    if (failed(spaces.join(op, op.getQuery(), op.getResult())) ||
        failed(spaces.join(op, op.getQuery(), op.getKey())) ||
        failed(spaces.join(op, op.getKey(), op.getValue())))
      return failure();
    return spaces.joinInners(op, op.getKey(), op.getValue());
  }

  /// A segment for each query, where each has keys of its own.
  static FailureOr<Value> getSingles(AttentionOp op, Batcher &batcher) {
    if (!batcher.getContext().stoppingSpaces.empty())
      // [NN-ATTENTION-C13]
      return op.emitOpError("expected queries with keys of their own to stand "
                            "outside of loops whose rows stop");
    FailureOr<Value> rows = batcher.getPartition(op, op.getQuery());
    if (failed(rows))
      return failure();
    OpBuilder &builder = batcher.getBuilder();
    Location loc = op.getLoc();
    Type i32 = builder.getI32Type();
    Value one = arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(RankedTensorType::get({}, i32),
                               builder.getI32IntegerAttr(1)));
    Value ones = ragged::BroadcastOp::create(
        builder, loc, rowsType(RankedTensorType::get({}, i32)), one,
        ragged::NumRowsOp::create(builder, loc, *rows));
    return Value(ragged::OfCountsOp::create(builder, loc, ones, 1));
  }

  static FailureOr<AllRows> getKeys(AttentionOp op, Value rows,
                                    Batcher &batcher) {
    if (!op.hasOwnKeys())
      return batcher.getAllRows(op, rows);
    FailureOr<Value> partition = batcher.getInnerPartition(op, rows);
    if (failed(partition))
      return failure();
    return AllRows{batcher.getRows(rows), *partition};
  }

  static FailureOr<Value> getRows(FailureOr<AllRows> all) {
    if (failed(all))
      return failure();
    return all->rows;
  }
  static LogicalResult checkTables(AttentionOp op, Batcher &batcher) {
    for (Value table :
         {op.getDistanceBias(), op.getRelativeKeys(), op.getRelativeValues()})
      if (table && !batcher.isUnit(table)) {
        // [NN-ATTENTION-C10]
        InFlightDiagnostic diag = op.emitOpError(
            "expected tables of distances to be the same for all examples");
        diag.attachNote(table.getLoc()) << "this one is computed per example";
        return diag;
      }
    return success();
  }
};
} // namespace

void nn::attachAttentionBatching(MLIRContext &context) {
  AttentionOp::attachInterface<AttentionBatching>(context);
}
