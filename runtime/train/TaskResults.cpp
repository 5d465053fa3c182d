//===-- runtime/train/TaskResults.cpp - How good a model is at each task --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskResults.h"
#include "Evaluation.h"
#include "Format.h"
#include "MetricTable.h"

using namespace cambium;
using namespace cambium::train;

std::vector<double> TaskResults::transfer() const {
  const double sign = isBetter(metric, 1, 0) ? 1 : -1;
  std::vector<double> changes;
  for (size_t k = 0; k + 1 < matrix.size(); ++k)
    changes.push_back(sign * (matrix.back()[k] - matrix[k][k]));
  return changes;
}

std::vector<double> TaskResults::forgotten() const {
  const double sign = isBetter(metric, 1, 0) ? 1 : -1;
  std::vector<double> losses;
  for (size_t k = 0; k + 1 < matrix.size(); ++k) {
    double best = kNone;
    for (size_t row = k; row + 1 < matrix.size(); ++row)
      if (isBetter(metric, matrix[row][k], best))
        best = matrix[row][k];
    losses.push_back(sign * (best - matrix.back()[k]));
  }
  return losses;
}

Status TaskResults::read(const RunFolder &folder) {
  const std::string file = folder.path("tasks.json");
  std::string text;
  Json json;
  if (!folder.has(file))
    return Status();
  Status status = data::readFile(file, text);
  if (status.ok())
    status = Json::parseObject(text, file, json);
  for (const Json &row : json["matrix"].items()) {
    std::vector<double> &values = matrix.emplace_back();
    for (const Json &value : row.items())
      values.push_back(value.number(kNone));
    if (values.size() != names.size() || matrix.size() > names.size())
      return Status::error(file + ": expected at most " +
                           std::to_string(names.size()) +
                           " rows of as many numbers");
  }
  return status;
}

Status TaskResults::write(const RunFolder &folder) const {
  Json::Array rows;
  for (const std::vector<double> &row : matrix)
    rows.emplace_back(Json::Array(row.begin(), row.end()));
  Json json = Json::object();
  json.set("metric", metric);
  json.set("tasks", names);
  json.set("matrix", rows);
  if (matrix.size() == names.size()) {
    json.set("mean", meanOf(matrix.back()));
    json.set("backward_transfer", meanOf(transfer()));
    json.set("forgotten", meanOf(forgotten()));
  }
  return data::writeFileAtomically(folder.path("tasks.json"), json.pretty());
}

static std::vector<std::string> rowOf(const std::string &name,
                                      const std::vector<double> &values,
                                      size_t columns) {
  std::vector<std::string> row = {name};
  for (double value : values)
    row.push_back(formatNumber(value, 4));
  row.resize(columns + 1);
  row.push_back(values.empty() ? "" : formatNumber(meanOf(values), 4));
  return row;
}

std::vector<std::vector<std::string>> TaskResults::table() const {
  std::vector<std::vector<std::string>> rows(1);
  rows[0] = {metric + " after"};
  rows[0].insert(rows[0].end(), names.begin(), names.end());
  rows[0].emplace_back("mean");
  for (size_t k = 0; k < matrix.size(); ++k)
    rows.push_back(rowOf(names[k], matrix[k], names.size()));
  if (matrix.size() > 1) {
    rows.push_back(rowOf("backward transfer", transfer(), names.size()));
    rows.push_back(rowOf("forgotten", forgotten(), names.size()));
  }
  return rows;
}
