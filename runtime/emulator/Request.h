//===-- Request.h - An access while it is checked ---------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_EMULATOR_REQUEST_H
#define CAMBIUM_EMULATOR_REQUEST_H

#include "Machine.h"

namespace cambium::emulator {

std::string hex(uint64_t value);

/// What the lanes of a warp access with one instruction.
struct Request {
  Request(Warp &warp, const Instruction &i, uint32_t mask,
          const uint64_t *addresses, uint32_t bytes, Access access,
          uint8_t **host)
      : warp(warp), i(i), mask(mask), addresses(addresses), bytes(bytes),
        access(access), host(host) {
    measure();
  }
  Request(const Request &other, uint32_t mask, const uint64_t *addresses)
      : Request(other.warp, other.i, mask, addresses, other.bytes, other.access,
                other.host) {}

  Warp &warp;
  const Instruction &i;
  uint32_t mask;
  const uint64_t *addresses;
  uint32_t bytes;
  Access access;
  /// Where the bytes of each lane are.
  uint8_t **host;
  /// Of all addresses: bounds, and the bits that are in any.
  uint64_t least, most, any;
  /// All addresses are one; or the lanes of a full warp follow each other.
  bool isUniform = true, isDense = true;

  const char *verb() const {
    return access == Access::Read    ? "load"
           : access == Access::Write ? "store"
                                     : "atomic operation";
  }
  [[noreturn]] void fail(Fault::Reason reason, int lane,
                         const std::string &text) const;
  void checkAlignment() const {
    if (any & (bytes - 1))
      failAlignment();
  }

private:
  void measure() {
    uint64_t first = addresses[__builtin_ctz(mask)], next = first, differ = 0,
             loose = 0;
    any = 0;
    if (mask == kAllLanes) {
      for (int l = 0; l < kLanes; ++l, next += bytes) {
        uint64_t at = addresses[l];
        any |= at;
        differ |= at ^ first;
        loose |= at ^ next;
      }
    } else {
      loose = 1;
      for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t at = addresses[__builtin_ctz(m)];
        any |= at;
        differ |= at ^ first;
      }
    }
    least = most = first;
    if (!loose)
      most = next - bytes;
    else if (differ)
      bound(first, differ);
    isUniform = !differ;
    isDense = !loose;
  }
  /// Finds the least and the most of addresses that are neither one nor dense.
  void bound(uint64_t first, uint64_t differ) {
    if (mask == kAllLanes && differ < uint64_t{1} << 31) {
      // Differences of 32 bits, which any processor compares as vectors.
      int32_t below = 0, above = 0;
      for (int l = 0; l < kLanes; ++l) {
        auto difference = static_cast<int32_t>(addresses[l] - first);
        below = difference < below ? difference : below;
        above = difference > above ? difference : above;
      }
      least = first + static_cast<uint64_t>(int64_t{below});
      most = first + static_cast<uint64_t>(int64_t{above});
      return;
    }
    for (uint32_t m = mask; m; m &= m - 1) {
      uint64_t at = addresses[__builtin_ctz(m)];
      least = at < least ? at : least;
      most = at > most ? at : most;
    }
  }
  [[noreturn]] void failAlignment() const;
};

/// Adds the sectors that a request to global memory takes.
void countGlobal(const Request &request);
/// Adds the passes that a request to shared memory takes.
void countShared(const Request &request);

/// The words of a memory, as a request sees them.
class WordChecker {
public:
  WordChecker(const Request &request, uint8_t *defined, WordStamps *stamps,
              bool strong, const char *space)
      : request(request), grid(*request.warp.grid),
        block(request.warp.block->order), defined(defined), stamps(stamps),
        strong(strong), space(space),
        isQuick(!strong && request.access != Access::Atomic &&
                request.bytes % 4 == 0 && grid.checks.races),
        first(
            makeStamp(block.now, block.index, request.warp.threadOf(0), false)),
        ofWarp(makeStamp(block.now, block.index,
                         kManyOfWarp + request.warp.index, false)),
        ofBlock(makeStamp(block.now, block.index, kManyThreads, false)) {}

