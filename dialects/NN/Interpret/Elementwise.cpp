//===-- Elementwise.cpp - Parameters and elementwise operations ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretElementwise.h"
#include "dialects/NN/IR/NN.h"
#include "dialects/NN/Interpret/Interpret.h"
#include "dialects/NN/Interpret/Models.h"
#include <cmath>

using namespace mlir;
using namespace cambium;
using namespace cambium::nn;

namespace {

struct UseModel : InterpretableOpInterface::ExternalModel<UseModel, UseOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto use = cast<UseOp>(op);
    FailureOr<RuntimeValue> value =
        interpreter.getParameter(op, use.getParam());
    if (failed(value))
      return failure();
    interpreter.bind(use, *value);
    return success();
  }
};

/// An elementwise op that has attributes.
template <typename Model, typename Op>
struct AttributedModel : InterpretableOpInterface::ExternalModel<Model, Op> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    Tensor result = interpreter.getTensor(op->getOperand(0));
    for (int64_t e = 0, n = result.getNumElements(); e < n; ++e)
      result.f(e) = Model::compute(cast<Op>(op), result.f(e));
    return interpreter.set(op->getResult(0), std::move(result));
  }
};

struct LeakyReluModel : AttributedModel<LeakyReluModel, LeakyReluOp> {
  static double compute(LeakyReluOp op, double x) {
    return x > 0 ? x : op.getSlope().convertToDouble() * x;
  }
};

struct GeluModel : AttributedModel<GeluModel, GeluOp> {
  static double compute(GeluOp op, double x) {
    if (op.getTanh())
      return 0.5 * x *
             (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
  }
};
} // namespace

void cambium::nn::attachElementwiseMeaning(MLIRContext *context) {
  UseOp::attachInterface<UseModel>(*context);
  attachModel<SigmoidOp, UnaryModel,
              [](double x) { return 1 / (1 + std::exp(-x)); }>(context);
  attachModel<ReluOp, UnaryModel, [](double x) {
    return std::isnan(x) ? x : std::fmax(x, 0.0);
  }>(context);
  LeakyReluOp::attachInterface<LeakyReluModel>(*context);
  GeluOp::attachInterface<GeluModel>(*context);
}

void cambium::nn::registerInterpretModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, NNDialect *) {
    attachElementwiseMeaning(context);
    attachProductMeaning(context);
    attachDimensionMeaning(context);
    attachShapeMeaning(context);
    attachEachMeaning(context);
    attachPairMeaning(context);
    attachLossMeaning(context);
    attachAttentionMeaning(context);
    attachRowMeaning(context);
    attachSelectMeaning(context);
    attachRandomMeaning(context);
  });
}
