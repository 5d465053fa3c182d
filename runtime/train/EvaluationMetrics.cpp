//===-- runtime/train/EvaluationMetrics.cpp - What predictions are worth --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluation.h"

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace cambium;
using namespace cambium::train;
using data::Dataset;
using data::Field;

/// The numbers that answers are compared with, or null.
static const Field *numberField(const Dataset &dataset,
                                const data::TargetFields &targets) {
  const Field *field = dataset.find(targets.value);
  return field && field->kind == data::FieldKind::F32 && !field->perRow
             ? field
             : nullptr;
}

const Field *train::classField(const Dataset &dataset, const std::string &name,
                               bool perRow) {
  const Field *field = dataset.find(name);
  return field && field->kind == data::FieldKind::I32 && field->width == 1 &&
                 field->perRow == perRow
             ? field
             : nullptr;
}

bool train::hasTargetOf(const Dataset &dataset, const Evaluator &evaluator) {
  const data::TargetFields &targets = evaluator.targets;
  const bool isNumber = evaluator.answerKind() == AnswerKind::Number;
  if (evaluator.answerKind() == AnswerKind::Sequence)
    return false;
  return dataset.hasTargets && ((isNumber && numberField(dataset, targets)) ||
                                classField(dataset, targets.perExample, false));
}

const Field *train::rowTargets(const Dataset &dataset,
                               const Evaluator &evaluator,
                               const Predictions &predictions) {
  const Field *labels = classField(dataset, evaluator.targets.perRow, true);
  return dataset.hasTargets && labels &&
                 labels->offsets == predictions.rowOffsets
             ? labels
             : nullptr;
}

double train::targetOf(const Dataset &dataset, const Evaluator &evaluator,
                       int64_t example) {
  const data::TargetFields &targets = evaluator.targets;
  const bool isNumber = evaluator.answerKind() == AnswerKind::Number;
  if (isNumber)
    if (const Field *field = numberField(dataset, targets))
      return field->floatsOf(example)[0];
  const Field *field = classField(dataset, targets.perExample, false);
  return field ? field->intsOf(example)[0] + targets.classOffset : kNone;
}

static double mean(double sum, int64_t count) {
  return count > 0 ? sum / static_cast<double>(count) : kNone;
}

/// The columns `tuple` and `level` of a data set, or null.
static const std::vector<std::string> *extraOf(const Dataset &dataset,
                                               int64_t example) {
  return dataset.extras[example].size() == dataset.extraNames.size()
             ? &dataset.extras[example]
             : nullptr;
}

static int64_t columnOf(const Dataset &dataset, const char *name) {
  auto found =
      std::find(dataset.extraNames.begin(), dataset.extraNames.end(), name);
  return found == dataset.extraNames.end() ? -1
                                           : found - dataset.extraNames.begin();
}

/// Where examples belong together in tuples: the error of the first members
/// (level 0), how far the other members' predictions are from theirs, and the
/// mean of both.
static void addTupleMetrics(const Dataset &dataset, const Evaluator &evaluator,
                            Evaluation &result) {
  int64_t tupleColumn = columnOf(dataset, "tuple");
  int64_t levelColumn = columnOf(dataset, "level");
  if (tupleColumn < 0 || levelColumn < 0)
    return;
  std::map<std::string, double> first;
  double error = 0, disagreement = 0;
  int64_t errors = 0, pairs = 0;
  const std::vector<double> &values = result.predictions.values;
  for (bool isFirst : {true, false})
    for (int64_t i = 0; i < dataset.size(); ++i) {
      const std::vector<std::string> *extra = extraOf(dataset, i);
      if (!extra || ((*extra)[levelColumn] == "0") != isFirst)
        continue;
      const std::string &tuple = (*extra)[tupleColumn];
      if (isFirst) {
        first[tuple] = values[i];
        error += std::pow(values[i] - targetOf(dataset, evaluator, i), 2);
        ++errors;
      } else if (auto found = first.find(tuple); found != first.end()) {
        disagreement += std::pow(values[i] - found->second, 2);
        ++pairs;
      }
    }
  if (errors == 0 || pairs == 0)
    return;
  double evaluation = std::sqrt(mean(error, errors));
  double agreement = std::sqrt(mean(disagreement, pairs));
  result.metrics.add("rmse_level0", evaluation);
  result.metrics.add("rmse_agreement", agreement);
  result.metrics.add("rmse_tuples", (evaluation + agreement) / 2);
}

