//===-- runtime/emulator/Barrier.cpp - Barriers of a block ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"
#include "Table.h"

#include <algorithm>

using namespace cambium::emulator;

namespace {

/// Bits of `variant` of the rows.
enum : uint8_t {
  kAligned = 1,
  kArrives = 2,
  kPopulation = 4,
  kAnd = 8,
  kOr = 16,
  kReduces = kPopulation | kAnd | kOr
};

uint32_t countOf(uint32_t mask) {
  return static_cast<uint32_t>(__builtin_popcount(mask));
}

/// The operands behind the result of a reduction.
uint32_t countOperand(const Lanes &lanes, const Instruction &i, int lane) {
  int at = (i.variant & kReduces ? 1 : 0) + 1;
  int last = i.numOperands - (i.variant & kReduces ? 1 : 0);
  return at < last
             ? static_cast<uint32_t>(readLane(lanes, i.operands[at], lane))
             : 0;
}

void writeResult(Split &split, const Instruction &i, uint32_t sum,
                 uint32_t all) {
  Lanes lanes;
  lanes.bases[0] = split.frame->registers;
  if (i.variant & kPopulation) {
    for (uint32_t m = split.mask; m; m &= m - 1)
      writeLane(lanes, i.operands[0], __builtin_ctz(m), sum);
    return;
  }
  bool value = i.variant & kAnd ? sum == all : sum != 0;
  writePredicate(lanes, i.operands[0], value ? kAllLanes : 0, split.mask);
}

/// Lanes that came before wait at the same place.
void joinWaiting(Warp &warp, Split &split) {
  for (size_t s = 0; s < warp.splits.size(); ++s) {
    Split &other = warp.splits[s];
    if (&other == &split || other.state != Split::AtBarrier ||
        other.at != split.at || other.frame != split.frame)
      continue;
    split.mask |= other.mask;
    --split.frame->users;
    warp.splits.erase(warp.splits.begin() + static_cast<int64_t>(s));
    return;
  }
}

} // namespace

void Block::arrive(Warp &warp, Split *split, const Instruction &i,
                   uint32_t mask) {
  int lane = __builtin_ctz(mask);
  bool reduces = i.variant & kReduces;
  auto number =
      static_cast<uint32_t>(readLane(warp, i.operands[reduces], lane));
  uint32_t count = countOperand(warp, i, lane);
  if (number >= barriers.size())
    warp.fail(Fault::Reason::Instruction,
              "expected a barrier below 16, but got " + std::to_string(number));
  if (count % kLanes || count > grid->threadsPerBlock + kLanes - 1)
    warp.fail(Fault::Reason::Instruction,
              "expected a multiple of 32 threads, at most those of the block, "
              "but got " +
                  std::to_string(count));
  NamedBarrier &barrier = barriers[number];
  if (barrier.arrived && barrier.expected != count)
    warp.fail(Fault::Reason::Divergence,
              "expected " + std::to_string(barrier.expected) +
                  " threads at the barrier as before, but got " +
                  std::to_string(count));
  barrier.expected = count;
  barrier.arrived += countOf(mask);
  if (reduces)
    barrier.sum +=
        countOf(predicateOf(warp, i.operands[i.numOperands - 1]) & mask);
  int32_t at = split->at;
  Frame *in = split->frame;
  if (split->mask != mask) {
    uint32_t rest = split->mask & ~mask;
    split->mask = mask;
    ++in->users;
    warp.splits.push_back({rest, at + 1, in});
  }
  if (i.variant & kArrives) {
    ++split->at;
  } else {
    split->state = Split::AtBarrier;
    split->barrier = static_cast<int>(number);
    joinWaiting(warp, *split);
  }
  tryRelease(static_cast<int>(number), warp);
}

void Block::tryRelease(int number, const Warp &last) {
  NamedBarrier &barrier = barriers[static_cast<size_t>(number)];
  uint32_t expected = barrier.expected ? barrier.expected : live;
  if (barrier.arrived < expected || !barrier.arrived)
    return;
  for (const auto &warp : warps)
    for (const Split &split : warp->splits) {
      if (split.state != Split::AtBarrier || split.barrier != number)
        continue;
      const Instruction &i =
          split.frame->function->code[static_cast<size_t>(split.at)];
      if ((i.variant & kAligned) && split.mask != warp->live)
        warp->fail(Fault::Reason::Divergence,
                   "divergent barrier: expected all lanes of a warp at it, but "
                   "got " +
                       warp->places(),
                   &i);
    }
  if (!barrier.expected && ended) {
    const Instruction *at = nullptr;
    for (const auto &warp : warps)
      for (const Split &split : warp->splits)
        if (split.state == Split::AtBarrier)
          at = &split.frame->function->code[static_cast<size_t>(split.at)];
    last.fail(Fault::Reason::Divergence,
              "expected all threads of the block at a barrier, but " +
                  std::to_string(ended) + " of them ended without it",
              at);
  }
  bool grew = grid->order.barrier(order);
  ++grid->counters.block_barriers;
  grid->counters.grid_barriers += grew && index == 0;
  ++grid->events;
  for (const auto &warp : warps)
    for (Split &split : warp->splits) {
      if (split.state != Split::AtBarrier || split.barrier != number)
        continue;
      const Instruction &i =
          split.frame->function->code[static_cast<size_t>(split.at)];
      if (i.variant & kReduces)
        writeResult(split, i, barrier.sum, barrier.arrived);
      split.state = Split::Running;
      ++split.at;
    }
  barrier = NamedBarrier();
}

