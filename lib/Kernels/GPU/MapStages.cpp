//===-- MapStages.cpp - Stages over elements, and over lanes of a warp ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Elements.h"
#include "Stages.h"
#include "TensorTiles.h"
#include "cambium/Support/Remarks.h"
#include "dialects/RT/IR/ForEach.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cambium;

rt::ParallelOp cambium::openStage(OpBuilder &builder, Location loc, Value count,
                                  rt::Unit unit) {
  auto stage =
      rt::ParallelOp::create(builder, loc, count, builder.getI64IntegerAttr(1),
                             rt::UnitAttr::get(builder.getContext(), unit));
  Type index = builder.getIndexType();
  builder.createBlock(&stage.getBody(), {}, {index, index}, {loc, loc});
  auto end = rt::YieldOp::create(builder, loc);
  builder.setInsertionPoint(end);
  return stage;
}

Value cambium::beginStage(OpBuilder &builder, Location loc, Value count,
                          rt::Unit unit, const TargetCosts &costs) {
  rt::ParallelOp stage = openStage(builder, loc, count, unit);
  DeviceBuilder device(builder, loc, costs);
  auto loop =
      scf::ForOp::create(builder, loc, device.unit(unit),
                         stage.getBody().getArgument(1), device.numUnits(unit));
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
  rt::ParallelOp stage = openStage(b, loc, count, unit);
  DeviceBuilder device(b, loc, costs);
  Elements elements(b, op, costs);
  emit(elements, device.unit(unit), stage.getBody().getArgument(1),
       device.numUnits(unit));
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
// What one thread could do, by a warp or by a block
//===----------------------------------------------------------------------===//

namespace {
class Spreader {
public:
  Spreader(rt::ParallelOp stage, rt::Unit unit, const TargetCosts &costs)
      : stage(stage), isBlock(unit == rt::Unit::Block), costs(costs),
        b(stage.getContext()) {}

  void spread(Block &block) {
    if (isBlock)
      findProducts(block);
    for (Operation &op : llvm::make_early_inc_range(block))
      if (!replaced.contains(&op))
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

  /// Products of the block, and what they make superfluous.
  void findProducts(Block &block) {
    for (auto op : block.getOps<linalg::MatmulOp>()) {
      std::optional<Product> product = classifyProduct(op);
      if (!product)
        continue;
      ProductStart start = findStart(op);
      products[op] = start;
      if (start.replaced)
        replaced.insert(start.replaced);
    }
  }

  /// What a tile of any product needs.
  int64_t productBytes() {
    int64_t steps = costs.blockTile / costs.blockSide;
    int64_t bytes = sharedBytes(b.getF64Type(), steps, steps, costs);
    if (rt::getMath(stage) == rt::Math::F32)
      return bytes;
    return std::max(bytes, tensorBytes(steps, steps, costs));
  }

  /// A unit's own part of the block's memory.
  void share(memref::AllocaOp memory) {
    MemRefType type = memory.getType();
    int64_t bytes = type.getNumElements() *
                    llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    bytes = llvm::alignTo(bytes, costs.accessBytes);
    int64_t units = isBlock ? 1 : costs.blockThreads / costs.warpThreads;
    if (!isShared) {
      // What an earlier stage has there is not needed any more.
      b.setInsertionPointToStart(&stage.getBody().front());
      DeviceBuilder(b, memory.getLoc(), costs).syncBlock();
      // Products have theirs at the beginning.
      if (isBlock)
        used = llvm::alignTo(productBytes(), 128);
      isShared = true;
    }
    int64_t begin = used;
    used += bytes * units;
    reserveShared(stage->getParentOfType<ModuleOp>(), used);
    b.setInsertionPoint(memory);
    DeviceBuilder device(b, memory.getLoc(), costs);
    Value offset = device.index(begin);
    if (!isBlock)
      offset = device.add(offset,
                          device.multiply(device.warp(), device.index(bytes)));
    memory.replaceAllUsesWith(device.shared(type, offset));
    memory.erase();
  }

  void spreadLinalg(linalg::LinalgOp op) {
    Elements elements(b, op, costs);
    auto product = isBlock ? dyn_cast<linalg::MatmulOp>(*op) : nullptr;
    bool isProduct = product && products.contains(product);
    if (!isProduct && !elements.canSpread())
      return byOne(op);
    syncBefore(op);
    b.setInsertionPoint(op);
    DeviceBuilder device(b, op.getLoc(), costs);
    ProductStart start = products.lookup(op);
    if (isProduct)
      emitProduct(b, product, start, costs);
    else
      spreadElements(elements, op, device);
    sync(device);
    // Another op may get the address.
    products.erase(op);
    replaced.erase(start.replaced);
    if (start.replaced)
      start.replaced->erase();
    op->erase();
  }

  void spreadElements(Elements &elements, linalg::LinalgOp op,
                      DeviceBuilder &device) {
    Value count = elements.count();
    unsigned numLoops = op.getNumLoops();
    bool isRow =
        numLoops != 0 && elements.canReduceTogether() &&
        op.getIteratorTypesArray().back() == utils::IteratorType::reduction;
    int64_t threads = isBlock ? costs.blockThreads : costs.warpThreads;
    if (isRow)
      elements.emitTogether(isBlock ? device.warp() : device.index(0), count,
                            device.index(threads / costs.warpThreads));
    else if (isBlock && elements.isMatrix())
      elements.emitRows(device.warp(),
                        device.index(threads / costs.warpThreads));
    else
      elements.emit(isBlock ? device.thread() : device.lane(), count,
                    device.index(threads));
  }

  void byOne(Operation *op) {
    syncBefore(op);
    b.setInsertionPoint(op);
    Location loc = op->getLoc();
    DeviceBuilder device(b, loc, costs);
    Value number = isBlock ? device.thread() : device.lane();
    Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          number, device.index(0));
    auto branch = scf::IfOp::create(b, loc, isFirst);
    sync(device);
    op->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
  }

  void sync(DeviceBuilder &device) {
    isBlock ? device.syncBlock() : device.syncWarp();
  }

  /// What other threads of the unit have read is read before it changes.
  void syncBefore(Operation *op) {
    Operation *before = op->getPrevNode();
    while (before && (isMemoryEffectFree(before) || replaced.contains(before)))
      before = before->getPrevNode();
    if (isBlock ? DeviceBuilder::isSyncBlock(before)
                : DeviceBuilder::isSyncWarp(before))
      return;
    b.setInsertionPoint(op);
    DeviceBuilder device(b, op->getLoc(), costs);
    sync(device);
  }

  rt::ParallelOp stage;
  bool isBlock;
  const TargetCosts &costs;
  OpBuilder b;
  /// Bytes of the block's memory that are taken.
  int64_t used = 0;
  bool isShared = false;
  DenseMap<Operation *, ProductStart> products;
  DenseSet<Operation *> replaced;
};
} // namespace

void cambium::spreadOverLanes(Block &block, rt::ParallelOp stage,
                              const TargetCosts &costs) {
  Spreader(stage, rt::Unit::Warp, costs).spread(block);
}

void cambium::spreadOverBlock(Block &block, rt::ParallelOp stage,
                              const TargetCosts &costs) {
  Spreader(stage, rt::Unit::Block, costs).spread(block);
}

void cambium::keepOnThread(Block &block) {
  SmallVector<rt::ForEachOp> loops;
  block.walk<WalkOrder::PreOrder>(
      [&](rt::ForEachOp loop) { loops.push_back(loop); });
  for (rt::ForEachOp loop : loops)
    rt::lowerToFor(loop);
}
