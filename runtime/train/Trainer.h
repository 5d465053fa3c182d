//===-- runtime/train/Trainer.h - The training loop -------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_TRAINER_H
#define CAMBIUM_TRAIN_TRAINER_H

#include "BatchFeed.h"
#include "MovingAverage.h"
#include "Schedule.h"
#include "Setup.h"
#include "Stopwatch.h"
#include "TensorBoard.h"
#include "Turns.h"
#include "WordVectors.h"

namespace cambium::train {

/// Where a training stands: with the parameters, all that it takes to go on
/// exactly as if it had never stopped. Kept in the checkpoint.
struct TrainState {
  int64_t attempt = 0; ///< Restarts so far.
  int64_t epoch = 0;   ///< Finished epochs.
  int64_t batch = 0;   ///< Finished batches of the epoch at hand.
  int64_t updates = 0;
  double lossSum = 0;       ///< Over the examples of the epoch at hand.
  double firstLoss = kNone; ///< Mean training loss of the first epoch.
  double bestMetric = kNone;
  int64_t bestEpoch = 0;
  int64_t stale = 0;  ///< Epochs since the best one.
  int64_t stalls = 0; ///< Epochs that were not better than those before.
  double epochSeconds = 0, totalSeconds = 0;
  int64_t logBytes = 0;
  std::string stopped; ///< Why the training is over; empty while it is not.

  std::string toText() const;
  static Status fromText(const std::string &text, TrainState &state);
};

/// Trains a model, epoch after epoch.
class Trainer {
public:
  Trainer(const Options &options, Setup &setup, const RunFolder &folder,
          Events &events)
      : options(options), setup(setup), folder(folder), events(events),
        eventFile(folder.path(kEventFile)) {}

  /// Finds the step, matches the data, and checks that the metric exists.
  Status prepare(const data::Dataset &trainSet, const data::Dataset &devSet);
  /// Checks what does not ask for the fields of the data: steps, rates,
  /// schedules and groups.
  Status checkRates(const data::Dataset &trainSet);
  /// Draws the parameters of the attempt at hand.
  Status initialize();
  /// Goes on from the last checkpoint of the folder.
  Status resume();
  /// Brings the event file to where the log is.
  Status startEvents() const;
  /// Trains until the end, or until it is asked to stop; then `interrupted`.
  Status run(bool &interrupted);

  TrainState state;
  /// What word vectors were read from where; lines.
  std::string initSummary, vectorSummary;

private:
  Status findSteps();
  Status openFeed();
  std::vector<Rate> ratesOf(const EntrySpec &step) const;
  Status openRates();
  Status openSchedule();
  Status openSchedules();
  Status freezeGroups();
  Status knowsGroup(const char *option, const std::string &group) const;
  double factorOf(const std::string &group, int64_t update) const;
  Status keepEpoch() const;
  Status clearProgress() const;
  Status loadWeights();
  uint64_t attemptSeed() const;
  double now() const { return state.totalSeconds + sinceResume.seconds(); }
  BatchOptions batchOptions() const {
    return {options.batchSize, options.batchNodes, options.bucket,
            setup.evaluator.feeds.sets, setup.evaluator.feeds.carry};
  }
  Status countUpdates(int64_t &updates) const;
  Status trainEpoch(const Batches &batches, bool &interrupted);
  Status update(const Batches &batches);
  Status describeBadLoss(const std::vector<int32_t> &examples,
                         const Status &cause) const;
  void showProgress(const Batches &batches);
  Status finishEpoch(bool &interrupted);
  Json ratesAt(int64_t update) const;
  EpochEvent describeEpoch(const Evaluation &dev, bool isBest) const;
  Status logEpoch(const EpochEvent &epoch);
  bool isStuck(double loss) const;
  Status restart();
  Status stop(const char *reason);
  Status saveLast();
  Status saveAverage();
  Status loadAverage();
  Status evaluate(Evaluation &dev);
  Status keepParameters(bool areBest);
  Status saveBest();

  const Options &options;
  Setup &setup;
  const RunFolder &folder;
  Events &events;
  const EventFile eventFile;
  const data::Dataset *trainSet = nullptr, *devSet = nullptr;
  const EntrySpec *accumulate = nullptr, *apply = nullptr;
  BatchFeed feed;
  Carry carry;
  Turns turns; ///< Of the steps before it.
  MovingAverage average{0};
  std::vector<Rate> rates;
  std::vector<VectorSource> vectors;
  Schedule schedule;
  std::map<std::string, Schedule> groupSchedules;
  /// Groups whose rate is 0 before these epochs.
  std::map<std::string, int64_t> frozenUntil;
  Stopwatch sinceResume, sinceSave;
  Json epochRates;       ///< Of the last update of the epoch at hand.
  double epochStart = 0; ///< now() when the epoch at hand began.
  int64_t shownExamples = 0;
  double shownSince = 0;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_TRAINER_H
