//===-- runtime/emulator/Request.cpp - What accesses count and report -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Request.h"

#include <algorithm>

using namespace cambium::emulator;

std::string cambium::emulator::hex(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx",
                static_cast<unsigned long long>(value));
  return text;
}

void Request::fail(Fault::Reason reason, int lane,
                   const std::string &text) const {
  warp.fail(reason,
            std::string(verb()) + " by thread " +
                std::to_string(warp.threadOf(lane)) + " " + text,
            &i);
}

void Request::failAlignment() const {
  int lane = __builtin_ctz(mask);
  for (uint32_t m = mask; m; m &= m - 1)
    if (addresses[__builtin_ctz(m)] & (bytes - 1))
      lane = __builtin_ctz(m);
  fail(Fault::Reason::Misaligned, lane,
       "expected an address that is a multiple of " + std::to_string(bytes) +
           ", but got " + hex(addresses[lane]));
}

void WordChecker::undefined(int lane) const {
  if (!grid.checks.uninitialized)
    return;
  grid.report(request.warp, request.i,
              "uninitialized: load by thread " +
                  std::to_string(request.warp.threadOf(lane)) + " of block " +
                  std::to_string(block.index) + " of " +
                  std::to_string(request.bytes) + " bytes at " +
                  hex(request.addresses[lane]) + " of " + space +
                  " memory, which nobody wrote");
}

/// Threads may write bytes of one word at once.
Stamp WordChecker::stampBytes(int lane, WordStamps &s, uint32_t need) const {
  SplitWords &words = grid.heap.splitWords;
  if (s.write != kSplitWord) {
    words[&s] = {s, s, s, s};
    s.write = kSplitWord;
  }
  auto found = words.find(&s);
  Stamp before = 0;
  for (uint32_t bytes = need; bytes; bytes &= bytes - 1)
    if (Stamp other = stamp(lane, found->second[__builtin_ctz(bytes)]))
      before = other;
  // A word that is written as one is one again.
  if (need == 15 && request.access != Access::Read && !before) {
    s = found->second[0];
    words.erase(found);
  }
  return before;
}

void WordChecker::reportRace(int lane, Stamp other) const {
  uint32_t thread = threadOf(other);
  std::string who = thread >= kManyOfWarp ? "several threads"
                                          : "thread " + std::to_string(thread);
  bool sameBlock = blockOf(other) == block.index;
  grid.report(
      request.warp, request.i,
      std::string("race: ") + request.verb() + " by thread " +
          std::to_string(request.warp.threadOf(lane)) + " of block " +
          std::to_string(block.index) + " at " + hex(request.addresses[lane]) +
          " of " + space + " memory, which " + who + " of block " +
          std::to_string(blockOf(other)) + " accessed before without " +
          (sameBlock ? "a barrier between" : "a release that was acquired"));
}

namespace {

/// Sectors of 32 bytes that hold the lanes' bytes.
int64_t countSectors(const Request &r) {
  if (r.isUniform)
    return 1;
  if (r.isDense)
    return static_cast<int64_t>((r.most + r.bytes - 1) / 32 - r.least / 32 + 1);
  uint64_t seen[kLanes];
  int count = 0;
  for (uint32_t m = r.mask; m; m &= m - 1) {
    uint64_t sector = r.addresses[__builtin_ctz(m)] / 32;
    bool known = false;
    for (int k = count; k > 0 && !known; --k)
      known = seen[k - 1] == sector;
    if (!known)
      seen[count++] = sector;
  }
  return count;
}

/// Passes for lanes that want different words of a bank, of one group.
int passesOf(const Request &r, uint32_t lanes) {
  uint64_t word[32], more[kLanes * 4];
  int numMore = 0, most = 0, count[32] = {};
  for (uint32_t m = r.mask & lanes; m; m &= m - 1)
    for (uint32_t k = 0; k < r.bytes; k += 4) {
      uint64_t at = (r.addresses[__builtin_ctz(m)] + k) / 4;
      auto bank = static_cast<int>(at & 31);
      if (count[bank] && word[bank] == at)
        continue;
      if (!count[bank])
        word[bank] = at;
      else if (std::find(more, more + numMore, at) != more + numMore)
        continue;
      else
        more[numMore++] = at;
      most = std::max(most, ++count[bank]);
    }
  return most;
}

} // namespace

void cambium::emulator::countGlobal(const Request &r) {
  Counters &c = r.warp.grid->counters;
  int64_t bytes = __builtin_popcount(r.mask) * static_cast<int64_t>(r.bytes);
  if (r.access == Access::Read) {
    ++c.global_load_requests;
    c.global_load_bytes += bytes;
    c.global_load_sectors += countSectors(r);
  } else if (r.access == Access::Write) {
    ++c.global_store_requests;
    c.global_store_bytes += bytes;
    c.global_store_sectors += countSectors(r);
  }
}

/// Accesses of 8 and 16 bytes are done by halves and quarters of a warp.
void cambium::emulator::countShared(const Request &r) {
  Counters &c = r.warp.grid->counters;
  ++c.shared_requests;
  if (r.isUniform || r.isDense || (r.bytes <= 4 && r.most - r.least < 128))
    return;
  int perPass = r.bytes <= 4 ? 32 : r.bytes == 8 ? 16 : 8;
  uint32_t group = perPass == 32 ? kAllLanes : (1u << perPass) - 1;
  for (int begin = 0; begin < kLanes; begin += perPass)
    c.bank_conflicts += std::max(passesOf(r, group << begin) - 1, 0);
}
