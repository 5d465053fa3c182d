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

static IntegerAttr elementsOf(scf::ForOp loop) {
  auto elements = loop->getAttrOfType<IntegerAttr>(kIndependentAttr);
  return elements && elements.getInt() >= 0 ? elements : IntegerAttr();
}

static void parallelize(scf::ForOp loop, const TargetCosts &costs) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  int64_t elements = elementsOf(loop).getInt();
  int64_t grain = elements ? llvm::divideCeil(costs.rowWork, elements) : 1;
  auto parallel =
      rt::ParallelOp::create(builder, loc, loop.getUpperBound(), grain);
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
      if (!elementsOf(loop) || !isCounting(loop))
        return WalkResult::advance();
      loops.push_back(loop);
      return WalkResult::skip();
    });
    TargetCosts costs = rt::getTargetCosts(getOperation());
    for (scf::ForOp loop : loops)
      parallelize(loop, costs);
  }
};
} // namespace
