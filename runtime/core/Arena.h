//===-- runtime/core/Arena.h - Workspace memory -----------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_ARENA_H
#define CAMBIUM_RUNTIME_CORE_ARENA_H

#include "Region.h"
#include "Support.h"

#include <mutex>
#include <vector>

namespace cambium::runtime {

/// Memory that lives as long as a call, or until the call releases it. It
/// stands in one region, which grows in place and stays: a call that needs no
/// more than those before it allocates nothing and touches no page for the
/// first time, a larger one only what it has more. What was released is taken
/// by later allocations: the smallest gap that is large enough.
///
/// A large allocation has a region of its own, kept for those of the next call:
/// the records of a loop, which have room for all that could be executed, cost
/// what is. `allocate` and `release` may be called from tasks of a parallel
/// loop.
class Arena {
public:
  Arena() = default;
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  /// Most bytes to hold; 0: no limit.
  void setLimit(int64_t bytes) { limit = bytes; }
  /// 64-byte aligned memory, or null with `message` set.
  void *allocate(int64_t bytes, std::string &message);
  /// Ends the life of an allocation of so many bytes.
  void release(void *memory, int64_t bytes);
  /// Ends the life of all allocations. After a failure all memory goes back, so
  /// that the next call starts with the whole limit.
  void reset();
  /// Gives all memory back.
  void trim();

  int64_t bytesHeld() const { return held; }
  /// The most that a call has taken at once, what lay idle between included.
  int64_t peakBytes() const { return peak; }

private:
  /// Memory from which allocations are cut one after the other.
  struct Chunk {
    Region region;
    int64_t used; // up to the end of its last allocation
    int64_t most; // in this call
    char *end() const { return region.begin() + used; }
  };

  /// A part of a chunk that was released.
  struct Gap {
    char *memory;
    int64_t size;
    char *end() const { return memory + size; }
  };

  /// The memory of a large allocation at a time.
  struct Own {
    Region region;
    bool inUse;
    int64_t most; // in this call
  };

  bool commit(Region &region, int64_t bytes, int64_t spare);
  void *allocateInChunk(int64_t bytes);
  void *takeGap(int64_t bytes);
  void *cut(Chunk &chunk, int64_t bytes);
  void releaseInChunk(char *memory, int64_t bytes);
  void *allocateOwn(int64_t bytes);
  int64_t taken() const;
  std::string describe(int64_t bytes) const;

  std::mutex mutex;
  /// The last one grows. There are more only where the system has no addresses
  /// for a longer one, and after the call there is one again.
  std::vector<Chunk> chunks;
  std::vector<Gap> gaps; // in order; none touch
  std::vector<Own> owns;
  int64_t held = 0;
  int64_t used = 0; // by what is alive
  int64_t peak = 0;
  int64_t limit = 0;
  bool failed = false; // in this call
};

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_ARENA_H
