//===-- runtime/emulator/Access.cpp - Every access to memory --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// All accesses of a warp come through here: bounds, alignment, what was
/// written, races, and the counters of requests.
///
//===----------------------------------------------------------------------===//
#include "Request.h"

using namespace cambium::emulator;

namespace {

/// Strong accesses carry what happened before them.
void synchronize(const Request &r, uint64_t base) {
  const Instruction &i = r.i;
  BlockOrder &block = r.warp.block->order;
  Order &order = r.warp.grid->order;
  if (r.access == Access::Read)
    r.warp.poll(i);
  for (uint32_t m = r.mask; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    uint64_t word = (base + r.addresses[l]) / 4;
    uint32_t thread = r.warp.threadOf(l);
    if (r.access != Access::Write)
      order.read(block, thread, word, i.semantics, i.scope);
    if (r.access != Access::Read)
      order.write(block, thread, word, i.semantics, i.scope,
                  r.access == Access::Atomic);
  }
}

bool isStrong(const Request &r, bool shared) {
  if (r.i.semantics == Semantics::Weak)
    return false;
  return shared || r.i.scope != Scope::Block || r.warp.grid->numBlocks == 1;
}

/// All lanes are in one allocation.
void resolveIn(const Request &r, Allocation &in) {
  r.checkAlignment();
  if (in.isConstant && r.access != Access::Read)
    r.fail(Fault::Reason::Address, __builtin_ctz(r.mask), "to constant memory");
  countGlobal(r);
  uint8_t *bytes = in.bytes.get();
  for (uint32_t m = r.mask; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    r.host[l] = bytes + (r.addresses[l] - in.begin);
  }
  WordChecker(r, in.defined.get(), in.stamps.get(), isStrong(r, false),
              "global")
      .run(in.begin);
  if (r.i.semantics != Semantics::Weak)
    synchronize(r, 0);
}

bool isIn(uint64_t address, uint64_t bytes, const Allocation &in) {
  uint64_t offset = address - in.begin;
  return offset < in.size && bytes <= in.size - offset;
}

void resolveGlobal(const Request &r) {
  Warp &warp = r.warp;
  Allocation *in = warp.lastAllocation;
  if (in && isIn(r.least, r.bytes, *in) && isIn(r.most, r.bytes, *in))
    return resolveIn(r, *in);
  int first = __builtin_ctz(r.mask);
  uint64_t at = r.addresses[first];
  Heap &heap = warp.grid->heap;
  in = heap.findRange(at, r.bytes);
  if (!in || !isIn(at, r.bytes, *in))
    r.fail(Fault::Reason::Address, first, "of " + heap.explain(at, r.bytes));
  warp.lastAllocation = in;
  uint32_t inside = 0;
  for (uint32_t m = r.mask; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    inside |= static_cast<uint32_t>(isIn(r.addresses[l], r.bytes, *in)) << l;
  }
  if (inside == r.mask)
    return resolveIn(r, *in);
  resolveIn(Request(r, inside, r.addresses), *in);
  resolveGlobal(Request(r, r.mask & ~inside, r.addresses));
}

[[noreturn]] void failShared(const Request &r) {
  const Block &block = *r.warp.block;
  const Grid &grid = *r.warp.grid;
  uint64_t dynamicBegin = grid.module.dynamicBegin;
  int lane = __builtin_ctz(r.mask);
  for (uint32_t m = r.mask; m; m &= m - 1) {
    uint64_t at = r.addresses[__builtin_ctz(m)];
    bool isStatic = at >= kSharedBegin && at + r.bytes <= block.staticEnd;
    bool isDynamic = at >= dynamicBegin && at + r.bytes <= grid.sharedBytes;
    if (at > kOffsetMask || (!isStatic && !isDynamic))
      lane = __builtin_ctz(m);
  }
  r.fail(Fault::Reason::Address, lane,
         "of " + std::to_string(r.bytes) + " bytes at " +
             hex(r.addresses[lane]) + " of shared memory, whose " +
             std::to_string(block.staticEnd - kSharedBegin) +
             " bytes begin at " + hex(kSharedBegin) + ", and " +
             std::to_string(grid.shape.dynamicShared) + " dynamic ones at " +
             hex(dynamicBegin));
}

void resolveShared(const Request &r) {
  Block &block = *r.warp.block;
  Grid &grid = *r.warp.grid;
  uint64_t dynamicBegin = grid.module.dynamicBegin;
  auto isWithin = [&](uint64_t at) {
    return at <= kOffsetMask &&
           ((at >= kSharedBegin && at + r.bytes <= block.staticEnd) ||
            (at >= dynamicBegin && at + r.bytes <= grid.sharedBytes));
  };
  if (!isWithin(r.least) || !isWithin(r.most))
    failShared(r);
  // Between the two kinds there may be a gap.
  if (r.least < block.staticEnd && r.most >= dynamicBegin)
    for (uint32_t m = r.mask; m; m &= m - 1)
      if (!isWithin(r.addresses[__builtin_ctz(m)]))
        failShared(r);
  r.checkAlignment();
  countShared(r);
  for (uint32_t m = r.mask; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    r.host[l] = block.shared.data() + r.addresses[l];
  }
  WordChecker(r, block.sharedDefined.data(), block.sharedStamps.data(),
              isStrong(r, true), "shared")
      .run(0);
  if (r.i.semantics != Semantics::Weak)
    synchronize(r,
                (kSharedWindow << kSpaceShift) + (uint64_t{block.index} << 28));
}

void resolveLocal(const Request &r) {
  Warp &warp = r.warp;
  uint64_t end = warp.frame->localBase + warp.frame->function->localBytes;
  r.checkAlignment();
  if (r.least < 16 || r.most >= end || r.most + r.bytes > end)
    r.fail(Fault::Reason::Address, __builtin_ctz(r.mask),
           "of " + std::to_string(r.bytes) + " bytes from " + hex(r.least) +
               " to " + hex(r.most) + " of local memory, which ends at " +
               hex(end));
  for (uint32_t m = r.mask; m; m &= m - 1) {
    auto l = static_cast<size_t>(__builtin_ctz(m));
    r.host[l] = warp.local.data() + l * warp.localStride + r.addresses[l];
  }
}

void resolveParameters(const Request &r, const Frame &frame) {
  uint32_t stride = frame.function->parameterBytes;
  r.checkAlignment();
  if (r.most >= stride || r.most + r.bytes > stride)
    r.fail(Fault::Reason::Address, __builtin_ctz(r.mask),
           "of " + std::to_string(r.bytes) + " bytes at " + hex(r.most) +
               " of " + std::to_string(stride) + " bytes of parameters");
  for (uint32_t m = r.mask; m; m &= m - 1) {
    auto l = static_cast<size_t>(__builtin_ctz(m));
    r.host[l] = frame.parameters + l * stride + r.addresses[l];
  }
}

void resolveGeneric(const Request &r) {
  uint64_t window = r.addresses[__builtin_ctz(r.mask)] >> kSpaceShift;
  uint64_t offsets[kLanes];
  uint32_t same = 0;
  for (int l = 0; l < kLanes; ++l) {
    same |= static_cast<uint32_t>(r.addresses[l] >> kSpaceShift == window) << l;
    offsets[l] = r.addresses[l] & kOffsetMask;
  }
  same &= r.mask;
  if (window == kSharedWindow)
    resolveShared(Request(r, same, offsets));
  else if (window == kLocalWindow)
    resolveLocal(Request(r, same, offsets));
  else if (window == kParamWindow)
    resolveParameters(Request(r, same, offsets), *r.warp.entry);
  else
    resolveGlobal(Request(r, same, r.addresses));
  if (r.mask & ~same)
    resolveGeneric(Request(r, r.mask & ~same, r.addresses));
}

} // namespace

