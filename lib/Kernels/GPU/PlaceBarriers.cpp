//===-- PlaceBarriers.cpp - Where all blocks wait for each other ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Accesses.h"
#include "cambium/Kernels/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace cambium {
#define GEN_PASS_DEF_PLACEBARRIERS
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
class BarrierPlacer {
public:
  explicit BarrierPlacer(func::FuncOp entry) : entry(entry) {}

  void run() {
    Accesses open;
    place(entry.getBody(), open);
  }

private:
  /// `open` is what may have happened since the last barrier.
  void place(Region &region, Accesses &open) {
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(block))
        place(&op, open);
  }

  void place(Operation *op, Accesses &open) {
    if (isa<rt::BarrierOp>(op)) {
      open = {};
      return;
    }
    if (auto stage = dyn_cast<rt::ParallelOp>(op))
      return meet(op, Accesses::of(stage), open);
    if (isa<scf::IfOp>(op))
      return branch(op, open);
    if (op->getNumRegions() != 0)
      return loop(op, open);
    meet(op, Accesses::of(op), open);
  }

  void meet(Operation *op, const Accesses &own, Accesses &open) {
    if (open.conflictsWith(own)) {
      OpBuilder builder(op);
      rt::BarrierOp::create(builder, op->getLoc());
      open = {};
    }
    open.add(own);
  }

  void branch(Operation *op, Accesses &open) {
    Accesses after = open;
    for (Region &region : op->getRegions()) {
      Accesses one = open;
      place(region, one);
      after.add(one);
    }
    open = after;
  }

  /// An iteration may follow another one, or none.
  void loop(Operation *op, Accesses &open) {
    size_t before;
    do {
      before = open.size();
      Accesses one = open;
      for (Region &region : op->getRegions())
        place(region, one);
      open.add(one);
    } while (open.size() != before);
  }

  func::FuncOp entry;
};

struct PlaceBarriers : cambium::impl::PlaceBarriersBase<PlaceBarriers> {
  using PlaceBarriersBase::PlaceBarriersBase;

  void runOnOperation() override {
    for (auto entry : getOperation().getOps<func::FuncOp>())
      if (rt::isEntry(entry))
        BarrierPlacer(entry).run();
  }
};
} // namespace
