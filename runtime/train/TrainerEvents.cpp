//===-- runtime/train/TrainerEvents.cpp - What a training tells -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace cambium;
using namespace cambium::train;

void Trainer::showProgress(const Batches &batches) {
  const int64_t total = trainSet->size();
  int64_t done = 0;
  for (int64_t i = 0; i < state.batch; ++i)
    done += static_cast<int64_t>(batches[i].size());
  const double elapsed = std::max(now() - shownSince, 1e-9);
  // Time left by what this process has measured of this epoch.
  const double rate = double(shownExamples) / elapsed;
  const double left =
      double(total) * double(options.epochs - state.epoch) - double(done);
  ProgressEvent event;
  event.epoch = state.epoch + 1;
  event.epochs = options.epochs;
  event.done = done;
  event.total = total;
  event.loss = state.lossSum / double(std::max<int64_t>(done, 1));
  event.examplesPerSecond = rate;
  event.secondsLeft = left / std::max(rate, 1e-9);
  events.progressed(event);
}

/// The rate of each parameter group at an update.
Json Trainer::ratesAt(int64_t update) const {
  Json result = Json::object();
  for (const std::string &scalar : apply->scalars) {
    if (scalar.rfind("lr.", 0) != 0)
      continue;
    const std::string group = scalar.substr(3);
    double value = kNone;
    for (const Rate &rate : rates)
      if (rate.group == group)
        value = rate.value;
    result.set(group.c_str(), value * factorOf(group, update));
  }
  return result;
}

EpochEvent Trainer::describeEpoch(const Evaluation &dev, bool isBest) const {
  EpochEvent event;
  event.epoch = state.epoch;
  event.epochs = options.epochs;
  event.updates = state.updates;
  event.trainLoss = state.lossSum / double(trainSet->size());
  event.devLoss = dev.loss;
  event.dev = dev.metrics;
  event.metric = options.metric;
  event.isBest = isBest;
  event.bestEpoch = state.bestEpoch;
  event.bestMetric = state.bestMetric;
  event.seconds = now() - epochStart;
  event.examplesPerSecond =
      double(shownExamples) / std::max(now() - shownSince - dev.seconds, 1e-9);
  return event;
}

Status Trainer::logEpoch(const EpochEvent &epoch) {
  Json event = Json::object();
  event.set("event", "epoch");
  event.set("epoch", epoch.epoch);
  event.set("updates", epoch.updates);
  event.set("train_loss", epoch.trainLoss);
  event.set("dev_loss", epoch.devLoss);
  event.set("dev_metric", epoch.dev.find(options.metric));
  Json metrics = Json::object();
  for (const auto &[name, value] : epoch.dev.values)
    metrics.set(name.c_str(), value);
  event.set("dev", metrics);
  event.set("lr", epochRates);
  event.set("best", epoch.isBest);
  event.set("seconds", epoch.seconds);
  event.set("examples_per_second", epoch.examplesPerSecond);
  event.set("unix_seconds",
            std::chrono::duration<double>(
                std::chrono::system_clock::now().time_since_epoch())
                .count());
  if (state.attempt)
    event.set("attempt", state.attempt);
  Status status = folder.log(event);
  return status.ok() ? eventFile.append(event) : status;
}
