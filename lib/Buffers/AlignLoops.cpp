//===-- AlignLoops.cpp - Results of loops beside what they begin with -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AlignLoops.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace cambium;

static void alignLoop(scf::WhileOp loop, IRRewriter &rewriter) {
  scf::ConditionOp condition = loop.getConditionOp();
  // What an iteration begins with, then what is computed to decide.
  SmallVector<Value> passed(loop.getBeforeArguments());
  SmallVector<size_t> places;
  for (Value value : condition.getArgs()) {
    auto found = llvm::find(passed, value);
    places.push_back(found - passed.begin());
    if (found == passed.end())
      passed.push_back(value);
  }
  if (ValueRange(passed) == ValueRange(condition.getArgs()))
    return;
  rewriter.setInsertionPoint(loop);
  auto aligned = scf::WhileOp::create(rewriter, loop.getLoc(),
                                      TypeRange(passed), loop.getInits());
  condition.getArgsMutable().assign(passed);
  aligned.getBefore().takeBody(loop.getBefore());
  aligned.getAfter().takeBody(loop.getAfter());
  Block *after = aligned.getAfterBody();
  for (Value value : passed)
    after->addArgument(value.getType(), value.getLoc());
  for (auto [i, place] : llvm::enumerate(places)) {
    after->getArgument(i).replaceAllUsesWith(
        after->getArgument(places.size() + place));
    loop.getResult(i).replaceAllUsesWith(aligned.getResult(place));
  }
  after->eraseArguments(0, places.size());
  rewriter.eraseOp(loop);
}

void cambium::alignLoops(Operation *op) {
  SmallVector<scf::WhileOp> loops;
  op->walk([&](scf::WhileOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(op->getContext());
  for (scf::WhileOp loop : loops)
    alignLoop(loop, rewriter);
}