/// The answers about all rows, where the data has targets of the same rows.
static void collectRows(const Dataset &dataset, const Evaluator &evaluator,
                        const Predictions &all, Answers &answers) {
  answers.hasRows = !all.rowOffsets.empty();
  const Field *labels = rowTargets(dataset, evaluator, all);
  answers.hasRowTargets = labels != nullptr;
  if (!labels)
    return;
  if (evaluator.reader && evaluator.targets.classOffset == 0)
    answers.rowNames = evaluator.reader->namesOf(evaluator.targets.perRow);
  const Field *weights = dataset.find(evaluator.targets.rowWeight);
  for (int64_t i = 0; i < dataset.size(); ++i) {
    for (int64_t row = labels->offsets[i]; row < labels->offsets[i + 1];
         ++row) {
      if (labels->ints[row] < 0 || (weights && weights->floats[row] == 0))
        continue; // A row without a target.
      answers.rowPredictions.push_back(all.rowValues[row]);
      answers.rowTargets.push_back(labels->ints[row] +
                                   evaluator.targets.classOffset);
    }
    answers.rowEnds.push_back(answers.rowTargets.size());
  }
}

/// The answers about heads, and relations to them, where outputs are called so.
static void collectHeads(const Dataset &dataset, const Predictions &all,
                         Answers &answers) {
  auto found = all.further.find("heads");
  const Field *heads = dataset.find("heads");
  // Of tables, the tree that heads make stands there.
  if (heads && heads->kind == data::FieldKind::Tree)
    heads = dataset.find("heads.rows");
  if (found == all.further.end() || !heads || !dataset.hasTargets ||
      heads->ints.size() != found->second.size())
    return;
  for (size_t row = 0; row < heads->ints.size(); ++row)
    answers.isHeadRight.push_back(heads->ints[row] == found->second[row]);
  answers.headEnds.assign(heads->offsets.begin() + 1, heads->offsets.end());
  found = all.further.find("relations");
  const Field *relations = dataset.find("relations");
  if (found == all.further.end() || !relations ||
      relations->ints.size() != found->second.size())
    return;
  for (size_t row = 0; row < relations->ints.size(); ++row)
    answers.isRelationRight.push_back(relations->ints[row] ==
                                      found->second[row]);
}

static void collectSequences(const Dataset &dataset, const Evaluator &evaluator,
                             const Predictions &all, Answers &answers) {
  const Field *targets = evaluator.sequenceTargets(dataset);
  if (!targets || all.sequences.empty())
    return;
  for (int64_t i = 0; i < dataset.size(); ++i) {
    TokenPair pair;
    const int32_t *ids = targets->intsOf(i);
    pair.target = evaluator.tokensOf(
        {std::vector<int32_t>(ids, ids + targets->rows(i)), kNone});
    if (!all.sequences[i].empty())
      pair.prediction = evaluator.tokensOf(all.sequences[i].front());
    pair.targetText = evaluator.textOf(pair.target);
    pair.predictionText = evaluator.textOf(pair.prediction);
    answers.sequences.push_back(std::move(pair));
  }
}

Answers train::collectAnswers(const Dataset &dataset,
                              const Evaluator &evaluator,
                              const Evaluation &result) {
  Answers answers;
  answers.predictions = result.predictions.values;
  answers.hasTargets = hasTargetOf(dataset, evaluator);
  for (int64_t i = 0; i < dataset.size(); ++i)
    answers.targets.push_back(targetOf(dataset, evaluator, i));
  answers.isClass = evaluator.answerKind() == AnswerKind::Class;
  answers.isNumber = !answers.isClass || evaluator.targets.metric == "rmse";
  answers.hasLoss = evaluator.loss != nullptr;
  answers.loss = result.loss;
  collectRows(dataset, evaluator, result.predictions, answers);
  collectHeads(dataset, result.predictions, answers);
  collectSequences(dataset, evaluator, result.predictions, answers);
  return answers;
}

Status Evaluator::run(const Dataset &dataset, Evaluation &result) const {
  auto start = std::chrono::steady_clock::now();
  Status status = predictAll(dataset, result);
  if (status.ok() && loss && dataset.hasTargets && !result.interrupted)
    status = lossOf(dataset, result);
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (!status.ok() || result.interrupted || !dataset.hasTargets)
    return status;

  const Answers answers = collectAnswers(dataset, *this, result);
  for (const MetricInfo &metric : metricTable()) {
    if (metric.applies(answers))
      result.metrics.add(metric.name, metric.value(answers));
    // Behind the error that they are made of.
    if (std::string_view(metric.name) == "rmse" && targets.metric == "rmse")
      addTupleMetrics(dataset, *this, result);
  }
  return Status();
}
