//===-- Ensemble.cpp - Several parameters of one model --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ensemble.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace cambium;
using namespace cambium::train;

/// The parameters of a model in this machine's memory.
static Status valuesOf(Engine &engine, std::vector<const void *> &values) {
  values.clear();
  for (size_t i = 0; i < engine.parameters.size(); ++i) {
    values.push_back(engine.value(i));
    if (!values.back())
      return Status::error("expected --device cpu for means of parameters and "
                           "of answers");
  }
  return Status();
}

template <typename T>
static void addTo(std::vector<double> &sums, const void *values) {
  for (size_t i = 0; i < sums.size(); ++i)
    sums[i] += static_cast<const T *>(values)[i];
}

template <typename T>
static Status setMean(Engine &engine, size_t parameter,
                      const std::vector<double> &sums, double count) {
  std::vector<T> mean(sums.size());
  for (size_t i = 0; i < sums.size(); ++i)
    mean[i] = static_cast<T>(sums[i] / count);
  return engine.setValue(parameter, mean.data());
}

Status train::loadMean(const std::vector<std::string> &checkpoints,
                       Engine &engine) {
  const std::vector<ParameterSpec> &specs = engine.parameters;
  std::vector<std::vector<double>> sums(specs.size());
  std::vector<const void *> values;
  // The first one is loaded last, so that what has no mean is its own.
  for (size_t k = checkpoints.size(); k-- > 0;) {
    Status status = engine.load(checkpoints[k], /*parametersOnly=*/true);
    if (status.ok())
      status = valuesOf(engine, values);
    if (!status.ok())
      return status;
    for (size_t i = 0; i < specs.size(); ++i) {
      sums[i].resize(specs[i].numElements);
      if (specs[i].type == CAMBIUM_TYPE_F32)
        addTo<float>(sums[i], values[i]);
      else if (specs[i].type == CAMBIUM_TYPE_F64)
        addTo<double>(sums[i], values[i]);
    }
  }
  const double count = static_cast<double>(checkpoints.size());
  for (size_t i = 0; i < specs.size(); ++i) {
    Status status;
    if (specs[i].type == CAMBIUM_TYPE_F32)
      status = setMean<float>(engine, i, sums[i], count);
    else if (specs[i].type == CAMBIUM_TYPE_F64)
      status = setMean<double>(engine, i, sums[i], count);
    if (!status.ok())
      return status;
  }
  return Status();
}

static size_t bytesOf(const ParameterSpec &spec) {
  return static_cast<size_t>(spec.numElements * cambium_type_size(spec.type));
}

Status Ensemble::add(Engine &engine) {
  std::vector<const void *> values;
  if (Status status = valuesOf(engine, values); !status.ok())
    return status;
  Parameters member;
  for (size_t i = 0; i < values.size(); ++i) {
    const char *bytes = static_cast<const char *>(values[i]);
    member.emplace_back(bytes, bytes + bytesOf(engine.parameters[i]));
  }
  members.push_back(std::move(member));
  return Status();
}

/// Scores of classes as probabilities.
static void normalize(std::vector<double> &scores, size_t first, size_t count) {
  double sum = 0, highest = scores[first];
  bool areProbabilities = true;
  for (size_t i = first; i < first + count; ++i) {
    areProbabilities &= scores[i] >= 0;
    sum += scores[i];
    highest = std::max(highest, scores[i]);
  }
  if (areProbabilities && std::abs(sum - 1) < 1e-4)
    return;
  sum = 0;
  for (size_t i = first; i < first + count; ++i)
    sum += scores[i] = std::exp(scores[i] - highest);
  for (size_t i = first; i < first + count; ++i)
    scores[i] /= sum;
}

static void put(double value, Output &output, int64_t index) {
  auto write = [&](auto number) {
    memcpy(output.bytes.data() + index * sizeof number, &number, sizeof number);
  };
  if (output.type == CAMBIUM_TYPE_F32)
    write(static_cast<float>(value));
  else
    write(value);
}

static bool isFloat(const Output &output) {
  return output.type == CAMBIUM_TYPE_F32 || output.type == CAMBIUM_TYPE_F64;
}

Status Ensemble::call(Engine &engine, const EntrySpec &entry,
                      const Batch &batch, bool hasScores,
                      std::vector<Output> &outputs) const {
  std::vector<std::vector<double>> sums(outputs.size());
  for (const Parameters &member : members) {
    for (size_t i = 0; i < member.size(); ++i)
      if (Status status = engine.setValue(i, member[i].data()); !status.ok())
        return status;
    if (Status status = engine.call(entry, batch, outputs); !status.ok())
      return status;
    for (size_t k = 0; k < outputs.size(); ++k) {
      std::vector<double> numbers(outputs[k].size());
      for (size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = outputs[k].at(static_cast<int64_t>(i));
      const size_t classes = entry.outputs[k].rowElements;
      for (size_t i = 0; k == 0 && hasScores && i < numbers.size();
           i += classes)
        normalize(numbers, i, classes);
      sums[k].resize(numbers.size());
      for (size_t i = 0; i < numbers.size(); ++i)
        sums[k][i] += numbers[i];
    }
  }
  for (size_t k = 0; k < outputs.size(); ++k) {
    if (!isFloat(outputs[k]))
      return Status::error("output '" + entry.outputs[k].name + "' of '" +
                           entry.name +
                           "': expected numbers to take the mean "
                           "of (--with), but got integers");
    for (size_t i = 0; i < sums[k].size(); ++i)
      put(sums[k][i] / double(members.size()), outputs[k],
          static_cast<int64_t>(i));
  }
  return Status();
}
