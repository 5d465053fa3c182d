//===-- test/Runtime/train/MetricTest.cpp - Metrics of predictions --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The expected numbers are those of scipy.stats 1.10 (pearsonr, spearmanr).
///
//===----------------------------------------------------------------------===//

#include "Evaluation.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace cambium::train;

namespace {

Answers numbers(std::vector<double> targets, std::vector<double> predictions) {
  Answers answers;
  answers.targets = std::move(targets);
  answers.predictions = std::move(predictions);
  answers.isNumber = true;
  return answers;
}

double valueOf(const char *name, const Answers &answers) {
  const MetricInfo *metric = findMetric(name);
  EXPECT_NE(metric, nullptr) << name;
  EXPECT_TRUE(metric->applies(answers)) << name;
  return metric->value(answers);
}

TEST(MetricTable, correlatesNumbers) {
  const Answers answers =
      numbers({1, 2.5, 3, 4.5, 5, 3}, {1.2, 2, 3.5, 3.5, 4.9, 2.8});
  EXPECT_NEAR(valueOf("pearson", answers), 0.93088072, 1e-8);
  EXPECT_NEAR(valueOf("spearman", answers), 0.95588235, 1e-8);
  EXPECT_NEAR(valueOf("mse", answers), 1.59 / 6, 1e-12);
  EXPECT_NEAR(valueOf("rmse", answers), std::sqrt(1.59 / 6), 1e-12);
}

TEST(MetricTable, sharesTheRanksOfEqualValues) {
  EXPECT_EQ(ranksOf({3, 1, 3, 2, 3}), (std::vector<double>{4, 1, 4, 2, 4}));
  EXPECT_EQ(ranksOf({}), std::vector<double>{});
}

TEST(MetricTable, hasNoCorrelationWithAConstant) {
  const Answers constant = numbers({1, 2, 3}, {2, 2, 2});
  EXPECT_TRUE(std::isnan(valueOf("pearson", constant)));
  EXPECT_TRUE(std::isnan(valueOf("spearman", constant)));
  const Answers broken = numbers({1, 2, 3}, {1, std::nan(""), 3});
  EXPECT_TRUE(std::isnan(valueOf("pearson", broken)));
  EXPECT_TRUE(std::isnan(valueOf("spearman", broken)));
  EXPECT_TRUE(std::isnan(valueOf("mse", broken)));
  EXPECT_TRUE(std::isnan(valueOf("pearson", numbers({}, {}))));
}

TEST(MetricTable, isExactForPerfectAnswers) {
  const Answers same = numbers({0.1, 0.2, 0.7}, {0.1, 0.2, 0.7});
  EXPECT_LE(valueOf("pearson", same), 1);
  EXPECT_NEAR(valueOf("pearson", same), 1, 1e-12);
  const Answers opposite = numbers({1, 2, 3}, {-1, -2, -3});
  EXPECT_NEAR(valueOf("pearson", opposite), -1, 1e-12);
  EXPECT_EQ(valueOf("spearman", opposite), -1);
}

TEST(MetricTable, countsClasses) {
  Answers answers;
  answers.targets = {0, 1, 2, 1};
  answers.predictions = {0, 1, 1, 1};
  answers.isClass = true;
  EXPECT_EQ(valueOf("accuracy", answers), 0.75);
  EXPECT_FALSE(findMetric("pearson")->applies(answers));
  EXPECT_FALSE(findMetric("rmse")->applies(answers));
  EXPECT_FALSE(findMetric("accuracy_all")->applies(answers));
  answers.hasRows = true;
  EXPECT_FALSE(findMetric("accuracy_all")->applies(answers));
  answers.hasRowTargets = true;
  answers.rowTargets = {1, 1};
  answers.rowPredictions = {1, 0};
  EXPECT_EQ(valueOf("accuracy_all", answers), 0.5);
  // Of examples without targets, rows alone are counted.
  answers.hasTargets = false;
  for (const char *name : {"accuracy", "macro_f1", "kappa", "rmse", "mse"})
    EXPECT_FALSE(findMetric(name)->applies(answers)) << name;
  EXPECT_EQ(valueOf("accuracy_all", answers), 0.5);
}

TEST(MetricTable, countsHitsAndMissesPerClass) {
  Answers answers;
  answers.targets = {0, 0, 0, 1, 1, 2};
  answers.predictions = {0, 0, 1, 1, 0, 3};
  answers.isClass = true;
  // Class 0: 2 right of 3 targets and 3 predictions: F1 2/3; class 1: 1 of 2
  // and 2: 1/2; class 2 is never predicted, class 3 in vain: 0.
  EXPECT_DOUBLE_EQ(valueOf("macro_f1", answers), (2. / 3 + 1. / 2) / 4);
  // By chance they agree (3 * 3 + 2 * 2 + 1 * 0 + 0 * 1) times in 36.
  EXPECT_DOUBLE_EQ(valueOf("kappa", answers),
                   (0.5 - 13. / 36) / (1 - 13. / 36));
  answers.targets = answers.predictions = {1, 1};
  EXPECT_EQ(valueOf("macro_f1", answers), 1);
  EXPECT_TRUE(std::isnan(valueOf("kappa", answers)));
  answers.targets = answers.predictions = {};
  EXPECT_TRUE(std::isnan(valueOf("macro_f1", answers)));
  EXPECT_TRUE(std::isnan(valueOf("kappa", answers)));
}

TEST(MetricTable, countsEditsOfSequences) {
  EXPECT_EQ(editDistance({}, {}), 0);
  EXPECT_EQ(editDistance({"a", "b"}, {}), 2);
  EXPECT_EQ(editDistance({"a", "b", "c"}, {"b", "d", "c", "e"}), 3);
  EXPECT_EQ(bleu({}), 0);
  EXPECT_EQ(chrf({{{"a"}, {"b"}, "a", "b"}}), 0);
  const Tokens five = {"a", "b", "c", "d", "e"};
  EXPECT_NEAR(bleu({{five, five, "", ""}}), 100, 1e-9);
  // Shorter than four tokens: no such n-gram.
  EXPECT_EQ(bleu({{{"a"}, {"a"}, "a", "a"}}), 0);
}

TEST(MetricTable, findsSpans) {
  SpanCounts counts;
  countSpans({"B-x", "I-x", "I-y", "O", "I-x"}, {"B-x", "I-x", "B-y", "O", "O"},
             counts);
  EXPECT_EQ(counts.targets, 3); // I-y begins one, and so does the last I-x.
  EXPECT_EQ(counts.predictions, 2);
  EXPECT_EQ(counts.both, 2);
}

TEST(MetricTable, takesNoAnswerForNoClass) {
  Answers answers;
  answers.isClass = answers.hasTargets = true;
  answers.targets = {0, 0, 1, 1};
  answers.predictions = {0, std::nan(""), 1, 1};
  EXPECT_EQ(valueOf("accuracy", answers), 0.75);
  EXPECT_NEAR(valueOf("macro_f1", answers), (2.0 / 3 + 1) / 2, 1e-12);
}

TEST(MetricTable, detects) {
  Answers answers = numbers({1, 0, 1, 0}, {0.9, 0.5, 0.5, 0.1});
  EXPECT_DOUBLE_EQ(valueOf("auroc", answers), 0.875);
  EXPECT_DOUBLE_EQ(valueOf("fpr95", answers), 0.5);
  answers.targets = {1, 1, 1, 1};
  EXPECT_TRUE(std::isnan(valueOf("auroc", answers)));
  answers.targets = {1, 0.5, 1, 0};
  EXPECT_FALSE(findMetric("auroc")->applies(answers));
}

TEST(MetricTable, measuresParts) {
  Answers all;
  all.isClass = all.hasRows = all.hasRowTargets = true;
  all.targets = all.predictions = {0, 0, 0};
  all.rowTargets = {1, 2, 3, 4};
  all.rowPredictions = {1, 0, 3, 0};
  all.rowEnds = {2, 2, 4};
  EXPECT_EQ(valueOf("accuracy_all", partOf(all, {0})), 0.5);
  EXPECT_TRUE(std::isnan(valueOf("accuracy_all", partOf(all, {1}))));
  const Answers part = partOf(all, {2, 0});
  EXPECT_EQ(part.rowTargets, (std::vector<double>{3, 4, 1, 2}));
  EXPECT_EQ(part.rowEnds, (std::vector<size_t>{2, 4}));
}

TEST(MetricTable, shortListsShowTheUsualOnesAndTheChosenOne) {
  Metrics all;
  for (const char *name : {"accuracy", "macro_f1", "kappa", "loss"})
    all.add(name, 0.5);
  EXPECT_EQ(all.brief("accuracy"), "accuracy 0.5  loss 0.5");
  EXPECT_EQ(all.brief("kappa"), "accuracy 0.5  kappa 0.5  loss 0.5");
}

TEST(MetricTable, namesEveryMetricOnce) {
  for (const MetricInfo &metric : metricTable()) {
    EXPECT_EQ(findMetric(metric.name), &metric);
    EXPECT_STRNE(metric.summary, "");
  }
  EXPECT_EQ(findMetric("f2"), nullptr);
}

} // namespace