  /// Looks at the words of all lanes; `base` is the address of the first. Lanes
  /// that read the same are looked at as two, which stand for many threads.
  void run(uint64_t base) const {
    bool reads = request.access == Access::Read;
    for (uint32_t m = request.mask; m;) {
      int l = __builtin_ctz(m), other = -1;
      m &= m - 1;
      uint64_t at = request.addresses[l];
      if (reads && request.isUniform) {
        other = m ? __builtin_ctz(m) : -1;
        m = 0;
      }
      for (; reads && m && request.addresses[__builtin_ctz(m)] == at;
           m &= m - 1)
        other = __builtin_ctz(m);
      if (!isQuick || !checkQuickly(reads, l, other, at - base))
        check(l, other, base);
    }
  }

private:
  void check(int lane, int other, uint64_t base) const {
    uint64_t offset = request.addresses[lane] - base;
    uint64_t first = offset / 4, last = (offset + request.bytes - 1) / 4;
    uint32_t need = 15;
    if (request.bytes < 4)
      need = ((1u << request.bytes) - 1) << (offset & 3);
    for (uint64_t word = first; word <= last; ++word) {
      if (request.access != Access::Write && (defined[word] & need) != need)
        undefined(lane);
      if (request.access != Access::Read)
        defined[word] |= static_cast<uint8_t>(need);
      if (!grid.checks.races)
        continue;
      stamp(lane, word, need);
      if (other >= 0)
        stamp(other, word, need);
    }
  }
  /// Whole words whose accesses before are known, or that were read as now: all
  /// but a few. False, and nothing is changed in the first word that is not
  /// such.
  [[gnu::always_inline]] bool checkQuickly(bool reads, int lane, int other,
                                           uint64_t offset) const {
    uint64_t end = offset / 4 + request.bytes / 4;
    for (uint64_t word = offset / 4; word < end; ++word)
      if (reads ? !readQuickly(lane, other, word) : !writeQuickly(lane, word))
        return false;
    return true;
  }
  bool isKnownToBlock(Stamp stamp) const {
    return !stamp || (blockOf(stamp) < grid.numBlocks && isKnown(stamp, block));
  }
  [[gnu::always_inline]] bool readQuickly(int lane, int other,
                                          uint64_t word) const {
    WordStamps &s = stamps[word];
    if (defined[word] != 15)
      return false;
    if (s.write != block.knownWrite) {
      if (!isKnownToBlock(s.write))
        return false;
      block.knownWrite = s.write;
    }
    if (s.read == ofBlock || s.read == ofWarp)
      return true;
    if (!isKnownToBlock(s.read))
      return false;
    s.read = other < 0 ? stampOf(lane) : ofWarp;
    return true;
  }
  bool writeQuickly(int lane, uint64_t word) const {
    WordStamps &s = stamps[word];
    if (!isKnownToBlock(s.write) || !isKnownToBlock(s.read))
      return false;
    s = {stampOf(lane), 0};
    defined[word] = 15;
    return true;
  }
  Stamp stampOf(int lane) const {
    return first + (static_cast<Stamp>(lane) << 1);
  }
  void stamp(int lane, uint64_t word, uint32_t need) const {
    WordStamps &s = stamps[word];
    bool isWhole = need == 15 && s.write != kSplitWord;
    if (Stamp before = isWhole ? stamp(lane, s) : stampBytes(lane, s, need))
      reportRace(lane, before);
  }
  Stamp stamp(int lane, WordStamps &s) const {
    uint32_t thread = request.warp.threadOf(lane);
    return request.access == Access::Read
               ? grid.order.checkRead(s.write, s.read, block, thread, strong)
               : grid.order.checkWrite(s.write, s.read, block, thread, strong);
  }
  [[gnu::cold]] Stamp stampBytes(int lane, WordStamps &s, uint32_t need) const;
  [[gnu::cold]] void undefined(int lane) const;
  [[gnu::cold]] void reportRace(int lane, Stamp other) const;

  const Request &request;
  Grid &grid;
  BlockOrder &block;
  uint8_t *defined;
  WordStamps *stamps;
  bool strong;
  const char *space;
  /// Most accesses are those of whole words, which nothing orders.
  bool isQuick;
  /// Stamps of this access: of the first lane, of several ones, of other warps
  /// too.
  Stamp first, ofWarp, ofBlock;
};

} // namespace cambium::emulator
#endif
