//===-- runtime/core/Arena.cpp - Workspace memory -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Arena.h"

#include <algorithm>

using namespace cambium::runtime;

/// Addresses of a chunk, and bytes by which it grows at least.
static constexpr int64_t kChunkAddresses = 256 << 20, kSmallestGrowth = 1 << 20;
/// From this size on, an allocation has a region of its own.
static constexpr int64_t kOwnRegion = 32 << 20;
/// No allocation of this size can succeed; sums of sizes stay in range.
static constexpr int64_t kTooLarge = int64_t{1} << 60;

/// Allocations are whole lines.
static int64_t roundUp(int64_t bytes) {
  return std::max(kAlignment,
                  (bytes + kAlignment - 1) / kAlignment * kAlignment);
}

std::string Arena::describe(int64_t bytes) const {
  if (limit > 0)
    return format(
        "out of workspace memory: %lld bytes are needed beside %lld in "
        "use, but the limit is %lld",
        static_cast<long long>(bytes), static_cast<long long>(used),
        static_cast<long long>(limit));
  return format("out of workspace memory: the system has no %lld bytes beside "
                "%lld in use",
                static_cast<long long>(bytes), static_cast<long long>(used));
}

void *Arena::allocate(int64_t bytes, std::string &message) {
  std::lock_guard<std::mutex> lock(mutex);
  if (bytes < 0 || bytes > kTooLarge) {
    message = format("expected a workspace size in [0, 2^60], but got %lld",
                     static_cast<long long>(bytes));
    return nullptr;
  }
  int64_t rounded = roundUp(bytes);
  void *memory =
      rounded < kOwnRegion ? allocateInChunk(rounded) : allocateOwn(rounded);
  if (!memory) {
    message = describe(bytes);
    failed = true;
    return nullptr;
  }
  used += rounded;
  peak = std::max(peak, taken());
  return memory;
}

void Arena::release(void *memory, int64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  int64_t rounded = roundUp(bytes);
  used -= rounded;
  if (rounded < kOwnRegion)
    return releaseInChunk(static_cast<char *>(memory), rounded);
  for (Own &own : owns)
    if (own.region.begin() == memory)
      own.inUse = false;
}

/// By this call.
int64_t Arena::taken() const {
  int64_t bytes = 0;
  for (const Chunk &chunk : chunks)
    bytes += chunk.most;
  for (const Own &own : owns)
    bytes += own.most;
  return bytes;
}

/// Makes the first bytes of the region memory, and `spare` more if the limit
/// lets it.
bool Arena::commit(Region &region, int64_t bytes, int64_t spare) {
  int64_t before = region.size();
  int64_t left = limit > 0 ? limit - held : kTooLarge;
  if (bytes - before > left)
    return false;
  int64_t wished = std::min({bytes + spare, before + left, region.capacity()});
  if (!region.commit(std::max(wished, bytes)) && !region.commit(bytes))
    return false;
  held += region.size() - before;
  return true;
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

void *Arena::allocateInChunk(int64_t bytes) {
  if (void *memory = takeGap(bytes))
    return memory;
  if (!chunks.empty())
    if (void *memory = cut(chunks.back(), bytes))
      return memory;
  int64_t addresses = std::max(kChunkAddresses, 2 * taken());
  chunks.push_back({Region::reserve(addresses, bytes), 0, 0});
  return cut(chunks.back(), bytes);
}

/// The beginning of the smallest gap that is large enough.
void *Arena::takeGap(int64_t bytes) {
  auto best = gaps.end();
  for (auto gap = gaps.begin(); gap != gaps.end(); ++gap)
    if (gap->size >= bytes && (best == gaps.end() || gap->size < best->size))
      best = gap;
  if (best == gaps.end())
    return nullptr;
  char *memory = best->memory;
  best->memory += bytes;
  best->size -= bytes;
  if (best->size == 0)
    gaps.erase(best);
  return memory;
}

void *Arena::cut(Chunk &chunk, int64_t bytes) {
  int64_t size = chunk.region.size();
  if (chunk.used + bytes > size && !commit(chunk.region, chunk.used + bytes,
                                           std::max(kSmallestGrowth, size / 8)))
    return nullptr;
  char *memory = chunk.end();
  chunk.used += bytes;
  chunk.most = std::max(chunk.most, chunk.used);
  return memory;
}

/// A region ends with addresses that are never memory, so that gaps of two
/// chunks do not touch.
void Arena::releaseInChunk(char *memory, int64_t bytes) {
  auto next = std::upper_bound(
      gaps.begin(), gaps.end(), memory,
      [](const char *begin, const Gap &gap) { return begin < gap.memory; });
  if (next != gaps.begin() && std::prev(next)->end() == memory) {
    --next;
    next->size += bytes;
  } else {
    next = gaps.insert(next, {memory, bytes});
  }
  auto behind = std::next(next);
  if (behind != gaps.end() && next->end() == behind->memory) {
    next->size += behind->size;
    gaps.erase(behind);
  }
  if (next->end() != chunks.back().end())
    return;
  chunks.back().used -= next->size;
  gaps.erase(next);
}

//===----------------------------------------------------------------------===//
// Regions of their own
//===----------------------------------------------------------------------===//

/// The smallest idle region that is large enough, else the largest idle one,
/// which grows.
void *Arena::allocateOwn(int64_t bytes) {
  Own *best = nullptr;
  for (Own &own : owns) {
    if (own.inUse)
      continue;
    int64_t size = own.region.size(), old = best ? best->region.size() : 0;
    if (!best || (old < bytes ? size > old : size >= bytes && size < old))
      best = &own;
  }
  if (!best)
    best = &owns.emplace_back();
  if (best->region.capacity() < bytes) {
    held -= best->region.size();
    best->region = Region();
    best->region = Region::reserve(2 * bytes, bytes);
  }
  if (!commit(best->region, bytes, 0))
    return nullptr;
  best->inUse = true;
  best->most = std::max(best->most, bytes);
  return best->region.begin();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void Arena::reset() {
  if (failed || chunks.size() > 1) {
    // Next time a chunk has addresses for all that this call needed.
    int64_t addresses = std::max(kChunkAddresses, 2 * taken());
    bool again = !failed;
    trim();
    if (again)
      chunks.push_back({Region::reserve(addresses, kSmallestGrowth), 0, 0});
  }
  failed = false;
  gaps.clear();
  used = 0;
  for (Chunk &chunk : chunks)
    chunk.used = chunk.most = 0;
  for (Own &own : owns) {
    own.inUse = false;
    own.most = 0;
  }
}

void Arena::trim() {
  chunks.clear();
  gaps.clear();
  owns.clear();
  held = used = 0;
}
