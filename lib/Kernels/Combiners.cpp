//===-- Combiners.cpp - What combines the values of a reduction
//-------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Combiners.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

SmallVector<Operation *> cambium::findCombiners(linalg::LinalgOp op) {
  SmallVector<Operation *> combiners;
  auto outs = op.getRegionOutputArgs();
  for (unsigned i = 0; i < outs.size(); ++i) {
    SmallVector<Operation *> ops;
    Value combined = matchReduction(outs, i, ops);
    if (!combined || ops.size() != 1 ||
        !isa<arith::AddFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::AddIOp>(ops[0]))
      return {};
    // The combining op must be the last one, or the other ops would see parts.
    if (op.getBlock()->getTerminator()->getOperand(i) != ops[0]->getResult(0) ||
        !outs[i].hasOneUse())
      return {};
    combiners.push_back(ops[0]);
  }
  return combiners;
}
