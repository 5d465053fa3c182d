//===-- test/Differential/Gradients.cpp - Against differences ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "Failure.h"
#include "dialects/Train/IR/Train.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace cambium;
using namespace cambium::difftest;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

using Gradient = std::vector<std::vector<double>>;

static double largestOf(ArrayRef<double> values) {
  double result = 0;
  for (double value : values)
    result = std::max(result, std::abs(value));
  return result;
}

/// Of a gradient that overflows, the order of the sums decides whether it is
/// infinite or no number.
static bool isClose(double a, double b, double tolerance) {
  return std::abs(a - b) <= tolerance ||
         (!std::isfinite(a) && !std::isfinite(b));
}

bool difftest::updatesGroup(Subject &subject, const cambium_entry_t *accumulate,
                            StringRef group) {
  StringRef name = cambium_entry_info(accumulate)->step;
  auto step =
      mlir::SymbolTable(subject.getModule()).lookup<train::StepOp>(name);
  std::optional<mlir::ArrayAttr> groups;
  if (step)
    groups = step.getUpdates();
  return !groups ||
         llvm::is_contained(groups->getAsValueRange<mlir::StringAttr>(), group);
}

namespace {
class GradientCheck {
public:
  GradientCheck(Subject &subject, const cambium_entry_t *entry, Tally &tally)
      : subject(subject), compiled(subject.getCompiled()), entry(entry),
        tally(tally),
        numParameters(cambium_module_num_parameters(compiled.getModule())) {}

  Error run(const Settings &settings, Random &random) {
    Expected<mlir::FunctionOpInterface> function = subject.getFunction(entry);
    if (!function)
      return function.takeError();
    Expected<std::vector<ExampleData>> good = subject.withoutDivisions(
        entry, ExampleMaker(entry, *function, random)
                   .make(settings.gradientExamples, settings.size));
    if (!good)
      return good.takeError();
    if (good->empty())
      return Error::success();
    examples = std::move(*good);
    Expected<Gradient> whole = compute(examples);
    if (!whole)
      return whole.takeError();
    gradient = std::move(*whole);
    for (const std::vector<double> &one : gradient)
      largest = std::max(largest, largestOf(one));
    if (Error error = checkMean())
      return error;
    std::vector<Coordinate> coordinates;
    for (int64_t p = 0; p < numParameters; ++p) {
      if (isUpdated(p))
        choose(p, settings.coordinates, random, coordinates);
      else if (largestOf(gradient[p]) != 0)
        return fail("gradient",
                    Twine("expected none of '") + nameOf(p) + "', which '" +
                        cambium_entry_info(entry)->name + "' does not update");
    }
    Expected<std::vector<Derivative>> derivatives =
        subject.differentiate(entry, examples, coordinates);
    if (!derivatives)
      return derivatives.takeError();
    for (const Derivative &derivative : *derivatives)
      if (Error error = check(derivative))
        return error;
    return Error::success();
  }

private:
  Expected<Gradient> compute(ArrayRef<ExampleData> batch) {
    Expected<Results> results = compiled.run(entry, batch);
    if (!results)
      return results.takeError();
    Gradient result;
    for (int64_t p = 0; p < numParameters; ++p)
      result.push_back(compiled.getGradient(p));
    return result;
  }

  const char *nameOf(int64_t parameter) const {
    return cambium_module_parameter(compiled.getModule(), parameter)->name;
  }

  bool isUpdated(int64_t parameter) {
    const auto *info =
        cambium_module_parameter(compiled.getModule(), parameter);
    return updatesGroup(subject, entry, info->group);
  }

  double toleranceOf(int64_t parameter) const {
    return kGradientTolerance * largestOf(gradient[parameter]) +
           kWholeGradientTolerance * std::max(0.01, largest);
  }

  /// The gradient of a batch is the mean of those of its examples.
  Error checkMean() {
    Gradient mean;
    for (const std::vector<double> &one : gradient)
      mean.emplace_back(one.size(), 0.0);
    for (const ExampleData &example : examples) {
      Expected<Gradient> alone = compute(example);
      if (!alone)
        return alone.takeError();
      for (auto [sum, term] : llvm::zip_equal(mean, *alone))
        for (auto [a, b] : llvm::zip_equal(sum, term))
          a += b / examples.size();
    }
    for (int64_t p = 0; p < numParameters; ++p) {
      double tolerance = toleranceOf(p);
      for (auto [i, a] : llvm::enumerate(mean[p]))
        if (!isClose(a, gradient[p][i], tolerance))
          return fail("batch", Twine("gradient of '") + nameOf(p) + "' [" +
                                   Twine(i) + "], the mean over examples: " +
                                   describe(a, gradient[p][i], tolerance));
    }
    return Error::success();
  }

