//===-- TrainerRates.cpp - Learning rates of a training -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "Trainer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

using namespace cambium;
using namespace cambium::train;

/// The updates of the whole training. Where batches end by their nodes, an
/// epoch may have more than another.
Status Trainer::countUpdates(int64_t &updates) const {
  auto updatesOf = [&](int64_t batches) {
    return (batches + options.accumulate - 1) / options.accumulate;
  };
  const int64_t batches =
      (trainSet->size() + options.batchSize - 1) / options.batchSize;
  updates = updatesOf(batches) * options.epochs;
  const Feeds &feeds = setup.evaluator.feeds;
  const bool hasSets = feeds.sets.areGiven() || feeds.carry.areGiven();
  if (options.batchNodes == 0 && !hasSets)
    return Status();
  // Sets are as many in each epoch.
  if (options.batchNodes == 0) {
    updates =
        updatesOf(static_cast<int64_t>(
            makeBatches(*trainSet, options.seed, 0, batchOptions()).size())) *
        options.epochs;
    return Status();
  }
  // Each epoch has to be cut into batches to know how many it has.
  constexpr int64_t kMostEpochs = 100000;
  if (options.epochs > kMostEpochs)
    return Status::error(
        "expected --epochs of at most " + std::to_string(kMostEpochs) +
        " with --batch-nodes, but got " + std::to_string(options.epochs));
  updates = 0;
  for (int64_t epoch = 0; epoch < options.epochs; ++epoch)
    updates += updatesOf(static_cast<int64_t>(
        makeBatches(*trainSet, options.seed, epoch, batchOptions()).size()));
  return Status();
}

Status Trainer::knowsGroup(const char *option, const std::string &group) const {
  std::string groups;
  std::vector<std::string> names;
  std::vector<const EntrySpec *> steps = turns.applied();
  steps.push_back(apply);
  for (const EntrySpec *step : steps)
    for (const std::string &known : groupsOf(*step)) {
      if (known == group)
        return Status();
      groups += (groups.empty() ? "" : ", ") + known;
      names.push_back(known);
    }
  for (const ParameterSpec &parameter : setup.engine->parameters)
    if (parameter.name == group && parameter.trainable)
      return Status::error(std::string(option) + " names the group '" + group +
                           "', but that is a parameter of the group '" +
                           parameter.group + "': give it 'group \"" + group +
                           "\"' in the model to make it one of its own");
  return Status::error(std::string(option) + " names the group '" + group +
                       "', but step '" + apply->step + "' has the groups " +
                       groups + didYouMean(group, names));
}

Status Trainer::openSchedule() {
  schedule.kind = options.schedule;
  schedule.power = options.power;
  schedule.floor = options.finalFactor;
  Status status = countUpdates(schedule.total);
  return status.ok() ? openSchedules() : status;
}

Status Trainer::checkRates(const data::Dataset &trainData) {
  trainSet = &trainData;
  Status status = findSteps();
  if (status.ok())
    status = openRates();
  return status.ok() ? openSchedule() : status;
}

Status Trainer::openSchedules() {
  const int64_t perEpoch = schedule.total / options.epochs;
  schedule.decay = options.decay;
  Status status =
      parseUpdates("warmup", options.warmup, perEpoch, schedule.warmup);
  if (status.ok())
    status = parseUpdates("decay-every", options.decayEvery, perEpoch,
                          schedule.every);
  if (status.ok() && schedule.every < 1)
    status = Status::error(
        "expected --decay-every of at least one update, but got '" +
        options.decayEvery + "'");
  for (const std::string &text : options.groupSchedules) {
    const size_t equals = text.find('=');
    if (status.ok() && (equals == 0 || equals == std::string::npos ||
                        equals + 1 == text.size()))
      status = Status::error("expected --group-schedule GROUP=KIND, but got '" +
                             text + "'");
    const std::string group = text.substr(0, equals);
    if (status.ok())
      status = knowsGroup("--group-schedule", group);
    if (!status.ok())
      return status;
    Schedule other = schedule;
    other.kind = text.substr(equals + 1);
    status = Schedule::check(other.kind);
    groupSchedules[group] = other;
  }
  return status.ok() ? freezeGroups() : status;
}

Status Trainer::freezeGroups() {
  for (const std::string &text : options.freeze) {
    const size_t equals = std::min(text.find('='), text.size());
    const std::string group = text.substr(0, equals);
    int64_t epochs = std::numeric_limits<int64_t>::max();
    bool isGood = !group.empty();
    if (equals < text.size()) {
      const char *end = text.data() + text.size();
      const auto [last, error] =
          std::from_chars(text.data() + equals + 1, end, epochs);
      isGood &= error == std::errc() && last == end && epochs >= 1;
    }
    if (!isGood)
      return Status::error("expected --freeze GROUP or GROUP=EPOCHS, but got "
                           "'" +
                           text + "'");
    if (Status status = knowsGroup("--freeze", group); !status.ok())
      return status;
    frozenUntil[group] = epochs;
  }
  return Status();
}

/// What the rate of a group is multiplied with at an update.
double Trainer::factorOf(const std::string &group, int64_t update) const {
  if (auto frozen = frozenUntil.find(group);
      frozen != frozenUntil.end() && state.epoch < frozen->second)
    return 0;
  auto own = groupSchedules.find(group);
  return (own == groupSchedules.end() ? schedule : own->second)
      .factor(update, state.stalls);
}

/// Every rate names a group of the step, and every group has a rate.
Status Trainer::openRates() {
  if (Status status = parseRates(options.rates, rates); !status.ok())
    return status;
  std::vector<std::string> known = groupsOf(*apply);
  for (const EntrySpec *step : turns.applied())
    for (const std::string &group : groupsOf(*step))
      if (std::find(known.begin(), known.end(), group) == known.end())
        known.push_back(group);
  bool hasDefault = false;
  for (const Rate &rate : rates) {
    hasDefault |= rate.group.empty();
    if (!rate.group.empty())
      if (Status status = knowsGroup("--lr", rate.group); !status.ok())
        return status;
  }
  for (const std::string &group : known)
    if (!hasDefault &&
        std::none_of(rates.begin(), rates.end(),
                     [&](auto &rate) { return rate.group == group; }))
      return Status::error("expected --lr for the group '" + group +
                           "' of step '" + apply->step + "'");
  // From now on, a rate by the name of each group.
  std::vector<Rate> all;
  for (const std::string &group : known) {
    Rate own = {group, kNone};
    for (const Rate &rate : rates)
      if (rate.group == group || (rate.group.empty() && std::isnan(own.value)))
        own.value = rate.value;
    all.push_back(own);
  }
  rates = std::move(all);
  return Status();
}

/// The rates of the groups of a step at the update at hand.
std::vector<Rate> Trainer::ratesOf(const EntrySpec &step) const {
  std::vector<Rate> scaled;
  for (const std::string &group : groupsOf(step))
    for (const Rate &rate : rates)
      if (rate.group == group)
        scaled.push_back({group, rate.value * factorOf(group, state.updates)});
  return scaled;
}