void cambium::emulator::addressesOf(const Lanes &lanes, const Operand &operand,
                                    int64_t offset, uint64_t *addresses) {
  const uint8_t *from =
      lanes.bases[static_cast<int>(operand.base)] + operand.offset;
  auto add = static_cast<uint64_t>(offset);
  if (operand.width == 8) {
    const auto *wide = reinterpret_cast<const uint64_t *>(from);
    for (int l = 0; l < kLanes; ++l)
      addresses[l] = wide[l] + add;
    return;
  }
  const auto *narrow = reinterpret_cast<const uint32_t *>(from);
  for (int l = 0; l < kLanes; ++l)
    addresses[l] =
        static_cast<uint32_t>(narrow[l] + static_cast<uint32_t>(add));
}

void cambium::emulator::resolve(Warp &warp, const Instruction &i, uint32_t mask,
                                const uint64_t *addresses, uint32_t bytes,
                                Access access, uint8_t **host) {
  Request request(warp, i, mask, addresses, bytes, access, host);
  switch (i.space) {
  case Space::Global:
  case Space::Const:
    return resolveGlobal(request);
  case Space::Shared:
    return resolveShared(request);
  case Space::Local:
    return resolveLocal(request);
  case Space::Param:
    return resolveParameters(request, *warp.frame);
  default:
    return resolveGeneric(request);
  }
}
