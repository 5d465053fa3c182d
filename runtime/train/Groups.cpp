//===-- runtime/train/Groups.cpp - Metrics of parts of a data set ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Groups.h"
#include "Names.h"
#include "RowStatistics.h"

#include <algorithm>

using namespace cambium;
using namespace cambium::train;

/// More groups than this are no groups.
static constexpr size_t kMostGroups = 200;

/// A class or a whole number of each example.
static bool isOfExamples(const data::Field &field) {
  return field.kind == data::FieldKind::I32 && !field.perRow &&
         field.width == 1;
}

static Status noSuchColumn(const data::Dataset &dataset,
                           const std::string &column) {
  std::vector<std::string> names = dataset.extraNames;
  for (const data::Field &field : dataset.fields)
    if (isOfExamples(field))
      names.push_back(field.name);
  std::string list;
  for (const std::string &name : names)
    list += (list.empty() ? "" : ", ") + name;
  return Status::error("expected --by with a column of " + dataset.source +
                       ", one of " + (list.empty() ? "(none)" : list) +
                       ", but got '" + column + "'" +
                       didYouMean(column, names));
}

/// What stands in a column, for each example: as it was written, or the names
/// of classes.
static Status valuesOf(const data::Dataset &dataset, const data::Reader &reader,
                       const std::string &column,
                       std::vector<std::string> &values) {
  const auto found =
      std::find(dataset.extraNames.begin(), dataset.extraNames.end(), column);
  const size_t index = found - dataset.extraNames.begin();
  const bool isText = found != dataset.extraNames.end();
  const data::Field *field = dataset.find(column);
  if (!isText && (!field || !isOfExamples(*field)))
    return noSuchColumn(dataset, column);
  for (int64_t i = 0; i < dataset.size(); ++i)
    if (!isText)
      values.push_back(valueText(reader, *field, field->intsOf(i)[0]));
    else
      values.push_back(index < dataset.extras[i].size()
                           ? dataset.extras[i][index]
                           : std::string());
  return Status();
}

Status train::findGroups(const data::Dataset &dataset,
                         const data::Reader &reader, const std::string &column,
                         GroupedExamples &examples) {
  std::vector<std::string> values;
  if (Status status = valuesOf(dataset, reader, column, values); !status.ok())
    return status;
  if (!dataset.hasTargets)
    return Status::error(dataset.source + ": expected targets for --by");
  for (int64_t i = 0; i < dataset.size(); ++i)
    examples[values[i]].push_back(i);
  if (examples.size() > kMostGroups)
    return Status::error("expected --by with a column of at most " +
                         std::to_string(kMostGroups) +
                         " different values, but '" + column + "' has " +
                         std::to_string(examples.size()));
  return Status();
}

std::vector<Group> train::groupMetrics(const data::Dataset &dataset,
                                       const Evaluator &evaluator,
                                       const Evaluation &evaluation,
                                       const GroupedExamples &examples) {
  const Answers all = collectAnswers(dataset, evaluator, evaluation);
  std::vector<Group> groups;
  for (const auto &[value, part] : examples) {
    Group group{value, static_cast<int64_t>(part.size()), {}};
    const Answers answers = partOf(all, part);
    for (const MetricInfo &metric : metricTable())
      if (metric.applies(answers))
        group.metrics.add(metric.name, metric.value(answers));
    groups.push_back(std::move(group));
  }
  return groups;
}
