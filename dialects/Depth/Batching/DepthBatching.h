//===-- dialects/Depth/Batching/DepthBatching.h - Batching of depth -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_DEPTH_BATCHING_DEPTHBATCHING_H
#define CAMBIUM_DIALECTS_DEPTH_BATCHING_DEPTHBATCHING_H

#include "mlir/IR/Builders.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace cambium {
class Batcher;
struct BatchContext;
class RowSpaces;
} // namespace cambium

namespace cambium::depth {
class IterateOp;

/// Attaches `BatchableOpInterface` to the ops of the dialect.
void registerBatchingModels(mlir::DialectRegistry &registry);

/// The values from outside that the regions of an op use.
llvm::SmallVector<mlir::Value> getCaptured(mlir::Operation *op);

/// Why rows that have stopped cannot be left out: the op that reads other rows,
/// and what of it has no constant value for a row that has stopped. Both null
/// if they can.
struct Obstacle {
  mlir::Operation *reader = nullptr;
  mlir::Operation *cause = nullptr;
};
Obstacle findObstacle(IterateOp op, RowSpaces &spaces);

/// Whether the body computes values of the example from the rows that stop.
bool reducesRows(IterateOp op, RowSpaces &spaces);

/// Which rows meet in a loop that nothing stops: those of each carried value.
llvm::LogicalResult joinCarried(IterateOp op, RowSpaces &spaces);

/// Batches a loop that nothing stops.
llvm::LogicalResult batchFixed(IterateOp op, Batcher &batcher);

/// Tells the slices of the iteration with this number; fails with an error
/// where an array is not the same for all examples.
llvm::LogicalResult bindSlices(IterateOp op, Batcher &batcher,
                               mlir::Value number);

/// The keys of an iteration t, mix(key, t): the keys of the contexts around the
/// loop are made where `before` stands, the rest where the body begins. `ids`
/// are the numbers of the contexts that are at hand there; null if all are.
/// Null after an error.
mlir::Value makeIterationKeys(Batcher &batcher, BatchContext &outer,
                              mlir::OpBuilder::InsertPoint before,
                              mlir::Block &body,
                              llvm::function_ref<mlir::Value()> makeIteration,
                              mlir::Value ids = {});

} // namespace cambium::depth

#endif // CAMBIUM_DIALECTS_DEPTH_BATCHING_DEPTHBATCHING_H
