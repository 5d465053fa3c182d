//===-- runtime/emulator/Warp.cpp - Runs the lanes of a warp --------------===//
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

constexpr int kNumSpecials = 32;
constexpr int kMostDepth = 1024;
constexpr uint32_t kMostLocal = 1u << 19;

} // namespace

std::string Warp::place(const Instruction &instruction) const {
  std::string text = grid->module.text(instruction.line);
  size_t begin = text.find_first_not_of(" \t");
  return "PTX line " + std::to_string(instruction.line) +
         (begin == std::string::npos ? "" : ": " + text.substr(begin));
}

/// Where each split is.
std::string Warp::places() const {
  std::string text = "block " + std::to_string(block->index) + " warp " +
                     std::to_string(index) + ":";
  for (const Split &split : splits) {
    const Instruction &i =
        split.frame->function->code[static_cast<size_t>(split.at)];
    char lanes[16];
    std::snprintf(lanes, sizeof lanes, "%08x", split.mask);
    text += std::string(" lanes ") + lanes +
            (split.state == Split::AtBarrier   ? " wait at "
             : split.state == Split::Gathering ? " wait for lanes at "
                                               : " run at ") +
            place(i) + ";";
  }
  text.pop_back();
  return text;
}

void Warp::fail(Fault::Reason reason, const std::string &text,
                const Instruction *at) const {
  at = at ? at : current;
  throw Fault(reason, text + ", in kernel '" + grid->kernel.name + "', block " +
                          std::to_string(block->index) + ", warp " +
                          std::to_string(index) + ", " +
                          (at ? place(*at) : "PTX line 0"));
}

bool Warp::canRun() const {
  return std::any_of(splits.begin(), splits.end(), [](const Split &split) {
    return split.state == Split::Running;
  });
}

void Warp::fillSpecial() {
  special.reset(new uint64_t[kNumSpecials * kLanes]());
  const LaunchShape &s = grid->shape;
  auto put = [&](int place, int lane, uint32_t value) {
    std::memcpy(reinterpret_cast<uint8_t *>(special.get() + place * kLanes) +
                    4 * lane,
                &value, sizeof value);
  };
  for (int l = 0; l < kLanes; ++l) {
    uint32_t t = threadOf(l), bit = 1u << l;
    const uint32_t values[] = {t % s.block[0],
                               t / s.block[0] % s.block[1],
                               t / s.block[0] / s.block[1],
                               s.block[0],
                               s.block[1],
                               s.block[2],
                               block->id[0],
                               block->id[1],
                               block->id[2],
                               s.grid[0],
                               s.grid[1],
                               s.grid[2],
                               static_cast<uint32_t>(l),
                               index,
                               grid->warpsPerBlock,
                               block->index % grid->multiprocessors,
                               grid->multiprocessors,
                               bit,
                               bit | (bit - 1),
                               bit - 1,
                               ~(bit - 1),
                               ~(bit | (bit - 1)),
                               s.dynamicShared,
                               grid->sharedBytes - kSharedBegin};
    int place = 0;
    for (uint32_t value : values)
      put(place++, l, value);
  }
}

void Warp::start(Function &kernel, uint32_t mask,
                 const std::vector<uint8_t> &parameters) {
  live = mask;
  splits.reserve(kLanes + 8);
  fillSpecial();
  bases[2] = reinterpret_cast<uint8_t *>(special.get());
  entry = enterFunction(kernel, nullptr);
  for (int l = 0; l < kLanes; ++l)
    std::memcpy(entry->parameters +
                    static_cast<size_t>(l) * kernel.parameterBytes,
                parameters.data(), parameters.size());
  entry->users = 1;
  splits.push_back({mask, 0, entry});
}

/// The deepest frame goes first, then the first in the order of blocks: so
/// lanes meet again where their ways do.
Split *Warp::pick() {
  Split *best = nullptr;
  for (Split &split : splits)
    if (split.state == Split::Running &&
        (!best || split.frame->depth > best->frame->depth ||
         (split.frame->depth == best->frame->depth && split.at < best->at)))
      best = &split;
  return best;
}

