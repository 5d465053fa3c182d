//===-- FiniteDifferences.cpp - Gradients by differences -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Train/Interpret/FiniteDifferences.h"
#include "mlir/IR/SymbolTable.h"
#include <cmath>

using namespace mlir;
using namespace cambium;

/// Stands for infinity: what has a limit there has reached it, and products of
/// three such numbers are finite.
static constexpr double kFar = 1e100;

/// f(x + h) - f(x - h), which is exactly 0 where f is constant.
static FailureOr<double> difference(ScalarFunction function, double x,
                                    double h) {
  FailureOr<double> left = function(x - h);
  if (failed(left))
    return failure();
  FailureOr<double> right = function(x + h);
  if (failed(right))
    return failure();
  return *right - *left;
}

/// The difference quotient of fourth order with step `h`.
static FailureOr<double> quotient(ScalarFunction function, double x, double h) {
  FailureOr<double> wide = difference(function, x, 2 * h);
  if (failed(wide))
    return failure();
  FailureOr<double> narrow = difference(function, x, h);
  if (failed(narrow))
    return failure();
  return (8 * *narrow - *wide) / (12 * h);
}

FailureOr<double> cambium::differentiate(ScalarFunction function, double x) {
  if (std::isinf(x))
    x = std::copysign(kFar, x);
  double h = 1e-3 * std::max(1.0, std::abs(x));
  FailureOr<double> previous = quotient(function, x, h);
  if (failed(previous))
    return failure();
  double best = *previous, leastGap = INFINITY;
  for (int i = 0; i < 3; ++i) {
    h /= 10;
    FailureOr<double> next = quotient(function, x, h);
    if (failed(next))
      return failure();
    double gap = std::abs(*next - *previous);
    // The larger step has the smaller error of rounding.
    if (gap <= 1e-9 * std::max(1.0, std::abs(*next)))
      return *previous;
    // While gaps shrink, it is the error of the larger step that shows.
    if (gap < leastGap) {
      leastGap = gap;
      best = i == 0 ? *previous : *next;
    }
    previous = next;
  }
  return best;
}

/// The first result of the function on an example, which is a scalar.
static FailureOr<double> evaluateLoss(Interpreter &interpreter,
                                      FunctionOpInterface function,
                                      const Example &example) {
  interpreter.setKey(example.key);
  FailureOr<RuntimeValues> results = interpreter.call(function, example.args);
  if (failed(results))
    return failure();
  const Tensor *loss =
      results->empty() ? nullptr : results->front().tensor.get();
  if (!loss || loss->getRank() || !loss->isFloat()) {
    function.emitOpError("expected a loss, a scalar float, as first result");
    return failure();
  }
  return loss->f(0);
}

/// Adds the derivatives of the loss of one example.
static LogicalResult addDerivatives(Interpreter &interpreter,
                                    FunctionOpInterface function,
                                    const Example &example,
                                    MutableArrayRef<Derivative> derivatives) {
  Interpreter::Constants constants;
  {
    Interpreter::ConstantsScope scope(interpreter, constants, /*replay=*/false);
    if (failed(evaluateLoss(interpreter, function, example)))
      return failure();
  }
  for (Derivative &derivative : derivatives) {
    double &x = interpreter.getMutableParameter(derivative.parameter)
                    ->f(derivative.index);
    double unperturbed = x;
    FailureOr<double> slope = differentiate(
        [&](double value) {
          x = value;
          Interpreter::ConstantsScope scope(interpreter, constants,
                                            /*replay=*/true);
          return evaluateLoss(interpreter, function, example);
        },
        unperturbed);
    x = unperturbed;
    if (failed(slope))
      return failure();
    derivative.value += *slope;
  }
  return success();
}

FailureOr<std::vector<Derivative>> cambium::differentiateParameters(
    FunctionOpInterface function, ArrayRef<Example> examples,
    const Parameters &parameters, ArrayRef<Coordinate> coordinates,
    const InterpreterOptions &options) {
  if (examples.empty())
    return function.emitOpError("expected at least one example");
  InterpreterOptions inDouble = options;
  inDouble.f64 = true;
  Interpreter interpreter(SymbolTable::getNearestSymbolTable(function),
                          parameters, inDouble);
  std::vector<Derivative> derivatives;
  for (const Coordinate &coordinate : coordinates) {
    auto it = parameters.find(coordinate.parameter);
    if (it == parameters.end() || !it->second.isFloat() ||
        coordinate.index < 0 || coordinate.index >= it->second.getNumElements())
      return function.emitOpError()
             << "expected a coordinate of a parameter, but got '"
             << coordinate.parameter << "' at " << coordinate.index;
    derivatives.push_back({coordinate.parameter, coordinate.index, 0});
  }
  for (const Example &example : examples)
    if (failed(addDerivatives(interpreter, function, example, derivatives)))
      return failure();
  for (Derivative &derivative : derivatives)
    derivative.value /= examples.size();
  return derivatives;
}
