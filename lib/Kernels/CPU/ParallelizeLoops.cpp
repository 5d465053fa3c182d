//===-- ParallelizeLoops.cpp - Iterations that run at once ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Kernels/Passes.h"
#include "dialects/RT/IR/ForEach.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace cambium {
#define GEN_PASS_DEF_PARALLELIZELOOPS
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

/// The block around `op` that one thread executes once: that of a chunk, or of
/// the function.
static Block *threadBlock(Operation *op) {
  while (!isa<rt::ParallelOp, FunctionOpInterface>(op->getParentOp()))
    op = op->getParentOp();
  return op->getBlock();
}

/// Gives a thread one memory for the iterations that it executes one by one.
static void shareInThread(rt::ForEachOp loop, Block *thread) {
  auto own = loop.getBody().getOps<memref::AllocaOp>();
  for (memref::AllocaOp memory : llvm::make_early_inc_range(own))
    memory->moveBefore(thread, thread->begin());
}

static void parallelize(rt::ForEachOp loop, const TargetCosts &costs) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  std::optional<uint64_t> work = loop.getWork();
  int64_t grain = work ? llvm::divideCeil(costs.rowWork, *work) : 1;
  auto parallel = rt::ParallelOp::create(builder, loc, loop.getCount(), grain);
  Type index = builder.getIndexType();
  Block *body =
      builder.createBlock(&parallel.getBody(), {}, {index, index}, {loc, loc});
  rt::YieldOp::create(builder, loc);
  loop->moveBefore(body, body->begin());
  shareInThread(loop, body);
  rt::lowerToFor(loop, body->getArgument(0), body->getArgument(1));
}

namespace {
struct ParallelizeLoops
    : cambium::impl::ParallelizeLoopsBase<ParallelizeLoops> {
  using ParallelizeLoopsBase::ParallelizeLoopsBase;

  void runOnOperation() override {
    if (failed(rt::verifyOnMemory(getOperation())))
      return signalPassFailure();
    // Outer ones first: what is inside of a chunk is one thread's.
    SmallVector<rt::ForEachOp> loops;
    getOperation()->walk<WalkOrder::PreOrder>(
        [&](rt::ForEachOp loop) { loops.push_back(loop); });
    TargetCosts costs = rt::getTargetCosts(getOperation());
    for (rt::ForEachOp loop : loops) {
      if (!rt::isInParallel(loop)) {
        parallelize(loop, costs);
        continue;
      }
      shareInThread(loop, threadBlock(loop));
      rt::lowerToFor(loop);
    }
  }
};
} // namespace
