//===-- Derivatives.cpp - Derivatives of train operations -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Train/Derivatives/Derivatives.h"
#include "cambium/Interfaces/DifferentiableOpInterface.h"
#include "cambium/Interfaces/TrainingOpInterface.h"
#include "cambium/Interfaces/VJPBuilder.h"
#include "dialects/Train/IR/Train.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::train;

namespace {
struct WatchDerivative
    : DifferentiableOpInterface::ExternalModel<WatchDerivative, WatchOp> {
  LogicalResult buildVJP(Operation *operation, VJPBuilder &b) const {
    auto op = cast<WatchOp>(operation);
    if (b.wants(op.getInput()))
      b.add(op.getInput(), b.cotangent(op.getResult()));
    return success();
  }
};

struct StopGradientTraining
    : TrainingOpInterface::ExternalModel<StopGradientTraining, StopGradientOp> {
  bool isConstantForGradients(Operation *) const { return true; }
  bool actsIn(Operation *, bool) const { return false; }
  void endTraining(Operation *op) const {
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  }
};
} // namespace

void train::registerDerivativeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TrainDialect *) {
    WatchOp::attachInterface<WatchDerivative>(*context);
    StopGradientOp::attachInterface<StopGradientTraining>(*context);
  });
}
