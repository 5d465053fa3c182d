//===-- runtime/train/Trainer.cpp - The training loop ---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trainer.h"
#include "Format.h"
#include "Weights.h"

#include <algorithm>
#include <charconv>
#include <cmath>

using namespace cambium;
using namespace cambium::train;

static const char kStateKey[] = "run.state", kBestKey[] = "run.best";

Status Trainer::prepare(const data::Dataset &trainData,
                        const data::Dataset &devData) {
  trainSet = &trainData;
  devSet = &devData;
  if (Status status = setup.engine->findStep(options.step, accumulate, apply);
      !status.ok())
    return status;
  Status status = parseRates(options.rates, rates);
  if (status.ok())
    status = checkRates();
  if (status.ok())
    status = parseVectorSources(options.vectors, *setup.engine, vectors);
  if (status.ok())
    status = feed.open(*setup.engine, *accumulate, trainData,
                       setup.evaluator.feeds, options.prefetch);
  schedule.kind = options.schedule;
  schedule.power = options.power;
  schedule.floor = options.finalFactor;
  if (status.ok())
    status = countUpdates(schedule.total);
  if (status.ok())
    status = openSchedules();
  setup.evaluator.batchSize = options.evalBatchSize;
  setup.evaluator.shouldStop = [this] { return events.shouldStop(); };
  return status;
}