  /// Coordinates of a parameter: half of them from those with a gradient, for
  /// most rows of a table have none.
  void choose(int64_t parameter, int64_t count, Random &random,
              std::vector<Coordinate> &coordinates) {
    ArrayRef<double> values = gradient[parameter];
    if (values.empty())
      return;
    std::vector<int64_t> moving;
    for (auto [i, value] : llvm::enumerate(values))
      if (value != 0)
        moving.push_back(i);
    std::vector<int64_t> chosen;
    for (int64_t i = 0; i < count; ++i) {
      bool any = moving.empty() || i % 3 == 2;
      int64_t index = any ? random.below(values.size()) : random.pick(moving);
      if (!llvm::is_contained(chosen, index))
        chosen.push_back(index);
    }
    for (int64_t index : chosen)
      coordinates.push_back({nameOf(parameter), index});
  }

  Error check(const Derivative &derivative) {
    int64_t p = cambium_module_find_parameter(compiled.getModule(),
                                              derivative.parameter.c_str());
    double actual = gradient[p][derivative.index], tolerance = toleranceOf(p);
    double error = std::abs(actual - derivative.value);
    ++tally.derivatives;
    if (error <= tolerance) {
      tally.worstDerivative =
          std::max(tally.worstDerivative, error / tolerance);
      return Error::success();
    }
    return explain(p, derivative, tolerance);
  }

  /// A difference is no failure at a kink, where the derivative is between the
  /// slopes of both sides, nor where rounding alone moves it so far.
  Error explain(int64_t parameter, const Derivative &derivative,
                double tolerance) {
    Expected<Slopes> slopes = subject.findSlopes(
        entry, examples, {derivative.parameter, derivative.index});
    if (!slopes)
      return slopes.takeError();
    Expected<double> noise = measureNoise(parameter, derivative.index);
    if (!noise)
      return noise.takeError();
    double actual = gradient[parameter][derivative.index];
    double low = std::min(slopes->left, slopes->right);
    double high = std::max(slopes->left, slopes->right);
    double allowed = tolerance + 4 * *noise;
    ++tally.kinks;
    if (actual >= low - allowed && actual <= high + allowed)
      return Error::success();
    return fail("gradient",
                "'" + derivative.parameter + "' [" + Twine(derivative.index) +
                    "] in '" + cambium_entry_info(entry)->name +
                    "': " + describe(derivative.value, actual, allowed) +
                    llvm::formatv(", slopes {0:e9} and {1:e9}", slopes->left,
                                  slopes->right)
                        .str());
  }

  /// How far derivatives move, at most, when all parameters change in their
  /// last bits. One change says little: a gradient that is normed may err by
  /// the same in both places.
  Expected<double> measureNoise(int64_t parameter, int64_t index) {
    constexpr int kChanges = 8;
    Random random(index);
    double noise = 0;
    for (int i = 0; i < kChanges; ++i) {
      Expected<Gradient> other = computeNearby(random);
      if (!other)
        return other.takeError();
      for (auto [a, b] :
           llvm::zip_equal((*other)[parameter], gradient[parameter]))
        noise = std::max(noise, std::abs(a - b));
    }
    return noise;
  }

  /// The gradient where every parameter is changed by at most 1e-6 of itself.
  Expected<Gradient> computeNearby(Random &random) {
    Gradient values;
    for (int64_t p = 0; p < numParameters; ++p) {
      values.push_back(compiled.getValue(p));
      std::vector<double> moved = values.back();
      for (double &value : moved)
        value *= 1 + random.uniform(-1e-6, 1e-6);
      compiled.setValue(p, moved);
    }
    Expected<Gradient> other = compute(examples);
    for (int64_t p = 0; p < numParameters; ++p)
      compiled.setValue(p, values[p]);
    return other;
  }

  Subject &subject;
  Compiled &compiled;
  const cambium_entry_t *entry;
  Tally &tally;
  int64_t numParameters;
  std::vector<ExampleData> examples;
  Gradient gradient;
  double largest = 0;
};
} // namespace

Error difftest::checkGradients(Subject &subject,
                               const cambium_entry_t *accumulate,
                               const Settings &settings, Random &random,
                               Tally &tally) {
  return GradientCheck(subject, accumulate, tally).run(settings, random);
}
