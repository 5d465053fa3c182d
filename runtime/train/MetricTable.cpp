//===-- runtime/train/MetricTable.cpp - How good predictions are ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MetricTable.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace cambium;
using namespace cambium::train;

static double meanOf(const std::vector<double> &values) {
  return values.empty() ? kNone
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              double(values.size());
}

double train::pearson(const std::vector<double> &x,
                      const std::vector<double> &y) {
  const double meanX = meanOf(x), meanY = meanOf(y);
  double xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double dx = x[i] - meanX, dy = y[i] - meanY;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  const double scale = std::sqrt(xx * yy);
  return scale > 0 ? std::clamp(xy / scale, -1.0, 1.0) : kNone;
}

std::vector<double> train::ranksOf(const std::vector<double> &values) {
  std::vector<double> ranks(values.size());
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return values[a] < values[b]; });
  for (size_t first = 0, last; first < order.size(); first = last) {
    for (last = first + 1;
         last < order.size() && values[order[last]] == values[order[first]];)
      ++last;
    // The places first + 1 ... last, on average.
    for (size_t i = first; i < last; ++i)
      ranks[order[i]] = double(first + 1 + last) / 2;
  }
  return ranks;
}

static bool hasNone(const std::vector<double> &values) {
  return std::any_of(values.begin(), values.end(),
                     [](double value) { return std::isnan(value); });
}

static double spearman(const Answers &all) {
  if (hasNone(all.targets) || hasNone(all.predictions))
    return kNone;
  return pearson(ranksOf(all.targets), ranksOf(all.predictions));
}

static double shareOfEqual(const std::vector<double> &x,
                           const std::vector<double> &y) {
  int64_t equal = 0;
  for (size_t i = 0; i < x.size(); ++i)
    equal += x[i] == y[i];
  return x.empty() ? kNone : double(equal) / double(x.size());
}

namespace {

/// How often a class is the target, the prediction, and both.
struct ClassCount {
  double target = 0, prediction = 0, both = 0;
};

} // namespace

static std::map<double, ClassCount>
countClasses(const std::vector<double> &targets,
             const std::vector<double> &predictions) {
  std::map<double, ClassCount> counts;
  for (size_t i = 0; i < targets.size(); ++i) {
    ++counts[targets[i]].target;
    ++counts[predictions[i]].prediction;
    counts[targets[i]].both += targets[i] == predictions[i];
  }
  return counts;
}

/// The mean of the F1 scores of all classes that are a target or a prediction.
static double macroF1(const std::vector<double> &targets,
                      const std::vector<double> &predictions) {
  const auto counts = countClasses(targets, predictions);
  double sum = 0;
  for (const auto &[name, count] : counts)
    sum += 2 * count.both / (count.target + count.prediction);
  return counts.empty() ? kNone : sum / double(counts.size());
}

/// Cohen's kappa: none where all are of one class.
static double kappa(const Answers &all) {
  const double total = double(all.targets.size());
  double agree = 0, byChance = 0;
  for (const auto &[name, count] : countClasses(all.targets, all.predictions)) {
    agree += count.both / total;
    byChance += count.target / total * (count.prediction / total);
  }
  return total > 0 && byChance < 1 ? (agree - byChance) / (1 - byChance)
                                   : kNone;
}

static double meanSquare(const Answers &all) {
  double sum = 0;
  for (size_t i = 0; i < all.targets.size(); ++i)
    sum += std::pow(all.predictions[i] - all.targets[i], 2);
  return all.targets.empty() ? kNone : sum / double(all.targets.size());
}

const std::vector<MetricInfo> &train::metricTable() {
  using A = const Answers &;
  auto isClass = [](A all) { return all.isClass && all.hasTargets; };
  auto isScore = [](A all) {
    return !all.isClass && all.isNumber && all.hasTargets;
  };
  auto hasRowClasses = [](A all) {
    return all.isClass && all.hasRows && all.hasRowTargets;
  };
  static const std::vector<MetricInfo> table = {
      {"accuracy", true, "share of examples whose class is right", true,
       isClass,
       [](A all) { return shareOfEqual(all.targets, all.predictions); }},
      {"accuracy_all", true, "the same of all nodes", true, hasRowClasses,
       [](A all) { return shareOfEqual(all.rowTargets, all.rowPredictions); }},
      {"macro_f1", true, "mean of the F1 scores of all classes", false, isClass,
       [](A all) { return macroF1(all.targets, all.predictions); }},
      {"macro_f1_all", true, "the same of all nodes", false, hasRowClasses,
       [](A all) { return macroF1(all.rowTargets, all.rowPredictions); }},
      {"kappa", true, "Cohen's agreement with the targets beyond chance", false,
       isClass, kappa},
      {"pearson", true, "correlation of numbers with their targets", true,
       isScore, [](A all) { return pearson(all.targets, all.predictions); }},
      {"spearman", true, "the same of their ranks", false, isScore, spearman},
      {"mse", false, "mean squared error of numbers", true, isScore,
       meanSquare},
      {"rmse", false, "its square root, also of classes that are numbers", true,
       [](A all) { return all.isNumber && all.hasTargets; },
       [](A all) { return std::sqrt(meanSquare(all)); }},
      {"loss", false, "what the function 'loss' of the model returns", true,
       [](A all) { return all.hasLoss; }, [](A all) { return all.loss; }}};
  return table;
}

std::vector<MetricSummary> train::metrics() {
  std::vector<MetricSummary> all;
  for (const MetricInfo &metric : metricTable())
    all.push_back({metric.name, metric.summary, metric.moreIsBetter});
  return all;
}

const MetricInfo *train::findMetric(const std::string &name) {
  for (const MetricInfo &metric : metricTable())
    if (name == metric.name)
      return &metric;
  return nullptr;
}
