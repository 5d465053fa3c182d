//===-- runtime/train/BatchFeed.h - Batches made ahead ----------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_BATCHFEED_H
#define CAMBIUM_TRAIN_BATCHFEED_H

#include "Batches.h"
#include "Binding.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace cambium::train {

/// An epoch, counted from 0, of how many.
struct EpochOf {
  int64_t number = 0, count = 1;
};

/// Fills the batches of an epoch, one after the other, in a thread of its own
/// while the engine computes with an earlier one. What a batch holds does not
/// depend on when it was filled.
class BatchFeed {
public:
  BatchFeed() = default;
  ~BatchFeed() { stop(); }

  /// Matches the data with the inputs of `entry`; up to `ahead` batches are
  /// filled before they are asked for (0: none, and there is no thread).
  Status open(Engine &engine, const EntrySpec &entry,
              const data::Dataset &dataset, const Feeds &feeds, int64_t ahead);
  void setCarry(const Carry *carry) { binding.setCarry(carry); }
  bool areSets() const { return binding.areSets(); }
  /// Whether what `--value` gives an input changes with the training.
  bool changes() const { return binding.changes(); }
  /// Begins with batch `first`. `batches` must live until stop().
  void start(const Batches &batches, size_t first, uint64_t keySeed,
             EpochOf epoch = {});
  /// The next batch, valid until the next call; there must be one.
  Status next(const Batch *&batch);
  /// Ends the thread; batches that were not asked for are dropped.
  void stop();

private:
  struct Slot {
    std::unique_ptr<Batch> batch;
    Status status;
  };
  Slot &slotOf(size_t index) { return slots[index % slots.size()]; }
  TrainingPoint progressAt(size_t index) const;
  void fill(size_t index);
  void fillAll();

  std::vector<Slot> slots;
  Binding binding;
  const Batches *batches = nullptr;
  uint64_t keySeed = 0;
  EpochOf epoch;
  std::thread thread;
  std::mutex mutex; ///< Guards what follows.
  std::condition_variable changed;
  /// Batches before `filled` are ready, before `taken` have been asked for,
  /// before `released` are no longer needed.
  size_t filled = 0, taken = 0, released = 0;
  bool stopping = false;
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_BATCHFEED_H