/// Takes in all lanes at the same place.
Split *Warp::merge(Split *split) {
  if (splits.size() == 1)
    return split;
  Split merged = *split;
  merged.mask = 0;
  auto isSame = [&](const Split &other) {
    if (other.state == Split::AtBarrier || other.at != merged.at ||
        other.frame != merged.frame)
      return false;
    merged.mask |= other.mask;
    ++merged.barrier;
    return true;
  };
  merged.barrier = 0;
  splits.erase(std::remove_if(splits.begin(), splits.end(), isSame),
               splits.end());
  merged.frame->users -= merged.barrier - 1;
  merged.barrier = 0;
  splits.push_back(merged);
  return &splits.back();
}

void Warp::failDivergent() const {
  const Split &first = splits.front();
  const Instruction &i =
      first.frame->function->code[static_cast<size_t>(first.at)];
  fail(Fault::Reason::Divergence,
       "expected all lanes of a warp together, but got " + places(), &i);
}

bool Warp::run(int64_t budget) {
  yielded = polls = false;
  while (budget > 0 && !yielded) {
    Split *split = pick();
    if (!split) {
      bool atBarrier =
          std::any_of(splits.begin(), splits.end(), [](const Split &s) {
            return s.state == Split::AtBarrier;
          });
      if (!splits.empty() && !atBarrier)
        failDivergent();
      return false;
    }
    split = merge(split);
    frame = split->frame;
    bases[0] = frame->registers;
    bases[1] =
        reinterpret_cast<uint8_t *>(frame->function->constantLanes.get());
    budget -= execute(*split, budget);
  }
  // As if it had gone on to ask.
  if (polls)
    grid->instructions += static_cast<uint64_t>(std::max<int64_t>(budget, 0));
  return true;
}

void Warp::poll(const Instruction &i) {
  polls = polled == &i && eventsAtPoll == grid->events;
  polled = &i;
  eventsAtPoll = grid->events;
}

int64_t Warp::execute(Split &split, int64_t budget) {
  int32_t limit = INT32_MAX;
  for (const Split &other : splits)
    if (&other != &split && other.frame == split.frame &&
        other.state != Split::AtBarrier && other.at > split.at)
      limit = std::min(limit, other.at);
  Function &function = *split.frame->function;
  const Instruction *code = function.code.data();
  Executions *executions = function.executions.data();
  const uint32_t mask = split.mask;
  const auto lanes = static_cast<uint64_t>(__builtin_popcount(mask));
  int32_t at = split.at;
  int64_t done = 0;
  while (done < budget && at < limit) {
    const Instruction &i = code[at];
    uint32_t taken = mask;
    if (i.guard >= 0) {
      uint32_t p = *reinterpret_cast<const uint32_t *>(bases[0] + i.guard);
      taken &= i.guardNegated ? ~p : p;
    }
    ++done;
    ++executions[at].warps;
    executions[at].lanes += lanes;
    if (i.flow == Flow::None) {
      if (taken) {
        current = &i;
        i.run(*this, i, taken);
      }
      ++at;
      continue;
    }
    current = &i;
    split.at = at;
    if (!control(split, i, taken)) {
      grid->instructions += static_cast<uint64_t>(done);
      return done;
    }
    at = split.at;
  }
  split.at = at;
  grid->instructions += static_cast<uint64_t>(done);
  return done;
}

Frame *Warp::enterFunction(Function &function, Frame *parent) {
  Frame *made = grid->makeFrame(function);
  made->parent = parent;
  made->depth = parent ? parent->depth + 1 : 0;
  made->localBase =
      parent ? (parent->localBase + parent->function->localBytes + 15) / 16 * 16
             : 16;
  made->users = 0;
  if (parent)
    ++parent->users;
  if (made->depth > kMostDepth ||
      made->localBase + function.localBytes > kMostLocal)
    fail(Fault::Reason::Stack, "expected fewer nested calls");
  growLocal(made->localBase + function.localBytes);
  for (auto pointer : function.localPointers) {
    auto *to = reinterpret_cast<uint64_t *>(made->registers + pointer.first);
    for (int l = 0; l < kLanes; ++l)
      to[l] = made->localBase + pointer.second;
  }
  return made;
}

void Warp::growLocal(uint32_t bytes) {
  if (bytes <= localStride || bytes <= 16)
    return;
  uint32_t stride = std::max(256u, localStride);
  while (stride < bytes)
    stride *= 2;
  std::vector<uint8_t> larger(static_cast<size_t>(stride) * kLanes, 0xd5);
  for (size_t l = 0; l < kLanes && localStride; ++l)
    std::memcpy(larger.data() + l * stride, local.data() + l * localStride,
                localStride);
  local.swap(larger);
  localStride = stride;
}
