//===-- FiniteDifferences.h - Gradients by differences -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The oracle of every gradient: central differences of fourth order in f64,
//
//   f'(x) = (8 (f(x + h) - f(x - h)) - (f(x + 2h) - f(x - 2h))) / 12h,
//
// with h = 1e-3 max(1, |x|), whose error for smooth functions of order 1 is
// about 1e-12. Ten times smaller steps must agree with it; where they do not,
// because a kink (a rectifier's, say) lies between or a value is not a number,
// h is made smaller, down to 1e-6. At a kink the result lies between the slopes
// of the two sides. Where x is infinite, the result is that of a number so
// large that what has a limit has reached it. What does not depend on x has
// exactly the derivative 0: a sum of the four would leave an ulp, which a model
// that norms its gradient makes a direction.
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_INTERPRET_FINITEDIFFERENCES_H
#define CAMBIUM_TRAIN_INTERPRET_FINITEDIFFERENCES_H

#include "cambium/Interfaces/Interpreter.h"

namespace cambium {

/// A function of one number; fails if the evaluation does.
using ScalarFunction = llvm::function_ref<llvm::FailureOr<double>(double)>;

/// The derivative of a function at `x`.
llvm::FailureOr<double> differentiate(ScalarFunction function, double x);

/// One example of a differentiated function.
struct Example {
  RuntimeValues args;
  uint64_t key = 0;
};

/// One coordinate of a parameter with the derivative of the mean loss.
struct Derivative {
  std::string parameter;
  int64_t index;
  double value;
};

/// A coordinate of a parameter.
struct Coordinate {
  std::string parameter;
  int64_t index;
};

/// The derivatives of the mean over the examples of the first result, a scalar,
/// of a function, with respect to coordinates of parameters. What
/// `train.stop_gradient` cuts off is held constant. `options.f64` is ignored.
llvm::FailureOr<std::vector<Derivative>> differentiateParameters(
    mlir::FunctionOpInterface function, llvm::ArrayRef<Example> examples,
    const Parameters &parameters, llvm::ArrayRef<Coordinate> coordinates,
    const InterpreterOptions &options = {});

} // namespace cambium

#endif // CAMBIUM_TRAIN_INTERPRET_FINITEDIFFERENCES_H
