//===-- runtime/core/Arena.h - Workspace memory -----------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_ARENA_H
#define CAMBIUM_RUNTIME_CORE_ARENA_H

#include "Support.h"

#include <mutex>
#include <vector>

namespace cambium::runtime {

/// Memory that lives as long as a call. Chunks are added as needed; after a
/// call they are merged into one that holds all the call used, so that the next
/// such call allocates nothing. A large allocation has a mapping of its own,
/// kept for the same allocation of the next call: its pages take memory only
/// when they are written, so that the records of a loop, which have room for
/// all that could be executed, cost what is. `allocate` may be called from
/// tasks of a parallel loop.
class Arena {
public:
  Arena() = default;
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;
  ~Arena() { trim(); }

  /// Most bytes to hold; 0: no limit.
  void setLimit(int64_t bytes) { limit = bytes; }
  /// 64-byte aligned memory, or null with `message` set.
  void *allocate(int64_t bytes, std::string &message);
  /// Ends the life of all allocations. After a failure all memory goes back, so
  /// that the next call starts with the whole limit.
  void reset();
  /// Gives all memory back.
  void trim();

  int64_t bytesHeld() const { return held + mapped; }
  int64_t peakBytes() const { return peak; }

private:
  /// The head of a block of memory; the memory follows at kAlignment.
  struct Chunk {
    Chunk *next;
    int64_t size;
  };

  /// Address space of one large allocation of each call.
  struct Mapping {
    void *memory;
    int64_t size;
  };

  Chunk *addChunk(int64_t bytes);
  void freeChunks();
  void *allocateInChunk(int64_t bytes);
  void *allocateMapping(int64_t bytes);
  void unmap(Mapping &mapping);
  void freeMappings();
  std::string describe(int64_t bytes) const;

  std::mutex mutex;
  Chunk *chunks = nullptr; // the newest first; allocations come from it
  int64_t usedInChunk = 0;
  int64_t usedInChunks = 0; // by this call, over all chunks
  int64_t held = 0;         // in chunks
  std::vector<Mapping> mappings;
  size_t numMappings = 0; // used by this call: the first ones
  int64_t mapped = 0;     // in all mappings
  int64_t used = 0;       // by this call
  int64_t peak = 0;
  int64_t limit = 0;
  bool failed = false; // in this call
};

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_ARENA_H
