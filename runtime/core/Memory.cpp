//===-- runtime/core/Memory.cpp - Aligned memory in large pages -----------===//
//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <sys/mman.h>

using namespace cambium::runtime;

static int64_t alignmentOf(int64_t bytes) {
  return bytes >= 2 * kLargePage ? kLargePage : kAlignment;
}

/// What so many bytes take: whole large pages where the system is asked for
/// them.
static int64_t alignedSize(int64_t bytes) {
  int64_t alignment = alignmentOf(bytes);
  int64_t rounded = (bytes + alignment - 1) / alignment * alignment;
  return rounded ? rounded : alignment;
}

void *cambium::runtime::allocateAligned(int64_t bytes) noexcept {
  if (bytes < 0 || bytes > std::numeric_limits<int64_t>::max() / 2)
    return nullptr;
  auto size = static_cast<size_t>(alignedSize(bytes));
  int64_t alignment = alignmentOf(bytes);
  void *memory = std::aligned_alloc(static_cast<size_t>(alignment), size);
#ifdef MADV_HUGEPAGE
  // Where it is refused, pages are smaller.
  if (memory && alignment == kLargePage)
    (void)madvise(memory, size, MADV_HUGEPAGE);
#endif
  return memory;
}
