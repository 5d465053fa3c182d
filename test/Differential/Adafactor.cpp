//===-- test/Differential/Adafactor.cpp - An optimizer of whole tensors ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Adafactor.h"
#include <cmath>

using namespace cambium;
using namespace cambium::difftest;
using llvm::ArrayRef;

namespace {
double rootMeanSquare(ArrayRef<double> values) {
  double squares = 0;
  for (double value : values)
    squares += value * value;
  return std::sqrt(squares / values.size());
}

/// The squares that Adafactor divides by: Shazeer and Stern 2018, line 5 to 7
/// of algorithm 4, or line 5 of algorithm 5. Of rows that do not move, 0.
std::vector<double> squaresOf(const Rule &rule, Means means, ArrayRef<double> g,
                              const std::vector<char> &moves, double fade) {
  size_t width = g.size() / moves.size(), height = 0;
  std::vector<double> squares(g.size());
  auto move = [&](double &mean, double to) {
    mean = fade * mean + (1 - fade) * to;
  };
  if (means.columns.empty()) {
    for (size_t i = 0; i < g.size(); ++i)
      if (moves[i / width]) {
        move(means.rows[i], g[i] * g[i] + rule.eps);
        squares[i] = means.rows[i];
      }
    return squares;
  }
  std::vector<double> columns(width);
  double total = 0;
  for (size_t r = 0; r < moves.size(); ++r) {
    if (!moves[r])
      continue;
    double row = 0;
    for (size_t c = 0; c < width; ++c) {
      double square = g[r * width + c] * g[r * width + c] + rule.eps;
      row += square / width;
      columns[c] += square;
    }
    move(means.rows[r], row);
    total += means.rows[r];
    ++height;
  }
  for (size_t c = 0; c < width && height; ++c)
    move(means.columns[c], columns[c] / height);
  for (size_t i = 0; i < g.size(); ++i)
    if (moves[i / width])
      squares[i] =
          means.rows[i / width] * means.columns[i % width] / (total / height);
  return squares;
}
} // namespace

void difftest::adafactor(const Rule &rule,
                         llvm::MutableArrayRef<Element> elements, Means means,
                         ArrayRef<double> g, const std::vector<char> &moves,
                         double rate, int64_t t) {
  std::vector<double> squares =
      squaresOf(rule, means, g, moves, 1 - std::pow(t, -rule.beta2));
  std::vector<double> before, steps;
  size_t width = g.size() / moves.size();
  for (size_t i = 0; i < g.size(); ++i)
    if (moves[i / width]) {
      before.push_back(elements[i].value);
      steps.push_back(g[i] == 0 ? 0 : g[i] / std::sqrt(squares[i]));
    }
  if (before.empty())
    return;
  if (rule.relative)
    rate *= std::min(0.01, 1 / std::sqrt(double(t)));
  if (rule.scales)
    rate *= std::max(rule.leastScale, rootMeanSquare(before));
  double clip = std::max(1.0, rootMeanSquare(steps) / rule.clip);
  const double *step = steps.data();
  for (size_t i = 0; i < g.size(); ++i)
    if (moves[i / width])
      elements[i].value -=
          rate * (*step++ / clip + rule.decay * elements[i].value);
}
