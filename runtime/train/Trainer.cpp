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
#include <cmath>

using namespace cambium;
using namespace cambium::train;

Status Trainer::prepare(const data::Dataset &trainData,
                        const data::Dataset &devData) {
  trainSet = &trainData;
  devSet = &devData;
  // A resumed training has its options by now.
  average = MovingAverage(options.movingAverage);
  Status status = findSteps();
  if (status.ok())
    status = turns.open(setup, options.stepData, trainData, batchOptions(),
                        options.prefetch);
  if (status.ok())
    status = openRates();
  if (status.ok())
    status = parseVectorSources(options.vectors, *setup.engine, vectors);
  if (status.ok())
    status = openFeed();
  if (status.ok() && setup.evaluator.feeds.sets.areGiven() && !feed.areSets())
    status = Status::error("expected --set and --set-by with a step that takes "
                           "sets, but '" +
                           accumulate->step + "' takes one line of the data");
  if (status.ok())
    status = openSchedule();
  setup.evaluator.batchSize = options.evalBatchSize;
  setup.evaluator.shouldStop = [this] { return events.shouldStop(); };
  return status;
}

/// What is handed over is known when a batch has been computed: no batch is
/// made ahead then.
Status Trainer::openFeed() {
  const Feeds &feeds = setup.evaluator.feeds;
  Status status = feed.open(*setup.engine, *accumulate, *trainSet, feeds,
                            feeds.carry.areGiven() ? 0 : options.prefetch);
  if (!status.ok() || !feeds.carry.areGiven())
    return status;
  status = Carry::create(*accumulate, *trainSet, feeds.carry, options.batchSize,
                         carry);
  if (status.ok() && !carry.isOn())
    status = Status::error("expected --carry with inputs of '" +
                           accumulate->step + "', but it has none of them");
  feed.setCarry(&carry);
  return status;
}

/// The last step is the one that the training is about.
Status Trainer::findSteps() {
  std::vector<StepTurn> steps;
  if (Status status = parseSteps(options.step, steps); !status.ok())
    return status;
  if (steps.size() > 1 && options.accumulate > 1)
    return Status::error(
        "expected --accumulate 1 with several steps, but got " +
        std::to_string(options.accumulate));
  Status status = setup.engine->findStep(steps.back().name, accumulate, apply);
  return status.ok() ? turns.find(*setup.engine, steps) : status;
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
  if (status.ok())
    status = loadVectors(vectors, *setup.reader, *setup.engine, vectorSummary);
  return status.ok() && average.isOn() ? average.start(*setup.engine) : status;
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

Status Trainer::startEvents() const {
  std::vector<Json> events;
  Status status = folder.readLog(events);
  return status.ok() ? eventFile.rewrite(events) : status;
}

Status Trainer::run(bool &interrupted) {
  interrupted = false;
  epochStart = now() - state.epochSeconds;
  while (state.stopped.empty()) {
    if (state.epoch >= options.epochs)
      return stop("epochs");
    const Batches batches =
        makeBatches(*trainSet, attemptSeed(), state.epoch, batchOptions());
    const uint64_t keySeed = cambium_mix(attemptSeed(), state.epoch);
    if (state.batch == 0)
      carry.clear();
    const EpochOf epoch = {state.epoch, options.epochs};
    feed.start(batches, state.batch, keySeed, epoch);
    turns.start(batches, state.batch, attemptSeed(), keySeed, state.updates,
                epoch);
    Status status = trainEpoch(batches, interrupted);
    feed.stop();
    turns.stop();
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
  if (Status status =
          turns.run(engine, [this](const auto &step) { return ratesOf(step); });
      !status.ok())
    return describeBadLoss(batches[first], status);
  for (int64_t i = first; i < last; ++i) {
    const std::vector<int32_t> &examples = batches[i];
    double loss = 0;
    const Batch *batch = nullptr;
    Status status = feed.next(batch);
    if (!status.ok())
      return status;
    std::vector<Output> outputs(carry.numOutputs());
    status = engine.accumulateWith(*accumulate, *batch, outputs, loss);
    if (!status.ok())
      return describeBadLoss(examples, status);
    carry.take(examples, outputs);
    lossSum += loss * static_cast<double>(examples.size());
    shownExamples += static_cast<int64_t>(examples.size());
  }
  Status status =
      engine.apply(*apply, ratesOf(*apply), 1.0 / double(last - first));
  if (!status.ok())
    return status;
  state.lossSum = lossSum;
  state.batch = last;
  ++state.updates;
  return average.isOn() ? average.update(engine, state.updates) : Status();
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

/// The average is evaluated, where there is one.
Status Trainer::evaluate(Evaluation &dev) {
  Status status = average.isOn() ? average.swap(*setup.engine) : Status();
  if (status.ok())
    status = setup.evaluator.run(*devSet, dev);
  if (Status swapped = average.isOn() ? average.swap(*setup.engine) : Status();
      status.ok())
    status = swapped;
  return status;
}

Status Trainer::finishEpoch(bool &interrupted) {
  events.evaluating(state.epoch + 1, options.epochs);
  Evaluation dev;
  Status status = evaluate(dev);
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
  if (status.ok())
    status = keepParameters(isBest);
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
  if (Status status = folder.keepEpochs({}); !status.ok())
    return status;
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
