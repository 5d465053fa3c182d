//===-- KeptWeights.cpp - Weights that stay in a block's memory -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop has one plan of the block's memory: first what its stages use while
// they are executed, behind it what is kept. So nothing that stands in the loop
// writes to what is kept.
//
//===----------------------------------------------------------------------===//
#include "KeptWeights.h"
#include "ProductMath.h"
#include "RowTiles.h"
#include "TensorTiles.h"
#include "cambium/Support/Remarks.h"
#include "dialects/RT/IR/ForEach.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace cambium;

static constexpr StringLiteral kKeepFlag = "kernels-fuse-rows";

namespace {
/// What is kept in a loop, or a branch, of an entry's top level.
class LoopPlan {
public:
  LoopPlan(Operation *top, const TargetCosts &costs, int64_t limit)
      : top(top), costs(costs), limit(limit) {}

  void add(RowGroup *group) { groups.push_back(group); }
  void make();

private:
  void findCandidates();
  bool fit(RowGroup *group, int64_t &used);
  bool fitAll();
  int64_t scratchOfOthers();
  int64_t bytesOf(Operation *product, int64_t columnSteps);

  Operation *top;
  const TargetCosts &costs;
  int64_t limit;
  SmallVector<RowGroup *> groups, candidates;
  DenseMap<RowGroup *, SmallVector<Operation *>> products;
};
} // namespace

/// Products whose right operand is the same in all iterations.
void LoopPlan::findCandidates() {
  DenseMap<Operation *, Accesses> written;
  for (RowGroup *group : groups) {
    auto loop = dyn_cast<scf::ForOp>(group->getOps().front().op->getParentOp());
    if (!loop)
      continue;
    auto [accesses, isNew] = written.try_emplace(loop);
    if (isNew)
      accesses->second = Accesses::of(loop);
    SmallVector<Operation *> found;
    for (const RowOp &op : group->getOps()) {
      Value right = op.isProduct() ? op.op->getOperand(1) : Value();
      if (right && cast<MemRefType>(right.getType()).hasStaticShape() &&
          loop.isDefinedOutsideOfLoop(right) &&
          // Tensor cores take slices that are rounded.
          mathOf(cast<linalg::MatmulOp>(op.op), costs).math == rt::Math::F32 &&
          !accesses->second.writesTo(Memory::of(right)))
        found.push_back(op.op);
    }
    if (found.empty())
      continue;
    KeptWeights kept;
    kept.columnSteps = group->chooseColumnSteps(costs);
    kept.loop = loop;
    for (Operation *op : found)
      kept.places[op] = 0;
    group->keep(kept);
    candidates.push_back(group);
    products[group] = found;
  }
}

int64_t LoopPlan::bytesOf(Operation *product, int64_t columnSteps) {
  auto type = cast<MemRefType>(product->getOperand(0).getType());
  Type element = type.getElementType();
  MemRefType kept = keptType(element, type.getDimSize(1), columnSteps, costs);
  return kept.getNumElements() * (element.getIntOrFloatBitWidth() / 8);
}

/// What stages of one op each use, at most.
int64_t LoopPlan::scratchOfOthers() {
  DenseSet<Operation *> grouped;
  for (RowGroup *group : groups)
    for (const RowOp &op : group->getOps())
      grouped.insert(op.op);
  int64_t steps = costs.blockTile / costs.blockSide;
  int64_t units = costs.blockThreads / costs.warpThreads;
  int64_t tile = 0, own = 0;
  top->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (grouped.contains(op))
      return WalkResult::skip();
    if (isa<linalg::MatmulOp>(op)) {
      Type f64 = Float64Type::get(op->getContext());
      tile = sharedBytes(f64, steps, steps, costs);
      if (rt::getMath(op) != rt::Math::F32)
        tile = std::max(tile, tensorBytes(steps, steps, costs));
      tile = llvm::alignTo(tile, costs.accessBytes);
    } else if (auto memory = dyn_cast<memref::AllocaOp>(op)) {
      MemRefType type = memory.getType();
      int64_t bytes = type.getNumElements() *
                      llvm::divideCeil(type.getElementTypeBitWidth(), 8);
      own += llvm::alignTo(bytes, costs.accessBytes) * units;
    }
    return WalkResult::advance();
  });
  return tile + own;
}

/// Places what the group keeps behind `used` bytes. Levels have few rows, so
/// that tiles may become narrower for it.
bool LoopPlan::fit(RowGroup *group, int64_t &used) {
  KeptWeights kept = group->getKept();
  bool mayNarrow = group->getOps().front().level.has_value();
  for (;; kept.columnSteps /= 2) {
    int64_t end = used;
    for (Operation *op : products[group]) {
      kept.places[op] = end;
      end += llvm::alignTo(bytesOf(op, kept.columnSteps), costs.accessBytes);
    }
    if (end <= limit) {
      used = end;
      group->keep(kept);
      return true;
    }
    if (kept.columnSteps == 1 || !mayNarrow)
      return false;
  }
}

/// Places all; if one does not fit, it is none any more.
bool LoopPlan::fitAll() {
  int64_t used = scratchOfOthers();
  for (RowGroup *group : groups)
    used = std::max(used, group->scratchBytes(costs));
  used = llvm::alignTo(used, costs.accessBytes);
  for (RowGroup *&group : candidates) {
    int64_t before = used;
    if (fit(group, used))
      continue;
    int64_t bytes = 0;
    for (Operation *op : products[group])
      bytes += bytesOf(op, group->getKept().columnSteps);
    remarkMissed(products[group].front(), kKeepFlag)
        << remark::reason("weights are read in each iteration: a block has "
                          "{0} bytes of them, and room for {1}",
                          bytes, limit - before);
    group->keep(KeptWeights());
    candidates.erase(&group);
    return false;
  }
  if (!candidates.empty())
    reserveShared(top->getParentOfType<ModuleOp>(), used);
  return true;
}

void LoopPlan::make() {
  findCandidates();
  while (!fitAll())
    ;
}

void cambium::keepWeights(func::FuncOp entry, ArrayRef<RowGroup *> groups,
                          const TargetCosts &costs) {
  rt::ProcessorAttr target = rt::getTarget(entry);
  if (!target)
    return;
  int64_t limit = TargetCosts::sharedBytes(target.getCpu().getValue());
  llvm::MapVector<Operation *, LoopPlan> plans;
  Block &body = entry.getBody().front();
  for (RowGroup *group : groups) {
    Operation *top = body.findAncestorOpInBlock(*group->getOps().front().op);
    plans.try_emplace(top, top, costs, limit).first->second.add(group);
  }
  for (auto &[top, plan] : plans)
    plan.make();
}
