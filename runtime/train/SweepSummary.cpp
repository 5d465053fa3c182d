//===-- runtime/train/SweepSummary.cpp - Several seeds together -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepSummary.h"
#include "Format.h"

#include <algorithm>
#include <cmath>

using namespace cambium;
using namespace cambium::train;

const Metrics *SeedResult::find(const std::string &data) const {
  for (const auto &[name, metrics] : results)
    if (name == data)
      return &metrics;
  return nullptr;
}

bool SeedResult::isComplete(const Options &options) const {
  const int64_t stale = epochs - bestEpoch;
  const bool isOver = (stopped == "epochs" && options.epochs <= epochs) ||
                      (stopped == "patience" && options.patience > 0 &&
                       options.patience <= stale);
  return isOver && std::all_of(options.tests.begin(), options.tests.end(),
                               [&](auto &file) { return find(file); });
}

void SeedResult::nameTest(const std::string &file) {
  std::vector<std::pair<std::string, Metrics>> kept;
  for (auto result = results.rbegin(); result != results.rend(); ++result) {
    const bool isDev = result->first == "dev";
    const std::string &name = isDev ? result->first : file;
    if (std::none_of(kept.begin(), kept.end(),
                     [&](auto &each) { return each.first == name; }))
      kept.emplace_back(name, result->second);
  }
  results.assign(kept.rbegin(), kept.rend());
}

static Metrics metricsOf(const Json &object) {
  Metrics metrics;
  if (object.isObject())
    for (const auto &[name, value] : object.members())
      metrics.add(name, value.number(kNone));
  return metrics;
}

Status train::readSeedResult(const RunFolder &folder, SeedResult &result) {
  std::vector<Json> events;
  if (Status status = folder.readLog(events); !status.ok())
    return status;
  auto set = [&](const std::string &data, Metrics metrics) {
    for (auto &[name, known] : result.results)
      if (name == data) {
        known = std::move(metrics);
        return;
      }
    result.results.emplace_back(data, std::move(metrics));
  };
  for (const Json &event : events) {
    const std::string kind = event["event"].text();
    if (kind == "epoch" || kind == "restart") {
      // Evaluations of earlier parameters do not count any more.
      if (result.results.size() > 1)
        result.results.resize(1);
      result.stopped.clear();
      result.epochs = event["epoch"].integer(0);
    }
    if (kind == "restart")
      result.epochs = 0;
    if (kind == "epoch" && event["best"].truth(false)) {
      result.bestEpoch = result.epochs;
      set("dev", metricsOf(event["dev"]));
    }
    if (kind == "stop")
      result.stopped = event["reason"].text();
    // Of the training's own result, not of other parameters.
    if (kind == "eval" && !result.results.empty() && event["differs"].isNull())
      set(event["data"].text(), metricsOf(event["metrics"]));
  }
  return Status();
}

Spread train::spreadOf(const std::vector<SeedResult> &results,
                       const std::string &data, const std::string &metric) {
  std::vector<double> values;
  for (const SeedResult &result : results)
    if (const Metrics *metrics = result.find(data))
      if (double value = metrics->find(metric); !std::isnan(value))
        values.push_back(value);
  Spread spread;
  const double count = double(values.size());
  if (values.empty())
    return spread;
  double sum = 0, squares = 0;
  for (double value : values)
    sum += value;
  spread.mean = sum / count;
  for (double value : values)
    squares += (value - spread.mean) * (value - spread.mean);
  if (values.size() > 1)
    spread.deviation = std::sqrt(squares / (count - 1));
  return spread;
}

/// The data that all results are about, in the order of the first.
static std::vector<std::string> dataOf(const std::vector<SeedResult> &results) {
  std::vector<std::string> names;
  if (!results.empty())
    for (const auto &[name, metrics] : results.front().results)
      if (std::all_of(results.begin(), results.end(),
                      [&](const SeedResult &result) {
                        return result.find(name) != nullptr;
                      }))
        names.push_back(name);
  return names;
}

static Json jsonOf(const Metrics &metrics) {
  Json object = Json::object();
  for (const auto &[name, value] : metrics.values)
    object.set(name.c_str(), value);
  return object;
}

static Json jsonOf(const SeedResult &result) {
  Json object = Json::object();
  object.set("seed", result.seed);
  object.set("folder", result.folder);
  object.set("epochs", result.epochs);
  object.set("best_epoch", result.bestEpoch);
  Json all = Json::object();
  for (const auto &[data, metrics] : result.results)
    all.set(data.c_str(), jsonOf(metrics));
  object.set("results", all);
  return object;
}

Status train::writeSummary(const RunFolder &folder, const Options &options,
                           const std::vector<SeedResult> &results) {
  Json::Array described;
  Json means = Json::object(), deviations = Json::object();
  for (const SeedResult &result : results)
    described.push_back(jsonOf(result));
  for (const std::string &data : dataOf(results)) {
    Json mean = Json::object(), deviation = Json::object();
    for (const auto &[metric, value] : results.front().find(data)->values) {
      const Spread spread = spreadOf(results, data, metric);
      mean.set(metric.c_str(), spread.mean);
      deviation.set(metric.c_str(), spread.deviation);
    }
    means.set(data.c_str(), mean);
    deviations.set(data.c_str(), deviation);
  }
  Json summary = Json::object();
  summary.set("metric", options.metric);
  summary.set("seeds", options.folds > 0 ? options.folds : options.seeds);
  summary.set("runs", described);
  summary.set("mean", means);
  summary.set("deviation", deviations);
  return data::writeFileAtomically(folder.path("summary.json"),
                                   summary.pretty());
}

static std::string baseName(const std::string &path) {
  return path.substr(path.rfind('/') + 1);
}

std::vector<std::vector<std::string>>
train::tableOf(const Options &options, const std::vector<SeedResult> &results) {
  std::vector<std::vector<std::string>> rows(1);
  rows[0] = {options.folds > 0 ? "fold" : "seed", "best epoch"};
  for (const SeedResult &result : results)
    rows.push_back({result.folder.substr(result.folder.find('-') + 1),
                    std::to_string(result.bestEpoch)});
  rows.push_back({"mean", ""});
  rows.push_back({"deviation", ""});
  for (const std::string &data : dataOf(results)) {
    const Metrics &first = *results.front().find(data);
    for (const auto &[metric, value] : first.shown(options.metric).values) {
      if (data == "dev" && metric != options.metric)
        continue;
      size_t row = 0;
      rows[row++].push_back(baseName(data) + " " + metric);
      for (const SeedResult &result : results)
        rows[row++].push_back(formatNumber(result.find(data)->find(metric), 5));
      const Spread spread = spreadOf(results, data, metric);
      rows[row++].push_back(formatNumber(spread.mean, 5));
      rows[row++].push_back(std::isnan(spread.deviation)
                                ? ""
                                : formatNumber(spread.deviation, 2));
    }
  }
  return rows;
}
