//===-- test/Runtime/emulator/OrderTest.cpp - What happened before what ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../../../runtime/emulator/Order.h"

#include <gtest/gtest.h>

using namespace cambium::emulator;

namespace {

constexpr uint32_t kBlocks = 3, kThreads = 64, kWords = 256;
constexpr uint64_t kCounter = 1000;

class EmulatorOrderTest : public testing::Test {
protected:
  EmulatorOrderTest() : order(kBlocks, 0, 0), words(kWords, {0, 0}) {
    for (uint32_t b = 0; b < kBlocks; ++b)
      order.start(blocks[b], b, kThreads / 32);
  }

  /// A barrier of the grid, as kernels have it.
  void barrier() {
    for (BlockOrder &block : blocks) {
      order.barrier(block);
      order.fence(block, 0, Scope::Device);
      order.write(block, 0, kCounter, Semantics::Relaxed, Scope::Device, true);
    }
    for (BlockOrder &block : blocks) {
      order.read(block, 0, kCounter, Semantics::Acquire, Scope::Device);
      order.barrier(block);
    }
  }

  /// Every block reads all words; which thread reads one changes.
  void readAll(uint32_t round) {
    for (BlockOrder &block : blocks)
      for (uint32_t w = 0; w < kWords; ++w)
        ASSERT_EQ(order.checkRead(words[w].first, words[w].second, block,
                                  (w + round + block.index) % kThreads, false),
                  0u);
  }

  void forget() {
    std::vector<const BlockOrder *> running;
    for (const BlockOrder &block : blocks)
      running.push_back(&block);
    order.forgetSets(running);
  }

  Stamp write(uint32_t w, uint32_t block) {
    return order.checkWrite(words[w].first, words[w].second, blocks[block], 0,
                            false);
  }

  Order order;
  BlockOrder blocks[kBlocks];
  /// Who wrote and who read them last.
  std::vector<std::pair<uint64_t, uint64_t>> words;
};

TEST_F(EmulatorOrderTest, SetsOfReadersAreForgotten) {
  int times = 0;
  for (uint32_t round = 0; round < 1000; ++round) {
    readAll(round);
    barrier();
    if (!order.hasManySets())
      continue;
    forget();
    ++times;
    EXPECT_FALSE(order.hasManySets());
  }
  EXPECT_GT(times, 2);
  // Behind the barrier the words may be written.
  EXPECT_EQ(write(0, 1), 0u);
}

TEST_F(EmulatorOrderTest, ReadersThatAreNotKnownStay) {
  for (uint32_t round = 0; round < 100; ++round) {
    readAll(round);
    barrier();
  }
  readAll(100);
  forget();
  for (uint32_t w = 0; w < kWords; ++w)
    EXPECT_NE(write(w, w % kBlocks), 0u) << w;
  barrier();
  forget();
  for (uint32_t w = 0; w < kWords; ++w)
    EXPECT_EQ(write(w, w % kBlocks), 0u) << w;
}

} // namespace
