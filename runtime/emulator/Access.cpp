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
#include "Machine.h"

#include <algorithm>
#include <cstring>

using namespace cambium::emulator;

namespace {

std::string hex(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx",
                static_cast<unsigned long long>(value));
  return text;
}

/// An access, while it is checked.
struct Request {
  Warp &warp;
  const Instruction &i;
  uint32_t mask;
  const uint64_t *addresses;
  uint32_t bytes;
  Access access;
  uint8_t **host;

  const char *verb() const {
    return access == Access::Read    ? "load"
           : access == Access::Write ? "store"
                                     : "atomic operation";
  }
  [[noreturn]] void fail(Fault::Reason reason, int lane,
                         const std::string &text) const {
    warp.fail(reason,
              std::string(verb()) + " by thread " +
                  std::to_string(warp.threadOf(lane)) + " " + text,
              &i);
  }
  void checkAlignment() const {
    uint64_t all = 0;
    for (uint32_t m = mask; m; m &= m - 1)
      all |= addresses[__builtin_ctz(m)];
    if (!(all & (bytes - 1)))
      return;
    for (uint32_t m = mask; m; m &= m - 1) {
      int l = __builtin_ctz(m);
      if (addresses[l] & (bytes - 1))
        fail(Fault::Reason::Misaligned, l,
             "expected an address that is a multiple of " +
                 std::to_string(bytes) + ", but got " + hex(addresses[l]));
    }
  }
  /// Full warps whose lanes follow each other.
  bool isDense() const {
    if (mask != kAllLanes)
      return false;
    uint64_t wrong = 0;
    for (int l = 0; l < kLanes; ++l)
      wrong |= addresses[l] ^ (addresses[0] + static_cast<uint64_t>(l) * bytes);
    return !wrong;
  }
};

std::string nameOf(Stamp stamp) {
  uint32_t thread = threadOf(stamp);
  std::string who = thread == kManyThreads ? "several threads"
                                           : "thread " + std::to_string(thread);
  return who + " of block " + std::to_string(blockOf(stamp));
}

/// Looks at the words of a lane.
class WordChecker {
public:
  WordChecker(const Request &request, uint8_t *defined, WordStamps *stamps,
              bool strong, const char *space)
      : request(request), grid(*request.warp.grid),
        block(request.warp.block->order), defined(defined), stamps(stamps),
        strong(strong), space(space) {}

  void check(int lane, uint64_t offset) const {
    uint64_t first = offset / 4, last = (offset + request.bytes - 1) / 4;
    uint32_t thread = request.warp.threadOf(lane);
    for (uint64_t word = first; word <= last; ++word) {
      uint32_t need = 15;
      if (request.bytes < 4)
        need = ((1u << request.bytes) - 1) << (offset & 3);
      if (request.access != Access::Write && (defined[word] & need) != need)
        undefined(lane, offset);
      if (request.access != Access::Read)
        defined[word] |= static_cast<uint8_t>(need);
      if (grid.checks.races)
        race(lane, thread, word, offset);
    }
  }

private:
  void race(int lane, uint32_t thread, uint64_t word, uint64_t offset) const {
    WordStamps &s = stamps[word];
    Stamp other =
        request.access == Access::Read
            ? grid.order.checkRead(s.write, s.read, block, thread, strong)
            : grid.order.checkWrite(s.write, s.read, block, thread, strong);
    if (other)
      reportRace(lane, thread, other, offset);
  }

  [[gnu::cold]] void undefined(int lane, uint64_t offset) const {
    if (!grid.checks.uninitialized)
      return;
    grid.report(request.warp, request.i,
                "uninitialized: load by thread " +
                    std::to_string(request.warp.threadOf(lane)) + " of block " +
                    std::to_string(block.index) + " of " +
                    std::to_string(request.bytes) + " bytes at " +
                    hex(request.addresses[lane]) + " of " + space +
                    " memory, which nobody wrote");
    (void)offset;
  }

  [[gnu::cold]] void reportRace(int lane, uint32_t thread, Stamp other,
                                uint64_t) const {
    bool blocks = blockOf(other) != block.index;
    grid.report(
        request.warp, request.i,
        std::string("race: ") + request.verb() + " by thread " +
            std::to_string(thread) + " of block " +
            std::to_string(block.index) + " at " +
            hex(request.addresses[lane]) + " of " + space + " memory, which " +
            nameOf(other) + " accessed before without " +
            (blocks ? "a release that was acquired" : "a barrier between"));
  }

