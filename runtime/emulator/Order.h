//===-- runtime/emulator/Order.h - What happened before what ----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every block has a clock, which its barriers and releases advance, and knows
/// how far it has seen the clocks of other blocks: what a release wrote before
/// it, an acquire that reads the released word knows. An access that the one
/// before it on the same word is not known to precede is a race.
///
/// A stamp is an access: clock, block, thread, and whether it was atomic.
/// Clocks never go back, also between launches, so zero and the stamps of
/// earlier launches precede everything.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_EMULATOR_ORDER_H
#define CAMBIUM_EMULATOR_ORDER_H

#include "Instruction.h"

#include <map>
#include <unordered_map>
#include <vector>

namespace cambium::emulator {

using Stamp = uint64_t;
/// In place of a thread: several ones, of warp w only from `kManyOfWarp` on.
constexpr uint32_t kManyThreads = 0x7ff, kManyOfWarp = 0x400;
constexpr uint32_t kManyBlocks = 0xfffff;

inline Stamp makeStamp(uint32_t clock, uint32_t block, uint32_t thread,
                       bool atomic) {
  return Stamp{clock} << 32 | block << 12 | thread << 1 | (atomic ? 1 : 0);
}
inline uint32_t clockOf(Stamp s) { return static_cast<uint32_t>(s >> 32); }
inline uint32_t blockOf(Stamp s) {
  return static_cast<uint32_t>(s) >> 12 & 0xfffff;
}
inline uint32_t threadOf(Stamp s) {
  return static_cast<uint32_t>(s) >> 1 & 0x7ff;
}
inline bool isAtomic(Stamp s) { return s & 1; }
/// The warp of a thread, or of several ones; no warp if they are of many.
inline uint32_t warpOf(uint32_t thread) {
  return thread < kManyOfWarp ? thread / 32 : thread - kManyOfWarp;
}

/// Accesses of one thread up to a clock.
struct ThreadClock {
  uint32_t block, thread, clock;
};

/// What a thread knows, and hands on when it releases.
struct Knowledge {
  /// By block: all accesses up to this clock; empty: none of this launch.
  std::vector<uint32_t> blocks;
  std::vector<ThreadClock> threads;
  /// How far it reaches.
  Scope scope = Scope::System;
  uint32_t from = 0;

  bool isEmpty() const { return blocks.empty() && threads.empty(); }
  void join(const Knowledge &other);
  bool covers(Stamp stamp) const;
};

/// What a block knows at its last barrier, and its threads since then.
struct BlockOrder {
  uint32_t index = 0;
  /// The present; the last clock that all threads know of all.
  uint32_t now = 0, barrier = 0;
  /// By block; its own entry is `barrier`.
  std::vector<uint32_t> known;
  std::vector<ThreadClock> threads;
  /// By thread: acquired since the last barrier; read, but not acquired yet;
  /// made ready to release by a fence.
  std::map<uint32_t, Knowledge> acquired, observed, fenced;
  /// By warp: the last clock at which its lanes waited for each other.
  std::vector<uint32_t> warpSync;
  /// Of a word that was read last: its writer precedes all that the block does.
  Stamp knownWrite = 0;
};

/// The orders of the blocks of a launch.
class Order {
public:
  /// Clocks and sets of readers begin behind those of earlier launches.
  Order(uint32_t numBlocks, uint32_t base, uint32_t firstSet)
      : numBlocks(numBlocks), base(base), last(base), firstSet(firstSet) {}

  void start(BlockOrder &block, uint32_t index, uint32_t numWarps);
  /// All threads of a block met. Returns whether it now knows more of every
  /// other block: a barrier of the grid.
  bool barrier(BlockOrder &block);
  void warpBarrier(BlockOrder &block, uint32_t warp);
  void fence(BlockOrder &block, uint32_t thread, Scope scope);
  /// A strong write to a word: hands on what was fenced, or all if it releases.
  void write(BlockOrder &block, uint32_t thread, uint64_t word,
             Semantics semantics, Scope scope, bool keepsOthers);
  /// A strong read of a word.
  void read(BlockOrder &block, uint32_t thread, uint64_t word,
            Semantics semantics, Scope scope);

