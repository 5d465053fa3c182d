//===-- TrainerFiles.cpp - What a training leaves and finds ---------------===//
//-----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptEpochs.h"
#include "Trainer.h"

using namespace cambium;
using namespace cambium::train;

static const char kStateKey[] = "run.state", kBestKey[] = "run.best",
                  kCarryKey[] = "run.carry";

Status Trainer::resume() {
  Engine &engine = *setup.engine;
  if (Status status = engine.load(folder.last(), /*parametersOnly=*/false);
      !status.ok())
    return status;
  if (Status status = TrainState::fromText(engine.metadata(kStateKey), state);
      !status.ok())
    return Status::error(folder.last() + ": " + status.message());
  if (Status status = carry.fromText(engine.metadata(kCarryKey)); !status.ok())
    return Status::error(folder.last() + ": " + status.message());
  if (average.isOn())
    if (Status status = loadAverage(); !status.ok())
      return status;
  return folder.cutLog(state.logBytes);
}

/// The average is written before the checkpoint that goes with it: by the
/// number of its updates it is found again, whenever the process was killed.
Status Trainer::saveAverage() {
  Engine &engine = *setup.engine;
  Status status = average.swap(engine);
  if (status.ok())
    status =
        engine.save(folder.average(state.updates), /*parametersOnly=*/true);
  if (Status swapped = average.swap(engine); status.ok())
    status = swapped;
  return status;
}

Status Trainer::loadAverage() {
  Engine &engine = *setup.engine;
  Status status =
      engine.load(folder.average(state.updates), /*parametersOnly=*/true);
  if (status.ok())
    status = average.start(engine);
  if (status.ok())
    status = engine.load(folder.last(), /*parametersOnly=*/false);
  // One that could not be removed, or whose checkpoint was never written.
  return status.ok() ? folder.removeAverages(state.updates) : status;
}

Status Trainer::saveLast() {
  if (average.isOn())
    if (Status status = saveAverage(); !status.ok())
      return status;
  TrainState saved = state;
  saved.totalSeconds = now();
  saved.epochSeconds = now() - epochStart;
  saved.logBytes = folder.logSize();
  Status status = setup.engine->setMetadata(kStateKey, saved.toText());
  if (status.ok())
    status =
        setup.engine->setMetadata(kCarryKey, state.batch ? carry.toText() : "");
  if (status.ok())
    status = setup.engine->save(folder.last(), /*parametersOnly=*/false);
  sinceSave = Stopwatch();
  return status.ok() && average.isOn() ? folder.removeAverages(state.updates)
                                       : status;
}

/// Where the training stands is not said by what is kept.
Status Trainer::clearProgress() const {
  Status status = setup.engine->setMetadata(kStateKey, "");
  return status.ok() ? setup.engine->setMetadata(kCarryKey, "") : status;
}

/// The parameters alone; the same bytes whenever and however often the training
/// was interrupted.
Status Trainer::saveBest() {
  Json best = Json::object();
  best.set("epoch", state.bestEpoch);
  best.set("metric", options.metric);
  best.set("value", state.bestMetric);
  Status status = setup.engine->setMetadata(kBestKey, best.compact());
  if (status.ok())
    status = clearProgress();
  return status.ok()
             ? setup.engine->save(folder.best(), /*parametersOnly=*/true)
             : status;
}

/// Keeps the parameters of this epoch, and those of others before it.
Status Trainer::keepEpoch() const {
  Engine &engine = *setup.engine;
  Status status = clearProgress();
  if (status.ok())
    status = engine.save(folder.epoch(state.epoch), /*parametersOnly=*/true);
  std::vector<int64_t> numbers;
  if (status.ok())
    status = epochsToKeep(options, folder, numbers);
  return status.ok() ? folder.keepEpochs(numbers) : status;
}

/// What was evaluated, as the best and as that of the epoch.
Status Trainer::keepParameters(bool areBest) {
  Status status = average.isOn() ? average.swap(*setup.engine) : Status();
  if (status.ok() && areBest)
    status = saveBest();
  if (status.ok() && keepsEpochs(options))
    status = keepEpoch();
  if (Status swapped = average.isOn() ? average.swap(*setup.engine) : Status();
      status.ok())
    status = swapped;
  return status;
}
