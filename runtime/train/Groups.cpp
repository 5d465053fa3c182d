//===-- runtime/train/Groups.cpp - Metrics of parts of a data set ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Groups.h"
#include "Names.h"

#include <algorithm>

using namespace cambium;
using namespace cambium::train;

/// More groups than this are no groups.
static constexpr size_t kMostGroups = 200;

static Status noSuchColumn(const data::Dataset &dataset,
                           const std::string &column) {
  std::string names;
  for (const std::string &name : dataset.extraNames)
    names += (names.empty() ? "" : ", ") + name;
  return Status::error("expected --by with a column of " + dataset.source +
                       ", one of " + (names.empty() ? "(none)" : names) +
                       ", but got '" + column + "'" +
                       didYouMean(column, dataset.extraNames));
}

Status train::groupMetrics(const data::Dataset &dataset,
                           const Evaluator &evaluator,
                           const Evaluation &evaluation,
                           const std::string &column,
                           std::vector<Group> &groups) {
  auto found =
      std::find(dataset.extraNames.begin(), dataset.extraNames.end(), column);
  if (found == dataset.extraNames.end())
    return noSuchColumn(dataset, column);
  const size_t index = found - dataset.extraNames.begin();
  if (!dataset.hasTargets)
    return Status::error(dataset.source + ": expected targets for --by");
  const Answers all = collectAnswers(dataset, evaluator, evaluation);
  std::map<std::string, std::vector<int64_t>> parts;
  for (int64_t i = 0; i < dataset.size(); ++i) {
    const std::vector<std::string> &extras = dataset.extras[i];
    parts[index < extras.size() ? extras[index] : ""].push_back(i);
  }
  if (parts.size() > kMostGroups)
    return Status::error("expected --by with a column of at most " +
                         std::to_string(kMostGroups) +
                         " different values, but '" + column + "' has " +
                         std::to_string(parts.size()));
  for (const auto &[value, examples] : parts) {
    Group group{value, static_cast<int64_t>(examples.size()), {}};
    const Answers part = partOf(all, examples);
    for (const MetricInfo &metric : metricTable())
      if (metric.applies(part))
        group.metrics.add(metric.name, metric.value(part));
    groups.push_back(std::move(group));
  }
  return Status();
}
