//===-- LoopPlan.h - How a linalg op becomes loops over vectors ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_LIB_KERNELS_CPU_LOOPPLAN_H
#define CAMBIUM_LIB_KERNELS_CPU_LOOPPLAN_H

#include "cambium/Support/TargetCosts.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace cambium {

/// How the loops of a linalg op on memrefs are arranged: which one runs over
/// the lanes of vectors, and in which order the others stand.
struct LoopPlan {
  /// The loop whose iterations are lanes.
  int64_t vectorDim = 0;
  /// It is a reduction: lanes are combined at the end.
  bool isReduction = false;
  int64_t lanes = 0;
  /// Size of the vector loop, or dynamic.
  int64_t size = 0;
  /// Parallel loops but the vector one, outermost first; then reductions
  /// likewise.
  llvm::SmallVector<int64_t> parallel, reductions;
  /// For reductions over lanes: the combining op of each result, and what is
  /// combined.
  llvm::SmallVector<mlir::Operation *> combiners;
  /// How many vectors are worked on at once, so that additions need not wait
  /// for each other.
  int64_t unroll = 1;
  /// Iterations of the outermost parallel loop per chunk of a parallel loop, or
  /// 0: not worth it.
  int64_t grain = 0;
  /// The body is too large for a second copy of it.
  bool isExpensive = false;
};

/// How many elements further consecutive iterations of a loop read in an
/// operand: 0 where they read the same one; none where that is not known.
std::optional<int64_t> strideAlong(mlir::linalg::LinalgOp op,
                                   mlir::OpOperand &operand, int64_t dim);
/// Whether consecutive iterations of a loop touch consecutive elements of the
/// operand, or the same one.
bool isContiguous(mlir::linalg::LinalgOp op, mlir::OpOperand &operand,
                  int64_t dim);

/// A plan for an op; none if it cannot become loops over vectors.
std::optional<LoopPlan> planLoops(mlir::linalg::LinalgOp op,
                                  const TargetCosts &costs);

} // namespace cambium

#endif // CAMBIUM_LIB_KERNELS_CPU_LOOPPLAN_H
