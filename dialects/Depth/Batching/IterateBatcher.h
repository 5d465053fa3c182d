//===-- dialects/Depth/Batching/IterateBatcher.h - A loop over a batch ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_DEPTH_BATCHING_ITERATEBATCHER_H
#define CAMBIUM_DIALECTS_DEPTH_BATCHING_ITERATEBATCHER_H

#include "dialects/Depth/IR/Depth.h"
#include "dialects/Ragged/Batching/Batcher.h"
#include "dialects/Ragged/IR/LoopBuilders.h"
#include "llvm/ADT/MapVector.h"

namespace cambium::depth {

/// Builds the `ragged.iterate` of a loop. Its rows are those of the carried
/// values, or the examples.
class IterateBatcher {
public:
  IterateBatcher(IterateOp op, Batcher &batcher, bool isMasked)
      : op(op), loc(op.getLoc()), batcher(batcher),
        builder(batcher.getBuilder()), isMasked(isMasked),
        outer(batcher.getContext()) {}

  llvm::LogicalResult run();

private:
  // Iterate.cpp
  llvm::LogicalResult addRowInputs();
  llvm::LogicalResult batchBody();
  void addCarried();
  llvm::LogicalResult addSlices();
  /// The context of the body: the examples' rows that are at hand, or the
  /// examples that are.
  llvm::LogicalResult makeContext(BatchContext &context);
  /// Binds values from outside to their rows that are at hand.
  llvm::LogicalResult enter();
  void leave();
  llvm::LogicalResult failUsesRows(mlir::Value value);
  void setResults(ragged::IterateOp batched);

  // Compact.cpp
  llvm::FailureOr<AllRows> makeAllRows(mlir::Value value);
  llvm::FailureOr<AllRows> keepAllRows(mlir::Value value);
  llvm::FailureOr<AllRows> computeAllRows(mlir::Value value);
  llvm::LogicalResult batchKept(mlir::ValueRange carried,
                                llvm::SmallVectorImpl<mlir::Value> &values);
  llvm::LogicalResult yieldKept();

  // Masked.cpp
  void mask();
  mlir::Value ofRunning(mlir::Value numbers, mlir::Value rows);
  mlir::Value isSet(mlir::Value number);
  mlir::Value spread(mlir::Value numbers, mlir::Value like);
  mlir::Value numbers(mlir::Value like, mlir::TypedAttr value);

  // RandomKeys.cpp
  mlir::Value makeKeys();
  mlir::Value makePartialKeys();

  template <typename OpT, typename... Args> OpT make(Args &&...args) {
    return OpT::create(builder, loc, std::forward<Args>(args)...);
  }

  IterateOp op;
  mlir::Location loc;
  Batcher &batcher;
  mlir::OpBuilder &builder;
  /// All rows of the running examples are computed; flags say which count.
  bool isMasked;
  BatchContext &outer;
  /// Where what does not change is computed, before the loop.
  mlir::OpBuilder::InsertPoint before;

  /// Of the rows that stop: their space and its partition.
  unsigned space = 0;
  mlir::Value partition;
  ragged::IterateBuilder loop{loc};
  mlir::Value ids, active;
  /// Flags of the rows that start active; null if all do.
  mlir::Value starting;
  llvm::SmallVector<mlir::Value> init, states, shared;
  ragged::IterateYields yields;
  /// The masked form: one while the row is active, and its iterations.
  mlir::Value running, steps;
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> rebound;
  /// Values that are read of all rows, and the arrays that hold them.
  llvm::MapVector<mlir::Value, AllRows> kept;
  /// Those that depend on the slices of the iteration, for all rows.
  llvm::DenseMap<mlir::Value, mlir::Value> computed;
};

} // namespace cambium::depth

#endif // CAMBIUM_DIALECTS_DEPTH_BATCHING_ITERATEBATCHER_H
