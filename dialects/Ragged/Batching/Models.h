//===-- Models.h - Common models of BatchableOpInterface -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RAGGED_BATCHING_MODELS_H
#define CAMBIUM_RAGGED_BATCHING_MODELS_H

#include "cambium/Interfaces/BatchableOpInterface.h"
#include "dialects/Ragged/Batching/Batcher.h"

namespace cambium {

/// The dimension of the batched form that is dimension `dim` of a value:
/// shifted by the leading dimension, unless the value holds rows.
inline int64_t shiftDim(mlir::Value value, int64_t dim) {
  return hasRows(value.getType()) ? dim : dim + 1;
}

/// Base of models: an op on unit operands stays as it is; of others, `Model`
/// says the batched form in `batchRows`.
template <typename Model, typename OpT>
struct BatchingModel : BatchableOpInterface::ExternalModel<Model, OpT> {
  llvm::LogicalResult batch(mlir::Operation *op, Batcher &batcher) const {
    if (batcher.areUnit(op->getOperands())) {
      batcher.cloneUnit(op);
      return llvm::success();
    }
    return static_cast<const Model *>(this)->batchRows(llvm::cast<OpT>(op),
                                                       batcher);
  }
};

/// Base of models of ops whose batched form is the same op on batched operands,
/// row by row.
template <typename Model, typename OpT>
struct RowwiseModelBase : BatchingModel<Model, OpT> {
  llvm::LogicalResult batchRows(OpT op, Batcher &batcher) const {
    batcher.set(op->getResults(), batcher.cloneRowwise(op)->getResults());
    return llvm::success();
  }
  bool isRowwise(mlir::Operation *op) const {
    return llvm::all_of(op->getResultTypes(), hasRows);
  }
};

/// Ops of which nothing else is to be said.
template <typename OpT>
struct RowwiseModel : RowwiseModelBase<RowwiseModel<OpT>, OpT> {};

/// Base of models of ops that work on the rows of their first operand; the
/// others, named by `Model::others`, are the same for all of them.
template <typename Model, typename OpT>
struct FirstOperandModel : BatchingModel<Model, OpT> {
  llvm::LogicalResult batchRows(OpT op, Batcher &batcher) const {
    if (!batcher.areUnit(op->getOperands().drop_front()))
      return op.emitOpError("expected ")
             << Model::others << " the same for all examples";
    batcher.set(op.getResult(),
                batcher.cloneRowwise(op, [](unsigned i) { return i == 0; })
                    ->getResult(0));
    return llvm::success();
  }
  bool isRowwise(mlir::Operation *op) const {
    return hasRows(op->getResult(0).getType());
  }
  bool isRowOperand(mlir::Operation *, unsigned index) const {
    return index == 0;
  }
};

} // namespace cambium

#endif // CAMBIUM_RAGGED_BATCHING_MODELS_H
