//===-- runtime/core/Arena.cpp - Workspace memory -------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Arena.h"

#include <algorithm>
#include <sys/mman.h>

using namespace cambium::runtime;

/// Chunks are at least this large.
static constexpr int64_t kSmallestChunk = 1 << 20;
/// From this size on, chunks ask for large pages.
/// From this size on, an allocation has a mapping of its own.
static constexpr int64_t kOwnMapping = 32 << 20;
/// No allocation of this size can succeed; sums of sizes stay in range.
static constexpr int64_t kTooLarge = int64_t{1} << 60;

Arena::Chunk *Arena::addChunk(int64_t bytes) {
  int64_t total = alignedSize(bytes + kAlignment);
  if (limit > 0 && total > limit - bytesHeld())
    return nullptr;
  auto *chunk = static_cast<Chunk *>(allocateAligned(total));
  if (!chunk)
    return nullptr;
  *chunk = {chunks, total - kAlignment};
  chunks = chunk;
  usedInChunk = 0;
  held += total;
  return chunk;
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
  int64_t rounded =
      std::max(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  void *memory = rounded < kOwnMapping ? allocateInChunk(rounded)
                                       : allocateMapping(rounded);
  if (!memory) {
    message = describe(bytes);
    failed = true;
    return nullptr;
  }
  used += rounded;
  peak = std::max(peak, used);
  return memory;
}

void *Arena::allocateInChunk(int64_t bytes) {
  if (!chunks || bytes > chunks->size - usedInChunk) {
    // Grow by what is held already, or by what is needed.
    int64_t wished = std::max({bytes, held, kSmallestChunk});
    if (!addChunk(wished) && !addChunk(bytes))
      return nullptr;
  }
  char *memory = reinterpret_cast<char *>(chunks) + kAlignment + usedInChunk;
  usedInChunk += bytes;
  usedInChunks += bytes;
  return memory;
}

void *Arena::allocateMapping(int64_t bytes) {
  if (numMappings == mappings.size())
    mappings.push_back({nullptr, 0});
  Mapping &mapping = mappings[numMappings];
  if (mapping.size < bytes) {
    unmap(mapping);
    if (limit > 0 && bytes > limit - bytesHeld())
      return nullptr;
    void *memory =
        mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return nullptr;
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, static_cast<size_t>(bytes), MADV_HUGEPAGE);
#endif
    mapping = {memory, bytes};
    mapped += bytes;
  }
  ++numMappings;
  return mapping.memory;
}

void Arena::unmap(Mapping &mapping) {
  if (mapping.memory)
    (void)munmap(mapping.memory, static_cast<size_t>(mapping.size));
  mapped -= mapping.size;
  mapping = {nullptr, 0};
}

void Arena::freeMappings() {
  for (Mapping &mapping : mappings)
    unmap(mapping);
  mappings.clear();
  numMappings = 0;
}

void Arena::freeChunks() {
  while (Chunk *chunk = chunks) {
    chunks = chunk->next;
    std::free(chunk);
  }
  held = usedInChunk = 0;
}

void Arena::reset() {
  if (failed) {
    freeChunks();
    freeMappings();
    failed = false;
  } else if (chunks && chunks->next) {
    freeChunks();
    // A little more, so that the next call may be slightly larger.
    if (!addChunk(usedInChunks + usedInChunks / 8))
      (void)addChunk(usedInChunks);
    log(CAMBIUM_LOG_DEBUG, "workspace: %lld bytes",
        static_cast<long long>(bytesHeld()));
  }
  used = usedInChunk = usedInChunks = 0;
  numMappings = 0;
}

void Arena::trim() {
  freeChunks();
  freeMappings();
  used = usedInChunks = 0;
}
