//===-- tools/cambium-run/Sweep.cpp - A training per seed -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Interrupt.h"
#include "SweepSummary.h"
#include "Text.h"

using namespace cambium;
using namespace cambium::run;

namespace {

/// The trainings of `train --seeds`. What is done already is what the logs of
/// their folders say, so that a sweep may be killed at any moment.
class Sweep {
public:
  Sweep(const CLI::App &command, TrainOptions &options)
      : command(command), options(options), folder(options.out) {}

  Status open();
  Status run();

private:
  Status trainSeed(uint64_t seed);
  Status fillFolder(const std::string &metric);
  Status readResult(uint64_t seed, SeedResult &result) const;

  const CLI::App &command;
  TrainOptions &options;
  RunFolder folder;
  bool hasConfig = false;
  std::vector<SeedResult> results;
};

} // namespace

static std::string nameOf(uint64_t seed) {
  return "seed-" + std::to_string(seed);
}

Status Sweep::open() {
  hasConfig = folder.has(folder.path("config.json"));
  if (!hasConfig)
    return Status();
  if (options.overwrite && !options.resume) {
    hasConfig = false;
    return folder.create();
  }
  if (!options.resume)
    return Status::error(
        options.out + " holds a training already: give --resume to go on with "
                      "it, or --overwrite to replace it");
  Json config;
  if (Status status = folder.readConfig(config); !status.ok())
    return status;
  if (config["options"]["seeds"].integer(0) <= 0)
    return Status::error(options.out +
                         " holds a single training: expected a folder of "
                         "several with --seeds, or a new one");
  return mergeResumed(command, folder, options);
}

/// The module and, last, the configuration: with it, there is something to
/// resume.
Status Sweep::fillFolder(const std::string &metric) {
  if (hasConfig)
    return folder.writeConfig(options, Json::object());
  hasConfig = true;
  options.metric = metric;
  Status status = folder.create();
  if (status.ok())
    status =
        copyFile(options.model.module, folder.model(options.model.interpret));
  return status.ok() ? folder.writeConfig(options, Json::object()) : status;
}

Status Sweep::readResult(uint64_t seed, SeedResult &result) const {
  result.seed = seed;
  result.folder = nameOf(seed);
  return readSeedResult(RunFolder(folder.path(nameOf(seed).c_str())), result);
}

Status Sweep::trainSeed(uint64_t seed) {
  SeedResult before;
  if (options.resume)
    if (Status status = readResult(seed, before); !status.ok())
      return status;
  if (options.resume && before.isComplete(options)) {
    printf("seed %llu is done\n", static_cast<unsigned long long>(seed));
    return Status();
  }
  TrainOptions one = options;
  one.seed = seed;
  one.seeds = 0;
  one.out = folder.path(nameOf(seed).c_str());
  one.sweepFolder = options.out;
  if (hasConfig)
    one.moduleFile = folder.model(options.model.interpret);
  printf("seed %llu, in %s\n", static_cast<unsigned long long>(seed),
         one.out.c_str());
  return train(command, one, [&] { return fillFolder(one.metric); });
}

Status Sweep::run() {
  for (int64_t i = 0; i < options.seeds; ++i) {
    const uint64_t seed = options.seed + static_cast<uint64_t>(i);
    Status status = trainSeed(seed);
    if (!status.ok() || interruptedBy())
      return status;
    SeedResult result;
    status = readResult(seed, result);
    results.push_back(result);
    if (status.ok())
      status = writeSummary(folder, options, results);
    if (!status.ok())
      return status;
  }
  printf("\n");
  printTable(stdout, tableOf(options, results));
  fflush(stdout);
  return Status();
}

Status run::sweepSeeds(const CLI::App &command, TrainOptions &options) {
  Sweep sweep(command, options);
  Status status = sweep.open();
  return status.ok() ? sweep.run() : status;
}
