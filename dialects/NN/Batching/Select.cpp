//===-- dialects/NN/Batching/Select.cpp - How elements by number are batched
//-===//
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
/// Base of models of ops along a dimension that differ over rows.
template <typename Model, typename OpT>
struct AlongModel : BatchingModel<Model, OpT> {
  LogicalResult batchRows(OpT op, Batcher &batcher) const {
    if (isOverRows(op))
      return static_cast<const Model *>(this)->batchOverRows(op, batcher);
    Operation *clone = batcher.cloneRowwise(op);
    cast<OpT>(clone).setDim(shiftDim(op->getOperand(0), op.getDim()));
    batcher.set(op->getResults(), clone->getResults());
    return success();
  }
  static bool isOverRows(OpT op) {
    return hasRows(op->getOperand(0).getType()) && op.getDim() == 0;
  }
  bool isRowwise(Operation *op) const {
    return hasRows(op->getOperand(0).getType()) && cast<OpT>(op).getDim() > 0;
  }
  RowsRead getRowsRead(Operation *op, unsigned) const {
    return isOverRows(cast<OpT>(op)) ? RowsRead::All : RowsRead::Own;
  }
};

struct TopBatching : AlongModel<TopBatching, TopOp> {
  LogicalResult batchOverRows(TopOp op, Batcher &batcher) const {
    FailureOr<AllRows> all = batcher.getAllRows(op, op.getInput());
    if (failed(all))
      return failure();
    OpBuilder &builder = batcher.getBuilder();
    auto top = ragged::TopOp::create(builder, op.getLoc(),
                                     asColumns(builder, op.getLoc(), all->rows),
                                     all->partition, op.getCount());
    for (auto [result, batched] :
         llvm::zip_equal(op->getResults(), top->getResults()))
      batcher.set(result, reshapeRows(builder, op.getLoc(), batched,
                                      Batcher::batchedType(result.getType())));
    return success();
  }
};

struct SumByBatching : AlongModel<SumByBatching, SumByOp> {
  LogicalResult batchOverRows(SumByOp op, Batcher &batcher) const {
    FailureOr<AllRows> values = batcher.getAllRows(op, op.getValues());
    FailureOr<AllRows> ids = batcher.getAllRows(op, op.getIds());
    if (failed(values) || failed(ids))
      return failure();
    batcher.set(op.getResult(),
                ragged::SumByOp::create(batcher.getBuilder(), op.getLoc(),
                                        values->rows, ids->rows,
                                        values->partition, op.getSize()));
    return success();
  }
};

struct PickAlongBatching : AlongModel<PickAlongBatching, PickAlongOp> {
  LogicalResult batchOverRows(PickAlongOp, Batcher &) const {
    llvm_unreachable("the verifier refuses it");
  }
};
} // namespace

Value nn::reshapeRows(OpBuilder &builder, Location loc, Value value,
                      Type type) {
  if (value.getType() == type)
    return value;
  return ReshapeOp::create(builder, loc, type, value);
}

Value nn::asColumns(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  int64_t columns = ShapedType::getNumElements(type.getShape().drop_front());
  return reshapeRows(
      builder, loc, value,
      type.clone(ArrayRef<int64_t>{ShapedType::kDynamic, columns}));
}

void nn::attachSelectBatching(MLIRContext &context) {
  TopOp::attachInterface<TopBatching>(context);
  SumByOp::attachInterface<SumByBatching>(context);
  PickAlongOp::attachInterface<PickAlongBatching>(context);
}
