//===-- runtime/emulator/Order.cpp - What happened before what ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Order.h"

#include <algorithm>

using namespace cambium::emulator;

void Knowledge::join(const Knowledge &other) {
  if (blocks.size() < other.blocks.size())
    blocks.resize(other.blocks.size(), 0);
  for (size_t b = 0; b < other.blocks.size(); ++b)
    blocks[b] = std::max(blocks[b], other.blocks[b]);
  for (const ThreadClock &theirs : other.threads) {
    auto mine =
        std::find_if(threads.begin(), threads.end(), [&](const ThreadClock &t) {
          return t.block == theirs.block && t.thread == theirs.thread;
        });
    if (mine == threads.end())
      threads.push_back(theirs);
    else
      mine->clock = std::max(mine->clock, theirs.clock);
  }
  auto isOld = [&](const ThreadClock &t) {
    return t.block < blocks.size() && t.clock <= blocks[t.block];
  };
  threads.erase(std::remove_if(threads.begin(), threads.end(), isOld),
                threads.end());
}

bool Knowledge::covers(Stamp stamp) const {
  uint32_t block = blockOf(stamp);
  if (block < blocks.size() && clockOf(stamp) <= blocks[block])
    return true;
  return std::any_of(threads.begin(), threads.end(), [&](const ThreadClock &t) {
    return t.block == block && t.thread == threadOf(stamp) &&
           clockOf(stamp) <= t.clock;
  });
}

void Order::start(BlockOrder &block, uint32_t index, uint32_t numWarps) {
  block.index = index;
  block.barrier = base;
  block.now = base;
  block.known.assign(numBlocks, base);
  block.knownWrite = 0;
  block.warpSync.assign(numWarps, base);
  advance(block);
}

bool Order::barrier(BlockOrder &block) {
  bool all = !block.acquired.empty();
  std::vector<uint32_t> before = block.known;
  Knowledge mine;
  mine.blocks.swap(block.known);
  mine.threads.swap(block.threads);
  for (const auto &entry : block.acquired)
    mine.join(entry.second);
  mine.blocks.resize(numBlocks, base);
  block.known.swap(mine.blocks);
  block.threads.swap(mine.threads);
  block.acquired.clear();
  block.barrier = block.now;
  block.known[block.index] = block.barrier;
  for (uint32_t b = 0; b < numBlocks && all; ++b)
    all = b == block.index || block.known[b] > before[b];
  advance(block);
  return all;
}

void Order::warpBarrier(BlockOrder &block, uint32_t warp) {
  block.warpSync[warp] = block.now;
  advance(block);
}

/// All that a thread knows, and what it did itself.
Knowledge Order::release(BlockOrder &block, uint32_t thread, Scope scope) {
  Knowledge knowledge;
  knowledge.blocks = block.known;
  knowledge.threads = block.threads;
  auto acquired = block.acquired.find(thread);
  if (acquired != block.acquired.end())
    knowledge.join(acquired->second);
  knowledge.join({{}, {{block.index, thread, block.now}}, scope, 0});
  knowledge.scope = scope;
  knowledge.from = block.index;
  advance(block);
  return knowledge;
}

void Order::acquire(BlockOrder &block, uint32_t thread,
                    const Knowledge &knowledge) {
  block.acquired[thread].join(knowledge);
}

void Order::fence(BlockOrder &block, uint32_t thread, Scope scope) {
  auto observed = block.observed.find(thread);
  if (observed != block.observed.end()) {
    acquire(block, thread, observed->second);
    block.observed.erase(observed);
  }
  block.fenced[thread] = release(block, thread, scope);
}

void Order::write(BlockOrder &block, uint32_t thread, uint64_t word,
                  Semantics semantics, Scope scope, bool keepsOthers) {
  auto fenced = block.fenced.find(thread);
  bool releases = semantics >= Semantics::Release;
  if (!releases && fenced == block.fenced.end()) {
    if (!keepsOthers)
      released.erase(word);
    return;
  }
  Knowledge mine = releases ? release(block, thread, scope) : fenced->second;
  // Whom it reaches is what both the fence and the write say.
  mine.scope = std::min(mine.scope, scope);
  Knowledge &at = released[word];
  if (!keepsOthers)
    at = Knowledge();
  bool wasEmpty = at.isEmpty();
  at.join(mine);
  at.scope = wasEmpty ? mine.scope : std::min(at.scope, mine.scope);
  at.from = mine.from;
}

