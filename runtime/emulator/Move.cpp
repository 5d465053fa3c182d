//===-- runtime/emulator/Move.cpp - mov, cvta, and addresses --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "Parser.h"
#include "Table.h"

#include <cstring>

using namespace cambium::emulator;

namespace {

template <class T> void move(Lanes &w, const Instruction &i, uint32_t mask) {
  const Operand &from = i.operands[1];
  const T *source = reinterpret_cast<const T *>(
      w.bases[static_cast<int>(from.base)] + from.offset);
  T *to = reinterpret_cast<T *>(w.bases[0] + i.operands[0].offset);
  if (mask == kAllLanes) {
    std::memmove(to, source, kLanes * sizeof(T));
    return;
  }
  for (; mask; mask &= mask - 1) {
    int l = __builtin_ctz(mask);
    to[l] = source[l];
  }
}

void movePredicate(Lanes &w, const Instruction &i, uint32_t mask) {
  writePredicate(w, i.operands[0], predicateOf(w, i.operands[1]), mask);
}

/// Several registers from one, the lowest bits first.
void unpack(Lanes &w, const Instruction &i, uint32_t mask) {
  const Operand &from = i.operands[i.numOperands - 1];
  int parts = i.numOperands - 1, bits = 8 * from.width / parts;
  for (; mask; mask &= mask - 1) {
    int l = __builtin_ctz(mask);
    uint64_t value = readLane(w, from, l);
    for (int p = 0; p < parts; ++p)
      writeLane(w, i.operands[p], l, value >> (bits * p));
  }
}

void pack(Lanes &w, const Instruction &i, uint32_t mask) {
  int parts = i.numOperands - 1, bits = 8 * i.operands[0].width / parts;
  for (; mask; mask &= mask - 1) {
    int l = __builtin_ctz(mask);
    uint64_t value = 0;
    for (int p = 0; p < parts; ++p)
      value |= readLane(w, i.operands[1 + p], l) << (bits * p);
    writeLane(w, i.operands[0], l, value);
  }
}

/// `immediate` is the window of a space; global addresses are generic ones.
void toGeneric(Lanes &w, const Instruction &i, uint32_t mask) {
  for (; mask; mask &= mask - 1) {
    int l = __builtin_ctz(mask);
    uint64_t at = readLane(w, i.operands[1], l);
    writeLane(w, i.operands[0], l,
              at | static_cast<uint64_t>(i.immediate) << kSpaceShift);
  }
}

void fromGeneric(Lanes &w, const Instruction &i, uint32_t mask) {
  auto window = static_cast<uint64_t>(i.immediate);
  for (uint32_t m = mask; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    uint64_t at = readLane(w, i.operands[1], l);
    // What is of another space stays, so that its use is found.
    bool isOurs = at >> kSpaceShift == window;
    writeLane(w, i.operands[0], l, isOurs ? at & kOffsetMask : at);
  }
}

void isSpace(Lanes &w, const Instruction &i, uint32_t mask) {
  uint32_t bits = 0;
  for (uint32_t m = mask; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    uint64_t window = readLane(w, i.operands[1], l) >> kSpaceShift;
    bits |= static_cast<uint32_t>(window == static_cast<uint64_t>(i.immediate))
            << l;
  }
  writePredicate(w, i.operands[0], bits, mask);
}

/// A clock counts instructions of the grid. So does the timer, which goes on
/// from launch to launch: what it says is the same in every run.
void moveClock(Lanes &lanes, const Instruction &i, uint32_t mask) {
  auto &warp = static_cast<Warp &>(lanes);
  int place = i.operands[1].offset / (8 * kLanes) - 25;
  uint64_t clock = warp.grid->instructions;
  uint64_t timer = warp.grid->deviceClock.timer + clock;
  const uint64_t values[] = {clock,       clock >> 32, timer,
                             timer >> 32, clock,       timer};
  for (; mask; mask &= mask - 1)
    writeLane(lanes, i.operands[0], __builtin_ctz(mask), values[place]);
}

void nothing(Lanes &, const Instruction &, uint32_t) {}

constexpr Kind kMove = Kind::Move;
constexpr Form kRows[] = {
    {"mov{.b16,.u16,.s16,.f16,.bf16}", move<uint16_t>, "22", kMove},
    {"mov{.b32,.u32,.s32,.f32}", move<uint32_t>, "44", kMove},
    {"mov{.b64,.u64,.s64,.f64}", move<uint64_t>, "88", kMove},
    {"mov.pred", movePredicate, "pp", kMove},
    {"mov{.b32,.u32}.unpack2", unpack, "{22}4", kMove},
    {"mov{.b64,.u64}.unpack2", unpack, "{44}8", kMove},
    {"mov{.b64,.u64}.unpack4", unpack, "{2222}8", kMove},
    {"mov{.b32,.u32}.pack2", pack, "4{22}", kMove},
    {"mov{.b64,.u64}.pack2", pack, "8{44}", kMove},
    {"mov{.b64,.u64}.pack4", pack, "8{2222}", kMove},
    {"cvta.{global,const}.u64", move<uint64_t>, "88", kMove},
    {"cvta.to.{global,const}.u64", move<uint64_t>, "88", kMove},
    {"cvta.shared{,::cta}.u64", toGeneric, "88", kMove, Flow::None,
     kSharedWindow},
    {"cvta.local.u64", toGeneric, "88", kMove, Flow::None, kLocalWindow},
    {"cvta.param.u64", toGeneric, "88", kMove, Flow::None, kParamWindow},
    {"cvta.to.shared{,::cta}.u64", fromGeneric, "88", kMove, Flow::None,
     kSharedWindow},
    {"cvta.to.local.u64", fromGeneric, "88", kMove, Flow::None, kLocalWindow},
    {"cvta.to.param.u64", fromGeneric, "88", kMove, Flow::None, kParamWindow},
    {"isspacep.global", isSpace, "p8", kMove, Flow::None, kGlobalWindow},
    {"isspacep.shared{,::cta}", isSpace, "p8", kMove, Flow::None,
     kSharedWindow},
    {"isspacep.local", isSpace, "p8", kMove, Flow::None, kLocalWindow},
    {"isspacep.param", isSpace, "p8", kMove, Flow::None, kParamWindow},
    {"prefetch{,.global}.{L1,L2}", nothing, "a", kMove},
    {"prefetchu.L1", nothing, "a", kMove},
};

} // namespace

Forms cambium::emulator::moveForms() {
  return {kRows, sizeof kRows / sizeof *kRows};
}

Handler cambium::emulator::clockHandler() { return moveClock; }
