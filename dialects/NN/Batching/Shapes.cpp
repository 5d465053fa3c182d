//===-- Shapes.cpp - How shape changes are batched -----------------------===//
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
/// Ops with an attribute `dim`, which counts the leading dimension when
/// batched.
template <typename OpT>
struct AlongDimBatching : BatchingModel<AlongDimBatching<OpT>, OpT> {
  LogicalResult batchRows(OpT op, Batcher &batcher) const {
    Operation *clone = batcher.cloneRowwise(op);
    cast<OpT>(clone).setDim(shiftDim(op->getOperand(0), op.getDim()));
    batcher.set(op->getResults(), clone->getResults());
    return success();
  }
  bool isRowwise(Operation *op) const {
    return hasRows(op->getOperand(0).getType()) && cast<OpT>(op).getDim() > 0;
  }
  bool movesDataOnly(Operation *) const { return true; }
};

struct TransposeBatching : BatchingModel<TransposeBatching, TransposeOp> {
  LogicalResult batchRows(TransposeOp op, Batcher &batcher) const {
    SmallVector<int64_t> perm(op.getPerm());
    if (!hasRows(op.getInput().getType())) {
      for (int64_t &dim : perm)
        ++dim;
      perm.insert(perm.begin(), 0);
    }
    batcher.set(op.getResult(),
                TransposeOp::create(batcher.getBuilder(), op.getLoc(),
                                    batcher.getRows(op.getInput()), perm));
    return success();
  }
  bool isRowwise(Operation *op) const {
    auto perm = cast<TransposeOp>(op).getPerm();
    return hasRows(op->getResult(0).getType()) && !perm.empty() && perm[0] == 0;
  }
  bool movesDataOnly(Operation *) const { return true; }
};

struct BroadcastBatching
    : BatchableOpInterface::ExternalModel<BroadcastBatching, BroadcastOp> {
  LogicalResult batch(Operation *operation, Batcher &batcher) const {
    auto op = cast<BroadcastOp>(operation);
    bool newRows = hasRows(op.getType()) && !hasRows(op.getInput().getType());
    if (newRows)
      return repeat(op, batcher);
    if (batcher.isUnit(op.getInput())) {
      IRMapping mapping;
      mapping.map(op.getInput(), batcher.get(op.getInput()));
      if (op.getLike())
        mapping.map(op.getLike(), batcher.get(op.getLike()));
      batcher.set(op.getResult(),
                  batcher.getBuilder().clone(*op, mapping)->getResult(0),
                  /*isUnit=*/true);
      return success();
    }
    SmallVector<int64_t> dims(op.getDims());
    if (!hasRows(op.getInput().getType())) {
      for (int64_t &dim : dims)
        ++dim;
      dims.insert(dims.begin(), 0);
    }
    batcher.set(op.getResult(),
                BroadcastOp::create(batcher.getBuilder(), op.getLoc(),
                                    Batcher::batchedType(op.getType()),
                                    batcher.get(op.getInput()), Value(), dims));
    return success();
  }

  /// A value for each of the rows of `like`.
  static LogicalResult repeat(BroadcastOp op, Batcher &batcher) {
    FailureOr<Value> rows = batcher.expand(op, op.getInput(), op.getLike());
    if (failed(rows))
      return failure();
    Value result = *rows;
    if (result.getType() != op.getType()) {
      // Further new dimensions, row by row.
      SmallVector<int64_t> dims{0};
      llvm::append_range(dims, op.getDims());
      result = BroadcastOp::create(batcher.getBuilder(), op.getLoc(),
                                   op.getType(), result, Value(), dims);
    }
    batcher.set(op.getResult(), result);
    return success();
  }

  bool isRowwise(Operation *op) const {
    return hasRows(op->getResult(0).getType());
  }
  bool isRowOperand(Operation *op, unsigned index) const {
    return hasRows(op->getOperand(index).getType());
  }
  bool movesDataOnly(Operation *) const { return true; }
};

struct ReshapeBatching : RowwiseModelBase<ReshapeBatching, ReshapeOp> {
  bool movesDataOnly(Operation *) const { return true; }
};

struct UseBatching : BatchableOpInterface::ExternalModel<UseBatching, UseOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    batcher.cloneUnit(op);
    return success();
  }
};
} // namespace

void nn::attachShapeBatching(MLIRContext &context) {
  UseOp::attachInterface<UseBatching>(context);
  ConcatOp::attachInterface<AlongDimBatching<ConcatOp>>(context);
  SplitOp::attachInterface<AlongDimBatching<SplitOp>>(context);
  SliceOp::attachInterface<AlongDimBatching<SliceOp>>(context);
  PadOp::attachInterface<AlongDimBatching<PadOp>>(context);
  ReshapeOp::attachInterface<ReshapeBatching>(context);
  TransposeOp::attachInterface<TransposeBatching>(context);
  BroadcastOp::attachInterface<BroadcastBatching>(context);
}
