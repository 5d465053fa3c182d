//===-- test/Runtime/core/RegionTest.cpp - Memory that grows in place -----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../../runtime/core/Region.h"
#include "../../../runtime/core/Support.h"
#include "gtest/gtest.h"

#include <cinttypes>
#include <cstdio>

using namespace cambium::runtime;

namespace {

/// Kilobytes in large pages of the mapping in which an address lies; -1 where
/// the system does not tell.
int64_t largeAt(const void *address) {
  FILE *file = std::fopen("/proc/self/smaps", "r");
  if (!file)
    return -1;
  char line[512];
  bool isInside = false;
  int64_t kilobytes = -1;
  auto place = reinterpret_cast<uintptr_t>(address);
  while (kilobytes < 0 && std::fgets(line, sizeof(line), file)) {
    uintptr_t begin = 0, end = 0;
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2)
      isInside = begin <= place && place < end;
    else if (isInside)
      (void)std::sscanf(line, "AnonHugePages: %" SCNd64, &kilobytes);
  }
  std::fclose(file);
  return kilobytes;
}

/// Makes so many bytes memory, of which new ones are 0, and fills them.
void grow(Region &region, int64_t bytes) {
  int64_t before = region.size();
  ASSERT_TRUE(region.commit(bytes));
  char *memory = region.begin();
  for (int64_t i = 0; i < before; ++i)
    ASSERT_EQ(memory[i], static_cast<char>(i % 113)) << i << " of " << bytes;
  for (int64_t i = before; i < bytes; ++i) {
    ASSERT_EQ(memory[i], 0) << i << " of " << bytes;
    memory[i] = static_cast<char>(i % 113);
  }
}

// What was written stays through every step in which pages become large.
TEST(Region, GrowsInPlace) {
  Region region = Region::reserve(4 * kLargePage, 4 * kLargePage);
  char *memory = region.begin();
  ASSERT_TRUE(memory);
  for (int64_t bytes :
       {int64_t{1000}, kLargePage - 1, kLargePage, kLargePage + 1,
        kLargePage * 3 / 2, kLargePage * 5 / 2, 3 * kLargePage + 5000})
    grow(region, bytes);
  EXPECT_EQ(region.begin(), memory);
  EXPECT_FALSE(region.commit(region.capacity() + 1));
  EXPECT_EQ(region.size(), 3 * kLargePage + 5000);
}

// Also of pages that were written before a whole large one was there.
TEST(Region, IsInLargePages) {
  Region whole = Region::reserve(2 * kLargePage, 2 * kLargePage);
  grow(whole, 2 * kLargePage);
  if (largeAt(whole.begin()) <= 0)
    GTEST_SKIP() << "the system gives no large pages";
  Region region = Region::reserve(2 * kLargePage, 2 * kLargePage);
  for (int64_t parts : {1, 3, 5, 8})
    grow(region, parts * kLargePage / 4);
  EXPECT_EQ(largeAt(region.begin()), 2 * kLargePage >> 10);
  // The last one is as large as the others.
  Region longer = Region::reserve(kLargePage * 5 / 4, kLargePage * 5 / 4);
  grow(longer, kLargePage * 5 / 4);
  EXPECT_EQ(largeAt(longer.begin()), 2 * kLargePage >> 10);
}

} // namespace
