//===-- dialects/NN/Batching/Pairs.cpp - How rows meet rows --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pairs are rows of a partition of their own: a segment for each row, with a
// row for each row of the same example that it meets. Examples of different
// lengths stand one after the other, nothing is padded.
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Remarks.h"
#include "dialects/NN/Batching/NNBatching.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/Ragged/Batching/Models.h"
#include "dialects/Ragged/IR/Ragged.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
struct PairScoresBatching : BatchingModel<PairScoresBatching, PairScoresOp> {
  LogicalResult inferRowSpaces(Operation *operation, RowSpaces &spaces) const {
    auto op = cast<PairScoresOp>(operation);
    if (failed(spaces.join(op, op.getLhs(), op.getResult())))
      return failure();
    spaces.setInner(op.getResult(), op.getRhs());
    return success();
  }

  LogicalResult batchRows(PairScoresOp op, Batcher &batcher) const {
    FailureOr<Value> rows = batcher.getPartition(op, op.getLhs());
    FailureOr<Value> others = batcher.getPartition(op, op.getRhs());
    if (failed(rows) || failed(others))
      return failure();
    OpBuilder &builder = batcher.getBuilder();
    unsigned inner = batcher.getSpaces().innerOf(op.getResult());
    Value &pairs = batcher.getContext().partitions[inner];
    if (!pairs)
      pairs = ragged::PairsOp::create(builder, op.getLoc(), *rows, *others);
    remarkMissed(op, "ragged-batch")
        << remark::reason("keeps a score for each pair of rows of an example")
        << remark::metric("BytesPerPair",
                          op.getResult().getType().getElementTypeBitWidth() /
                              8);
    batcher.set(op.getResult(),
                ragged::PairScoresOp::create(
                    builder, op.getLoc(), batcher.get(op.getLhs()),
                    batcher.get(op.getRhs()), pairs, *rows, *others));
    return success();
  }

  RowsRead getRowsRead(Operation *, unsigned) const { return RowsRead::Mixed; }
};
} // namespace

void nn::attachPairBatching(MLIRContext &context) {
  PairScoresOp::attachInterface<PairScoresBatching>(context);
}
