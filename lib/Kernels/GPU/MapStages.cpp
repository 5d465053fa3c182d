//===-- MapStages.cpp - Stages over elements, and over lanes of a warp ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "Stages.h"
#include "cambium/Support/Remarks.h"
#include "dialects/RT/IR/ForEach.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cambium;

static constexpr StringLiteral kStageFlag = "kernels-form-stages";

Value cambium::beginStage(OpBuilder &builder, Location loc, Value count,
                          rt::Unit unit, const TargetCosts &costs) {
  auto stage =
      rt::ParallelOp::create(builder, loc, count, builder.getI64IntegerAttr(1),
                             rt::UnitAttr::get(builder.getContext(), unit));
  Type index = builder.getIndexType();
  Block *body =
      builder.createBlock(&stage.getBody(), {}, {index, index}, {loc, loc});
  DeviceBuilder device(builder, loc, costs);
  auto loop = scf::ForOp::create(builder, loc, device.unit(unit),
                                 body->getArgument(1), device.numUnits(unit));
  rt::YieldOp::create(builder, loc);
  builder.setInsertionPointToStart(loop.getBody());
  return loop.getInductionVar();
}

bool cambium::mayWrite(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        // A linalg op says itself what it does.
        if (inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
            !isa<MemoryEffectOpInterface>(inner))
          return WalkResult::advance();
        bool reads = isMemoryEffectFree(inner) ||
                     hasSingleEffect<MemoryEffects::Read>(inner) ||
                     inner->hasTrait<OpTrait::IsTerminator>();
        return reads ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Elements over threads
//===----------------------------------------------------------------------===//

/// A stage whose region gets what `emit` makes of first, count and step.
static void
emitStage(OpBuilder &b, linalg::LinalgOp op, Value count, rt::Unit unit,
          const TargetCosts &costs,
          function_ref<void(Elements &, Value, Value, Value)> emit) {
  Location loc = op.getLoc();
  auto stage = rt::ParallelOp::create(b, loc, count, b.getI64IntegerAttr(1),
                                      rt::UnitAttr::get(b.getContext(), unit));
  Type index = b.getIndexType();
  Block *body = b.createBlock(&stage.getBody(), {}, {index, index}, {loc, loc});
  DeviceBuilder device(b, loc, costs);
  Elements elements(b, op, costs);
  emit(elements, device.unit(unit), body->getArgument(1),
       device.numUnits(unit));
  b.setInsertionPointToEnd(body);
  rt::YieldOp::create(b, loc);
}

void cambium::spreadElements(linalg::LinalgOp op, const TargetCosts &costs) {
  OpBuilder b(op);
  Elements elements(b, op, costs);
  if (!elements.canSpread()) {
    remarkMissed(op, kStageFlag) << remark::reason(
        "one thread executes it: elements are written more than once");
    beginStage(b, op.getLoc(), DeviceBuilder(b, op.getLoc(), costs).index(1),
               rt::Unit::Thread, costs);
    op->moveBefore(b.getInsertionBlock(), b.getInsertionPoint());
    return;
  }
  Value count = elements.count();
  // Neighbouring threads read neighbouring values: of a row that is reduced, or
  // of the rows that are.
  unsigned last = op.getNumLoops() - 1;
  bool isRow =
      elements.canReduceTogether() &&
      op.getIteratorTypesArray()[last] == utils::IteratorType::reduction;
  if (isRow)
    emitStage(b, op, count, rt::Unit::Warp, costs,
              [](Elements &e, Value first, Value end, Value step) {
                e.emitTogether(first, end, step);
              });
  else
    emitStage(b, op, count, rt::Unit::Thread, costs,
              [](Elements &e, Value first, Value end, Value step) {
                e.emit(first, end, step);
              });
  op->erase();
}

//===----------------------------------------------------------------------===//
// What one thread could do, by a warp
//===----------------------------------------------------------------------===//

namespace {
class LaneSpreader {
public:
  LaneSpreader(rt::ParallelOp stage, const TargetCosts &costs)
      : stage(stage), costs(costs), b(stage.getContext()) {}

  void spread(Block &block) {
    for (Operation &op : llvm::make_early_inc_range(block))
      spread(&op);
  }

private:
  void spread(Operation *op) {
    if (auto loop = dyn_cast<rt::ForEachOp>(op))
      return spread(*rt::lowerToFor(loop).getBody());
    if (auto memory = dyn_cast<memref::AllocaOp>(op))
      return share(memory);
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      return spreadLinalg(linalgOp);
    if (op->getNumRegions() != 0) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          spread(block);
      return;
    }
    if (mayWrite(op) && !op->hasTrait<OpTrait::IsTerminator>())
      byOne(op);
  }

  /// A warp's own part of the block's memory.
  void share(memref::AllocaOp memory) {
    MemRefType type = memory.getType();
    int64_t bytes = type.getNumElements() *
                    llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    bytes = llvm::alignTo(bytes, costs.accessBytes);
    int64_t begin = used;
    int64_t warps = costs.blockThreads / costs.warpThreads;
    used += bytes * warps;
    reserveShared(stage->getParentOfType<ModuleOp>(), used);
    if (begin == 0) {
      // What an earlier stage has there is not needed any more.
      b.setInsertionPointToStart(&stage.getBody().front());
      DeviceBuilder(b, memory.getLoc(), costs).syncBlock();
    }
    b.setInsertionPoint(memory);
    DeviceBuilder device(b, memory.getLoc(), costs);
    Value offset =
        device.add(device.index(begin),
                   device.multiply(device.warp(), device.index(bytes)));
    memory.replaceAllUsesWith(device.shared(type, offset));
    memory.erase();
  }

  void spreadLinalg(linalg::LinalgOp op) {
    Elements elements(b, op, costs);
    if (!elements.canSpread())
      return byOne(op);
    syncBefore(op);
    b.setInsertionPoint(op);
    DeviceBuilder device(b, op.getLoc(), costs);
    Value count = elements.count();
    unsigned numLoops = op.getNumLoops();
    bool isRow =
        numLoops != 0 && elements.canReduceTogether() &&
        op.getIteratorTypesArray().back() == utils::IteratorType::reduction;
    if (isRow)
      elements.emitTogether(device.index(0), count, device.index(1));
    else
      elements.emit(device.lane(), count, device.index(costs.warpThreads));
    device.syncWarp();
    op->erase();
  }

  void byOne(Operation *op) {
    syncBefore(op);
    b.setInsertionPoint(op);
    Location loc = op->getLoc();
    DeviceBuilder device(b, loc, costs);
    Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          device.lane(), device.index(0));
    auto branch = scf::IfOp::create(b, loc, isFirst);
    device.syncWarp();
    op->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
  }

  /// What other threads of the warp have read is read before it changes.
  void syncBefore(Operation *op) {
    Operation *before = op->getPrevNode();
    while (before && isMemoryEffectFree(before))
      before = before->getPrevNode();
    if (DeviceBuilder::isSyncWarp(before))
      return;
    b.setInsertionPoint(op);
    DeviceBuilder(b, op->getLoc(), costs).syncWarp();
  }

  rt::ParallelOp stage;
  const TargetCosts &costs;
  OpBuilder b;
  /// Bytes of the block's memory that are taken.
  int64_t used = 0;
};
} // namespace

void cambium::spreadOverLanes(Block &block, rt::ParallelOp stage,
                              const TargetCosts &costs) {
  LaneSpreader(stage, costs).spread(block);
}

void cambium::keepOnThread(Block &block) {
  SmallVector<rt::ForEachOp> loops;
  block.walk<WalkOrder::PreOrder>(
      [&](rt::ForEachOp loop) { loops.push_back(loop); });
  for (rt::ForEachOp loop : loops)
    rt::lowerToFor(loop);
}