void Order::read(BlockOrder &block, uint32_t thread, uint64_t word,
                 Semantics semantics, Scope scope) {
  auto at = released.find(word);
  if (at == released.end())
    return;
  bool narrow = at->second.scope == Scope::Block || scope == Scope::Block;
  if (narrow && at->second.from != block.index)
    return;
  if (semantics == Semantics::Acquire || semantics >= Semantics::AcqRel)
    acquire(block, thread, at->second);
  else
    block.observed[thread].join(at->second);
}

bool Order::precedes(Stamp stamp, const BlockOrder &block,
                     uint32_t thread) const {
  if (clockOf(stamp) <= base)
    return true;
  uint32_t by = blockOf(stamp), other = threadOf(stamp);
  if (by == block.index) {
    if (other == thread || clockOf(stamp) <= block.barrier)
      return true;
    bool sameWarp = warpOf(other) == thread / 32;
    if (sameWarp && clockOf(stamp) <= block.warpSync[thread / 32])
      return true;
  }
  Knowledge common{{}, block.threads, Scope::System, 0};
  if (common.covers(stamp))
    return true;
  auto acquired = block.acquired.find(thread);
  return acquired != block.acquired.end() && acquired->second.covers(stamp);
}

/// Null: one block, or a set of an earlier launch.
const std::vector<Stamp> *Order::setOf(Stamp read) const {
  bool isSet = blockOf(read) == kManyBlocks && clockOf(read) >= firstSet;
  return isSet ? &readers[clockOf(read) - firstSet] : nullptr;
}

static bool areKnown(const std::vector<Stamp> &set, const BlockOrder &block) {
  return std::all_of(set.begin(), set.end(),
                     [&](Stamp stamp) { return isKnown(stamp, block); });
}

/// The sets before the first one that somebody does not know of: as if they
/// were of an earlier launch.
void Order::forgetSets(const std::vector<const BlockOrder *> &running) {
  auto kept = std::find_if(readers.begin(), readers.end(),
                           [&](const std::vector<Stamp> &set) {
                             return std::any_of(running.begin(), running.end(),
                                                [&](const BlockOrder *block) {
                                                  return !areKnown(set, *block);
                                                });
                           });
  firstSet += static_cast<uint32_t>(kept - readers.begin());
  readers.erase(readers.begin(), kept);
  manySets = std::max(kFewSets, 2 * readers.size());
  transitions.clear();
  lastAsked = {0, 0};
}

/// Another block reads too.
Stamp Order::addReader(Stamp read, const BlockOrder &block, uint32_t thread) {
  Stamp me = makeStamp(block.now, block.index, thread, false);
  Stamp all = makeStamp(block.now, block.index, kManyThreads, false);
  Stamp ofWarp =
      makeStamp(block.now, block.index, kManyOfWarp + thread / 32, false);
  bool isOld = blockOf(read) == kManyBlocks && clockOf(read) < firstSet;
  if (isOld)
    return me;
  const std::vector<Stamp> *set = setOf(read);
  if (set) {
    for (Stamp stamp : *set)
      if (stamp == me || stamp == ofWarp || stamp == all)
        return read;
    // Behind a barrier of the grid, those before it count no more.
    if (areKnown(*set, block))
      return me;
  }
  std::pair<Stamp, Stamp> question{read, me};
  if (question == lastAsked)
    return lastAnswer;
  auto known = transitions.find(question);
  if (known == transitions.end()) {
    auto next = set ? *set : std::vector<Stamp>{read};
    auto mine = std::find_if(next.begin(), next.end(), [&](Stamp stamp) {
      return blockOf(stamp) == block.index;
    });
    if (mine == next.end())
      next.push_back(me);
    else
      *mine = joinReader(*mine, block, thread);
    Stamp answer = makeStamp(endOfSets(), kManyBlocks, kManyThreads, false);
    readers.push_back(std::move(next));
    known = transitions.emplace(question, answer).first;
  }
  lastAsked = question;
  lastAnswer = known->second;
  return lastAnswer;
}

/// The first reader of a word that a writer does not know, or 0.
Stamp Order::checkReaders(Stamp read, const BlockOrder &block,
                          uint32_t thread) {
  if (blockOf(read) != kManyBlocks)
    return precedes(read, block, thread) ? 0 : read;
  if (const std::vector<Stamp> *set = setOf(read))
    for (Stamp stamp : *set)
      if (!isKnown(stamp, block) && !precedes(stamp, block, thread))
        return stamp;
  return 0;
}
