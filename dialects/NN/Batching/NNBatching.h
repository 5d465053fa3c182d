//===-- dialects/NN/Batching/NNBatching.h - How nn operations are batched -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_NN_BATCHING_NNBATCHING_H
#define CAMBIUM_DIALECTS_NN_BATCHING_NNBATCHING_H

#include "mlir/IR/Builders.h"

namespace cambium::nn {

/// Attaches `BatchableOpInterface` to the ops of the dialect.
void registerBatchingModels(mlir::DialectRegistry &registry);

/// The parts of it, by family of ops.
void attachProductBatching(mlir::MLIRContext &context);
void attachReductionBatching(mlir::MLIRContext &context);
void attachAttentionBatching(mlir::MLIRContext &context);
void attachPairBatching(mlir::MLIRContext &context);
void attachRandomBatching(mlir::MLIRContext &context);
void attachRowBatching(mlir::MLIRContext &context);
void attachSelectBatching(mlir::MLIRContext &context);
void attachShapeBatching(mlir::MLIRContext &context);
void attachEachBatching(mlir::MLIRContext &context);
void attachLossBatching(mlir::MLIRContext &context);

/// Rows in another shape, if they are not in it.
mlir::Value reshapeRows(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, mlir::Type type);
/// Rows as vectors, of one element where they are numbers.
mlir::Value asColumns(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value);

} // namespace cambium::nn

#endif // CAMBIUM_DIALECTS_NN_BATCHING_NNBATCHING_H
