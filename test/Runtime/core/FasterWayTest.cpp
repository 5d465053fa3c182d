//===-- test/Runtime/core/FasterWayTest.cpp - The faster of two ways ------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../../runtime/core/FasterWay.h"

#include <gtest/gtest.h>

using cambium::runtime::FasterWay;

/// How often each way was taken in 160 runs that take so long.
static int runsOfSecond(FasterWay &ways, int64_t first, int64_t second) {
  int count = 0;
  for (int i = 0; i < 160; ++i) {
    int32_t way = ways.next();
    count += way;
    ways.took(way ? second : first);
  }
  return count;
}

/// The faster way is taken, and the other one is tried now and then.
TEST(FasterWayTest, TakesTheFasterOne) {
  FasterWay ways;
  EXPECT_LE(runsOfSecond(ways, 100, 200), 12);
  EXPECT_LE(runsOfSecond(ways, 100, 200), 12);
}

/// What else the machine does changes.
TEST(FasterWayTest, ChangesItsMind) {
  FasterWay ways;
  EXPECT_LE(runsOfSecond(ways, 100, 200), 12);
  EXPECT_GE(runsOfSecond(ways, 300, 200), 140);
  EXPECT_GE(runsOfSecond(ways, 300, 200), 150);
}

/// A run that was disturbed changes nothing.
TEST(FasterWayTest, OneSlowRun) {
  FasterWay ways;
  EXPECT_LE(runsOfSecond(ways, 100, 200), 12);
  ways.next();
  ways.took(100000);
  EXPECT_LE(runsOfSecond(ways, 100, 200), 12);
}
