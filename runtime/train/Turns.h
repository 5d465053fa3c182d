//===-- Turns.h - Several training steps in turn ----------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `--step critic:5,train`: before each update of the last step, the one that a
/// training is about, the others make theirs, from the same batch or from data
/// of their own.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_TURNS_H
#define CAMBIUM_TRAIN_TURNS_H

#include "BatchFeed.h"
#include "Setup.h"

#include <deque>
#include <functional>

namespace cambium::train {

/// `NAME[:N][/M]`: a step, how many updates it makes, and in every how many
/// updates of the last step.
struct StepTurn {
  std::string name;
  int64_t times = 1, every = 1;
};

/// Parses "critic:5,replay/10,train"; an empty text is the only step there is.
Status parseSteps(const std::string &text, std::vector<StepTurn> &steps);

/// The groups of parameters of a step.
std::vector<std::string> groupsOf(const EntrySpec &apply);

/// The steps that come before the last one.
class Turns {
public:
  /// Finds the steps.
  Status find(const Engine &engine, const std::vector<StepTurn> &steps);
  /// Reads their data ("critic=FILE").
  Status open(Setup &setup, const std::vector<std::string> &data,
              const data::Dataset &trainSet, const BatchOptions &options,
              int64_t ahead);
  bool empty() const { return turns.empty(); }
  /// The apply entries of the steps.
  std::vector<const EntrySpec *> applied() const;

  /// Begins with batch `first` of an epoch, after so many updates of the last
  /// step. Batches of own data depend on `attemptSeed`, random numbers of the
  /// others on `keySeed`.
  void start(const Batches &batches, size_t first, uint64_t attemptSeed,
             uint64_t keySeed, int64_t updatesBefore, EpochOf epoch);
  /// The updates before one of the last step. `ratesOf` gives the rates.
  Status
  run(Engine &engine,
      const std::function<std::vector<Rate>(const EntrySpec &)> &ratesOf);
  void stop();

private:
  /// One step; with data of its own, an endless series of epochs of them.
  struct Turn {
    const EntrySpec *accumulate = nullptr, *apply = nullptr;
    int64_t times = 1, every = 1;
    bool hasData = false;
    data::Dataset data;
    BatchFeed feed;
    Batches batches;
    int64_t epoch = 0;
    size_t left = 0; ///< Batches of the epoch that were not taken.
    uint64_t seed = 0;
  };
  void seek(Turn &turn, int64_t taken);
  Status next(Turn &turn, bool isFirst, const Batch *&batch);

  std::deque<Turn> turns; ///< Whose elements stay where they are.
  int64_t updates = 0;    ///< Of the last step, before the one at hand.
  BatchOptions options;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_TURNS_H