  const Request &request;
  Grid &grid;
  BlockOrder &block;
  uint8_t *defined;
  WordStamps *stamps;
  bool strong;
  const char *space;
};

/// Strong accesses carry what happened before them.
void synchronize(const Request &r, uint64_t base) {
  const Instruction &i = r.i;
  BlockOrder &block = r.warp.block->order;
  Order &order = r.warp.grid->order;
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

/// Sectors of 32 bytes that hold the lanes' bytes.
int64_t countSectors(const Request &r) {
  uint64_t seen[kLanes * 2];
  int count = 0;
  for (uint32_t m = r.mask; m; m &= m - 1) {
    uint64_t first = r.addresses[__builtin_ctz(m)] / 32;
    bool known = false;
    for (int k = count; k > 0 && !known; --k)
      known = seen[k - 1] == first;
    if (!known)
      seen[count++] = first;
  }
  return count;
}

void countGlobal(const Request &r, bool dense) {
  Counters &c = r.warp.grid->counters;
  int64_t lanes = __builtin_popcount(r.mask);
  int64_t sectors =
      dense
          ? static_cast<int64_t>((r.addresses[0] + kLanes * r.bytes + 31) / 32 -
                                 r.addresses[0] / 32)
          : countSectors(r);
  if (r.access == Access::Read) {
    ++c.global_load_requests;
    c.global_load_bytes += lanes * r.bytes;
    c.global_load_sectors += sectors;
  } else {
    ++c.global_store_requests;
    c.global_store_bytes += lanes * r.bytes;
    c.global_store_sectors += sectors;
  }
}

void resolveGlobal(Request r) {
  Warp &warp = r.warp;
  Heap &heap = warp.grid->heap;
  int first = __builtin_ctz(r.mask);
  Allocation *in = warp.lastAllocation;
  uint64_t at = r.addresses[first];
  if (!in || at - in->begin >= in->size) {
    in = heap.findRange(at, r.bytes);
    if (!in)
      r.fail(Fault::Reason::Address, first, "of " + heap.explain(at, r.bytes));
    warp.lastAllocation = in;
  }
  uint32_t inside = 0;
  for (int l = 0; l < kLanes; ++l) {
    uint64_t offset = r.addresses[l] - in->begin;
    inside |=
        static_cast<uint32_t>(offset < in->size && r.bytes <= in->size - offset)
        << l;
  }
  if (!(inside >> first & 1))
    r.fail(Fault::Reason::Address, first, "of " + heap.explain(at, r.bytes));
  uint32_t rest = r.mask & ~inside;
  r.mask &= inside;
  r.checkAlignment();
  if (in->isConstant && r.access != Access::Read)
    r.fail(Fault::Reason::Address, first, "to constant memory");
  bool dense = r.isDense();
  countGlobal(r, dense);
  WordChecker checker(r, in->defined.get(), in->stamps.get(),
                      isStrong(r, false), "global");
  for (uint32_t m = r.mask; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    uint64_t offset = r.addresses[l] - in->begin;
    r.host[l] = in->bytes.get() + offset;
    checker.check(l, offset);
  }
  if (r.i.semantics != Semantics::Weak)
    synchronize(r, 0);
  if (rest) {
    r.mask = rest;
    resolveGlobal(r);
  }
}

/// Passes that a request takes because lanes need different words of a bank.
int countConflicts(const Request &r) {
  int lanesPerPass = r.bytes <= 4 ? 32 : r.bytes == 8 ? 16 : 8;
  int extra = 0;
  for (int begin = 0; begin < kLanes; begin += lanesPerPass) {
    uint64_t word[32], more[kLanes * 4];
    int numMore = 0, most = 0, count[32] = {};
    for (int l = begin; l < begin + lanesPerPass; ++l)
      for (uint32_t k = 0; (r.mask >> l & 1) && k < r.bytes; k += 4) {
        uint64_t at = (r.addresses[l] + k) / 4;
        auto bank = static_cast<int>(at & 31);
        if (count[bank] && word[bank] == at)
          continue;
        if (count[bank]) {
          if (std::find(more, more + numMore, at) != more + numMore)
            continue;
          more[numMore++] = at;
        } else {
          word[bank] = at;
        }
        most = std::max(most, ++count[bank]);
      }
    extra += std::max(most - 1, 0);
  }
  return extra;
}

void resolveShared(const Request &r) {
  Block &block = *r.warp.block;
  Grid &grid = *r.warp.grid;
  uint64_t dynamicBegin = grid.module.dynamicBegin;
  for (uint32_t m = r.mask; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    uint64_t at = r.addresses[l];
    bool isStatic = at >= kSharedBegin && at + r.bytes <= block.staticEnd;
    bool isDynamic = at >= dynamicBegin && at + r.bytes <= grid.sharedBytes;
    if (at > kOffsetMask || (!isStatic && !isDynamic))
      r.fail(Fault::Reason::Address, l,
             "of " + std::to_string(r.bytes) + " bytes at " + hex(at) +
                 " of shared memory, whose " +
                 std::to_string(block.staticEnd - kSharedBegin) +
                 " bytes begin at " + hex(kSharedBegin) + ", and " +
                 std::to_string(grid.shape.dynamicShared) +
                 " dynamic ones at " + hex(dynamicBegin));
  }
  r.checkAlignment();
  ++grid.counters.shared_requests;
  if (!r.isDense())
    grid.counters.bank_conflicts += countConflicts(r);
  WordChecker checker(r, block.sharedDefined.data(), block.sharedStamps.data(),
                      isStrong(r, true), "shared");
  for (uint32_t m = r.mask; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    r.host[l] = block.shared.data() + r.addresses[l];
    checker.check(l, r.addresses[l]);
  }
  if (r.i.semantics != Semantics::Weak)
    synchronize(r,
                (kSharedWindow << kSpaceShift) + (uint64_t{block.index} << 28));
}

void resolveLocal(const Request &r) {
  Warp &warp = r.warp;
  uint32_t end = warp.frame->localBase + warp.frame->function->localBytes;
  for (uint32_t m = r.mask; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    uint64_t at = r.addresses[l];
    if (at < 16 || at >= end || at + r.bytes > end)
      r.fail(Fault::Reason::Address, l,
             "of " + std::to_string(r.bytes) + " bytes at " + hex(at) +
                 " of local memory, which ends at " + hex(end));
    size_t place = static_cast<size_t>(l) * warp.localStride + at;
    r.host[l] = warp.local.data() + place;
  }
  r.checkAlignment();
}

void resolveParameters(const Request &r, const Frame &frame) {
  uint32_t stride = frame.function->parameterBytes;
  for (uint32_t m = r.mask; m; m &= m - 1) {
    int l = __builtin_ctz(m);
    uint64_t at = r.addresses[l];
    if (at >= stride || at + r.bytes > stride)
      r.fail(Fault::Reason::Address, l,
             "of " + std::to_string(r.bytes) + " bytes at " + hex(at) + " of " +
                 std::to_string(stride) + " bytes of parameters");
    r.host[l] = frame.parameters + static_cast<size_t>(l) * stride + at;
  }
  r.checkAlignment();
}

void resolveGeneric(Request r) {
  int first = __builtin_ctz(r.mask);
  uint64_t window = r.addresses[first] >> kSpaceShift;
  uint64_t offsets[kLanes];
  uint32_t same = 0;
  for (int l = 0; l < kLanes; ++l) {
    same |= static_cast<uint32_t>(r.addresses[l] >> kSpaceShift == window) << l;
    offsets[l] = r.addresses[l] & kOffsetMask;
  }
  Request part = r;
  part.mask &= same;
  uint32_t rest = r.mask & ~same;
  if (window != kSharedWindow && window != kLocalWindow &&
      window != kParamWindow) {
    resolveGlobal(part);
  } else {
    part.addresses = offsets;
    if (window == kSharedWindow)
      resolveShared(part);
    else if (window == kLocalWindow)
      resolveLocal(part);
    else
      resolveParameters(part, *r.warp.entry);
  }
  if (rest) {
    r.mask = rest;
    resolveGeneric(r);
  }
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
  Request request{warp, i, mask, addresses, bytes, access, host};
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
