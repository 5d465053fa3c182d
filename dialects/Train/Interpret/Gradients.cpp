//===-- Gradients.cpp - Gradients by differences -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `train.gradient` perturbs every element of the value where it is bound and
// evaluates what follows in its block up to the loss, in f64
// (FiniteDifferences.h). A value from outside of the loss's block is perturbed
// for that block alone: other values from outside are taken as they are.
// `train.stop_gradient` gives the value that it had without perturbation.
//
//===----------------------------------------------------------------------===//
#include "cambium/Interfaces/InterpretableOpInterface.h"
#include "dialects/Train/IR/Train.h"
#include "dialects/Train/Interpret/FiniteDifferences.h"
#include "dialects/Train/Interpret/Interpret.h"

using namespace mlir;
using namespace cambium;
using namespace cambium::train;

namespace {

/// The loss as a function of one value: the ops from `first` to `last`.
class LossOfValue {
public:
  LossOfValue(Interpreter &interpreter, Value loss, Value value)
      : interpreter(interpreter), loss(loss), value(value),
        last(loss.getDefiningOp()) {
    if (!last)
      return;
    Operation *definition = value.getDefiningOp();
    if (definition && definition->getBlock() == last->getBlock())
      first = definition->isBeforeInBlock(last) ? definition->getNextNode()
                                                : nullptr;
    else
      first = &last->getBlock()->front();
  }

  /// The gradient; all values are bound afterwards as they were before.
  FailureOr<Tensor> differentiate() {
    const Tensor original = interpreter.getTensor(value);
    Tensor gradient = Tensor::floats(original.getShape());
    if (loss == value)
      return Tensor::floats({}, 1);
    if (!first)
      return gradient;
    SmallVector<std::pair<Value, RuntimeValue>> saved{
        {value, interpreter.get(value)}};
    for (Operation *op = first; op != last->getNextNode();
         op = op->getNextNode())
      for (Value result : op->getResults())
        saved.push_back({result, interpreter.get(result)});
    LogicalResult computed = computeInDouble(original, gradient);
    for (auto &[result, contents] : saved)
      interpreter.bind(result, contents);
    if (failed(computed))
      return failure();
    return gradient;
  }

private:
  LogicalResult computeInDouble(const Tensor &original, Tensor &gradient) {
    Interpreter::DoubleScope inDouble(interpreter);
    {
      Interpreter::ConstantsScope scope(interpreter, constants,
                                        /*replay=*/false);
      if (failed(interpreter.runRange(first, last)))
        return failure();
    }
    for (int64_t e = 0, n = original.getNumElements(); e < n; ++e) {
      FailureOr<double> slope = cambium::differentiate(
          [&](double x) { return evaluate(original, e, x); }, original.f(e));
      if (failed(slope))
        return failure();
      gradient.f(e) = *slope;
    }
    return success();
  }

  /// The loss with element `e` of the value replaced by `x`.
  FailureOr<double> evaluate(const Tensor &original, int64_t e, double x) {
    Tensor perturbed = original;
    perturbed.f(e) = x;
    interpreter.bind(value, std::move(perturbed));
    Interpreter::ConstantsScope scope(interpreter, constants, /*replay=*/true);
    if (failed(interpreter.runRange(first, last)))
      return failure();
    return interpreter.getTensor(loss).f(0);
  }

  Interpreter &interpreter;
  Value loss, value;
  Operation *first = nullptr, *last;
  Interpreter::Constants constants;
};

struct GradientModel
    : InterpretableOpInterface::ExternalModel<GradientModel, GradientOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto gradient = cast<GradientOp>(op);
    for (auto [value, result] :
         llvm::zip_equal(gradient.getWrt(), gradient.getGradients())) {
      FailureOr<Tensor> slopes =
          LossOfValue(interpreter, gradient.getLoss(), value).differentiate();
      if (failed(slopes) || failed(interpreter.set(result, std::move(*slopes))))
        return failure();
    }
    return success();
  }
};

struct StopGradientModel
    : InterpretableOpInterface::ExternalModel<StopGradientModel,
                                              StopGradientOp> {
  LogicalResult interpret(Operation *op, Interpreter &interpreter) const {
    auto stop = cast<StopGradientOp>(op);
    interpreter.bind(
        stop, interpreter.holdConstant(interpreter.get(stop.getInput())));
    return success();
  }
};
} // namespace

void cambium::train::registerInterpretModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TrainDialect *) {
    GradientOp::attachInterface<GradientModel>(*context);
    StopGradientOp::attachInterface<StopGradientModel>(*context);
  });
}
