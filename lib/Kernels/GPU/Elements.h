//===-- Elements.h - Elements of linalg ops by threads --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_GPU_ELEMENTS_H
#define CAMBIUM_LIB_KERNELS_GPU_ELEMENTS_H

#include "DeviceBuilder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace cambium {

/// Emits what a linalg op on memory computes, an element of its results at a
/// time: numbers run over its parallel loops, the last one fastest. The op is
/// left for the caller to erase.
class Elements {
public:
  Elements(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
           const TargetCosts &costs);

  /// Whether each element is written by one number alone.
  bool canSpread();
  /// Whether the threads of a warp can reduce together.
  bool canReduceTogether() const { return !combiners.empty(); }
  /// How many elements there are. Emitted at the insertion point.
  mlir::Value count();

  /// The elements of numbers `first`, `first + step`, ... below `count`; one
  /// thread reduces.
  void emit(mlir::Value first, mlir::Value count, mlir::Value step);
  /// The elements of a matrix: warp `first` has row `first`, then that of
  /// number `first + step`, and its threads have columns in turn. Neighbours
  /// so read neighbours, however many columns there are.
  void emitRows(mlir::Value first, mlir::Value step);
  /// Whether it is a matrix whose columns are counted when the code runs.
  bool isMatrix() {
    return op.getNumLoops() == 2 && parallel.size() == 2 &&
           mlir::ShapedType::isDynamic(op.getStaticLoopRanges().back());
  }
  /// The same as `emit`, where a warp reduces: its threads take values in turn,
  /// and combine what they have in a fixed order.
  void emitTogether(mlir::Value first, mlir::Value count, mlir::Value step);

private:
  using Values = llvm::SmallVector<mlir::Value>;
  void readSizes();
  /// The counters of loops `dims` for a number.
  void split(mlir::Value number, llvm::ArrayRef<unsigned> dims,
             Values &counters);
  mlir::Value product(llvm::ArrayRef<unsigned> dims);
  Values place(mlir::OpOperand &operand, mlir::ValueRange counters);
  mlir::Value load(mlir::OpOperand &operand, mlir::ValueRange counters);
  Values loadResults(mlir::ValueRange counters, bool all);
  void storeResults(mlir::ValueRange values, mlir::ValueRange counters);
  /// The body of the op, with what the results are so far.
  Values body(mlir::ValueRange results, mlir::ValueRange counters);
  Values reduce(unsigned depth, mlir::ValueRange results, Values &counters);
  Values reduceByLanes(Values &counters);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::linalg::LinalgOp op;
  const TargetCosts &costs;
  DeviceBuilder device;
  llvm::SmallVector<unsigned> parallel, reductions;
  llvm::SmallVector<mlir::Operation *> combiners;
  Values sizes;
};

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_GPU_ELEMENTS_H
