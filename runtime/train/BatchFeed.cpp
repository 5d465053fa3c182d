//===-- runtime/train/BatchFeed.cpp - Batches made ahead of time ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchFeed.h"

#include <new>

#include <system_error>

using namespace cambium;
using namespace cambium::train;

Status BatchFeed::open(Engine &engine, const EntrySpec &entry,
                       const data::Dataset &dataset, const Feeds &feeds,
                       int64_t ahead) {
  stop();
  if (Status status = Binding::create(entry, dataset, feeds, binding);
      !status.ok())
    return status;
  slots = std::vector<Slot>(ahead + 1);
  for (Slot &slot : slots)
    if (Status status = engine.makeBatch(entry, slot.batch); !status.ok())
      return status;
  return Status();
}

void BatchFeed::start(const Batches &newBatches, size_t first, uint64_t seed,
                      EpochOf newEpoch) {
  stop();
  batches = &newBatches;
  keySeed = seed;
  epoch = newEpoch;
  filled = taken = released = first;
  stopping = false;
  if (slots.size() == 1)
    return;
  try {
    thread = std::thread([this] { fillAll(); });
  } catch (const std::system_error &) {
    // No thread is to be had: next() fills.
  }
}

TrainingPoint BatchFeed::progressAt(size_t index) const {
  auto part = [](size_t place, size_t count) {
    return count > 1 ? double(place) / double(count - 1) : 1;
  };
  const size_t count = batches->size();
  return {part(index, count),
          part(static_cast<size_t>(epoch.number) * count + index,
               static_cast<size_t>(epoch.count) * count)};
}

void BatchFeed::fill(size_t index) {
  const std::vector<int32_t> &examples = (*batches)[index];
  Slot &slot = slotOf(index);
  // A thread has nobody to catch what it throws.
  try {
    slot.status = binding.fill(*slot.batch, examples.data(), examples.size(),
                               keySeed, progressAt(index));
  } catch (const std::bad_alloc &) {
    slot.status = Status::error("not enough memory for a batch");
  }
}

void BatchFeed::fillAll() {
  std::unique_lock<std::mutex> lock(mutex);
  while (filled < batches->size()) {
    changed.wait(lock,
                 [&] { return stopping || filled < released + slots.size(); });
    if (stopping)
      return;
    const size_t index = filled;
    lock.unlock();
    fill(index);
    lock.lock();
    ++filled;
    changed.notify_all();
  }
}

Status BatchFeed::next(const Batch *&batch) {
  std::unique_lock<std::mutex> lock(mutex);
  released = taken;
  const size_t index = taken++;
  if (thread.joinable()) {
    changed.notify_all();
    changed.wait(lock, [&] { return filled > index; });
  } else {
    fill(index);
    filled = taken;
  }
  batch = slotOf(index).batch.get();
  return slotOf(index).status;
}

void BatchFeed::stop() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  changed.notify_all();
  thread.join();
}
