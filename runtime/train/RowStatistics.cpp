//===-- runtime/train/RowStatistics.cpp - Numbers of rows -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowStatistics.h"
#include "Names.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

using namespace cambium;
using namespace cambium::train;
using data::Dataset;
using data::Field;
using data::FieldKind;

namespace {
/// Sums of numbers, around the first one so that none is lost.
class Sums {
public:
  void add(double value) {
    if (count++ == 0)
      origin = value;
    const double distance = value - origin;
    sum += distance;
    squares += distance * distance;
  }
  RowGroup group(std::string name) const {
    const double n = static_cast<double>(count);
    RowGroup result{std::move(name), count, kNone, kNone};
    if (count > 0)
      result.mean = origin + sum / n;
    if (count > 1)
      result.deviation =
          std::sqrt(std::max(0.0, (squares - sum * sum / n) / (n - 1)));
    return result;
  }

private:
  int64_t count = 0;
  double origin = 0, sum = 0, squares = 0;
};
} // namespace

/// For each iteration, the part of the rows whose number is not below it; none
/// if the numbers are no counts.
static std::vector<double> activeParts(const std::vector<double> &values) {
  constexpr double kMostIterations = 10000;
  double most = 0;
  for (double value : values) {
    if (!(value >= 1 && value <= kMostIterations) || value != std::floor(value))
      return {};
    most = std::max(most, value);
  }
  std::vector<double> counts(static_cast<size_t>(most) + 1);
  for (double value : values)
    ++counts[static_cast<size_t>(value)];
  std::vector<double> parts(static_cast<size_t>(most));
  double above = 0;
  for (size_t step = parts.size(); step > 0; --step) {
    above += counts[step];
    parts[step - 1] = above / static_cast<double>(values.size());
  }
  return parts;
}

static bool hasRows(const Field &field, const Predictions &predictions) {
  return field.kind == FieldKind::I32 &&
         field.offsets == predictions.rowOffsets;
}

static Status noSuchField(const Dataset &dataset,
                          const Predictions &predictions,
                          const std::string &name) {
  std::string names;
  std::vector<std::string> known;
  for (const Field &field : dataset.fields)
    if (hasRows(field, predictions)) {
      names += (names.empty() ? "" : ", ") + field.name;
      known.push_back(field.name);
    }
  return Status::error("expected --by with a field of " + dataset.source +
                       " that has the rows of the output, one of " +
                       (names.empty() ? "(none)" : names) + ", but got '" +
                       name + "'" + didYouMean(name, known));
}

std::string train::valueText(const data::Reader &reader, const Field &field,
                             int32_t value) {
  const data::Vocabulary *vocabulary = reader.vocabularyOf(field.name);
  if (vocabulary && field.names.empty())
    if (const std::string *word = vocabulary->wordOf(value))
      return *word;
  return field.nameOf(value);
}

Status train::summarizeRows(const Dataset &dataset, const data::Reader &reader,
                            const Predictions &predictions,
                            const std::vector<std::string> &fields,
                            RowStatistics &result) {
  const std::vector<double> &values = predictions.rowValues;
  Sums all;
  for (double value : values)
    all.add(value);
  result.all = all.group("all");
  result.active = activeParts(values);
  for (const std::string &name : fields) {
    const Field *field = dataset.find(name);
    if (!field || !hasRows(*field, predictions))
      return noSuchField(dataset, predictions, name);
    std::map<int32_t, Sums> sums;
    for (size_t row = 0; row < values.size(); ++row)
      sums[field->ints[row]].add(values[row]);
    std::vector<RowGroup> groups;
    for (const auto &[value, part] : sums)
      groups.push_back(part.group(valueText(reader, *field, value)));
    std::sort(groups.begin(), groups.end(),
              [](const RowGroup &a, const RowGroup &b) {
                return a.rows != b.rows ? a.rows > b.rows : a.value < b.value;
              });
    result.by.emplace_back(name, std::move(groups));
  }
  return Status();
}

static std::vector<std::string> cutAtSpaces(const std::string &text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<std::string> train::rowNames(const Dataset &dataset,
                                         const data::Reader &reader,
                                         int64_t example, int64_t count) {
  data::TreeText text;
  if (reader.describe(dataset.texts[example], "tree", text) &&
      static_cast<int64_t>(text.nodes.size()) == count)
    return text.nodes;
  for (const std::string &column : dataset.extras[example]) {
    std::vector<std::string> parts = cutAtSpaces(column);
    if (static_cast<int64_t>(parts.size()) == count)
      return parts;
  }
  for (const Field &field : dataset.fields) {
    const bool isWords =
        !field.names.empty() || reader.vocabularyOf(field.name);
    if (!isWords || !field.perRow || field.kind != FieldKind::I32 ||
        field.rows(example) != count)
      continue;
    std::vector<std::string> names;
    for (int64_t row = 0; row < count; ++row)
      names.push_back(valueText(reader, field, field.intsOf(example)[row]));
    return names;
  }
  std::vector<std::string> numbers;
  for (int64_t row = 1; row <= count; ++row)
    numbers.push_back(std::to_string(row));
  return numbers;
}

static Json toJson(const RowGroup &group, const char *key) {
  Json result = Json::object();
  if (key)
    result.set(key, group.value);
  result.set("rows", group.rows);
  result.set("mean", group.mean);
  result.set("deviation", group.deviation);
  return result;
}

Json train::toJson(const RowStatistics &statistics) {
  Json result = ::toJson(statistics.all, nullptr);
  Json::Array active;
  for (double part : statistics.active)
    active.emplace_back(part);
  result.set("active", active);
  Json by = Json::object();
  for (const auto &[name, groups] : statistics.by) {
    Json::Array items;
    for (const RowGroup &group : groups)
      items.push_back(::toJson(group, "value"));
    by.set(name.c_str(), items);
  }
  result.set("by", by);
  return result;
}
