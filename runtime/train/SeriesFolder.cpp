//===-- runtime/train/SeriesFolder.cpp - A folder of trainings ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SeriesFolder.h"
#include "TrainingChecks.h"

#include <filesystem>

using namespace cambium;
using namespace cambium::train;

bool SeriesFolder::discard() {
  if (folder.has(folder.path("config.json")))
    return false;
  if (lock.isHeld())
    folder.discard(lock, hadFolder);
  return !hadFolder;
}

/// Trainings of the series take their folders as they are. What is there before
/// a series has begun is its own if that was killed.
Status SeriesFolder::refuseLosses() const {
  Status status = folder.refuseLosses(options);
  if (folder.has(folder.path("config.json")))
    return status.ok() ? refuseInputs(options) : status;
  for (const std::string &part : partsOf()) {
    const RunFolder run(folder.path(part.c_str()));
    if (status.ok())
      status = run.refuseLosses(options);
    const bool isOwn = options.resume || folder.isOfTraining();
    if (status.ok() && !isOwn && run.has(run.path("config.json")))
      status = Status::error(run.name() +
                             " holds a training already: expected --out with a "
                             "folder that is new, or --resume to go on");
  }
  return status;
}

Status SeriesFolder::refuseInputs(const Options &inputs) const {
  Status status = folder.refuseInputs(inputs);
  for (const std::string &part : partsOf())
    if (status.ok())
      status = RunFolder(folder.path(part.c_str())).refuseInputs(inputs);
  return status;
}

std::vector<std::string> SeriesFolder::partsOf() const {
  return folder.parts({!options.tasks.empty() ? "task-"
                       : options.folds > 0    ? "fold-"
                                              : "seed-"});
}

/// Whether a file of data has a name of those that a series writes.
static bool isOfData(const std::string &name) {
  const std::string begin = name.substr(0, name.find('.'));
  for (const char *own : {"train", "dev", "test", "learn", "memory", "replay"})
    if (begin == own)
      return true;
  return false;
}

/// Temporary files of a series that was killed.
void SeriesFolder::removeLeftovers() const {
  namespace fs = std::filesystem;
  folder.removeLeftovers();
  for (const std::string &data : folder.parts({"data-"})) {
    std::error_code error;
    for (fs::directory_iterator file(folder.path(data.c_str()), error), end;
         !error && file != end; file.increment(error)) {
      const std::string name = file->path().filename().string();
      const size_t at = name.rfind(".tmp-");
      std::error_code stays;
      if (at != name.npos && isOfData(name) &&
          name.find_first_not_of("-0123456789", at + 4) == name.npos)
        fs::remove(file->path(), stays);
    }
  }
}

Status SeriesFolder::open(bool (*isOfKind)(const Options &saved),
                          const char *expected) {
  hadFolder = folder.has(options.out);
  if (hadFolder && !(options.resume && folder.has(folder.path("config.json"))))
    if (Status status = refuseLosses(); !status.ok())
      return status;
  isOwn = folder.isOfTraining();
  if (hadFolder)
    if (Status status = lock.acquire(options.out); !status.ok())
      return status;
  if (isOwn)
    removeLeftovers();
  hasConfig = folder.has(folder.path("config.json"));
  if (!hasConfig)
    return Status();
  if (options.overwrite && !options.resume) {
    hasConfig = false;
    replaces = true;
    return Status();
  }
  if (!options.resume)
    return Status::error(
        options.out + " holds a training already: give --resume to go on with "
                      "it, or --overwrite to replace it");
  return resume(isOfKind, expected);
}

Status SeriesFolder::openData(const std::vector<std::string> &names) {
  namespace fs = std::filesystem;
  for (const std::string &name : names) {
    const std::string data = folder.path(name.c_str());
    std::error_code error;
    for (fs::directory_iterator file(data, error), end;
         !isOwn && !error && file != end; file.increment(error))
      if (isOfData(file->path().filename().string()))
        return Status::error(
            "expected --out with a folder that is new or one of a training, "
            "but got " +
            data + " with " + file->path().filename().string() +
            ", which would be removed");
  }
  return lock.acquire(options.out);
}

Status SeriesFolder::resume(bool (*isOfKind)(const Options &saved),
                            const char *expected) {
  Json config;
  Options saved;
  Status status = folder.readConfig(config);
  if (status.ok())
    status = folder.applyConfig(config, saved);
  if (!status.ok())
    return status;
  if (!isOfKind(saved))
    return Status::error(options.out + expected);
  digests = config["digests"];
  const std::string module = options.model.module;
  status = mergeResumed(saved, folder.path("config.json"), options);
  return status.ok() ? checkModule(module, folder, options.model.interpret)
                     : status;
}

Status SeriesFolder::fill(const std::string &metric, const Json &made,
                          const std::string &part) {
  digests = made;
  Json facts = Json::object();
  facts.set("digests", digests);
  if (hasConfig)
    return folder.writeConfig(options, facts);
  hasConfig = true;
  options.metric = metric;
  Status status = lock.acquire(options.out);
  if (status.ok())
    status = folder.create();
  if (status.ok())
    status =
        copyFile(options.model.module, folder.model(options.model.interpret));
  if (status.ok())
    status = folder.writeConfig(options, facts);
  std::error_code error;
  if (!status.ok())
    std::filesystem::remove(RunFolder(part).path("config.json"), error);
  return status;
}
