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

double train::meanOf(const std::vector<double> &values) {
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
    counts[targets[i]].both += targets[i] == predictions[i];
    if (!std::isnan(predictions[i])) // No answer is no class.
      ++counts[predictions[i]].prediction;
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

/// Whether targets are 0 and 1, and numbers say how much they are 1.
static bool isDetection(const Answers &all) {
  const bool isBinary =
      std::all_of(all.targets.begin(), all.targets.end(),
                  [](double target) { return target == 0 || target == 1; });
  return !all.isClass && all.isNumber && all.hasTargets && isBinary &&
         !all.targets.empty();
}

/// The probability that an example of 1 has a greater number than one of 0.
static double auroc(const Answers &all) {
  if (hasNone(all.predictions))
    return kNone;
  const std::vector<double> ranks = ranksOf(all.predictions);
  double sum = 0, ones = 0;
  for (size_t i = 0; i < ranks.size(); ++i)
    if (all.targets[i] == 1) {
      sum += ranks[i];
      ++ones;
    }
  const double zeros = double(ranks.size()) - ones;
  return ones > 0 && zeros > 0 ? (sum - ones * (ones + 1) / 2) / (ones * zeros)
                               : kNone;
}

/// The share of 0 above the number that at least 95 % of 1 reach.
static double fpr95(const Answers &all) {
  std::vector<double> ones, zeros;
  for (size_t i = 0; i < all.targets.size(); ++i)
    (all.targets[i] == 1 ? ones : zeros).push_back(all.predictions[i]);
  if (ones.empty() || zeros.empty() || hasNone(all.predictions))
    return kNone;
  std::sort(ones.begin(), ones.end(), std::greater<>());
  const size_t needed =
      static_cast<size_t>(std::ceil(0.95 * double(ones.size()) - 1e-9));
  const double least = ones[std::max<size_t>(needed, 1) - 1];
  const auto above = std::count_if(
      zeros.begin(), zeros.end(), [&](double value) { return value >= least; });
  return double(above) / double(zeros.size());
}

static bool hasSpans(const Answers &all) {
  return all.isClass && all.hasRows && all.hasRowTargets &&
         std::any_of(
             all.rowNames.begin(), all.rowNames.end(),
             [](const std::string &name) { return name.rfind("B-", 0) == 0; });
}

static SpanCounts spansOf(const Answers &all) {
  auto nameOf = [&](double id) {
    return id >= 0 && id < double(all.rowNames.size())
               ? all.rowNames[static_cast<size_t>(id)]
               : std::string("O");
  };
  SpanCounts counts;
  size_t row = 0;
  for (size_t end : all.rowEnds) {
    Tokens targets, predictions;
    for (; row < end; ++row) {
      targets.push_back(nameOf(all.rowTargets[row]));
      predictions.push_back(nameOf(all.rowPredictions[row]));
    }
    countSpans(targets, predictions, counts);
  }
  return counts;
}

static double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

static double spanF1(const Answers &all) {
  const SpanCounts counts = spansOf(all);
  return share(2 * counts.both, counts.targets + counts.predictions);
}

static double shareOfRight(const std::vector<bool> &a,
                           const std::vector<bool> &b) {
  int64_t right = 0;
  for (size_t i = 0; i < a.size(); ++i)
    right += a[i] && b[i];
  return a.empty() ? kNone : double(right) / double(a.size());
}

static double meanOfPairs(const Answers &all,
                          double (*value)(const TokenPair &pair)) {
  double sum = 0;
  for (const TokenPair &pair : all.sequences)
    sum += value(pair);
  return all.sequences.empty() ? kNone : sum / double(all.sequences.size());
}

Answers train::partOf(const Answers &all,
                      const std::vector<int64_t> &examples) {
  Answers part;
  part.isClass = all.isClass;
  part.isNumber = all.isNumber;
  part.hasRows = all.hasRows;
  part.hasTargets = all.hasTargets;
  part.hasRowTargets = all.hasRowTargets;
  part.rowNames = all.rowNames;
  for (int64_t i : examples) {
    part.targets.push_back(all.targets[i]);
    part.predictions.push_back(all.predictions[i]);
    if (!all.sequences.empty())
      part.sequences.push_back(all.sequences[i]);
    if (!all.rowEnds.empty())
      for (size_t row = i ? all.rowEnds[i - 1] : 0; row < all.rowEnds[i];
           ++row) {
        part.rowTargets.push_back(all.rowTargets[row]);
        part.rowPredictions.push_back(all.rowPredictions[row]);
      }
    part.rowEnds.push_back(part.rowTargets.size());
    if (!all.headEnds.empty())
      for (size_t row = i ? all.headEnds[i - 1] : 0; row < all.headEnds[i];
           ++row) {
        part.isHeadRight.push_back(all.isHeadRight[row]);
        if (!all.isRelationRight.empty())
          part.isRelationRight.push_back(all.isRelationRight[row]);
      }
    part.headEnds.push_back(part.isHeadRight.size());
  }
  return part;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

using A = const Answers &;

static bool isClass(A all) { return all.isClass && all.hasTargets; }
static bool isNumber(A all) { return all.isNumber && all.hasTargets; }
static bool isScore(A all) { return !all.isClass && isNumber(all); }
static bool hasRowClasses(A all) {
  return all.isClass && all.hasRows && all.hasRowTargets;
}
static bool isSequence(A all) { return !all.sequences.empty(); }

static const MetricInfo kMetrics[] = {
    {"accuracy", true, "share of examples whose class is right", true, isClass,
     [](A all) { return shareOfEqual(all.targets, all.predictions); }},
    {"accuracy_all", true, "the same of all nodes", true, hasRowClasses,
     [](A all) { return shareOfEqual(all.rowTargets, all.rowPredictions); }},
    {"macro_f1", true, "mean of the F1 scores of all classes", false, isClass,
     [](A all) { return macroF1(all.targets, all.predictions); }},
    {"macro_f1_all", true, "the same of all nodes", false, hasRowClasses,
     [](A all) { return macroF1(all.rowTargets, all.rowPredictions); }},
    {"span_f1", true, "F1 of the spans that B-x and I-x mark, over all data",
     true, hasSpans, spanF1},
    {"span_precision", true, "share of the predicted spans that are right",
     false, hasSpans,
     [](A all) {
       const SpanCounts counts = spansOf(all);
       return share(counts.both, counts.predictions);
     }},
    {"span_recall", true, "share of the spans that are found", false, hasSpans,
     [](A all) {
       const SpanCounts counts = spansOf(all);
       return share(counts.both, counts.targets);
     }},
    {"uas", true, "share of rows with the right head (output 'heads')", true,
     [](A all) { return !all.isHeadRight.empty(); },
     [](A all) { return shareOfRight(all.isHeadRight, all.isHeadRight); }},
    {"las", true, "the same with the right relation (output 'relations')", true,
     [](A all) { return !all.isRelationRight.empty(); },
     [](A all) { return shareOfRight(all.isHeadRight, all.isRelationRight); }},
    {"exact", true, "share of sequences that are right", true, isSequence,
     [](A all) {
       return meanOfPairs(all, [](const TokenPair &pair) {
         return double(pair.target == pair.prediction);
       });
     }},
    {"edit_distance", false,
     "insertions, deletions and replacements of tokens per sequence", true,
     isSequence,
     [](A all) {
       return meanOfPairs(all, [](const TokenPair &pair) {
         return double(editDistance(pair.target, pair.prediction));
       });
     }},
    {"bleu", true, "of sequences, up to 4 tokens as they are, 0 to 100", true,
     isSequence, [](A all) { return bleu(all.sequences); }},
    {"chrf", true, "chrF2 of their texts, 0 to 100", false, isSequence,
     [](A all) { return chrf(all.sequences); }},
    {"auroc", true,
     "of numbers: chance that one of class 1 is above one of class 0", true,
     isDetection, auroc},
    {"fpr95", false, "class 0 above the number that 95 % of class 1 reach",
     false, isDetection, fpr95},
    {"kappa", true, "Cohen's agreement with the targets beyond chance", false,
     isClass, kappa},
    {"pearson", true, "correlation of numbers with their targets", true,
     isScore, [](A all) { return pearson(all.targets, all.predictions); }},
    {"spearman", true, "the same of their ranks", false, isScore, spearman},
    {"mse", false, "mean squared error of numbers", true, isScore, meanSquare},
    {"rmse", false, "its square root, also of classes that are numbers", true,
     isNumber, [](A all) { return std::sqrt(meanSquare(all)); }},
    {"loss", false, "what the function 'loss' of the model returns", true,
     [](A all) { return all.hasLoss; }, [](A all) { return all.loss; }}};

std::span<const MetricInfo> train::metricTable() { return kMetrics; }

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
