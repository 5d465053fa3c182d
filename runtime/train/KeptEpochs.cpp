//===-- KeptEpochs.cpp - Epochs that a run keeps --------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptEpochs.h"
#include "Ensemble.h"
#include "Evaluation.h"
#include "Names.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

using namespace cambium;
using namespace cambium::train;

Status train::parseEpochs(const std::string &text, EpochChoice &choice) {
  const size_t colon = text.find(':');
  const std::string kind = colon == text.npos ? "last" : text.substr(0, colon);
  const char *first = text.data() + (colon == text.npos ? 0 : colon + 1);
  const char *end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(first, end, choice.count);
  choice.areBest = kind == "best";
  if ((choice.areBest || kind == "last") && error == std::errc() &&
      rest == end && choice.count > 0)
    return Status();
  return Status::error("expected a number of epochs, such as 5, last:5 or "
                       "best:5, but got '" +
                       text + "'" +
                       (kind == "last" || kind == "best"
                            ? ""
                            : didYouMean(kind, {"last", "best"})));
}

/// The epochs of the log since the last restart, the best one first; of equal
/// ones, the earlier one. Those that have no number are not among them.
static Status rankEpochs(const RunFolder &folder, const std::string &metric,
                         std::vector<int64_t> &numbers) {
  std::vector<Json> events;
  if (Status status = folder.readLog(events); !status.ok())
    return status;
  std::vector<std::pair<double, int64_t>> ranked;
  for (const Json &event : events) {
    const std::string kind = event["event"].text();
    if (kind == "restart")
      ranked.clear();
    const double value = event["dev_metric"].number(NAN);
    if (kind == "epoch" && !std::isnan(value))
      ranked.emplace_back(value, event["epoch"].integer(0));
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](const auto &a, const auto &b) {
                     return isBetter(metric, a.first, b.first);
                   });
  for (const auto &[value, number] : ranked)
    numbers.push_back(number);
  return Status();
}

/// What --average of a training asks for; nothing without it.
static EpochChoice averageOf(const Options &options) {
  EpochChoice choice;
  return parseEpochs(options.average, choice).ok() ? choice : EpochChoice();
}

static int64_t numLast(const Options &options) {
  const EpochChoice choice = averageOf(options);
  return std::max(options.keep, choice.areBest ? 0 : choice.count);
}

static int64_t numBest(const Options &options) {
  const EpochChoice choice = averageOf(options);
  return std::max(options.keepBest, choice.areBest ? choice.count : 0);
}

bool train::keepsEpochs(const Options &options) {
  return numLast(options) > 0 || numBest(options) > 0;
}

Status train::epochsToKeep(const Options &options, const RunFolder &folder,
                           std::vector<int64_t> &numbers) {
  std::vector<int64_t> last;
  for (const bool areBest : {false, true}) {
    const EpochChoice choice{areBest,
                             areBest ? numBest(options) : numLast(options)};
    if (Status status = chooseEpochs(folder, choice, options.metric, last);
        !status.ok())
      return status;
    numbers.insert(numbers.end(), last.begin(), last.end());
  }
  return Status();
}

Status train::chooseEpochs(const RunFolder &folder, const EpochChoice &choice,
                           const std::string &metric,
                           std::vector<int64_t> &numbers) {
  const std::vector<int64_t> kept = folder.epochs();
  numbers.clear();
  if (!choice.areBest)
    numbers = kept;
  else if (Status status = rankEpochs(folder, metric, numbers); !status.ok())
    return status;
  auto isGone = [&](int64_t number) {
    return std::find(kept.begin(), kept.end(), number) == kept.end();
  };
  numbers.erase(std::remove_if(numbers.begin(), numbers.end(), isGone),
                numbers.end());
  if (static_cast<int64_t>(numbers.size()) > choice.count)
    numbers.resize(choice.count);
  return Status();
}

Status train::loadMeanOf(const RunFolder &folder,
                         const std::vector<int64_t> &numbers, Engine &engine) {
  std::vector<std::string> files;
  for (int64_t number : numbers)
    files.push_back(folder.epoch(number));
  return loadMean(files, engine);
}

Status train::makeMean(const Options &options, const RunFolder &folder,
                       Engine &engine) {
  if (options.average.empty()) {
    std::error_code error;
    std::filesystem::remove(folder.mean(), error);
    return error ? Status::error(folder.mean() +
                                 ": cannot remove: " + error.message())
                 : Status();
  }
  EpochChoice choice;
  std::vector<int64_t> numbers;
  Status status = parseEpochs(options.average, choice);
  if (status.ok())
    status = chooseEpochs(folder, choice, options.metric, numbers);
  if (status.ok() && numbers.empty())
    status = Status::error("expected epochs that " + folder.name() +
                           " keeps for --average, but got none");
  if (status.ok())
    status = loadMeanOf(folder, numbers, engine);
  return status.ok() ? engine.save(folder.mean(), /*parametersOnly=*/true)
                     : status;
}
