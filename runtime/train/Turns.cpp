//===-- Turns.cpp - Several training steps in turn ------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Turns.h"
#include "Names.h"

#include <algorithm>
#include <charconv>
#include <sstream>

using namespace cambium;
using namespace cambium::train;

/// "NAME[:N][/M]".
static bool parseStep(const std::string &item, StepTurn &step) {
  const char *next = item.data(), *end = next + item.size();
  step.name = item.substr(0, item.find_first_of(":/"));
  next += step.name.size();
  bool isGood = !step.name.empty();
  for (const auto &[mark, number] :
       {std::pair(':', &step.times), std::pair('/', &step.every)})
    if (isGood && next < end && *next == mark) {
      const auto [last, error] = std::from_chars(next + 1, end, *number);
      isGood = error == std::errc() && *number > 0;
      next = last;
    }
  return isGood && next == end;
}

Status train::parseSteps(const std::string &text,
                         std::vector<StepTurn> &steps) {
  steps.clear();
  std::istringstream list(text);
  for (std::string item; std::getline(list, item, ',');) {
    StepTurn step;
    if (!parseStep(item, step))
      return Status::error(
          "expected --step as names of steps, with how many updates each "
          "makes, and in every how many of the last one "
          "(critic:5,replay/10,train), but got '" +
          text + "'");
    steps.push_back(step);
  }
  if (!text.empty() && text.back() == ',')
    return Status::error("expected --step with a step after each comma, but "
                         "got '" +
                         text + "'");
  if (steps.empty())
    steps.emplace_back();
  if (steps.back().times != 1 || steps.back().every != 1)
    return Status::error("expected --step with a last step that makes one "
                         "update each time, but got '" +
                         text + "'");
  return Status();
}

std::vector<std::string> train::groupsOf(const EntrySpec &apply) {
  std::vector<std::string> groups;
  for (const std::string &scalar : apply.scalars)
    if (scalar.rfind("lr.", 0) == 0)
      groups.push_back(scalar.substr(3));
  return groups;
}

Status Turns::find(const Engine &engine, const std::vector<StepTurn> &steps) {
  for (size_t i = 0; i + 1 < steps.size(); ++i) {
    Turn &turn = turns.emplace_back();
    turn.times = steps[i].times;
    turn.every = steps[i].every;
    if (Status status =
            engine.findStep(steps[i].name, turn.accumulate, turn.apply);
        !status.ok())
      return status;
  }
  return Status();
}

Status Turns::open(Setup &setup, const std::vector<std::string> &files,
                   const data::Dataset &trainSet,
                   const BatchOptions &batchOptions, int64_t ahead) {
  options = batchOptions;
  for (const std::string &file : files) {
    const size_t equals = std::min(file.find('='), file.size());
    Turn *found = nullptr;
    std::vector<std::string> names;
    for (Turn &turn : turns) {
      names.push_back(turn.accumulate->step);
      if (names.back() == file.substr(0, equals))
        found = &turn;
    }
    if (!found || equals + 1 >= file.size())
      return Status::error(
          "expected --step-data STEP=FILE with a step of "
          "--step that is not the last one, but got '" +
          file + "'" +
          (found ? std::string() : didYouMean(file.substr(0, equals), names)));
    found->hasData = true;
    if (Status status = setup.readKept(file.substr(equals + 1), found->data);
        !status.ok())
      return status;
  }
  for (Turn &turn : turns) {
    if (Status status = turn.feed.open(*setup.engine, *turn.accumulate,
                                       turn.hasData ? turn.data : trainSet,
                                       setup.evaluator.feeds, ahead);
        !status.ok())
      return status;
    // Passes over own data are no epochs of the training.
    if (turn.hasData && turn.feed.changes())
      return Status::error("expected --value with a number, but got a formula "
                           "for an input of step '" +
                           turn.accumulate->step +
                           "', which has data of its own");
  }
  return Status();
}

std::vector<const EntrySpec *> Turns::applied() const {
  std::vector<const EntrySpec *> entries;
  for (const Turn &turn : turns)
    entries.push_back(turn.apply);
  return entries;
}

/// Own data: to where it is after so many batches.
void Turns::seek(Turn &turn, int64_t taken) {
  auto first = static_cast<size_t>(taken);
  for (turn.epoch = 0;; ++turn.epoch) {
    turn.batches = makeBatches(turn.data, turn.seed, turn.epoch, options);
    if (first < turn.batches.size())
      break;
    first -= turn.batches.size();
  }
  turn.left = turn.batches.size() - first;
  turn.feed.start(turn.batches, first, cambium_mix(turn.seed, turn.epoch));
}

void Turns::start(const Batches &batches, size_t first, uint64_t attemptSeed,
                  uint64_t keySeed, int64_t updatesBefore, EpochOf epoch) {
  updates = updatesBefore;
  for (size_t i = 0; i < turns.size(); ++i) {
    // Steps draw different numbers for the same example.
    turns[i].seed = cambium_mix(attemptSeed, i + 1);
    if (turns[i].hasData)
      seek(turns[i], updates / turns[i].every * turns[i].times);
    else
      turns[i].feed.start(batches, first, cambium_mix(keySeed, i + 1), epoch);
  }
}

/// The same batch again, or the next one of the step's own data.
Status Turns::next(Turn &turn, bool isFirst, const Batch *&batch) {
  if (!turn.hasData)
    return isFirst ? turn.feed.next(batch) : Status();
  if (turn.left == 0) {
    turn.feed.stop();
    turn.batches = makeBatches(turn.data, turn.seed, ++turn.epoch, options);
    turn.left = turn.batches.size();
    turn.feed.start(turn.batches, 0, cambium_mix(turn.seed, turn.epoch));
  }
  --turn.left;
  return turn.feed.next(batch);
}

Status
Turns::run(Engine &engine,
           const std::function<std::vector<Rate>(const EntrySpec &)> &ratesOf) {
  ++updates;
  for (Turn &turn : turns) {
    const Batch *batch = nullptr;
    const bool isDue = updates % turn.every == 0;
    // One that sees the batches of the last step goes along with them.
    if (!isDue && !turn.hasData)
      if (Status status = next(turn, true, batch); !status.ok())
        return status;
    for (int64_t i = 0; isDue && i < turn.times; ++i) {
      double loss = 0;
      Status status = next(turn, i == 0, batch);
      if (status.ok())
        status = engine.accumulate(*turn.accumulate, *batch, loss);
      if (status.ok())
        status = engine.apply(*turn.apply, ratesOf(*turn.apply), 1);
      if (!status.ok())
        return Status::error("step '" + turn.accumulate->step +
                             "': " + status.message());
    }
  }
  return Status();
}

void Turns::stop() {
  for (Turn &turn : turns)
    turn.feed.stop();
}
