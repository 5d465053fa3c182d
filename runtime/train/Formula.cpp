//===-- Formula.cpp - Numbers that change with a training -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A formula is short and read once per batch: it is computed as it is read.
///
//===----------------------------------------------------------------------===//

#include "Formula.h"

#include <charconv>
#include <cmath>

using namespace cambium;
using namespace cambium::train;

namespace {

/// sum = product (('+' | '-') product)*, product = sign (('*' | '/') sign)*,
/// sign = '-' sign | power, power = atom ('^' sign)?
class Reader {
public:
  Reader(const std::string &text, const TrainingPoint &progress)
      : next(text.data()), end(next + text.size()), progress(progress) {}

  /// False if the text is no formula.
  bool read(double &value) {
    value = sum();
    skipSpaces();
    return isGood && next == end;
  }

  bool readsProgress = false;

private:
  void skipSpaces() {
    while (next != end && *next == ' ')
      ++next;
  }
  bool take(char wanted) {
    skipSpaces();
    const bool found = isGood && next != end && *next == wanted;
    next += found;
    return found;
  }
  double fail() {
    isGood = false;
    return 0;
  }

  double sum() {
    double value = product();
    while (true) {
      if (take('+'))
        value += product();
      else if (take('-'))
        value -= product();
      else
        return value;
    }
  }
  double product() {
    double value = sign();
    while (true) {
      if (take('*'))
        value *= sign();
      else if (take('/'))
        value /= sign();
      else
        return value;
    }
  }
  double sign() {
    if (!take('-'))
      return power();
    return descend() ? ascend(-sign()) : fail();
  }
  double power() {
    const double value = atom();
    if (!take('^'))
      return value;
    return descend() ? ascend(std::pow(value, sign())) : fail();
  }
  double atom() {
    if (take('('))
      return inParentheses();
    skipSpaces();
    double number = 0;
    const auto [last, error] = std::from_chars(next, end, number);
    if (error == std::errc()) {
      next = last;
      return number;
    }
    return named();
  }
  double inParentheses() {
    if (!descend())
      return fail();
    const double value = sum();
    return take(')') ? ascend(value) : fail();
  }
  double named() {
    const char *begin = next;
    while (next != end && *next >= 'a' && *next <= 'z')
      ++next;
    const std::string name(begin, next);
    if (name == "epoch" || name == "training") {
      readsProgress = true;
      return name == "epoch" ? progress.epoch : progress.training;
    }
    if ((name != "exp" && name != "log" && name != "sqrt") || !take('('))
      return fail();
    const double value = inParentheses();
    return name == "exp"   ? std::exp(value)
           : name == "log" ? std::log(value)
                           : std::sqrt(value);
  }
  /// What stands in one another is bounded, as the stack is.
  bool descend() { return ++depth <= 100; }
  double ascend(double value) {
    --depth;
    return value;
  }

  const char *next, *end;
  const TrainingPoint &progress;
  bool isGood = true;
  int depth = 0;
};

} // namespace

Status Formula::parse(const std::string &text, Formula &result) {
  const TrainingPoint progress;
  Reader reader(text, progress);
  double value = 0;
  if (!reader.read(value))
    return Status::error("expected a number, or a formula of 'epoch' and "
                         "'training', but got '" +
                         text + "'");
  result.text = text;
  result.readsProgress = reader.readsProgress;
  return Status();
}

double Formula::at(const TrainingPoint &progress) const {
  double value = 0;
  Reader(text, progress).read(value);
  return value;
}
