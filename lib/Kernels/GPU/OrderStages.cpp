//===-- OrderStages.cpp - Stages in the order of fewest barriers ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Accesses.h"
#include "cambium/Kernels/Passes.h"
#include "cambium/Support/UsedValues.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace cambium {
#define GEN_PASS_DEF_ORDERSTAGES
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// Ops of a block between those that keep their place.
class Segment {
public:
  void add(Operation *op) { ops.push_back(op); }

  /// Moves each op behind as few barriers as there can be before it.
  void order(Operation *end) {
    SmallVector<SmallVector<Operation *>> steps;
    SmallVector<std::pair<int64_t, Accesses>> before;
    DenseMap<Operation *, int64_t> stepOf;
    for (Operation *op : ops) {
      int64_t step = 0;
      for (Value value : getUsedValues(op))
        step = std::max(step, stepOf.lookup(value.getDefiningOp()));
      Accesses own = Accesses::of(op);
      for (const auto &[earlier, accesses] : before)
        if (earlier >= step && accesses.conflictsWith(own))
          step = earlier + 1;
      if (own.size())
        before.push_back({step, std::move(own)});
      stepOf[op] = step;
      if (steps.size() <= static_cast<size_t>(step))
        steps.resize(step + 1);
      steps[step].push_back(op);
    }
    for (ArrayRef<Operation *> together : steps)
      for (Operation *op : together)
        op->moveBefore(end);
    ops.clear();
  }

private:
  SmallVector<Operation *> ops;
};

/// Whether what an op does to memory is known, and all of it.
bool isMovable(Operation *op) {
  return !op->walk([](Operation *inner) {
              // What a thread asks of the GPU stays in its stage.
              bool isKnown =
                  isMemoryEffectFree(inner) ||
                  isa<LLVM::CallIntrinsicOp, MemoryEffectOpInterface>(inner) ||
                  inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
              // Records that an entry ends, and what it has to wait for.
              bool stays =
                  isa<rt::FailIfOp>(inner) || isa<rt::BarrierOp>(inner);
              return isKnown && !stays ? WalkResult::advance()
                                       : WalkResult::interrupt();
            }).wasInterrupted();
}

/// Whether there is a stage in a loop or branch.
bool holdsStages(Operation *op) {
  return !isa<rt::ParallelOp>(op) && op->walk([](rt::ParallelOp) {
                                         return WalkResult::interrupt();
                                       }).wasInterrupted();
}

struct OrderStages : cambium::impl::OrderStagesBase<OrderStages> {
  using OrderStagesBase::OrderStagesBase;

  void runOnOperation() override {
    for (auto entry : getOperation().getOps<func::FuncOp>())
      if (rt::isEntry(entry))
        order(entry.getBody());
  }

  static void order(Region &region) {
    for (Block &block : region) {
      Segment segment;
      for (Operation &op : llvm::make_early_inc_range(block)) {
        bool holds = holdsStages(&op);
        // A branch goes as a whole; a loop keeps its place.
        bool moves = (!holds || isa<scf::IfOp>(op)) && isMovable(&op) &&
                     !op.hasTrait<OpTrait::IsTerminator>();
        if (moves)
          segment.add(&op);
        else
          segment.order(&op);
        if (holds)
          for (Region &inner : op.getRegions())
            order(inner);
      }
    }
  }
};
} // namespace
