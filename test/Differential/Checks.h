//===-- test/Differential/Checks.h - What must hold ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_DIFFERENTIAL_CHECKS_H
#define CAMBIUM_TEST_DIFFERENTIAL_CHECKS_H

#include "Subject.h"

namespace cambium::difftest {

/// How much to check, and where.
struct Settings {
  /// What executes compiled code: cpu or gpu.
  std::string device = "cpu";
  /// Examples of a batch, and the rows that each of them has at most.
  int64_t examples = 6, size = 9;
  /// Examples of a batch whose gradient is checked against differences, and
  /// coordinates of each parameter.
  int64_t gradientExamples = 2, coordinates = 3;
  /// Examples of the batch that is computed with several threads, and their
  /// size.
  int64_t threadExamples = 24, threadSize = 24;
  /// Updates of the parameters that are checked against a reference.
  int64_t updates = 0;
};

/// What was compared, for the report.
struct Tally {
  int64_t values = 0, derivatives = 0, kinks = 0, updates = 0, refusals = 0,
          ties = 0;
  /// The largest ratio of a difference to what is tolerated.
  double worstValue = 0, worstDerivative = 0, worstUpdate = 0;

  void add(const Tally &other);
};

/// The tolerance of values: a share of the largest element of the tensor (of 1,
/// if that is larger), plus a multiple of what rounding to f32 after every op
/// changes in the interpreter.
constexpr double kValueTolerance = 2e-6, kRoundingFactor = 4;
/// The same where all is f64.
constexpr double kDoubleTolerance = 1e-9;
/// The tolerance of gradients: a share of the largest element of the
/// parameter's gradient, plus one of the largest of all parameters.
constexpr double kGradientTolerance = 1e-5, kWholeGradientTolerance = 1e-6;
/// The tolerance of updates: a share of the largest change of the parameter,
/// and of its largest value.
constexpr double kUpdateTolerance = 1e-4, kParameterTolerance = 5e-7;

/// Every entry computes what the interpreter computes, in a batch, one by one
/// and in any order; the bits are the same for any number of threads, or of
/// blocks of a GPU in any order, where one by one they are the same, too;
/// gradients are those of finite differences; updates are those of the
/// optimizers' definitions.
llvm::Error checkModel(Subject &subject, const Settings &settings,
                       Random &random, Tally &tally);

/// Whether a training step updates the parameters of a group: others have no
/// gradient of it.
bool updatesGroup(Subject &subject, const cambium_entry_t *accumulate,
                  llvm::StringRef group);

/// The gradients of a training step against finite differences.
llvm::Error checkGradients(Subject &subject, const cambium_entry_t *accumulate,
                           const Settings &settings, Random &random,
                           Tally &tally);

/// The updates of a training step against a reference.
llvm::Error checkUpdates(Subject &subject, const cambium_entry_t *accumulate,
                         const Settings &settings, Random &random,
                         Tally &tally);

/// Two functions of the same inputs give the same results.
llvm::Error checkEqual(Subject &subject, llvm::StringRef one,
                       llvm::StringRef other, const Settings &settings,
                       Random &random, Tally &tally);

/// The results of a function do not change, or do, when the children of every
/// node are put in another order (and their edges with them).
llvm::Error checkChildOrder(Subject &subject, llvm::StringRef function,
                            bool matters, const Settings &settings,
                            Random &random, Tally &tally);

/// Fails unless two tensors of one shape agree; `what` begins the message.
llvm::Error compareTensors(const llvm::Twine &what, const Tensor &expected,
                           const Tensor &actual, double tolerance,
                           Tally &tally);

/// Whether results are those of a choice between what is equal but for
/// rounding: with parameters nearby the interpreter gives these, which are not
/// those with the parameters themselves.
llvm::Expected<bool> areOfTie(Subject &subject, const cambium_entry_t *entry,
                              const ExampleData &example,
                              llvm::ArrayRef<Tensor> exact,
                              llvm::ArrayRef<Tensor> actual,
                              llvm::ArrayRef<double> tolerances);

/// The largest finite absolute value of an element; 0 of integers.
double getLargest(const Tensor &tensor);

/// What is tolerated of a result whose values in f64 and f32 are these.
double getTolerance(const Tensor &exact, const Tensor &rounded, bool isDouble);

} // namespace cambium::difftest

#endif // CAMBIUM_TEST_DIFFERENTIAL_CHECKS_H
