//===-- FormStages.cpp - What all threads do together, and what each does -===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceBuilder.h"
#include "Stages.h"
#include "cambium/Kernels/Passes.h"
#include "cambium/Support/Remarks.h"
#include "dialects/RT/IR/ForEach.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace cambium {
#define GEN_PASS_DEF_FORMSTAGES
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

static constexpr StringLiteral kFlag = "kernels-form-stages";

/// Elements that a linalg op moves, or nothing if that is known only later.
static std::optional<int64_t> sizeOf(linalg::LinalgOp op) {
  int64_t size = 1;
  for (int64_t range : op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(range))
      return std::nullopt;
    size *= range;
  }
  return size;
}

namespace {
class StageFormer {
public:
  StageFormer(func::FuncOp entry, const TargetCosts &costs)
      : entry(entry), costs(costs), b(entry.getContext()) {}

  LogicalResult run() { return form(entry.getBody().front()); }

private:
  LogicalResult form(Block &block) {
    // What products make superfluous, they erase.
    DenseSet<Operation *> starts;
    for (auto op : block.getOps<linalg::MatmulOp>())
      if (classifyProduct(op))
        starts.insert(findStart(op).replaced);
    for (Operation &op : llvm::make_early_inc_range(block))
      if (!starts.erase(&op) && failed(form(&op)))
        return failure();
    return success();
  }

  LogicalResult form(Operation *op) {
    // What the runtime would make for the host.
    bool isMade =
        op->hasTrait<rt::NeedsEntry>() &&
        llvm::any_of(op->getResultTypes(),
                     llvm::IsaPred<ragged::RowsType, ragged::ForestType>);
    if (isMade || isa<func::CallOp, memref::AllocOp, memref::AllocaOp>(op))
      return op->emitOpError("expected an op that GPU code can be made of");
    // All threads know of their memory and of failures. The stages that stand
    // there already make rows and forests.
    if (op->hasTrait<rt::NeedsEntry>() || !mayWrite(op))
      return success();
    if (auto loop = dyn_cast<rt::ForEachOp>(op))
      return formIterations(loop), success();
    if (auto product = dyn_cast<linalg::MatmulOp>(op))
      if (spreadProduct(product, costs))
        return success();
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      return spreadElements(linalgOp, costs), success();
    if (op->getNumRegions() == 0)
      return formSequence(op);
    if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
      return op->emitOpError("expected a loop or a branch");
    if (isSmall(op))
      return formSequence(op);
    // All threads go through it; what it does is spread.
    for (Region &region : op->getRegions())
      for (Block &inner : region)
        if (failed(form(inner)))
          return failure();
    return success();
  }

  /// Whether iterations need nothing but a warp: they are short, and what they
  /// do cannot be spread further.
  bool isSmall(Operation *loop) {
    return !loop->walk([&](Operation *op) {
                  if (isa<linalg::MatmulOp, rt::ForEachOp>(op) ||
                      op->hasTrait<rt::NeedsEntry>())
                    return WalkResult::interrupt();
                  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
                  if (!linalgOp)
                    return WalkResult::advance();
                  std::optional<int64_t> size = sizeOf(linalgOp);
                  return size && *size <= costs.oneWarpWork
                             ? WalkResult::skip()
                             : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  /// Whether an iteration is worth a warp.
  bool isWide(rt::ForEachOp loop) {
    if (std::optional<uint64_t> work = loop.getWork())
      if (*work < static_cast<uint64_t>(costs.warpWork) &&
          loop.getBody().getOps<memref::AllocaOp>().empty())
        return false;
    return loop
        ->walk([&](Operation *op) {
          bool shares = isa<linalg::LinalgOp, memref::AllocaOp>(op);
          return shares ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  /// A unit executes an iteration.
  void formIterations(rt::ForEachOp loop) {
    rt::Unit unit = rt::isForBlocks(loop) ? rt::Unit::Block
                    : isWide(loop)        ? rt::Unit::Warp
                                          : rt::Unit::Thread;
    b.setInsertionPoint(loop);
    Value number = beginStage(b, loop.getLoc(), loop.getCount(), unit, costs);
    Block *body = b.getInsertionBlock();
    Block &old = loop.getBody().front();
    loop.getNumber().replaceAllUsesWith(number);
    body->getOperations().splice(body->begin(), old.getOperations(),
                                 old.begin(), std::prev(old.end()));
    loop.erase();
    finish(*body, unit);
  }

  void finish(Block &body, rt::Unit unit) {
    if (unit == rt::Unit::Thread)
      return keepOnThread(body);
    auto stage = cast<rt::ParallelOp>(body.getParentOp()->getParentOp());
    unit == rt::Unit::Block ? spreadOverBlock(body, stage, costs)
                            : spreadOverLanes(body, stage, costs);
  }

  /// One warp executes the op, or one thread what has no parts. Its results
  /// go through memory.
  LogicalResult formSequence(Operation *op) {
    for (Type type : op->getResultTypes())
      if (!type.isIntOrIndexOrFloat())
        return op->emitOpError("expected numbers as results, but got ") << type;
    bool isOne = op->getNumRegions() == 0;
    if (!isOne)
      remarkMissed(op, kFlag) << remark::reason("one warp executes it");
    b.setInsertionPointToStart(&entry.getBody().front());
    SmallVector<Value> words;
    for (Type type : op->getResultTypes()) {
      Type stored = type.isIndex() ? b.getI64Type() : type;
      words.push_back(rt::AllocOp::create(
          b, op->getLoc(), MemRefType::get({}, stored), ValueRange()));
    }
    b.setInsertionPoint(op);
    Location loc = op->getLoc();
    rt::Unit unit = isOne ? rt::Unit::Thread : rt::Unit::Warp;
    beginStage(b, loc, DeviceBuilder(b, loc, costs).index(1), unit, costs);
    Block *body = b.getInsertionBlock();
    Operation *stage = body->getParentOp()->getParentOp();
    op->moveBefore(body, body->begin());
    b.setInsertionPointAfter(stage);
    for (auto [result, word] : llvm::zip_equal(op->getResults(), words)) {
      Value value = memref::LoadOp::create(b, loc, word);
      if (result.getType().isIndex())
        value = arith::IndexCastOp::create(b, loc, result.getType(), value);
      result.replaceAllUsesWith(value);
    }
    b.setInsertionPointAfter(op);
    for (auto [result, word] : llvm::zip_equal(op->getResults(), words)) {
      Value value = result;
      if (result.getType().isIndex())
        value = arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
      memref::StoreOp::create(b, loc, value, word);
    }
    finish(*body, unit);
    return success();
  }

  func::FuncOp entry;
  const TargetCosts &costs;
  OpBuilder b;
};

struct FormStages : cambium::impl::FormStagesBase<FormStages> {
  using FormStagesBase::FormStagesBase;

  void runOnOperation() override {
    if (failed(rt::verifyOnMemory(getOperation())))
      return signalPassFailure();
    TargetCosts costs = rt::getTargetCosts(getOperation());
    for (auto entry : getOperation().getOps<func::FuncOp>())
      if (rt::isEntry(entry) && failed(StageFormer(entry, costs).run()))
        return signalPassFailure();
  }
};
} // namespace
