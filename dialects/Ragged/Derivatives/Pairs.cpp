//===-- Pairs.cpp - Derivatives of rows with rows -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scores and sums of pairs are closed under derivation: those of scores are
// sums with the scores' cotangents as weights, those of sums are scores and
// sums. So there are derivatives of any order.
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/DifferentiableOpInterface.h"
#include "cambium/Interfaces/VJPBuilder.h"
#include "dialects/Ragged/Derivatives/Derivatives.h"
#include "dialects/Ragged/IR/Ragged.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::ragged;

namespace {
struct PairScoresRule
    : DifferentiableOpInterface::ExternalModel<PairScoresRule, PairScoresOp> {
  LogicalResult buildVJP(Operation *operation, VJPBuilder &b) const {
    auto op = cast<PairScoresOp>(operation);
    Location loc = op.getLoc();
    Value dy = b.cotangent(op.getResult()), pairs = b.value(op.getPairs()),
          rows = b.value(op.getRows()), others = b.value(op.getOthers());
    if (b.wants(op.getLhs()))
      b.add(op.getLhs(),
            b.create<PairSumOp>(loc, dy, b.value(op.getRhs()), pairs, rows,
                                others, /*transposed=*/false));
    if (b.wants(op.getRhs()))
      b.add(op.getRhs(),
            b.create<PairSumOp>(loc, dy, b.value(op.getLhs()), pairs, rows,
                                others, /*transposed=*/true));
    return success();
  }
};

struct PairSumRule
    : DifferentiableOpInterface::ExternalModel<PairSumRule, PairSumOp> {
  LogicalResult buildVJP(Operation *operation, VJPBuilder &b) const {
    auto op = cast<PairSumOp>(operation);
    Location loc = op.getLoc();
    Value dy = b.cotangent(op.getResult()), pairs = b.value(op.getPairs()),
          rows = b.value(op.getRows()), others = b.value(op.getOthers());
    if (b.wants(op.getInput()))
      b.add(op.getInput(),
            b.create<PairSumOp>(loc, b.value(op.getWeights()), dy, pairs, rows,
                                others, !op.getTransposed()));
    if (!b.wants(op.getWeights()))
      return success();
    Value input = b.value(op.getInput());
    if (op.getTransposed())
      std::swap(dy, input);
    b.add(op.getWeights(),
          b.create<PairScoresOp>(loc, dy, input, pairs, rows, others));
    return success();
  }
};
} // namespace

void ragged::attachPairRules(MLIRContext &context) {
  PairScoresOp::attachInterface<PairScoresRule>(context);
  PairSumOp::attachInterface<PairSumRule>(context);
}
