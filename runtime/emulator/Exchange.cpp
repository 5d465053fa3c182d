//===-- runtime/emulator/Exchange.cpp - Lanes that talk to each other -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "Table.h"

using namespace cambium::emulator;

namespace {

/// `d|p, a, b, c, mask`: lane l takes a lane that b and the mode name, within
/// the segment that c describes.
void shuffle(Lanes &w, const Instruction &i, uint32_t mask) {
  auto &warp = static_cast<Warp &>(w);
  const Operand *o = i.operands;
  uint64_t values[kLanes];
  for (int l = 0; l < kLanes; ++l)
    values[l] = readLane(w, o[2], l);
  uint32_t valid = 0;
  for (uint32_t m = mask; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    auto b = static_cast<int>(readLane(w, o[3], l) & 31);
    auto c = static_cast<int>(readLane(w, o[4], l));
    int segment = c >> 8 & 31, clamp = c & 31;
    int most = (l & segment) | (clamp & ~segment), least = l & segment, j;
    bool in;
    switch (i.variant) {
    case 0:
      in = (j = l - b) >= most;
      break;
    case 1:
      in = (j = l + b) <= most;
      break;
    case 2:
      in = (j = l ^ b) <= most;
      break;
    default:
      in = (j = least | (b & ~segment)) <= most;
      break;
    }
    if (!in)
      j = l;
    else
      valid |= 1u << l;
    if (!(mask >> j & 1))
      warp.fail(Fault::Reason::Divergence,
                "expected lane " + std::to_string(j) +
                    " at a shuffle, from which lane " + std::to_string(l) +
                    " reads");
    writeLane(w, o[0], l, values[j]);
  }
  writePredicate(w, o[1], valid, mask);
}

/// 0 all, 1 any, 2 uni, 3 ballot.
void vote(Lanes &w, const Instruction &i, uint32_t mask) {
  uint32_t bits = predicateOf(w, i.operands[1]) & mask;
  if (i.variant == 3) {
    for (uint32_t m = mask; m; m &= m - 1)
      writeLane(w, i.operands[0], __builtin_ctz(m), bits);
    return;
  }
  bool result = i.variant == 0   ? bits == mask
                : i.variant == 1 ? bits != 0
                                 : bits == mask || !bits;
  writePredicate(w, i.operands[0], result ? kAllLanes : 0, mask);
}

void activeMask(Lanes &w, const Instruction &i, uint32_t mask) {
  for (uint32_t m = mask; m; m &= m - 1)
    writeLane(w, i.operands[0], __builtin_ctz(m), mask);
}

uint32_t reduce(uint8_t operation, uint32_t a, uint32_t b) {
  auto x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
  switch (operation) {
  case 0:
    return a + b;
  case 1:
    return a < b ? a : b;
  case 2:
    return a > b ? a : b;
  case 3:
    return x < y ? a : b;
  case 4:
    return x > y ? a : b;
  case 5:
    return a & b;
  case 6:
    return a | b;
  default:
    return a ^ b;
  }
}

void redux(Lanes &w, const Instruction &i, uint32_t mask) {
  int first = __builtin_ctz(mask);
  auto sum = static_cast<uint32_t>(readLane(w, i.operands[1], first));
  for (uint32_t m = mask & (mask - 1); m; m &= m - 1)
    sum = reduce(
        i.variant, sum,
        static_cast<uint32_t>(readLane(w, i.operands[1], __builtin_ctz(m))));
  for (uint32_t m = mask; m; m &= m - 1)
    writeLane(w, i.operands[0], __builtin_ctz(m), sum);
}

/// `d, a, mask`: the lanes with the same value.
void matchAny(Lanes &w, const Instruction &i, uint32_t mask) {
  uint32_t same[kLanes] = {};
  for (uint32_t m = mask; m; m &= m - 1)
    for (uint32_t n = mask; n; n &= n - 1) {
      int a = __builtin_ctz(m), b = __builtin_ctz(n);
      if (readLane(w, i.operands[1], a) == readLane(w, i.operands[1], b))
        same[a] |= 1u << b;
    }
  for (uint32_t m = mask; m; m &= m - 1)
    writeLane(w, i.operands[0], __builtin_ctz(m), same[__builtin_ctz(m)]);
}

/// `d|p, a, mask`.
void matchAll(Lanes &w, const Instruction &i, uint32_t mask) {
  uint64_t value = readLane(w, i.operands[2], __builtin_ctz(mask));
  bool all = true;
  for (uint32_t m = mask; m; m &= m - 1)
    all &= readLane(w, i.operands[2], __builtin_ctz(m)) == value;
  for (uint32_t m = mask; m; m &= m - 1)
    writeLane(w, i.operands[0], __builtin_ctz(m), all ? mask : 0);
  writePredicate(w, i.operands[1], all ? kAllLanes : 0, mask);
}

void elect(Lanes &w, const Instruction &i, uint32_t mask) {
  auto leader = static_cast<uint32_t>(__builtin_ctz(mask));
  for (uint32_t m = mask; m; m &= m - 1)
    writeLane(w, i.operands[0], __builtin_ctz(m), leader);
  writePredicate(w, i.operands[1], 1u << leader, mask);
}

constexpr Kind kWarp = Kind::Warp;
constexpr Flow kGather = Flow::Gather;

/// The number behind the flow is the place of the mask.
constexpr Form kRows[] = {
    {"shfl.sync.up.b32", shuffle, "4?4444", kWarp, kGather, 5, 0},
    {"shfl.sync.down.b32", shuffle, "4?4444", kWarp, kGather, 5, 1},
    {"shfl.sync.bfly.b32", shuffle, "4?4444", kWarp, kGather, 5, 2},
    {"shfl.sync.idx.b32", shuffle, "4?4444", kWarp, kGather, 5, 3},
    {"vote.sync.all.pred", vote, "pp4", kWarp, kGather, 2, 0},
    {"vote.sync.any.pred", vote, "pp4", kWarp, kGather, 2, 1},
    {"vote.sync.uni.pred", vote, "pp4", kWarp, kGather, 2, 2},
    {"vote.sync.ballot.b32", vote, "4p4", kWarp, kGather, 2, 3},
    {"activemask.b32", activeMask, "4", kWarp},
    {"redux.sync.add{.u32,.s32}", redux, "444", kWarp, kGather, 2, 0},
    {"redux.sync.min.u32", redux, "444", kWarp, kGather, 2, 1},
    {"redux.sync.max.u32", redux, "444", kWarp, kGather, 2, 2},
    {"redux.sync.min.s32", redux, "444", kWarp, kGather, 2, 3},
    {"redux.sync.max.s32", redux, "444", kWarp, kGather, 2, 4},
    {"redux.sync.and.b32", redux, "444", kWarp, kGather, 2, 5},
    {"redux.sync.or.b32", redux, "444", kWarp, kGather, 2, 6},
    {"redux.sync.xor.b32", redux, "444", kWarp, kGather, 2, 7},
    {"match.any.sync.b32", matchAny, "444", kWarp, kGather, 2},
    {"match.any.sync.b64", matchAny, "484", kWarp, kGather, 2},
    {"match.all.sync.b32", matchAll, "4?44", kWarp, kGather, 3},
    {"match.all.sync.b64", matchAll, "4?84", kWarp, kGather, 3},
    {"elect.sync", elect, "4?4", kWarp, kGather, 2},
};

} // namespace

Forms cambium::emulator::warpForms() {
  return {kRows, sizeof kRows / sizeof *kRows};
}
