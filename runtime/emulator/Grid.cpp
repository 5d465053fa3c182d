//===-- runtime/emulator/Grid.cpp - All warps take turns ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Machine.h"

#include <algorithm>
#include <cstring>

using namespace cambium::emulator;

namespace {

/// Numbers that depend on a seed alone.
class Turns {
public:
  explicit Turns(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15ull) {}
  uint64_t next() {
    state += 0x9e3779b97f4a7c15ull;
    uint64_t x = state;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
  }

private:
  uint64_t state;
};

constexpr uint32_t kSharedWordsEnd = 1u << 25;

} // namespace

Grid::Grid(Module &module, Function &kernel, const LaunchShape &shape,
           Heap &heap, DeviceClock &clock, Counters &counters)
    : module(module), kernel(kernel), shape(shape), heap(heap),
      deviceClock(clock), counters(counters),
      order(shape.grid[0] * shape.grid[1] * shape.grid[2], clock.clock,
            clock.sets),
      numBlocks(shape.grid[0] * shape.grid[1] * shape.grid[2]),
      threadsPerBlock(shape.block[0] * shape.block[1] * shape.block[2]),
      warpsPerBlock((threadsPerBlock + kLanes - 1) / kLanes),
      sharedBytes(std::min(module.dynamicBegin + shape.dynamicShared,
                           kSharedWordsEnd)) {}

Grid::~Grid() {
  deviceClock.clock = order.end() + 1;
  deviceClock.sets = order.endOfSets();
  deviceClock.timer += instructions;
}

Frame *Grid::makeFrame(Function &function) {
  std::vector<Frame *> &list = unused[&function];
  if (!list.empty()) {
    Frame *frame = list.back();
    list.pop_back();
    return frame;
  }
  frames.push_back(std::make_unique<Frame>());
  Frame *frame = frames.back().get();
  size_t bytes = function.registerBytes +
                 static_cast<size_t>(function.parameterBytes) * kLanes;
  frame->function = &function;
  frame->memory.reset(new uint64_t[bytes / 8 + 1]);
  frame->registers = reinterpret_cast<uint8_t *>(frame->memory.get());
  frame->parameters = frame->registers + function.registerBytes;
  std::memset(frame->registers, 0xd5, bytes);
  return frame;
}

void Grid::recycle(Frame *frame) { unused[frame->function].push_back(frame); }

void Grid::report(const Warp &warp, const Instruction &i,
                  const std::string &text) {
  if (findingsOfLine[i.line]++ || findings.size() >= 20)
    return;
  findings.push_back(text + ", in kernel '" + kernel.name + "', " +
                     warp.place(i));
}

std::unique_ptr<Block> Grid::startBlock(uint32_t index) {
  auto block = std::make_unique<Block>();
  block->grid = this;
  block->index = index;
  block->id[0] = index % shape.grid[0];
  block->id[1] = index / shape.grid[0] % shape.grid[1];
  block->id[2] = index / shape.grid[0] / shape.grid[1];
  block->shared.assign(sharedBytes + 4, 0xd5);
  block->sharedDefined.assign(sharedBytes / 4 + 1, 0);
  block->sharedStamps.assign(sharedBytes / 4 + 1, WordStamps{0, 0});
  block->staticEnd = kernel.staticShared;
  block->live = threadsPerBlock;
  order.start(block->order, index, warpsPerBlock);
  for (uint32_t w = 0; w < warpsPerBlock; ++w) {
    auto warp = std::make_unique<Warp>();
    warp->grid = this;
    warp->block = block.get();
    warp->index = w;
    uint32_t threads = std::min<uint32_t>(kLanes, threadsPerBlock - w * kLanes);
    uint32_t mask = threads == kLanes ? kAllLanes : (1u << threads) - 1;
    warp->start(kernel, mask, *parameters);
    block->warps.push_back(std::move(warp));
  }
  return block;
}

void Grid::reportStop(Fault::Reason reason, const std::string &what) {
  std::string text = what + " in kernel '" + kernel.name + "':";
  int listed = 0;
  for (const auto &block : blocks)
    for (const auto &warp : block->warps)
      if (!warp->isDone() && ++listed <= 64)
        text += "\n  " + warp->places();
  throw Fault(reason, text);
}

/// A grid in which nothing happens for long spins for ever.
void Grid::checkHang(uint64_t &eventsSeen, uint64_t &since) {
  if (eventsSeen != events) {
    eventsSeen = events;
    since = instructions;
  }
  if (instructions - since > hangLimit)
    reportStop(Fault::Reason::Hang,
               "hang: expected memory to change, but got " +
                   std::to_string(instructions - since) +
                   " instructions without it,");
}

void Grid::forgetSets() {
  std::vector<const BlockOrder *> running;
  for (const auto &block : blocks)
    running.push_back(&block->order);
  order.forgetSets(running);
}

void Grid::run(const std::vector<uint8_t> &values, uint64_t seed) {
  parameters = &values;
  Turns turns(seed);
  uint32_t next = 0;
  uint64_t eventsSeen = 0, since = 0;
  std::vector<Warp *> warps;
  auto refill = [&] {
    blocks.erase(std::remove_if(blocks.begin(), blocks.end(),
                                [](const auto &b) { return b->isDone(); }),
                 blocks.end());
    while (next < numBlocks && blocks.size() < shape.resident)
      blocks.push_back(startBlock(next++));
    warps.clear();
    for (const auto &block : blocks)
      for (const auto &warp : block->warps)
        warps.push_back(warp.get());
  };
  for (refill(); !blocks.empty();) {
    if (seed)
      for (size_t w = warps.size(); w > 1; --w)
        std::swap(warps[w - 1], warps[turns.next() % w]);
    bool any = false, ended = false;
    for (Warp *warp : warps) {
      if (!warp->canRun())
        continue;
      any = true;
      auto slice = static_cast<int64_t>(seed ? 64 + turns.next() % 4096 : 4096);
      warp->run(slice);
      ended |= warp->block->isDone();
    }
    if (!any)
      reportStop(Fault::Reason::Hang, "hang: all warps wait");
    checkHang(eventsSeen, since);
    if (order.hasManySets() && next == numBlocks)
      forgetSets();
    if (ended)
      refill();
  }
}
