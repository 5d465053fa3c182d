//===-- WatchStages.cpp - Barriers that take times ------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "StageText.h"
#include "cambium/Kernels/Passes.h"
#include "dialects/RT/IR/RT.h"
#include "dialects/RT/IR/Status.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace cambium {
#define GEN_PASS_DEF_WATCHSTAGES
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

namespace {
/// Stages since the last barrier.
using Open = llvm::SetVector<Operation *>;

/// Finds what runs before each barrier of an entry.
class StageFinder {
public:
  explicit StageFinder(func::FuncOp entry) : entry(entry) {}

  /// By barrier, in the order of the code.
  llvm::MapVector<Operation *, Open> ended;

  void run() {
    Open open;
    visit(entry.getBody(), open);
  }

  /// Adds barriers, so that what a loop does is apart from what is before and
  /// behind it.
  void separate() {
    Block &body = entry.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&body);
    rt::BarrierOp::create(builder, entry.getLoc());
    Open open;
    separate(entry.getBody(), open);
    builder.setInsertionPoint(body.getTerminator());
    if (!open.empty())
      rt::BarrierOp::create(builder, entry.getLoc());
  }

private:
  static bool holdsBarrier(Operation *op) {
    return op->walk([](rt::BarrierOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  }

  void end(OpBuilder builder, Location loc, Open &open) {
    if (!open.empty())
      added = rt::BarrierOp::create(builder, loc);
    open.clear();
  }

  /// Whether nothing runs between a barrier and one that was added.
  bool isSame(Operation *op, const Open &open) const {
    return isa<rt::BarrierOp>(op) && open.empty() && added &&
           added->getBlock() == op->getBlock();
  }

  void separate(Region &region, Open &open) {
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(block)) {
        if (isSame(&op, open)) {
          op.erase();
          continue;
        }
        if (op.getNumRegions() == 0 || !holdsBarrier(&op)) {
          visit(&op, open);
          added = open.empty() ? added : nullptr;
          continue;
        }
        end(OpBuilder(&op), op.getLoc(), open);
        added = nullptr;
        for (Region &inner : op.getRegions())
          separate(inner, open);
        OpBuilder behind(&op);
        behind.setInsertionPointAfter(&op);
        end(behind, op.getLoc(), open);
      }
  }

  void visit(Region &region, Open &open) {
    for (Block &block : region)
      for (Operation &op : block)
        visit(&op, open);
  }

  void visit(Operation *op, Open &open) {
    if (isa<rt::BarrierOp>(op)) {
      ended[op].insert_range(open);
      open.clear();
    } else if (isa<rt::ParallelOp>(op)) {
      open.insert(op);
    } else if (isa<scf::IfOp>(op)) {
      branch(op, open);
    } else if (op->getNumRegions() != 0) {
      loop(op, open);
    }
  }

  void branch(Operation *op, Open &open) {
    Open after = open;
    for (Region &region : op->getRegions()) {
      Open one = open;
      visit(region, one);
      after.insert_range(one);
    }
    open = std::move(after);
  }

  /// An iteration may follow another one, or none.
  void loop(Operation *op, Open &open) {
    size_t before;
    do {
      before = open.size();
      Open one = open;
      for (Region &region : op->getRegions())
        visit(region, one);
      open.insert_range(one);
    } while (open.size() != before);
  }

  func::FuncOp entry;
  /// The barrier that was added, while nothing has run since.
  Operation *added = nullptr;
};

struct WatchStages : cambium::impl::WatchStagesBase<WatchStages> {
  using WatchStagesBase::WatchStagesBase;

  void runOnOperation() override {
    if (!time && limit <= 0)
      return;
    SymbolTable symbols(getOperation());
    for (auto described : getOperation().getOps<rt::DeviceEntryOp>())
      watch(symbols.lookup<func::FuncOp>(described.getName()), described);
  }

  void watch(func::FuncOp entry, rt::DeviceEntryOp described) {
    if (time)
      StageFinder(entry).separate();
    StageFinder finder(entry);
    finder.run();
    OpBuilder builder(entry.getContext());
    SmallVector<std::string> names;
    for (const auto &[barrier, stages] : finder.ended) {
      std::string text = describeStage(stages.getArrayRef());
      names.push_back(!text.empty()   ? text
                      : names.empty() ? "all blocks start"
                                      : "control");
    }
    if (limit > 0)
      addLimits(finder, described, names);
    if (!time)
      return;
    for (auto [i, found] : llvm::enumerate(finder.ended))
      cast<rt::BarrierOp>(found.first).setStage(i);
    SmallVector<StringRef> texts(names.begin(), names.end());
    described.setStagesAttr(builder.getStrArrayAttr(texts));
  }

  /// Failures of barriers stand behind the others.
  void addLimits(StageFinder &finder, rt::DeviceEntryOp described,
                 ArrayRef<std::string> names) {
    SmallVector<int32_t> statuses(described.getStatuses());
    SmallVector<Attribute> texts(described.getTexts().getValue());
    Builder builder(described.getContext());
    for (auto [found, name] : llvm::zip_equal(finder.ended, names)) {
      statuses.push_back(static_cast<int32_t>(rt::Status::DeviceError));
      texts.push_back(builder.getStringAttr("blocks waited longer than " +
                                            Twine(limit) +
                                            " ms for others behind: " + name));
      auto barrier = cast<rt::BarrierOp>(found.first);
      barrier.setLimit(limit);
      barrier.setFailure(statuses.size());
    }
    described.setStatuses(statuses);
    described.setTextsAttr(builder.getArrayAttr(texts));
  }
};
} // namespace