/// The updates of the whole training. Where batches end by their nodes, an
/// epoch may have more than another.
Status Trainer::countUpdates(int64_t &updates) const {
  auto updatesOf = [&](int64_t batches) {
    return (batches + options.accumulate - 1) / options.accumulate;
  };
  const int64_t batches =
      (trainSet->size() + options.batchSize - 1) / options.batchSize;
  updates = updatesOf(batches) * options.epochs;
  if (options.batchNodes == 0)
    return Status();
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

static std::vector<std::string> groupsOf(const EntrySpec &apply) {
  std::vector<std::string> groups;
  for (const std::string &scalar : apply.scalars)
    if (scalar.rfind("lr.", 0) == 0)
      groups.push_back(scalar.substr(3));
  return groups;
}

Status Trainer::knowsGroup(const char *option, const std::string &group) const {
  std::string groups;
  for (const std::string &known : groupsOf(*apply)) {
    if (known == group)
      return Status();
    groups += (groups.empty() ? "" : ", ") + known;
  }
  return Status::error(std::string(option) + " names the group '" + group +
                       "', but step '" + apply->step + "' has the groups " +
                       groups);
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
    if (status.ok() && equals == std::string::npos)
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
    if (equals < text.size()) {
      const char *end = text.data() + text.size();
      const auto [last, error] =
          std::from_chars(text.data() + equals + 1, end, epochs);
      if (error != std::errc() || last != end || epochs < 1)
        return Status::error("expected --freeze GROUP or GROUP=EPOCHS, but got "
                             "'" +
                             text + "'");
    }
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
Status Trainer::checkRates() {
  const std::vector<std::string> known = groupsOf(*apply);
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

uint64_t Trainer::attemptSeed() const {
  return state.attempt ? cambium_mix(options.seed, state.attempt)
                       : options.seed;
}

Status Trainer::initialize() {
  Status status = setup.engine->initialize(attemptSeed());
  if (status.ok() && !options.init.empty())
    status = loadInitial(options.init, *setup.engine, initSummary);
  if (status.ok() && !options.weights.empty())
    status = loadWeights();
  return status.ok()
             ? loadVectors(vectors, *setup.reader, *setup.engine, vectorSummary)
             : status;
}

/// Published weights: what the files lack is drawn.
Status Trainer::loadWeights() {
  NameMap map;
  Status status;
  if (!options.names.empty())
    status = NameMap::load(options.names, map);
  std::string summary;
  if (status.ok())
    status = importWeights(options.weights, map, /*isPartial=*/true,
                           *setup.engine, summary);
  initSummary += summary + "\n";
  return status;
}

Status Trainer::resume() {
  Engine &engine = *setup.engine;
  if (Status status = engine.load(folder.last(), /*parametersOnly=*/false);
      !status.ok())
    return status;
  if (Status status = TrainState::fromText(engine.metadata(kStateKey), state);
      !status.ok())
    return Status::error(folder.last() + ": " + status.message());
  return folder.cutLog(state.logBytes);
}

Status Trainer::startEvents() const {
  std::vector<Json> events;
  Status status = folder.readLog(events);
  return status.ok() ? eventFile.rewrite(events) : status;
}

Status Trainer::saveLast() {
  TrainState saved = state;
  saved.totalSeconds = now();
  saved.epochSeconds = now() - epochStart;
  saved.logBytes = folder.logSize();
  Status status = setup.engine->setMetadata(kStateKey, saved.toText());
  if (status.ok())
    status = setup.engine->save(folder.last(), /*parametersOnly=*/false);
  sinceSave = Stopwatch();
  return status;
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
    status = setup.engine->setMetadata(kStateKey, "");
  return status.ok()
             ? setup.engine->save(folder.best(), /*parametersOnly=*/true)
             : status;
}

/// Keeps the parameters of this epoch, and those of the last ones before it.
Status Trainer::keepEpoch() const {
  Engine &engine = *setup.engine;
  Status status = engine.setMetadata(kStateKey, "");
  if (status.ok())
    status = engine.save(folder.epoch(state.epoch), /*parametersOnly=*/true);
  return status.ok() ? folder.removeEpochs(state.epoch - options.keep) : status;
}

Status Trainer::run(bool &interrupted) {
  interrupted = false;
  epochStart = now() - state.epochSeconds;
  while (state.stopped.empty()) {
    if (state.epoch >= options.epochs)
      return stop("epochs");
    const Batches batches =
        makeBatches(*trainSet, attemptSeed(), state.epoch, batchOptions());
    feed.start(batches, state.batch, cambium_mix(attemptSeed(), state.epoch));
    Status status = trainEpoch(batches, interrupted);
    feed.stop();
    if (status.ok() && !interrupted)
      status = finishEpoch(interrupted);
    if (!status.ok())
      return status;
    if (interrupted)
      return saveLast();
  }
  return Status();
}

Status Trainer::trainEpoch(const Batches &batches, bool &interrupted) {
  shownExamples = 0;
  shownSince = now();
  const int64_t count = static_cast<int64_t>(batches.size());
  while (state.batch < count) {
    if (Status status = update(batches); !status.ok())
      return status;
    if (events.wantsProgress())
      showProgress(batches);
    if (events.shouldStop()) {
      interrupted = true;
      return Status();
    }
    if (sinceSave.seconds() >= options.checkpointSeconds)
      if (Status status = saveLast(); !status.ok())
        return status;
  }
  return Status();
}

/// One update of the parameters from one or several batches.
Status Trainer::update(const Batches &batches) {
  Engine &engine = *setup.engine;
  const int64_t first = state.batch;
  const int64_t last =
      std::min<int64_t>(first + options.accumulate, batches.size());
  double lossSum = state.lossSum;
  for (int64_t i = first; i < last; ++i) {
    const std::vector<int32_t> &examples = batches[i];
    double loss = 0;
    const Batch *batch = nullptr;
    Status status = feed.next(batch);
    if (!status.ok())
      return status;
    status = engine.accumulate(*accumulate, *batch, loss);
    if (!status.ok())
      return describeBadLoss(examples, status);
    lossSum += loss * static_cast<double>(examples.size());
    shownExamples += static_cast<int64_t>(examples.size());
  }
  std::vector<Rate> scaled = rates;
  for (Rate &rate : scaled)
    rate.value *= factorOf(rate.group, state.updates);
  Status status = engine.apply(*apply, scaled, 1.0 / double(last - first));
  if (!status.ok())
    return status;
  state.lossSum = lossSum;
  state.batch = last;
  ++state.updates;
  return Status();
}

Status Trainer::describeBadLoss(const std::vector<int32_t> &examples,
                                const Status &cause) const {
  std::string text = "epoch " + std::to_string(state.epoch + 1) + ", batch " +
                     std::to_string(state.batch + 1) + " (";
  for (size_t i = 0; i < std::min<size_t>(examples.size(), 3); ++i)
    text += (i ? ", " : "") + trainSet->where(examples[i]);
  text += (examples.size() > 3 ? ", ...): " : "): ") + cause.message();
  return Status::error(text);
}

bool Trainer::isStuck(double loss) const {
  return options.restartAfter > 0 && state.epoch == options.restartAfter &&
         state.attempt < options.restarts &&
         !(loss < state.firstLoss * (1 - options.restartGain));
}

Status Trainer::finishEpoch(bool &interrupted) {
  events.evaluating(state.epoch + 1, options.epochs);
  Evaluation dev;
  Status status = setup.evaluator.run(*devSet, dev);
  interrupted = dev.interrupted;
  if (!status.ok() || interrupted)
    return status;

  const double loss = state.lossSum / double(trainSet->size());
  epochRates = ratesAt(state.updates - 1);
  if (state.epoch == 0)
    state.firstLoss = loss;
  ++state.epoch;
  const double metric = dev.metrics.find(options.metric);
  // Parameters that give no number are never the best ones.
  const bool isSound =
      !std::isnan(metric) &&
      (!setup.evaluator.loss || !devSet->hasTargets || std::isfinite(dev.loss));
  const bool isBest =
      isSound && (state.bestEpoch == 0 ||
                  isBetter(options.metric, metric, state.bestMetric));
  state.stale = isBest ? 0 : state.stale + 1;
  state.stalls += !isBest;
  if (isBest) {
    state.bestMetric = metric;
    state.bestEpoch = state.epoch;
  }
  const EpochEvent event = describeEpoch(dev, isBest);
  status = logEpoch(event);
  if (status.ok())
    events.finishedEpoch(event);
  epochStart = now();
  state.batch = 0;
  state.lossSum = 0;
  if (status.ok() && isStuck(loss))
    return restart();
  if (status.ok() && isBest)
    status = saveBest();
  if (status.ok() && options.keep > 0)
    status = keepEpoch();
  if (!status.ok())
    return status;
  if (options.patience > 0 && state.stale >= options.patience)
    return stop("patience");
  if (state.epoch >= options.epochs)
    return stop("epochs");
  return saveLast();
}

/// Begins anew with other random numbers, because the loss did not move.
Status Trainer::restart() {
  Json event = Json::object();
  event.set("event", "restart");
  event.set("epoch", state.epoch);
  event.set("attempt", state.attempt + 1);
  if (Status status = folder.log(event); !status.ok())
    return status;
  events.restarted(state.epoch);
  TrainState fresh;
  fresh.attempt = state.attempt + 1;
  fresh.totalSeconds = state.totalSeconds;
  state = fresh;
  Status status = initialize();
  if (status.ok())
    status = startEvents();
  return status.ok() ? saveLast() : status;
}

Status Trainer::stop(const char *reason) {
  state.stopped = reason;
  Json event = Json::object();
  event.set("event", "stop");
  event.set("reason", reason);
  event.set("best_epoch", state.bestEpoch);
  if (Status status = folder.log(event); !status.ok())
    return status;
  return saveLast();
}
