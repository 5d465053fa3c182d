//===-- Evaluation.cpp - Predictions and what they are worth --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluation.h"
#include "Format.h"
#include "Names.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace cambium;
using namespace cambium::train;
using data::Dataset;
using data::Field;

double Metrics::find(const std::string &name) const {
  for (const auto &[key, value] : values)
    if (key == name)
      return value;
  return kNone;
}

std::string Metrics::names() const {
  std::string result;
  for (const auto &entry : values)
    result += (result.empty() ? "" : ", ") + entry.first;
  return result;
}

std::string Metrics::text() const {
  std::string result;
  for (const auto &[key, value] : values)
    result += (result.empty() ? "" : "  ") + key + " " + formatNumber(value, 5);
  return result;
}

Metrics Metrics::shown(const std::string &chosen) const {
  Metrics shown;
  for (const auto &[key, value] : values) {
    const MetricInfo *info = findMetric(key);
    if (!info || info->isBrief || key == chosen)
      shown.add(key, value);
  }
  return shown;
}

bool train::isBetter(const std::string &metric, double value, double than) {
  if (std::isnan(value) || std::isnan(than))
    return !std::isnan(value);
  const MetricInfo *info = findMetric(metric);
  return info && info->moreIsBetter ? value > than : value < than;
}

Status Evaluator::findEntries(const std::string &predictName,
                              const std::string &lossName) {
  predict = engine->find(predictName);
  std::string functions;
  std::vector<std::string> names;
  for (const EntrySpec &entry : engine->entries)
    if (entry.kind == CAMBIUM_ENTRY_FUNCTION) {
      functions += (functions.empty() ? "" : ", ") + entry.name;
      names.push_back(entry.name);
    }
  if (!predict || predict->kind != CAMBIUM_ENTRY_FUNCTION)
    return Status::error("expected a module with a function '" + predictName +
                         "', but got the functions " +
                         (functions.empty() ? "(none)" : functions) +
                         didYouMean(predictName, names));
  if (predict->outputs.empty() ||
      predict->outputs[0].space == CAMBIUM_SPACE_CALL ||
      predict->outputs[0].shape.size() > 1)
    return Status::error("expected that output 0 of '" + predictName +
                         "' is one value or one vector of class scores per "
                         "example or per node");
  loss = engine->find(lossName);
  if (loss && (loss->kind != CAMBIUM_ENTRY_FUNCTION || loss->outputs.empty()))
    loss = nullptr;
  return Status();
}

std::string Evaluator::nameIn(const std::string &field, double value,
                              int digits) const {
  const bool isClass = predict && !predict->outputs[0].shape.empty();
  if (reader && isClass && !field.empty() && value == std::floor(value)) {
    const std::vector<std::string> &names = reader->namesOf(field);
    const double id = value - targets.classOffset;
    if (id >= 0 && id < double(names.size()))
      return names[static_cast<size_t>(id)];
  }
  return formatNumber(value, digits);
}

std::string Evaluator::nameOf(double value, int digits) const {
  return nameIn(targets.perExample, value, digits);
}

std::string Evaluator::nameOfRow(double value, int digits) const {
  return nameIn(targets.perRow, value, digits);
}

Status Evaluator::runBatches(
    const EntrySpec &entry, const Dataset &dataset, Evaluation &result,
    const std::function<Status(const Batch &, const Output &, int64_t)> &take)
    const {
  Binding binding;
  if (Status status = Binding::create(entry, dataset, feeds, binding);
      !status.ok())
    return status;
  std::unique_ptr<Batch> batch;
  if (Status status = engine->makeBatch(entry, batch); !status.ok())
    return status;
  std::vector<int32_t> examples(dataset.size());
  std::iota(examples.begin(), examples.end(), 0);
  std::vector<Output> outputs(1);
  for (int64_t first = 0; first < dataset.size(); first += batchSize) {
    if (shouldStop()) {
      result.interrupted = true;
      return Status();
    }
    int64_t count = std::min(batchSize, dataset.size() - first);
    Status status = binding.fill(*batch, examples.data() + first, count, 0);
    if (status.ok())
      status = engine->call(entry, *batch, outputs);
    if (status.ok())
      status = take(*batch, outputs[0], first);
    if (!status.ok())
      return status;
  }
  return Status();
}

/// Whether numbers are probabilities of classes, and not scores of which a
/// softmax makes some.
static bool areProbabilities(const Output &scores, int64_t first,
                             int64_t count) {
  double sum = 0;
  for (int64_t i = first; i < first + count; ++i) {
    if (!(scores.at(i) >= 0))
      return false;
    sum += scores.at(i);
  }
  return std::abs(sum - 1) < 1e-4;
}

