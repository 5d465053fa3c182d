//===-- dialects/NN/Batching/Attention.cpp - How attention is batched ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Batching/Models.h"
#include "dialects/NN/Batching/NNBatching.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/IR/Ragged.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
/// Queries and keys may be of two row spaces; the segments of their partitions,
/// which are the rows of the context, correspond.
struct AttentionBatching : BatchingModel<AttentionBatching, AttentionOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<AttentionOp>(operation);
    for (Value operand : op->getOperands())
      if (!hasRows(operand.getType()))
        return op.emitOpError("expected rows (a first dimension '?') of the "
                              "example, but got ")
               << operand.getType();
    if (failed(spaces.join(op, op.getQuery(), op.getResult())) ||
        failed(spaces.join(op, op.getKey(), op.getValue())))
      return failure();
    return op.getCausal() ? spaces.join(op, op.getQuery(), op.getKey())
                          : success();
  }
  LogicalResult batchRows(AttentionOp op, Batcher &batcher) const {
    FailureOr<Value> queries = batcher.getOwnPartition(op, op.getQuery());
    FailureOr<AllRows> keys = batcher.getAllRows(op, op.getKey());
    FailureOr<AllRows> values = batcher.getAllRows(op, op.getValue());
    if (failed(queries) || failed(keys) || failed(values))
      return failure();
    OpBuilder &builder = batcher.getBuilder();
    auto batched = ragged::AttentionOp::create(
        builder, op.getLoc(), batcher.getRows(op.getQuery()), keys->rows,
        values->rows, *queries, keys->partition, op.getHeadsAttr(),
        builder.getF64FloatAttr(op.getScaleFactor()), op.getCausalAttr());
    batcher.set(op.getResult(), batched.getResult());
    return success();
  }
  /// A causal query is found among the keys by its place.
  RowsRead getRowsRead(Operation *op, unsigned index) const {
    if (cast<AttentionOp>(op).getCausal())
      return RowsRead::Mixed;
    return index == 0 ? RowsRead::Own : RowsRead::All;
  }
};
} // namespace

void nn::attachAttentionBatching(MLIRContext &context) {
  AttentionOp::attachInterface<AttentionBatching>(context);
}
