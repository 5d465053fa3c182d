//===-- dialects/NN/Batching/Random.cpp - How what is drawn is batched -===//
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

namespace {
struct DropoutBatching
    : BatchableOpInterface::ExternalModel<DropoutBatching, DropoutOp> {
  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = cast<DropoutOp>(operation);
    if (op.getKeys())
      return op.emitOpError("expected no keys before batching");
    FailureOr<Value> keys = batcher.getKeysOf(op, op.getInput());
    if (failed(keys))
      return failure();
    Value result = DropoutOp::create(batcher.getBuilder(), op.getLoc(),
                                     batcher.getRows(op.getInput()), *keys,
                                     op.getRateAttr(), op.getIdAttr());
    batcher.set(op.getResult(), result);
    return success();
  }
  bool isRowwise(Operation *op) const {
    return hasRows(op->getResult(0).getType()) && cast<DropoutOp>(op).getKeys();
  }
  bool drawsRandomNumbers(Operation *) const { return true; }
};

/// Never the same for all rows: each row draws by its own key.
struct RandomBatching
    : BatchableOpInterface::ExternalModel<RandomBatching, RandomOp> {
  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = cast<RandomOp>(operation);
    if (op.getKeys())
      return op.emitOpError("expected no keys before batching");
    FailureOr<Value> keys = batcher.getKeys();
    if (hasRows(op.getType()))
      keys = batcher.getKeysOf(op, op.getLike());
    if (failed(keys) || !*keys)
      return failure();
    batcher.set(op.getResult(),
                RandomOp::create(batcher.getBuilder(), op.getLoc(),
                                 Batcher::batchedType(op.getType()),
                                 op.getDistributionAttr(), op.getFirstAttr(),
                                 op.getSecondAttr(), /*like=*/Value(), *keys,
                                 op.getTrainingAttr(), op.getIdAttr()));
    return success();
  }
  bool isRowwise(Operation *op) const {
    return cast<RandomOp>(op).getKeys() != Value();
  }
  bool drawsRandomNumbers(Operation *) const { return true; }
};
} // namespace

void nn::attachRandomBatching(MLIRContext &context) {
  DropoutOp::attachInterface<DropoutBatching>(context);
  RandomOp::attachInterface<RandomBatching>(context);
}
