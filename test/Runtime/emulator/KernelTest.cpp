//===-- test/Runtime/emulator/KernelTest.cpp - Kernels that LLVM wrote ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs/kernels.ptx: a product by tiles in shared memory (gemm), and rows
// divided by their sums around a barrier of the grid (rows). What is removed
// from it must be found.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestSupport.h"

#include <cmath>

using namespace cambium::test;

namespace {

class EmulatorKernelTest : public EmulatorTest {
protected:
  static constexpr int kRows = 50, kColumns = 70;

  CUresult runGemm(const std::string &text, std::vector<float> &c) {
    const int m = 64, n = 128, k = 48;
    CUmodule module = load(text);
    EXPECT_EQ(loaded, CUDA_SUCCESS) << loadText;
    std::vector<float> a(m * k), b(k * n);
    c.assign(m * n, 0);
    for (int i = 0; i < m * k; ++i)
      a[static_cast<size_t>(i)] = static_cast<float>(i * 7 % 13 - 6) / 8;
    for (int i = 0; i < k * n; ++i)
      b[static_cast<size_t>(i)] = static_cast<float>(i * 5 % 11 - 5) / 8;
    CUdeviceptr at = upload(a), bt = upload(b), ct = upload(c);
    CUresult result = launch(function(module, "gemm"), n / 64, 256,
                             {at, bt, ct, m, n, k}, 0, m / 64);
    if (!result)
      c = download<float>(ct, c.size());
    for (int i = 0; i < m && !result; ++i)
      for (int j = 0; j < n; ++j) {
        float sum = 0;
        for (int q = 0; q < k; ++q)
          sum += a[static_cast<size_t>(i * k + q)] *
                 b[static_cast<size_t>(q * n + j)];
        EXPECT_EQ(c[static_cast<size_t>(i * n + j)], sum);
      }
    return result;
  }

  CUresult runRows(const std::string &text, std::vector<float> &y) {
    CUmodule module = load(text);
    EXPECT_EQ(loaded, CUDA_SUCCESS) << loadText;
    std::vector<float> x;
    for (int i = 0; i < kRows * kColumns; ++i)
      x.push_back(static_cast<float>(1 + i % 17));
    y.assign(x.size(), 0);
    CUdeviceptr xt = upload(x), yt = upload(y),
                bar = upload(std::vector<uint32_t>{0});
    CUresult result = launch(function(module, "rows"), 4, 128,
                             {xt, yt, kRows, kColumns, bar});
    if (!result)
      y = download<float>(yt, y.size());
    return result;
  }

  std::string text = readInput("kernels.ptx");
  std::vector<float> values;
};

TEST_F(EmulatorKernelTest, ProductIsRight) {
  EXPECT_EQ(runGemm(text, values), CUDA_SUCCESS);
  cambium_emulator_counters_t counters;
  cambium_emulator_read_counters(&counters);
  // Three tiles of 16 of k, two barriers each, in two blocks.
  EXPECT_EQ(counters.block_barriers, 12);
  EXPECT_EQ(counters.fused_multiply_add, 2 * 8 * 3 * 256);
  cambium_emulator_loop_t loop{};
  ASSERT_EQ(cambium_emulator_loops("gemm", &loop, 1), 1u);
  EXPECT_EQ(loop.products, 2 * 8 * 3 * 256);
  EXPECT_GT(loop.products * 10, loop.instructions * 6);
}

TEST_F(EmulatorKernelTest, RowsAreRightInEveryOrder) {
  std::vector<float> first;
  for (const char *config : {"seed=0,blocks=4", "seed=1,blocks=4",
                             "seed=2,blocks=4", "seed=3,blocks=4"}) {
    start(config);
    ASSERT_EQ(runRows(text, values), CUDA_SUCCESS);
    if (first.empty())
      first = values;
    EXPECT_EQ(values, first) << config;
  }
  float sum = 0;
  for (int j = 0; j < kColumns; ++j)
    sum += static_cast<float>(1 + j % 17);
  for (int j = 1; j < kColumns; ++j)
    EXPECT_NEAR(first[static_cast<size_t>(j)],
                static_cast<float>(1 + j % 17) / sum, 1e-7f);
  cambium_emulator_counters_t counters;
  cambium_emulator_read_counters(&counters);
  EXPECT_EQ(counters.grid_barriers, 1);
}

TEST_F(EmulatorKernelTest, RemovedBarrierIsARace) {
  std::string without = replaced(text, "bar.sync", "//", "entry gemm");
  EXPECT_EQ(runGemm(without, values), CUDA_ERROR_LAUNCH_FAILED);
  expectFinding(
      {"race", "shared memory", "without a barrier", "'gemm'", "PTX line"});
}

TEST_F(EmulatorKernelTest, DivergentBarrierIsFound) {
  std::string split = replaced(
      text, "bar.sync \t0;",
      "and.b32 %r6, %r1, 1;\nsetp.eq.s32 %p1, %r6, 0;\n@%p1 bra $DIV;\n"
      "bar.sync 0;\nbra.uni $AFTER;\n$DIV:\nbar.sync 0;\n$AFTER:\n",
      "entry gemm");
  EXPECT_EQ(runGemm(split, values), CUDA_ERROR_LAUNCH_FAILED);
  expectFinding({"divergent barrier", "55555555", "aaaaaaaa"});
}

TEST_F(EmulatorKernelTest, MissingFenceIsARace) {
  std::string without = replaced(text, "fence.acq_rel.sys;", "");
  start("blocks=4");
  EXPECT_EQ(runRows(without, values), CUDA_ERROR_LAUNCH_FAILED);
  expectFinding({"race", "global memory", "without a release", "'rows'"});
}

TEST_F(EmulatorKernelTest, MissingAcquireIsARace) {
  std::string without =
      replaced(text, "ld.acquire.sys.global", "ld.relaxed.sys.global");
  start("blocks=4");
  EXPECT_EQ(runRows(without, values), CUDA_ERROR_LAUNCH_FAILED);
  expectFinding({"race", "global memory", "without a release"});
}

/// Only the first thread of a block acquires; the others learn at the barrier.
TEST_F(EmulatorKernelTest, MissingBarrierAfterAcquireIsARace) {
  std::string without = replaced(text, "bar.sync", "//", "ld.acquire.sys");
  start("blocks=4");
  EXPECT_EQ(runRows(without, values), CUDA_ERROR_LAUNCH_FAILED);
  expectFinding({"race", "global memory"});
}

TEST_F(EmulatorKernelTest, MissingBarrierBeforeReleaseIsARace) {
  std::string without = replaced(text, "bar.sync", "//", "entry rows");
  start("blocks=4");
  EXPECT_EQ(runRows(without, values), CUDA_ERROR_LAUNCH_FAILED);
  expectFinding({"race", "global memory"});
}

TEST_F(EmulatorKernelTest, ScopeOfABlockReachesNoOther) {
  std::string narrow =
      replaced(text, "fence.acq_rel.sys;", "fence.acq_rel.cta;");
  start("blocks=4");
  EXPECT_EQ(runRows(narrow, values), CUDA_ERROR_LAUNCH_FAILED);
  expectFinding({"race", "global memory", "without a release"});
}

TEST_F(EmulatorKernelTest, BarrierOfTooManyBlocksIsRefused) {
  start("blocks=2");
  CUmodule module = load(text);
  CUfunction rows = function(module, "rows");
  int fits = 0;
  ASSERT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&fits, rows, 1024, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(fits, 2);
  EXPECT_EQ(launch(rows, 5, 1024, {0, 0, 0, 0, 0}),
            CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

} // namespace
