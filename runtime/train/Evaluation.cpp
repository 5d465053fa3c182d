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
  const bool isUsable = !predict->outputs.empty() &&
                        predict->outputs[0].space != CAMBIUM_SPACE_CALL &&
                        (predict->outputs[0].shape.size() <= 1 ||
                         answerKind() == AnswerKind::Sequence);
  if (!isUsable && !takesAnyOutput)
    return Status::error("expected that output 0 of '" + predictName +
                         "' is one value or one vector of class scores per "
                         "example or per node, or sequences of i32");
  loss = engine->find(lossName);
  if (!loss && lossName != ModelOptions().loss)
    return Status::error("expected a module with a function '" + lossName +
                         "' for --loss, but got the functions " + functions +
                         didYouMean(lossName, names));
  if (loss && (loss->kind != CAMBIUM_ENTRY_FUNCTION || loss->outputs.empty()))
    loss = nullptr;
  return Status();
}

std::string Evaluator::nameIn(const std::string &field, double value,
                              int digits) const {
  const bool isClass = predict && answerKind() == AnswerKind::Class;
  if (reader && isClass && !field.empty() && value == std::floor(value)) {
    const std::vector<std::string> &names = reader->namesOf(field);
    const double id = value - targets.classOffset;
    if (id >= 0 && id < double(names.size()))
      return names[static_cast<size_t>(id)];
  }
  return formatNumber(value, digits);
}

std::string Evaluator::nameOf(double value, int digits) const {
  // Without classes of their own, examples have those of their roots.
  return nameIn(targets.perExample.empty() ? targets.perRow
                                           : targets.perExample,
                value, digits);
}

std::string Evaluator::nameOfRow(double value, int digits) const {
  return nameIn(targets.perRow, value, digits);
}

Status Evaluator::runBatches(const EntrySpec &entry, const Dataset &dataset,
                             size_t numOutputs, Evaluation &result,
                             const Taker &take) const {
  Binding binding;
  if (Status status = Binding::create(entry, dataset, feeds, binding);
      !status.ok())
    return status;
  std::unique_ptr<Batch> batch;
  if (Status status = engine->makeBatch(entry, batch); !status.ok())
    return status;
  if (&entry == predict && binding.areSets())
    return Status::error("expected that '" + predict->name +
                         "' takes one line of the data, but it takes sets");
  const std::vector<int32_t> examples = binding.linesInOrder();
  Carry carry;
  if (feeds.carry.areGiven())
    if (Status status = openCarry(entry, dataset, carry); !status.ok())
      return status;
  binding.setCarry(&carry);
  std::vector<Output> outputs(std::max(numOutputs, carry.numOutputs()));
  int64_t count = 0;
  for (int64_t first = 0; first < dataset.size(); first += count) {
    if (shouldStop()) {
      result.interrupted = true;
      return Status();
    }
    count = binding.countFrom(examples, first, batchSize);
    // An example needs what the one before has left.
    for (int64_t i = 1; carry.isOn() && i < count; ++i)
      if (!carry.beginsText(examples[first + i]))
        count = i;
    Status status = binding.fill(*batch, examples.data() + first, count, 0);
    const bool hasScores =
        &entry == predict && answerKind() == AnswerKind::Class;
    if (status.ok())
      status = ensemble.empty()
                   ? engine->call(entry, *batch, outputs)
                   : ensemble.call(*engine, entry, *batch, hasScores, outputs);
    if (status.ok())
      status = take(*batch, outputs, first);
    if (!status.ok())
      return status;
    carry.take({examples.begin() + first, examples.begin() + first + count},
               outputs);
    if (carry.isOn() && before)
      carry.leave(examples[first + count - 1], outputs, count - 1, *before);
  }
  return Status();
}

/// All lines of a file are one text, unless a column says more.
Status Evaluator::openCarry(const EntrySpec &entry, const Dataset &dataset,
                            Carry &carry) const {
  Status status = Carry::create(entry, dataset, feeds.carry, 1, carry);
  if (status.ok() && carry.isOn() && !ensemble.empty())
    return Status::error("expected --carry without --with");
  if (before)
    carry.goOn(*before);
  return status;
}

Status Evaluator::forEachBatch(const Dataset &dataset,
                               const Taker &take) const {
  Evaluation evaluation;
  Status status =
      runBatches(*predict, dataset, predict->outputs.size(), evaluation, take);
  return status.ok() && evaluation.interrupted
             ? Status::error(dataset.source + ": interrupted")
             : status;
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
      runBatches(*predict, dataset, 1, evaluation,
                 [&](const Batch &, const std::vector<Output> &rows, int64_t) {
                   for (int64_t i = 0; i < rows[0].size(); ++i)
                     vectors.push_back(static_cast<float>(rows[0].at(i)));
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
  auto take = [&](const Batch &batch, const std::vector<Output> &outputs,
                  int64_t) {
    const Output &losses = outputs[0];
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
  Status status = runBatches(*loss, dataset, 1, result, take);
  result.loss = weight > 0 ? sum / weight : kNone;
  return status;
}
