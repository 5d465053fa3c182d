//===-- runtime/train/MetricTable.h - How good predictions are --*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_METRICTABLE_H
#define CAMBIUM_TRAIN_METRICTABLE_H

#include "SequenceMetrics.h"
#include "cambium/train.h"

#include <span>

namespace cambium::train {

/// What a model said about the examples of a data set beside what is true. The
/// vectors of a pair are of the same length; rows without a target are left
/// out.
struct Answers {
  std::vector<double> targets, predictions; ///< Of examples.
  /// Of rows (nodes): only where both have any.
  std::vector<double> rowTargets, rowPredictions;
  /// How many rows there are up to the end of each example; of the same rows.
  std::vector<size_t> rowEnds;
  /// What the classes of rows are called; empty if they are numbers.
  std::vector<std::string> rowNames;
  /// Of rows: whether the head, and whether the relation to it, is right.
  std::vector<bool> isHeadRight, isRelationRight;
  std::vector<size_t> headEnds;     ///< As `rowEnds`.
  std::vector<TokenPair> sequences; ///< Of examples.
  bool isClass = false;             ///< Predictions are classes.
  bool isNumber = false;      ///< Distances between answers mean something.
  bool hasRows = false;       ///< The model answers for every row.
  bool hasTargets = true;     ///< Examples have targets.
  bool hasRowTargets = false; ///< And so have rows.
  double loss = kNone;        ///< Mean over the examples; none without a loss.
  bool hasLoss = false;
};

/// The answers about some of the examples.
Answers partOf(const Answers &all, const std::vector<int64_t> &examples);

/// A metric: one entry of the table.
struct MetricInfo {
  const char *name;
  bool moreIsBetter;
  const char *summary; ///< For --help.
  bool isBrief;        ///< Whether the line of an epoch shows it.
  /// Whether the metric makes sense for such answers.
  bool (*applies)(const Answers &answers);
  /// Its value; not a number where it is not defined.
  double (*value)(const Answers &answers);
};

/// All metrics, in the order in which they are shown.
std::span<const MetricInfo> metricTable();

/// The entry of that name, or null.
const MetricInfo *findMetric(const std::string &name);

/// None of no values.
double meanOf(const std::vector<double> &values);

/// Pearson's correlation: none where one side does not vary.
double pearson(const std::vector<double> &x, const std::vector<double> &y);

/// The ranks of values from 1; equal values share the mean of their ranks.
std::vector<double> ranksOf(const std::vector<double> &values);

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_METRICTABLE_H
