//===-- tools/cambium-run/Resume.cpp - The options of a resumed training --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

using namespace cambium;
using namespace cambium::run;

Status run::mergeResumed(const CLI::App &command, const RunFolder &folder,
                         TrainOptions &options) {
  Json config;
  if (Status status = folder.readConfig(config); !status.ok())
    return status;
  TrainOptions kept = options;
  RunFolder::applyConfig(config, kept);
  auto isTyped = [&](const char *name) {
    return command.get_option("--" + std::string(name))->count() > 0;
  };
  // Both visits run in the same order: first note the values that would hold
  // without the folder, then compare.
  std::vector<std::string> values;
  options.forEach([&](const char *, auto &value, bool) {
    values.push_back(Json(value).compact());
  });
  std::string refused;
  size_t at = 0;
  kept.forEach([&](const char *name, auto &value, bool mayChange) {
    if (!mayChange && isTyped(name) && values[at] != Json(value).compact())
      refused += (refused.empty() ? "--" : ", --") + std::string(name);
    ++at;
  });
  if (!refused.empty())
    return Status::error("expected the options of the training in " +
                         folder.path("config.json") +
                         ", but got other values for " + refused);
  TrainOptions merged = kept;
  if (isTyped("epochs"))
    merged.epochs = options.epochs;
  if (isTyped("patience"))
    merged.patience = options.patience;
  if (isTyped("checkpoint-every"))
    merged.checkpointSeconds = options.checkpointSeconds;
  if (isTyped("prefetch"))
    merged.prefetch = options.prefetch;
  if (isTyped("threads"))
    merged.model.threads = options.model.threads;
  if (isTyped("seeds"))
    merged.seeds = options.seeds;
  if (isTyped("test"))
    merged.tests = options.tests;
  options = merged;
  return Status();
}
