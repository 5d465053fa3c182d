//===-- Random.cpp - Derivatives of ops that draw numbers -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Rule.h"
#include "cambium/Interfaces/TrainingOpInterface.h"
#include "dialects/NN/IR/ConstantLike.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {
struct DropoutRule : Rule<DropoutRule, DropoutOp> {
  // The same mask again: it is a function of the keys.
  static void build(DropoutOp op, Location loc, Value dy, VJPBuilder &b) {
    if (!b.wants(op.getInput()))
      return;
    Value keys = op.getKeys() ? b.value(op.getKeys()) : Value();
    b.add(op.getInput(),
          b.create<DropoutOp>(loc, dy, keys, op.getRateAttr(), op.getIdAttr()));
  }
};

struct DropoutTraining
    : TrainingOpInterface::ExternalModel<DropoutTraining, DropoutOp> {
  bool actsIn(Operation *, bool isStep) const { return isStep; }
  void endTraining(Operation *op) const {
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  }
};

struct RandomTraining
    : TrainingOpInterface::ExternalModel<RandomTraining, RandomOp> {
  bool isConstantForGradients(Operation *) const { return true; }
  bool actsIn(Operation *op, bool isStep) const {
    return isStep || !cast<RandomOp>(op).getTraining();
  }
  void endTraining(Operation *operation) const {
    auto op = cast<RandomOp>(operation);
    OpBuilder builder(op);
    Value zeros =
        constantLike(builder, op.getLoc(), op.getType(), op.getKeys(), 0.0);
    op.replaceAllUsesWith(zeros);
    op.erase();
  }
};
} // namespace

void nn::attachRandomRules(MLIRContext &context) {
  DropoutOp::attachInterface<DropoutRule>(context);
  DropoutOp::attachInterface<DropoutTraining>(context);
  RandomOp::attachInterface<RandomTraining>(context);
}