namespace {

void fence(Lanes &lanes, const Instruction &i, uint32_t mask) {
  auto &warp = static_cast<Warp &>(lanes);
  for (; mask; mask &= mask - 1)
    warp.grid->order.fence(warp.block->order,
                           warp.threadOf(__builtin_ctz(mask)),
                           static_cast<Scope>(i.variant));
}

void warpBarrier(Lanes &lanes, const Instruction &, uint32_t) {
  auto &warp = static_cast<Warp &>(lanes);
  warp.grid->order.warpBarrier(warp.block->order, warp.index);
}

void nothing(Lanes &, const Instruction &, uint32_t) {}

constexpr Kind kBar = Kind::Barrier;
constexpr auto kBlock = static_cast<uint8_t>(Scope::Block);
constexpr auto kDevice = static_cast<uint8_t>(Scope::Device);
constexpr auto kSystem = static_cast<uint8_t>(Scope::System);

constexpr Form kRows[] = {
    {"bra{,.uni}", nullptr, "l", Kind::Control, Flow::Branch},
    {"brx.idx{,.uni}", nullptr, "4t", Kind::Control, Flow::BranchIndex},
    {"call{,.uni}", nullptr, "", Kind::Control, Flow::Call},
    {"ret{,.uni}", nullptr, "", Kind::Control, Flow::Return},
    {"exit", nullptr, "", Kind::Control, Flow::Exit},
    {"trap", nullptr, "", Kind::Control, Flow::Trap},
    {"brkpt", nothing, "", Kind::Control},
    {"nanosleep.u32", nullptr, "4", Kind::Control, Flow::Yield},
    {"pmevent", nothing, "4", Kind::Control},
    {"bar{,.cta}.sync", nullptr, "4:4", kBar, Flow::Barrier, 0, kAligned},
    {"barrier{,.cta}.sync.aligned", nullptr, "4:4", kBar, Flow::Barrier, 0,
     kAligned},
    {"barrier{,.cta}.sync", nullptr, "4:4", kBar, Flow::Barrier},
    {"bar{,.cta}.arrive", nullptr, "44", kBar, Flow::Barrier, 0,
     kAligned | kArrives},
    {"barrier{,.cta}.arrive.aligned", nullptr, "44", kBar, Flow::Barrier, 0,
     kAligned | kArrives},
    {"barrier{,.cta}.arrive", nullptr, "44", kBar, Flow::Barrier, 0, kArrives},
    {"bar{,.cta}.red.popc.u32", nullptr, "44p", kBar, Flow::Barrier, 0,
     kAligned | kPopulation},
    {"bar{,.cta}.red.and.pred", nullptr, "p4p", kBar, Flow::Barrier, 0,
     kAligned | kAnd},
    {"bar{,.cta}.red.or.pred", nullptr, "p4p", kBar, Flow::Barrier, 0,
     kAligned | kOr},
    {"barrier{,.cta}.red.popc.aligned.u32", nullptr, "44p", kBar, Flow::Barrier,
     0, kAligned | kPopulation},
    {"barrier{,.cta}.red.and.aligned.pred", nullptr, "p4p", kBar, Flow::Barrier,
     0, kAligned | kAnd},
    {"barrier{,.cta}.red.or.aligned.pred", nullptr, "p4p", kBar, Flow::Barrier,
     0, kAligned | kOr},
    {"barrier{,.cta}.red.popc.u32", nullptr, "44p", kBar, Flow::Barrier, 0,
     kPopulation},
    {"barrier{,.cta}.red.and.pred", nullptr, "p4p", kBar, Flow::Barrier, 0,
     kAnd},
    {"barrier{,.cta}.red.or.pred", nullptr, "p4p", kBar, Flow::Barrier, 0, kOr},
    {"bar.warp.sync", warpBarrier, "4", kBar, Flow::Gather, 0},
    {"membar.cta", fence, "", Kind::Fence, Flow::None, 0, kBlock},
    {"membar.gl", fence, "", Kind::Fence, Flow::None, 0, kDevice},
    {"membar.sys", fence, "", Kind::Fence, Flow::None, 0, kSystem},
    {"fence{,.sc,.acq_rel}.cta", fence, "", Kind::Fence, Flow::None, 0, kBlock},
    {"fence{,.sc,.acq_rel}.gpu", fence, "", Kind::Fence, Flow::None, 0,
     kDevice},
    {"fence{,.sc,.acq_rel}.sys", fence, "", Kind::Fence, Flow::None, 0,
     kSystem},
};

} // namespace

Forms cambium::emulator::controlForms() {
  return {kRows, sizeof kRows / sizeof *kRows};
}
