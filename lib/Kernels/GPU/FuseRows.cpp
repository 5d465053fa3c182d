//===-- FuseRows.cpp - A block does what follows on the same rows ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RowTiles.h"
#include "cambium/Kernels/Passes.h"
#include "cambium/Support/UsedValues.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace cambium {
#define GEN_PASS_DEF_FUSEROWS
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// Ops of a block between those that keep their place.
class RowFuser {
public:
  explicit RowFuser(const TargetCosts &costs) : costs(costs) {}

  void add(Operation *op) { ops.push_back(op); }

  /// Makes groups, each as early as it can be, before `end`, and adds those
  /// whose ops need each other to `bound`.
  void fuse(Operation *end, std::vector<RowGroup> &bound) {
    for (Operation *op : ops) {
      members.insert(op);
      written.add(Accesses::of(op));
      if (isa<linalg::MatmulOp>(op))
        if (auto row = RowOp::of(op); row && row->start.replaced)
          starts.insert(row->start.replaced);
    }
    for (Operation *op : ops)
      if (!isPassive(op) && !starts.contains(op))
        place(op);
    for (Unit &unit : units) {
      for (Operation *op : unit.ops)
        moveNeeded(op, end);
      for (Operation *op : unit.ops)
        move(op, end);
    }
    for (Operation *op : ops)
      move(op, end);
    for (Unit &unit : units)
      if (unit.group && unit.group->isBound())
        bound.push_back(std::move(*unit.group));
  }

private:
  /// What stands together: a group, or an op of its own.
  struct Unit {
    std::optional<RowGroup> group;
    SmallVector<Operation *> ops;
    Accesses accesses;
  };

  /// Whether the op stands where its values are used.
  bool isPassive(Operation *op) {
    Accesses own = Accesses::of(op);
    return !own.hasWrites() && !written.conflictsWith(own);
  }

  /// The first unit that can stand behind all whose values the op needs.
  size_t behindValues(Operation *op) {
    size_t first = 0;
    for (Value value : getUsedValues(op)) {
      Operation *made = value.getDefiningOp();
      if (!members.contains(made))
        continue;
      auto known = behind.find(made);
      if (known == behind.end())
        known = behind.try_emplace(made, behindValues(made)).first;
      first = std::max(first, known->second);
    }
    return first;
  }

  void place(Operation *op) {
    std::optional<RowOp> row = RowOp::of(op);
    Accesses own = Accesses::of(op);
    if (row && row->start.replaced)
      own.add(Accesses::of(row->start.replaced));
    size_t first = behindValues(op);
    // The last one that it has memory with is one that it may join.
    for (size_t i = first; i < units.size(); ++i)
      if (units[i].accesses.conflictsWith(own))
        first = i;
    size_t at = first;
    for (; row && at < units.size(); ++at)
      if (units[at].group && units[at].group->add(*row, costs))
        break;
    if (!row || at == units.size()) {
      at = units.size();
      units.emplace_back();
      if (row) {
        units.back().group.emplace();
        if (!units.back().group->add(*row, costs))
          units.back().group.reset();
      }
    }
    Unit &unit = units[at];
    if (row && row->start.replaced)
      unit.ops.push_back(row->start.replaced);
    unit.ops.push_back(op);
    unit.accesses.add(own);
    behind[op] = at + 1;
  }

  void moveNeeded(Operation *op, Operation *end) {
    for (Value value : getUsedValues(op))
      if (Operation *made = value.getDefiningOp(); members.contains(made))
        move(made, end);
  }

  /// Moves the op, and what it needs before.
  void move(Operation *op, Operation *end) {
    if (!moved.insert(op).second)
      return;
    moveNeeded(op, end);
    op->moveBefore(end);
  }

  const TargetCosts &costs;
  SmallVector<Operation *> ops;
  Accesses written;
  SmallVector<Unit, 0> units;
  /// The first unit that can stand behind an op.
  DenseMap<Operation *, size_t> behind;
  DenseSet<Operation *> members, starts, moved;
};

struct FuseRows : cambium::impl::FuseRowsBase<FuseRows> {
  using FuseRowsBase::FuseRowsBase;
  void runOnOperation() override;
};
} // namespace

/// Whether what an op does to memory is known, and its place is free.
static bool isFree(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<rt::FailIfOp>(op))
    return false;
  // What all threads go through keeps its place.
  if (isa<scf::SCFDialect>(op->getDialect()) && op->getNumRegions() != 0)
    return false;
  return !op->walk([](Operation *inner) {
              // What a thread asks of the GPU stays in its stage.
              bool isKnown =
                  isMemoryEffectFree(inner) ||
                  isa<LLVM::CallIntrinsicOp, MemoryEffectOpInterface>(inner) ||
                  inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
              return isKnown ? WalkResult::advance() : WalkResult::interrupt();
            }).wasInterrupted();
}

/// Fuses in a block of a loop, and in those of the loops and branches in it.
static void fuseIn(Block &block, bool isInLoop, const TargetCosts &costs,
                   std::vector<RowGroup> &bound) {
  std::optional<RowFuser> fuser;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isFree(&op)) {
      if (!fuser)
        fuser.emplace(costs);
      fuser->add(&op);
      continue;
    }
    if (fuser && isInLoop)
      fuser->fuse(&op, bound);
    fuser.reset();
    if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
      continue;
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        fuseIn(inner, isInLoop || !isa<scf::IfOp>(op), costs, bound);
  }
}

static void fuseEntry(func::FuncOp entry, const TargetCosts &costs) {
  std::vector<RowGroup> groups;
  fuseIn(entry.getBody().front(), /*isInLoop=*/false, costs, groups);
  // All stages of a loop have one plan of a block's memory.
  keepWeights(entry, llvm::to_vector(llvm::make_pointer_range(groups)), costs);
  for (RowGroup &group : groups)
    (void)group.emit(entry, costs);
}

void FuseRows::runOnOperation() {
  TargetCosts costs = rt::getTargetCosts(getOperation());
  for (auto entry : getOperation().getOps<func::FuncOp>())
    if (rt::isEntry(entry))
      fuseEntry(entry, costs);
}
