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

// Since Linux 6.1; headers of libc do not know it yet.
#if defined(MADV_HUGEPAGE) && !defined(MADV_COLLAPSE)
#define MADV_COLLAPSE 25
#endif

static int64_t wholeLargePages(int64_t bytes) {
  return bytes / kLargePage * kLargePage;
}

/// With what is missing of the last large page, if there is a whole one.
static int64_t withLastPage(int64_t bytes) {
  return bytes < kLargePage ? bytes : wholeLargePages(bytes + kLargePage - 1);
}

Region Region::reserve(int64_t wished, int64_t least) {
  Region region;
  for (int64_t bytes = withLastPage(std::max(wished, least));;
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
      mprotect(memory,
               static_cast<size_t>(std::min(withLastPage(bytes), reserved)),
               PROT_READ | PROT_WRITE))
    return false;
  int64_t before = committed;
  committed = bytes;
  useLargePages(before);
  return true;
}

/// What was written while it was too little for a large page is moved to one.
/// Where the system refuses, pages are smaller.
void Region::useLargePages(int64_t before) {
#ifdef MADV_HUGEPAGE
  if (committed < kLargePage)
    return;
  int64_t first = isLarge ? wholeLargePages(before) : 0;
  int64_t last = wholeLargePages(std::min(before + kLargePage - 1, committed));
  if (!isLarge)
    (void)madvise(memory, static_cast<size_t>(reserved), MADV_HUGEPAGE);
  isLarge = true;
  if (first < last)
    (void)madvise(memory + first, static_cast<size_t>(last - first),
                  MADV_COLLAPSE);
#else
  (void)before;
#endif
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