  /// Whether an access is known to a thread; the quick test failed.
  bool precedes(Stamp stamp, const BlockOrder &block, uint32_t thread) const;
  /// Checks an access and stamps the word; the access that it races with, or 0.
  Stamp checkRead(uint64_t &write, uint64_t &read, const BlockOrder &block,
                  uint32_t thread, bool strong);
  Stamp checkWrite(uint64_t &write, uint64_t &read, const BlockOrder &block,
                   uint32_t thread, bool atomic);

  /// Forgets the sets of readers that all running blocks know of, when they
  /// have become many. All blocks have begun.
  bool hasManySets() const { return readers.size() >= manySets; }
  void forgetSets(const std::vector<const BlockOrder *> &running);

  /// The clock that is behind all of this launch.
  uint32_t end() const { return last; }
  uint32_t endOfSets() const {
    return firstSet + static_cast<uint32_t>(readers.size());
  }

private:
  uint32_t advance(BlockOrder &block) {
    ++block.now;
    last = block.now > last ? block.now : last;
    return block.now;
  }
  Knowledge release(BlockOrder &block, uint32_t thread, Scope scope);
  void acquire(BlockOrder &block, uint32_t thread, const Knowledge &knowledge);
  Stamp addReader(Stamp read, const BlockOrder &block, uint32_t thread);
  const std::vector<Stamp> *setOf(Stamp read) const;
  Stamp checkReaders(Stamp read, const BlockOrder &block, uint32_t thread);

  /// Blocks that read a word, with the stamp of each. Sets are never changed:
  /// words that were read alike share one.
  uint32_t numBlocks, base, last, firstSet;
  std::unordered_map<uint64_t, Knowledge> released;
  std::vector<std::vector<Stamp>> readers;
  static constexpr size_t kFewSets = 1 << 14;
  size_t manySets = kFewSets;
  /// What becomes of a stamp when another reader comes.
  std::map<std::pair<Stamp, Stamp>, Stamp> transitions;
  std::pair<Stamp, Stamp> lastAsked{0, 0};
  Stamp lastAnswer = 0;
};

inline bool isKnown(Stamp stamp, const BlockOrder &block) {
  return clockOf(stamp) <= block.known[blockOf(stamp)];
}

/// One stamp for an earlier reader of the block and a thread of it.
inline Stamp joinReader(Stamp read, const BlockOrder &block, uint32_t thread) {
  uint32_t other = threadOf(read), warp = thread / 32;
  bool sameWarp = warpOf(other) == warp;
  bool isKnown = other == thread || clockOf(read) <= block.barrier ||
                 (sameWarp && clockOf(read) <= block.warpSync[warp]);
  uint32_t who = isKnown    ? thread
                 : sameWarp ? kManyOfWarp + warp
                            : kManyThreads;
  return makeStamp(block.now, block.index, who, false);
}

inline Stamp Order::checkRead(uint64_t &write, uint64_t &read,
                              const BlockOrder &block, uint32_t thread,
                              bool strong) {
  if (write && !(strong && isAtomic(write)) &&
      (blockOf(write) >= numBlocks || !isKnown(write, block)) &&
      !precedes(write, block, thread))
    return write;
  if (strong)
    return 0;
  Stamp me = makeStamp(block.now, block.index, thread, false);
  if (read == me)
    return 0;
  uint32_t by = blockOf(read);
  if (!read || (by < numBlocks && isKnown(read, block)))
    read = me;
  else if (by == block.index)
    read = joinReader(read, block, thread);
  else
    read = addReader(read, block, thread);
  return 0;
}

inline Stamp Order::checkWrite(uint64_t &write, uint64_t &read,
                               const BlockOrder &block, uint32_t thread,
                               bool atomic) {
  if (write && !(atomic && isAtomic(write)) &&
      (blockOf(write) >= numBlocks || !isKnown(write, block)) &&
      !precedes(write, block, thread))
    return write;
  if (read) {
    bool quick = blockOf(read) < numBlocks && isKnown(read, block);
    Stamp reader = quick ? 0 : checkReaders(read, block, thread);
    if (reader)
      return reader;
    read = 0;
  }
  write = makeStamp(block.now, block.index, thread, atomic);
  return 0;
}

} // namespace cambium::emulator
#endif
