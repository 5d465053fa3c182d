//===-- ParallelizeLoops.cpp - Iterations that run at once ---------------===//
//--------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Kernels/Passes.h"
#include "cambium/Support/IndependentLoops.h"
#include "dialects/RT/IR/RT.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

namespace cambium {
#define GEN_PASS_DEF_PARALLELIZELOOPS
#include "cambium/Kernels/Passes.h.inc"
} // namespace cambium

using namespace mlir;
using namespace cambium;

/// Whether `loop` counts from zero, by one, and gives no values.
static bool isCounting(scf::ForOp loop) {
  return loop->getNumResults() == 0 &&
         matchPattern(loop.getLowerBound(), m_Zero()) &&
         matchPattern(loop.getStep(), m_One());
}

static IntegerAttr grainOf(scf::ForOp loop) {
  auto grain = loop->getAttrOfType<IntegerAttr>(kIndependentAttr);
  return grain && grain.getInt() > 0 ? grain : IntegerAttr();
}

static void parallelize(scf::ForOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  auto parallel = rt::ParallelOp::create(builder, loc, loop.getUpperBound(),
                                         grainOf(loop).getInt());
  Type index = builder.getIndexType();
  Block *body =
      builder.createBlock(&parallel.getBody(), {}, {index, index}, {loc, loc});
  rt::YieldOp::create(builder, loc);
  loop->moveBefore(body, body->begin());
  loop.setLowerBound(body->getArgument(0));
  loop.setUpperBound(body->getArgument(1));
  loop->removeAttr(kIndependentAttr);
}

namespace {
struct ParallelizeLoops
    : cambium::impl::ParallelizeLoopsBase<ParallelizeLoops> {
  using ParallelizeLoopsBase::ParallelizeLoopsBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (!grainOf(loop) || !isCounting(loop))
        return WalkResult::advance();
      loops.push_back(loop);
      return WalkResult::skip();
    });
    for (scf::ForOp loop : loops)
      parallelize(loop);
  }
};
} // namespace
