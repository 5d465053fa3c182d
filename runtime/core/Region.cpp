//===-- runtime/core/Region.cpp - Memory that grows in place --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"
#include "Support.h"

#include <algorithm>
#include <sys/mman.h>
#include <utility>

using namespace cambium::runtime;

/// Smaller memory would have more of large pages than it needs.
static constexpr int64_t kWorthLargePages = 2 * kLargePage;
Region Region::reserve(int64_t wished, int64_t least) {
  Region region;
  for (int64_t bytes = std::max(wished, least);;
       bytes = std::max(bytes / 2, least)) {
    int64_t all = bytes + kLargePage;
    void *mapping = mmap(nullptr, static_cast<size_t>(all), PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping != MAP_FAILED) {
      region.mapping = mapping;
      region.mappingBytes = all;
      region.reserved = bytes;
      auto address = reinterpret_cast<intptr_t>(mapping);
      region.memory =
          static_cast<char *>(mapping) + (-address & (kLargePage - 1));
      return region;
    }
    if (bytes == least)
      return region;
  }
}

bool Region::commit(int64_t bytes) {
  if (bytes <= committed)
    return true;
  if (bytes > reserved ||
      mprotect(memory, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE))
    return false;
  committed = bytes;
#ifdef MADV_HUGEPAGE
  // Where it is refused, pages are smaller.
  if (!isLarge && committed >= kWorthLargePages) {
    (void)madvise(memory, static_cast<size_t>(reserved), MADV_HUGEPAGE);
    isLarge = true;
  }
#endif
  return true;
}

Region::~Region() {
  if (mapping)
    (void)munmap(mapping, static_cast<size_t>(mappingBytes));
}

void Region::swap(Region &other) noexcept {
  std::swap(memory, other.memory);
  std::swap(committed, other.committed);
  std::swap(reserved, other.reserved);
  std::swap(isLarge, other.isLarge);
  std::swap(mapping, other.mapping);
  std::swap(mappingBytes, other.mappingBytes);
}
