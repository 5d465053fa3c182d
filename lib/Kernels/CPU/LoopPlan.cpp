//===-- LoopPlan.cpp - How a linalg op becomes loops over vectors --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoopPlan.h"
#include "../Combiners.h"
#include "Payload.h"
#include "dialects/RT/IR/RT.h"

using namespace mlir;
using namespace cambium;

static bool isParallel(utils::IteratorType type) {
  return type == utils::IteratorType::parallel;
}

std::optional<int64_t> cambium::strideAlong(linalg::LinalgOp op,
                                            OpOperand &operand, int64_t dim) {
  auto memref = dyn_cast<MemRefType>(operand.get().getType());
  if (!memref)
    return 0;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  std::optional<unsigned> place =
      map.getResultPosition(getAffineDimExpr(dim, op.getContext()));
  if (!place)
    return 0;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(memref.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(strides[*place]))
    return std::nullopt;
  return strides[*place];
}

bool cambium::isContiguous(linalg::LinalgOp op, OpOperand &operand,
                           int64_t dim) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!isa<MemRefType>(operand.get().getType()) || !map.isFunctionOfDim(dim))
    return true;
  return strideAlong(op, operand, dim) == 1 &&
         map.getResult(map.getNumResults() - 1) ==
             getAffineDimExpr(dim, op.getContext());
}

namespace {
/// Finds the plan of one op.
class Planner {
public:
  Planner(linalg::LinalgOp op, const TargetCosts &costs)
      : op(op), costs(costs), iterators(op.getIteratorTypesArray()),
        ranges(op.getStaticLoopRanges()) {}

  std::optional<LoopPlan> plan() {
    if (!op.hasPureBufferSemantics() || iterators.empty() ||
        !hasPlainOperands() || !isVectorizable(op, costs) || !findVectorDim())
      return std::nullopt;
    result.size = ranges[result.vectorDim];
    if (result.isReduction) {
      result.combiners = findCombiners(op);
      if (result.combiners.empty())
        return std::nullopt;
    }
    for (int64_t i = 0; i < static_cast<int64_t>(iterators.size()); ++i)
      if (i != result.vectorDim)
        (isParallel(iterators[i]) ? result.parallel : result.reductions)
            .push_back(i);
    chooseLanes();
    chooseGrain();
    result.isExpensive = costOf(op, costs) >= costs.expensiveBody;
    return result;
  }

private:
  /// Operands that are scalars or memrefs of numbers, read at loop counters.
  bool hasPlainOperands() {
    for (OpOperand &operand : op->getOpOperands()) {
      Type type = operand.get().getType();
      if (auto memref = dyn_cast<MemRefType>(type))
        type = memref.getElementType();
      if (!type.isF32() && !type.isF64() && !type.isInteger(32) &&
          !type.isInteger(64))
        return false;
      if (!op.getMatchingIndexingMap(&operand).isProjectedPermutation())
        return false;
    }
    return true;
  }

  /// Whether lanes can be iterations of a loop for an operand; with `gathers`,
  /// also where they read elements that are equally far from each other.
  bool isReached(OpOperand &operand, int64_t dim, bool gathers) {
    if (isContiguous(op, operand, dim))
      return true;
    std::optional<int64_t> stride = strideAlong(op, operand, dim);
    return gathers && stride && !op.isDpsInit(&operand) &&
           // The distance of the last lane has 32 bits.
           std::abs(*stride) < INT32_MAX / costs.vectorBytes;
  }

  bool canVectorize(int64_t dim, bool gathers = false) {
    bool used = false;
    for (OpOperand &operand : op->getOpOperands()) {
      bool varies = op.getMatchingIndexingMap(&operand).isFunctionOfDim(dim);
      // A result that a parallel loop does not index would be written by all
      // lanes.
      if (!isReached(operand, dim, gathers) ||
          (op.isDpsInit(&operand) && varies != isParallel(iterators[dim])))
        return false;
      used |= varies;
    }
    return used && ranges[dim] != 1;
  }

  bool findVectorDim() {
    for (int64_t dim = iterators.size() - 1; dim >= 0; --dim)
      if (isParallel(iterators[dim]) && canVectorize(dim)) {
        result.vectorDim = dim;
        return true;
      }
    for (int64_t dim = iterators.size() - 1; dim >= 0; --dim)
      if (!isParallel(iterators[dim]) && canVectorize(dim)) {
        result.vectorDim = dim;
        result.isReduction = true;
        return true;
      }
    // A column of a table: better so than one row after the other.
    for (int64_t dim = iterators.size() - 1; dim >= 0; --dim)
      if (costs.hasGathers && isParallel(iterators[dim]) &&
          canVectorize(dim, /*gathers=*/true)) {
        result.vectorDim = dim;
        return true;
      }
    return false;
  }

  void chooseLanes() {
    int64_t bytes = 8;
    for (OpOperand &operand : op->getOpOperands())
      bytes =
          std::min<int64_t>(bytes, getElementTypeOrSelf(operand.get().getType())
                                           .getIntOrFloatBitWidth() /
                                       8);
    result.lanes = costs.vectorBytes / bytes;
    if (ranges[result.vectorDim] == ShapedType::kDynamic)
      return;
    while (result.lanes > 2 && result.lanes / 2 >= ranges[result.vectorDim])
      result.lanes /= 2;
    int64_t vectors = llvm::divideCeil(ranges[result.vectorDim], result.lanes);
    bool waits = result.isReduction || !result.reductions.empty();
    result.unroll = waits ? std::min<int64_t>(vectors, costs.unroll) : 1;
  }

  void chooseGrain() {
    if (result.parallel.empty() || op->getParentOfType<rt::ParallelOp>())
      return;
    int64_t outer = result.parallel.front(), work = costOf(op, costs);
    for (int64_t i = 0; i < static_cast<int64_t>(ranges.size()); ++i)
      if (i != outer)
        work *=
            ranges[i] == ShapedType::kDynamic ? costs.unknownLength : ranges[i];
    int64_t grain =
        llvm::divideCeil(costs.loopWork, std::max<int64_t>(work, 1));
    if (ranges[outer] == ShapedType::kDynamic || ranges[outer] > grain)
      result.grain = grain;
  }

  linalg::LinalgOp op;
  const TargetCosts &costs;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<int64_t> ranges;
  LoopPlan result;
};
} // namespace

std::optional<LoopPlan> cambium::planLoops(linalg::LinalgOp op,
                                           const TargetCosts &costs) {
  return Planner(op, costs).plan();
}
