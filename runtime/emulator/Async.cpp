//===-- runtime/emulator/Async.cpp - cp.async -----------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A copy is done when its lanes wait for it, which is as late as it may be: a
/// program that waits too little reads what was there before.
///
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "Table.h"

#include <algorithm>
#include <cstring>

using namespace cambium::emulator;

namespace {

/// `[to], [from], bytes, bytes of the source`: the rest is zero.
void begin(Lanes &lanes, const Instruction &i, uint32_t mask) {
  auto &warp = static_cast<Warp &>(lanes);
  auto bytes = static_cast<uint32_t>(
      readLane(lanes, i.operands[2], __builtin_ctz(mask)));
  bool cached = i.variant;
  if (bytes != 16 && (cached ? bytes != 4 && bytes != 8 : true))
    warp.fail(Fault::Reason::Instruction,
              std::string("expected ") + (cached ? "4, 8 or " : "") +
                  "16 bytes, but got " + std::to_string(bytes));
  PendingCopy copy;
  copy.instruction = &i;
  copy.mask = mask;
  addressesOf(lanes, i.operands[0], i.immediate, copy.to);
  addressesOf(lanes, i.operands[1], i.secondOffset, copy.from);
  for (int l = 0; l < kLanes; ++l) {
    copy.group[l] = warp.copyGroups[l];
    copy.sourceBytes[l] =
        i.numOperands > 3
            ? std::min(bytes,
                       static_cast<uint32_t>(readLane(lanes, i.operands[3], l)))
            : bytes;
  }
  warp.copies.push_back(copy);
}

void finish(Warp &warp, const PendingCopy &copy, uint32_t mask) {
  const Instruction &i = *copy.instruction;
  auto bytes =
      static_cast<uint32_t>(readLane(warp, i.operands[2], __builtin_ctz(mask)));
  uint8_t values[kLanes][16] = {};
  uint8_t *host[kLanes];
  Instruction load = i, store = i;
  load.space = Space::Global;
  store.space = Space::Shared;
  uint32_t whole = 0;
  for (uint32_t m = mask; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    if (copy.sourceBytes[l] == bytes)
      whole |= 1u << l;
    for (uint32_t b = 0; copy.sourceBytes[l] < bytes && b < copy.sourceBytes[l];
         ++b) {
      uint64_t at[kLanes];
      at[l] = copy.from[l] + b;
      resolve(warp, load, 1u << l, at, 1, Access::Read, host);
      values[l][b] = *host[l];
    }
  }
  if (whole)
    resolve(warp, load, whole, copy.from, bytes, Access::Read, host);
  for (uint32_t m = whole; m; m &= m - 1)
    std::memcpy(values[__builtin_ctz(m)], host[__builtin_ctz(m)], bytes);
  resolve(warp, store, mask, copy.to, bytes, Access::Write, host);
  for (uint32_t m = mask; m; m &= m - 1)
    std::memcpy(host[__builtin_ctz(m)], values[__builtin_ctz(m)], bytes);
  ++warp.grid->events;
}

void commit(Lanes &lanes, const Instruction &, uint32_t mask) {
  auto &warp = static_cast<Warp &>(lanes);
  for (; mask; mask &= mask - 1)
    ++warp.copyGroups[__builtin_ctz(mask)];
}

/// All but the last `open` groups of the lanes are done; with `variant`, also
/// what was not committed.
void wait(Lanes &lanes, const Instruction &i, uint32_t mask) {
  auto &warp = static_cast<Warp &>(lanes);
  bool all = i.variant;
  for (size_t c = 0; c < warp.copies.size(); ++c) {
    PendingCopy &copy = warp.copies[c];
    uint32_t ready = 0;
    for (uint32_t m = mask & copy.mask; m; m &= m - 1) {
      int l = __builtin_ctz(m);
      uint64_t open = all ? 0 : readLane(lanes, i.operands[0], l);
      if (all || copy.group[l] + open < warp.copyGroups[l])
        ready |= 1u << l;
    }
    if (ready)
      finish(warp, copy, ready);
    copy.mask &= ~ready;
  }
  warp.copies.erase(
      std::remove_if(warp.copies.begin(), warp.copies.end(),
                     [](const PendingCopy &copy) { return !copy.mask; }),
      warp.copies.end());
}

constexpr Kind kGlobal = Kind::Global;
constexpr Form kRows[] = {
    {"cp.async.ca.shared{,::cta}.global{,.L2::64B,.L2::128B,.L2::256B}", begin,
     "aa4:4", kGlobal, Flow::None, 0, 1},
    {"cp.async.cg.shared{,::cta}.global{,.L2::64B,.L2::128B,.L2::256B}", begin,
     "aa4:4", kGlobal, Flow::None, 0, 0},
    {"cp.async.commit_group", commit, "", Kind::Control},
    {"cp.async.wait_group", wait, "4", Kind::Control},
    {"cp.async.wait_all", wait, "", Kind::Control, Flow::None, 0, 1},
};

} // namespace

Forms cambium::emulator::asyncForms() {
  return {kRows, sizeof kRows / sizeof *kRows};
}
