//===-- TrainState.cpp - Where a training stands, as a text ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trainer.h"

using namespace cambium::train;

namespace {

struct StateWriter {
  Json object = Json::object();
  template <typename T> void operator()(const char *key, T &value) {
    object.set(key, Json(value));
  }
};

struct StateReader {
  const Json &object;
  void operator()(const char *key, int64_t &value) {
    value = object[key].integer(value);
  }
  void operator()(const char *key, double &value) {
    value = object[key].number(value);
  }
  void operator()(const char *key, std::string &value) {
    value = object[key].text(value);
  }
};

} // namespace

/// Visits every member with its key.
template <typename Visitor>
static void forEach(TrainState &state, Visitor &visit) {
  visit("attempt", state.attempt);
  visit("epoch", state.epoch);
  visit("batch", state.batch);
  visit("updates", state.updates);
  visit("loss_sum", state.lossSum);
  visit("first_loss", state.firstLoss);
  visit("best_metric", state.bestMetric);
  visit("best_epoch", state.bestEpoch);
  visit("stale", state.stale);
  visit("stalls", state.stalls);
  visit("epoch_seconds", state.epochSeconds);
  visit("total_seconds", state.totalSeconds);
  visit("log_bytes", state.logBytes);
  visit("stopped", state.stopped);
}

std::string TrainState::toText() const {
  TrainState copy = *this;
  StateWriter writer;
  forEach(copy, writer);
  return writer.object.compact();
}

Status TrainState::fromText(const std::string &text, TrainState &state) {
  if (text.empty())
    return Status::error("expected a checkpoint of 'cambium-run train', but it "
                         "does not say where the training stands");
  Json object;
  if (Status status = Json::parseObject(text, "run.state", object);
      !status.ok())
    return status;
  TrainState read;
  StateReader reader{object};
  forEach(read, reader);
  state = read;
  return Status();
}
