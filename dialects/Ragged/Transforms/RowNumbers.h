//===-- dialects/Ragged/Transforms/RowNumbers.h - How many rows -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product is done for rows. Their number is followed to where the batch has
// it: through ops that keep rows, and out of loops over levels, where the rows
// of all levels together are the nodes or the edges of the forest.
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_ROWNUMBERS_H
#define CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_ROWNUMBERS_H

#include "cambium/Interfaces/RowsOpInterface.h"
#include "dialects/Ragged/IR/Ragged.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cambium::ragged {

/// Builds what tells the numbers of rows of a function's values, from the
/// arguments of another function of the same inputs.
class RowNumbers {
public:
  RowNumbers(mlir::func::FuncOp entry, mlir::func::FuncOp counter,
             mlir::ImplicitLocOpBuilder &builder);

  /// The number of rows of a value, in all executions of its region by loops
  /// over levels together. Null if it is not known. Where it depends on what
  /// the entry computes it is the most there can be: in a loop whose rows stop,
  /// that of an iteration in which none has; where counts are computed, their
  /// limit.
  mlir::Value of(mlir::Value value);
  /// What stands for a partition, a forest or a number. Null if it depends on
  /// what the entry computes.
  mlir::Value rebuild(mlir::Value value);
  /// How many levels above the leaves a loop goes over, an f64: there each
  /// node has a child. Null if it is not known.
  mlir::Value levelsOf(LevelsOp levels);

  /// Whether a number is the most there can be, and may be less.
  bool isBound() const { return bound; }

private:
  mlir::Value rebuildStructure(mlir::Operation *op);
  mlir::Value largestCounts(mlir::Value counts, int64_t limit);
  mlir::Value ofIterate(IterateOp loop, mlir::OpResult result);
  mlir::Value edgesOf(LevelsOp levels);
  mlir::Value ofLevels(LevelsOp levels, mlir::BlockArgument arg);
  mlir::Value ofStructure(mlir::Value value);
  mlir::Value built(const RowOrigin &origin);

  mlir::ImplicitLocOpBuilder &builder;
  mlir::IRMapping mapping;
  bool bound = false;
};

} // namespace cambium::ragged

#endif // CAMBIUM_DIALECTS_RAGGED_TRANSFORMS_ROWNUMBERS_H