/// The class with the highest score, and its probability.
static std::pair<int64_t, double> argmax(const Output &scores, int64_t first,
                                         int64_t count) {
  int64_t best = 0;
  double highest = scores.at(first);
  for (int64_t i = 1; i < count; ++i)
    if (double score = scores.at(first + i); score > highest) {
      best = i;
      highest = score;
    }
  if (areProbabilities(scores, first, count))
    return {best, highest};
  double sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += std::exp(scores.at(first + i) - highest);
  return {best, 1 / sum};
}

/// The row of the root among the rows of an example.
static int64_t rootRow(const Field *tree, int64_t example) {
  if (!tree)
    return 0;
  const int32_t *parents = tree->intsOf(example);
  int64_t rows = tree->rows(example);
  int64_t root = std::find(parents, parents + rows, -1) - parents;
  return root == rows ? 0 : root;
}

Status Evaluator::predictAll(const Dataset &dataset, Evaluation &result) const {
  const TensorSpec &output = predict->outputs[0];
  const int64_t classes = output.shape.empty() ? 0 : output.rowElements;
  const Field *tree = nullptr;
  for (const TreeSpec &spec : predict->trees)
    if (spec.space == output.space)
      tree = fieldOf(dataset, feeds, spec.name);

  Predictions &all = result.predictions;
  auto read = [&](const Output &scores, int64_t row) {
    if (classes == 0)
      return std::pair(scores.at(row), kNone);
    auto [best, probability] = argmax(scores, row * classes, classes);
    return std::pair(double(best + targets.classOffset), probability);
  };
  auto take = [&](const Batch &batch, const Output &scores, int64_t first) {
    const int32_t *offsets =
        output.space >= 0 ? batch.spaceOffsets(output.space) : nullptr;
    if (offsets && all.rowOffsets.empty())
      all.rowOffsets.push_back(0);
    for (int64_t i = 0; i < batch.numExamples(); ++i) {
      int64_t row = i;
      if (offsets) {
        for (int64_t r = offsets[i]; r < offsets[i + 1]; ++r) {
          const auto [value, probability] = read(scores, r);
          all.rowValues.push_back(value);
          all.rowProbabilities.push_back(probability);
        }
        all.rowOffsets.push_back(static_cast<int64_t>(all.rowValues.size()));
        row = offsets[i] + rootRow(tree, first + i);
      }
      auto [value, probability] = read(scores, row);
      all.values.push_back(value);
      all.probabilities.push_back(probability);
    }
    return Status();
  };
  return runBatches(*predict, dataset, result, take);
}

Status Evaluator::vectorsOf(const Dataset &dataset,
                            std::vector<float> &vectors) const {
  const TensorSpec &output = predict->outputs[0];
  if (output.space != CAMBIUM_SPACE_EXAMPLE || output.shape.size() != 1)
    return Status::error("expected that output 0 of '" + predict->name +
                         "' is one vector per example, but it has the shape " +
                         formatShape(output.shape) +
                         (output.space >= 0 ? " per row" : ""));
  vectors.clear();
  Evaluation evaluation;
  Status status =
      runBatches(*predict, dataset, evaluation,
                 [&](const Batch &, const Output &rows, int64_t) {
                   for (int64_t i = 0; i < rows.size(); ++i)
                     vectors.push_back(static_cast<float>(rows.at(i)));
                   return Status();
                 });
  return status.ok() && evaluation.interrupted
             ? Status::error(dataset.source + ": interrupted")
             : status;
}

Status Evaluator::callAll(const Dataset &dataset,
                          const std::vector<int32_t> &examples,
                          std::unique_ptr<Batch> &batch,
                          std::vector<Output> &outputs) const {
  Binding binding;
  Status status = Binding::create(*predict, dataset, feeds, binding);
  if (status.ok())
    status = engine->makeBatch(*predict, batch);
  if (status.ok())
    status = binding.fill(*batch, examples.data(), examples.size(), 0);
  outputs.assign(predict->outputs.size(), Output());
  return status.ok() ? engine->call(*predict, *batch, outputs) : status;
}

Status Evaluator::lossOf(const Dataset &dataset, Evaluation &result) const {
  const bool isPerCall = loss->outputs[0].space == CAMBIUM_SPACE_CALL;
  double sum = 0, weight = 0;
  auto take = [&](const Batch &batch, const Output &losses, int64_t) {
    if (isPerCall) {
      sum += losses.at(0) * batch.numExamples();
      weight += batch.numExamples();
      return Status();
    }
    for (int64_t i = 0; i < losses.size(); ++i)
      sum += losses.at(i);
    weight += losses.size();
    return Status();
  };
  Status status = runBatches(*loss, dataset, result, take);
  result.loss = weight > 0 ? sum / weight : kNone;
  return status;
}
