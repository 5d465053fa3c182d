//===-- runtime/train/Sweep.cpp - A training per seed ---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Folds.h"
#include "Options.h"
#include "SeriesFolder.h"
#include "SweepSummary.h"
#include "Training.h"

#include <filesystem>
#include <set>

using namespace cambium;
using namespace cambium::train;

namespace {

/// The trainings of `train --seeds`. What is done already is what the logs of
/// their folders say, and the summary, which is written when all files of a
/// training are there: a sweep may be killed at any moment.
class Sweep {
public:
  Sweep(Options &options, Events &events, Result &result)
      : options(options), events(events), result(result), series(options) {}

  Status open();
  /// After a failure: a folder that was not there before goes again, unless
  /// there is something to resume.
  void discard();
  Status run();

private:
  bool isOfFolds() const { return options.folds > 0; }
  int64_t count() const {
    return isOfFolds() ? options.folds : static_cast<int64_t>(options.seeds);
  }
  /// The seed and the folder of a training, by its number from 0.
  uint64_t seedOf(int64_t number) const {
    return options.seed + (isOfFolds() ? 0 : static_cast<uint64_t>(number));
  }
  std::string nameOf(int64_t number) const;
  Status trainPart(int64_t number);
  Status openFolds();
  Status useFold(int64_t number, bool replaces, Options &one);
  Status removeReplaced() const;
  void readSummed();
  Status readResult(int64_t number, SeedResult &result) const;

  Options &options;
  Events &events;
  Result &result;
  SeriesFolder series;
  const RunFolder &folder = series.folder;
  std::vector<SeedResult> results;
  std::set<std::string> summed; ///< Folders that the summary names.
  Folds folds;
  bool hasKept = false;  ///< Files of the first fold, as they were.
  bool madeData = false; ///< Of folds, before the series has begun.
};

} // namespace

std::string Sweep::nameOf(int64_t number) const {
  return isOfFolds() ? "fold-" + std::to_string(number + 1)
                     : "seed-" + std::to_string(seedOf(number));
}

void Sweep::discard() {
  if (hasKept && !series.hasConfig)
    folds.putBack(0, options.out);
  if (madeData && !folder.has(folder.path("config.json")))
    folds.discard(options.out);
  std::error_code error;
  if (series.discard())
    std::filesystem::remove(options.out, error); // Where it is empty.
}

static bool isSweep(const Options &saved) {
  return saved.seeds > 0 || saved.folds > 0;
}

Status Sweep::open() {
  Status status =
      series.open(isSweep, " holds no seeds or folds: expected a folder of "
                           "several with --seeds or --folds, or a new one");
  if (status.ok() && isOfFolds() && options.seeds > 0)
    status = Status::error("expected --resume of folds without --seeds");
  if (status.ok() && series.hasConfig)
    readSummed();
  return status;
}

/// None where there is no summary that can be read.
void Sweep::readSummed() {
  const std::string file = folder.path("summary.json");
  std::string text;
  Json summary;
  if (!data::readFile(file, text).ok() ||
      !Json::parseObject(text, file, summary).ok())
    return;
  for (const Json &run : summary["runs"].items())
    summed.insert(run["folder"].text());
}

Status Sweep::readResult(int64_t number, SeedResult &result) const {
  result.seed = seedOf(number);
  result.folder = nameOf(number);
  Status status =
      readSeedResult(RunFolder(folder.path(nameOf(number).c_str())), result);
  if (isOfFolds())
    result.nameTest(folds.filesOf(number, options.out).test);
  return status;
}

/// Writes the data of a fold. Where another series is replaced, what is there
/// is kept until nothing can be wrong any more.
Status Sweep::useFold(int64_t number, bool replaces, Options &one) {
  hasKept |= replaces;
  madeData |= !series.hasConfig;
  if (replaces)
    folds.setAside(number, options.out);
  else
    folds.dropKept(number, options.out);
  FoldFiles files;
  Status status = folds.write(number, options.out, files);
  one.train = files.train;
  one.dev = files.dev;
  one.tests = {files.test};
  return status;
}

/// What another series has trained is not taken for begun; it may have had more
/// trainings. No file of it is left, so that later ones are told apart.
Status Sweep::removeReplaced() const {
  Status status;
  for (const std::string &part : folder.parts({"seed-", "fold-"}))
    if (status.ok() && part != nameOf(0))
      status = RunFolder(folder.path(part.c_str())).create();
  return status;
}

Status Sweep::trainPart(int64_t number) {
  Options one = options;
  one.seed = seedOf(number);
  one.seeds = one.folds = 0;
  one.out = folder.path(nameOf(number).c_str());
  SweepPart part;
  const bool replaces = series.replaces && number == 0;
  Status status;
  if (isOfFolds())
    status = useFold(number, replaces, one);
  else
    part.digests = series.digests;
  part.ownsData = isOfFolds();
  SeedResult before;
  if (status.ok() && options.resume)
    status = readResult(number, before);
  if (!status.ok())
    return status;
  SeedEvent event;
  event.seed = one.seed;
  event.folder = one.out;
  event.isDone = options.resume && before.isComplete(one) &&
                 summed.count(nameOf(number)) > 0;
  events.seed(event);
  if (event.isDone)
    return Status();
  part.folder = options.out;
  if (series.hasConfig)
    part.moduleFile = folder.model(options.model.interpret);
  part.opened = [&](const Json &made) {
    Status filled = replaces ? removeReplaced() : Status();
    if (filled.ok())
      filled = series.fill(one.metric, made, one.out);
    // What was kept is of a series that cannot come back.
    if (filled.ok() && hasKept)
      folds.dropKept(number, options.out);
    return filled;
  };
  return trainOnce(one, events, part, result);
}

Status Sweep::openFolds() {
  std::vector<std::string> names;
  for (int64_t number = 1; number <= count(); ++number)
    names.push_back("data-" + std::to_string(number));
  Status status = folds.open(options);
  return status.ok() ? series.openData(names) : status;
}

Status Sweep::run() {
  if (isOfFolds())
    if (Status status = openFolds(); !status.ok())
      return status;
  for (int64_t i = 0; i < count(); ++i) {
    Status status = trainPart(i);
    if (!status.ok() || events.shouldStop())
      return status;
    SeedResult one;
    status = readResult(i, one);
    // Every fold has a test file of its own.
    for (auto &[data, metrics] : one.results)
      if (isOfFolds() && data != "dev")
        data = "test";
    results.push_back(one);
    if (status.ok())
      status = writeSummary(folder, options, results);
    if (!status.ok())
      return status;
  }
  events.sweepFinished(tableOf(options, results));
  return Status();
}

Status train::trainSeeds(Options &options, Events &events, Result &result) {
  if (options.seeds > 0 && options.seed > UINT64_MAX - uint64_t(options.seeds))
    return Status::error("expected --seed such that --seeds numbers follow it, "
                         "but got " +
                         std::to_string(options.seed));
  if (options.folds > 0 &&
      (options.seeds > 0 || !options.dev.empty() || !options.tests.empty()))
    return Status::error("expected --folds without --seeds, --dev and --test: "
                         "parts of --train take their places");
  Sweep sweep(options, events, result);
  Status status = sweep.open();
  if (status.ok())
    status = sweep.run();
  if (!status.ok())
    sweep.discard();
  return status;
}
