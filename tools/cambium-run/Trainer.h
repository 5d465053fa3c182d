//===-- tools/cambium-run/Trainer.h - The training loop ---------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_TRAINER_H
#define CAMBIUM_RUN_TRAINER_H

#include "BatchFeed.h"
#include "Progress.h"
#include "Schedule.h"
#include "Setup.h"
#include "TensorBoard.h"
#include "WordVectors.h"

namespace cambium::run {

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
  int64_t stale = 0; ///< Epochs since the best one.
  double epochSeconds = 0, totalSeconds = 0;
  int64_t logBytes = 0;
  std::string stopped; ///< Why the training is over; empty while it is not.

  std::string toText() const;
  static Status fromText(const std::string &text, TrainState &state);
};

/// Trains a model, epoch after epoch.
class Trainer {
public:
  Trainer(TrainOptions &options, Setup &setup, const RunFolder &folder)
      : options(options), setup(setup), folder(folder),
        eventFile(folder.path(kEventFile)), progress(options.quiet) {}

  /// Finds the step, matches the data, and checks that the metric exists.
  Status prepare(const data::Dataset &trainSet, const data::Dataset &devSet);
  /// Draws the parameters of the attempt at hand.
  Status initialize();
  /// Goes on from the last checkpoint of the folder.
  Status resume();
  /// Brings the event file to where the log is.
  Status startEvents() const;
  /// Trains until the end, or until the user interrupts; then `interrupted`.
  Status run(bool &interrupted);

  TrainState state;
  /// What word vectors were read from where; lines.
  std::string initSummary, vectorSummary;

private:
  Status checkRates() const;
  uint64_t attemptSeed() const;
  double now() const { return state.totalSeconds + sinceResume.seconds(); }
  BatchOptions batchOptions() const {
    return {options.batchSize, options.batchNodes, options.bucket};
  }
  int64_t countUpdates() const;
  Status trainEpoch(const Batches &batches, bool &interrupted);
  Status update(const Batches &batches);
  Status describeBadLoss(const std::vector<int32_t> &examples,
                         const Status &cause) const;
  void showProgress(const Batches &batches);
  Status finishEpoch(bool &interrupted);
  Json ratesAt(int64_t update) const;
  Status logEpoch(const Evaluation &dev, double seconds, bool isBest);
  Status printEpoch(const Evaluation &dev, double seconds, bool isBest);
  bool isStuck(double loss) const;
  Status restart();
  Status stop(const char *reason);
  Status saveLast();
  Status saveBest();

  TrainOptions &options;
  Setup &setup;
  const RunFolder &folder;
  const EventFile eventFile;
  Progress progress;
  const data::Dataset *trainSet = nullptr, *devSet = nullptr;
  const EntrySpec *accumulate = nullptr, *apply = nullptr;
  BatchFeed feed;
  std::vector<Rate> rates;
  std::vector<VectorSource> vectors;
  Schedule schedule;
  Stopwatch sinceResume, sinceSave;
  double epochStart = 0; ///< now() when the epoch at hand began.
  int64_t shownExamples = 0;
  double shownSince = 0;
};

} // namespace cambium::run

#endif // CAMBIUM_RUN_TRAINER_H
