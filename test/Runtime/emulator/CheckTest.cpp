//===-- test/Runtime/emulator/CheckTest.cpp - Planted mistakes ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each kernel here has one mistake, which must be found with its line. Those of
// larger kernels: KernelTest.cpp.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestSupport.h"

using namespace cambium::test;

namespace {

using Words = std::vector<uint32_t>;

const std::string kTile = ".shared .align 16 .b8 tile[256];\n";

class EmulatorCheckTest : public EmulatorTest {
protected:
  void expectFault(CUresult code, const std::string &body,
                   const std::vector<std::string> &parts, unsigned blocks = 1,
                   unsigned threads = 32) {
    run<uint32_t>(body, Words(32, 0), blocks, threads, kTile);
    EXPECT_EQ(result, code) << body;
    expectFinding(parts);
    const char *text = nullptr;
    EXPECT_EQ(cuGetErrorString(result, &text), CUDA_SUCCESS);
    EXPECT_NE(std::string(text).find(parts[0]), std::string::npos) << text;
    // The context is lost, as on hardware, and the next one is not.
    CUdeviceptr address;
    EXPECT_EQ(cuMemAlloc_v2(&address, 4), code);
    start("");
    EXPECT_EQ(run<uint32_t>("st.global.b32 [%rd1], 4;", {0}, 1, 1), Words{4});
  }
};

TEST_F(EmulatorCheckTest, StoreBehindAnAllocation) {
  expectFault(CUDA_ERROR_ILLEGAL_ADDRESS, "st.global.b32 [%rd1+128], 1;",
              {"store by thread 0 of 4 bytes", "0 bytes behind", "128 bytes at",
               "PTX line 11: st.global.b32 [%rd1+128], 1;"});
}

TEST_F(EmulatorCheckTest, LoadAcrossTheEnd) {
  expectFault(CUDA_ERROR_ILLEGAL_ADDRESS,
              "ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1+120];",
              {"load by thread 0 of 16 bytes", "8 bytes before the end"});
}

TEST_F(EmulatorCheckTest, LoadBeforeAnAllocation) {
  expectFault(CUDA_ERROR_ILLEGAL_ADDRESS, "ld.global.b32 %r1, [%rd1-4];",
              {"load by thread 0 of 4 bytes", "no memory of the device"});
}

TEST_F(EmulatorCheckTest, NullAndHostMemory) {
  expectFault(CUDA_ERROR_ILLEGAL_ADDRESS,
              "mov.b64 %rd2, 0;\nld.b32 %r1, [%rd2];",
              {"0x0, which is no memory of the device"});
  uint32_t host = 0;
  auto at = std::to_string(reinterpret_cast<uintptr_t>(&host));
  expectFault(CUDA_ERROR_ILLEGAL_ADDRESS,
              "mov.b64 %rd2, " + at + ";\nld.b32 %r1, [%rd2];",
              {"no memory of the device but of the host"});
}

TEST_F(EmulatorCheckTest, UseAfterFree) {
  CUmodule module = load(kernelOf("st.global.b32 [%rd1+4], 1;"));
  CUdeviceptr address = allocate(64);
  ASSERT_EQ(cuMemFree_v2(address), CUDA_SUCCESS);
  EXPECT_EQ(launch(function(module, "t"), 1, 1, {address}),
            CUDA_ERROR_ILLEGAL_ADDRESS);
  expectFinding({"64 bytes", "which was freed"});
}

TEST_F(EmulatorCheckTest, HostUsesDeviceMemoryWrongly) {
  CUdeviceptr address = allocate(64);
  uint32_t word = 0;
  EXPECT_EQ(cuMemcpyDtoHAsync_v2(&word, address + 62, 4, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  expectFinding({"download of 4 bytes", "2 bytes before the end"});
  EXPECT_EQ(cuMemFree_v2(address + 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree_v2(address), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree_v2(address), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemcpyHtoDAsync_v2(address, &word, 4, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  expectFinding({"upload of 4 bytes", "freed"});
}

using EmulatorDeathTest = EmulatorCheckTest;
TEST_F(EmulatorDeathTest, HostCannotReadDeviceMemory) {
  CUdeviceptr address = upload(Words{1, 2});
  EXPECT_DEATH(
      {
        auto *word = reinterpret_cast<volatile uint32_t *>(address);
        std::fprintf(stderr, "%u", *word);
      },
      "");
}

TEST_F(EmulatorCheckTest, BytesThatNobodyWrote) {
  CUmodule module = load(kernelOf("ld.global.b32 %r1, [%rd1];", kTile));
  CUdeviceptr address = allocate(64);
  EXPECT_EQ(launch(function(module, "t"), 1, 1, {address}),
            CUDA_ERROR_LAUNCH_FAILED);
  expectFinding({"uninitialized", "global memory", "PTX line 11"});
  start("");
  expectFault(CUDA_ERROR_LAUNCH_FAILED,
              "mov.b32 %r2, 0;\nst.shared.b16 [tile], %r2;\n"
              "ld.shared.b32 %r1, [tile];",
              {"uninitialized", "shared memory"}, 1, 1);
}

TEST_F(EmulatorCheckTest, Misalignment) {
  expectFault(CUDA_ERROR_MISALIGNED_ADDRESS, "ld.global.b32 %r1, [%rd1+2];",
              {"expected an address that is a multiple of 4"});
  expectFault(CUDA_ERROR_MISALIGNED_ADDRESS,
              "ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1+8];",
              {"expected an address that is a multiple of 16"});
  expectFault(CUDA_ERROR_MISALIGNED_ADDRESS, "st.shared.b64 [tile+4], %rd1;",
              {"expected an address that is a multiple of 8"});
}

TEST_F(EmulatorCheckTest, BoundsOfSharedAndLocalMemory) {
  expectFault(CUDA_ERROR_ILLEGAL_ADDRESS, "st.shared.b32 [tile+256], %r1;",
              {"of shared memory, whose 256 bytes"});
  expectFault(CUDA_ERROR_ILLEGAL_ADDRESS,
              "mov.b64 %rd2, 0;\nld.shared.b32 %r1, [%rd2];",
              {"of shared memory"});
  expectFault(CUDA_ERROR_ILLEGAL_ADDRESS,
              ".local .align 8 .b8 stack[16];\nmov.b64 %rd2, stack;\n"
              "st.local.b32 [%rd2+16], %r1;",
              {"of local memory"});
}

TEST_F(EmulatorCheckTest, StoreToConstantMemory) {
  run<uint32_t>("mov.b64 %rd2, table;\ncvta.const.u64 %rd3, %rd2;\n"
                "st.b32 [%rd3], 4;",
                {0}, 1, 1, ".const .align 4 .u32 table[2] = {1, 2};\n");
  EXPECT_EQ(result, CUDA_ERROR_ILLEGAL_ADDRESS);
  expectFinding({"to constant memory"});
}

TEST_F(EmulatorCheckTest, RacesInSharedMemory) {
  std::string each = "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"
                     "mov.b64 %rd3, tile;\nadd.s64 %rd3, %rd3, %rd2;\n";
  expectFault(CUDA_ERROR_LAUNCH_FAILED,
              each + "st.shared.b32 [%rd3], %r1;\nld.shared.b32 %r2, [tile];",
              {"race: load", "thread 0 of block 0", "without a barrier"});
  expectFault(CUDA_ERROR_LAUNCH_FAILED, each + "st.shared.b32 [tile], %r1;",
              {"race: store"});
  expectFault(CUDA_ERROR_LAUNCH_FAILED,
              each + "st.shared.b32 [%rd3], %r1;\nbar.sync 0;\n"
                     "ld.shared.b32 %r2, [tile];\nsetp.eq.s32 %p1, %r1, 0;\n"
                     "@%p1 st.shared.b32 [tile], %r1;",
              {"race: store", "several threads"});
}

/// A barrier of a warp orders its lanes, and not other warps.
TEST_F(EmulatorCheckTest, BarrierOfAWarpIsEnoughWithinIt) {
  std::string body = "mov.u32 %r1, %tid.x;\nxor.b32 %r2, %r1, PARTNER;\n"
                     "mul.wide.u32 %rd2, %r1, 4;\nmul.wide.u32 %rd3, %r2, 4;\n"
                     "mov.b64 %rd4, tile;\nadd.s64 %rd2, %rd2, %rd4;\n"
                     "add.s64 %rd3, %rd3, %rd4;\nst.shared.b32 [%rd2], %r1;\n"
                     "bar.warp.sync -1;\nld.shared.b32 %r3, [%rd3];";
  run(replaced(body, "PARTNER", "1"), Words(2, 0), 1, 64, kTile);
  EXPECT_EQ(result, CUDA_SUCCESS);
  start("seed=1");
  run(replaced(body, "PARTNER", "32"), Words(2, 0), 1, 64, kTile);
  EXPECT_EQ(result, CUDA_ERROR_LAUNCH_FAILED);
}

/// So too where many lanes have read what one of them then overwrites.
TEST_F(EmulatorCheckTest, BarrierOfAWarpKnowsAllReaders) {
  std::string body =
      "mov.u32 %r1, %tid.x;\nld.global.b32 %r2, [%rd1];\nSYNC"
      "setp.eq.s32 %p1, %r1, 7;\n@%p1 st.global.b32 [%rd1], %r1;";
  std::string sync = "bar.warp.sync -1;\n";
  EXPECT_EQ(run(replaced(body, "SYNC", sync), Words{1}, 1, 32), Words{7});
  EXPECT_EQ(result, CUDA_SUCCESS);
  // Twice, with readers between.
  run(replaced(body, "SYNC", sync + "ld.global.b32 %r2, [%rd1];\n" + sync),
      Words{1}, 1, 32);
  EXPECT_EQ(result, CUDA_SUCCESS);
  run(replaced(body, "SYNC", ""), Words{1}, 1, 32);
  EXPECT_EQ(result, CUDA_ERROR_LAUNCH_FAILED);
  expectFinding({"race: store by thread 7", "several threads"});
  start("");
  run(replaced(body, "SYNC", sync), Words{1}, 1, 64);
  EXPECT_EQ(result, CUDA_ERROR_LAUNCH_FAILED);
}

/// Bytes of a word are no race, one byte is.
TEST_F(EmulatorCheckTest, BytesOfAWord) {
  std::string body = "mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, MASK;\n"
                     "cvt.u64.u32 %rd2, %r2;\nadd.s64 %rd2, %rd2, %rd1;\n"
                     "st.global.b8 [%rd2], %r1;\nSYNC"
                     "ld.global.b32 %r3, [%rd1];\nst.global.b32 [%rd1], %r3;";
  std::string one = replaced(body, "SYNC", "exit;\n");
  EXPECT_EQ(run(replaced(one, "MASK", "7"), Words(2, 9), 1, 8),
            (Words{0x03020100, 0x07060504}));
  EXPECT_EQ(result, CUDA_SUCCESS);
  // Whole again, by one thread.
  run(replaced(replaced(body, "SYNC",
                        "bar.sync 0;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 exit;\n"),
               "MASK", "3"),
      Words(2, 9), 1, 4);
  EXPECT_EQ(result, CUDA_SUCCESS);
  run(replaced(one, "MASK", "1"), Words(2, 9), 1, 8);
  EXPECT_EQ(result, CUDA_ERROR_LAUNCH_FAILED);
  expectFinding({"race: store by thread 2", "thread 0 of block 0"});
  start("");
  run(replaced(replaced(body, "SYNC", ""), "MASK", "3"), Words(2, 9), 1, 4);
  EXPECT_EQ(result, CUDA_ERROR_LAUNCH_FAILED);
  expectFinding({"race: load by thread"});
}

TEST_F(EmulatorCheckTest, RacesBetweenBlocks) {
  start("blocks=2");
  expectFault(CUDA_ERROR_LAUNCH_FAILED,
              "mov.u32 %r1, %ctaid.x;\nst.global.b32 [%rd1], %r1;",
              {"race: store", "without a release"}, 2, 1);
  start("blocks=3");
  // Two blocks read what a third overwrites.
  expectFault(CUDA_ERROR_LAUNCH_FAILED,
              "mov.u32 %r1, %ctaid.x;\nld.global.b32 %r2, [%rd1];\n"
              "setp.eq.s32 %p1, %r1, 2;\n@%p1 st.global.b32 [%rd1], %r1;",
              {"race: store"}, 3, 1);
  start("blocks=2");
  // Not atomic for the other block.
  expectFault(CUDA_ERROR_LAUNCH_FAILED,
              "red.relaxed.cta.global.add.u32 [%rd1], 1;",
              {"race: atomic operation"}, 2, 1);
}

TEST_F(EmulatorCheckTest, LaunchesAreOrdered) {
  CUmodule module = load(kernelOf("mov.u32 %r1, %tid.x;\n"
                                  "mul.wide.u32 %rd2, %r1, 4;\n"
                                  "add.s64 %rd2, %rd2, %rd1;\n"
                                  "ld.global.b32 %r2, [%rd2];\n"
                                  "add.s32 %r2, %r2, 1;\n"
                                  "st.global.b32 [%rd2], %r2;"));
  CUdeviceptr address = upload(Words(64, 0));
  for (unsigned threads : {64u, 32u, 64u})
    EXPECT_EQ(launch(function(module, "t"), 1, threads, {address}),
              CUDA_SUCCESS);
  EXPECT_EQ(download<uint32_t>(address, 64)[0], 3u);
}

TEST_F(EmulatorCheckTest, ThreadsThatEndWithoutTheBarrier) {
  expectFault(CUDA_ERROR_LAUNCH_FAILED,
              "mov.u32 %r1, %tid.x;\nsetp.lt.s32 %p1, %r1, 32;\n@%p1 ret;\n"
              "bar.sync 0;",
              {"expected all threads of the block at a barrier, but 32"}, 1,
              64);
}

TEST_F(EmulatorCheckTest, WarpsThatWaitForEver) {
  expectFault(CUDA_ERROR_LAUNCH_TIMEOUT,
              "mov.u32 %r1, %tid.x;\nsetp.lt.s32 %p1, %r1, 32;\n@%p1 ret;\n"
              "bar.sync 1, 64;",
              {"hang: all warps wait", "lanes ffffffff wait at PTX line"}, 1,
              64);
}

TEST_F(EmulatorCheckTest, SpinsThatNeverEnd) {
  CUmodule module =
      load(kernelOf("LOOP:\nld.relaxed.gpu.global.b32 %r1, [%rd1];\n"
                    "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra LOOP;"));
  start("hang=20000");
  module = load(kernelOf("LOOP:\nld.relaxed.gpu.global.b32 %r1, [%rd1];\n"
                         "setp.eq.s32 %p1, %r1, 0;\n@%p1 bra LOOP;"));
  CUdeviceptr address = upload(Words{0});
  EXPECT_EQ(launch(function(module, "t"), 2, 32, {address}),
            CUDA_ERROR_LAUNCH_TIMEOUT);
  expectFinding({"hang: expected memory to change", "block 1 warp 0"});
}

TEST_F(EmulatorCheckTest, ChecksCanBeTurnedOff) {
  start("races=0,uninitialized=0");
  run("mov.u32 %r1, %tid.x;\nld.shared.b32 %r2, [tile];\n"
      "st.shared.b32 [tile], %r1;",
      Words(1, 0), 1, 32, kTile);
  EXPECT_EQ(result, CUDA_SUCCESS);
}

TEST_F(EmulatorCheckTest, LeaksAreTold) {
  CUdeviceptr address = allocate(48);
  CUstream stream;
  ASSERT_EQ(cuStreamCreate(&stream, 1), CUDA_SUCCESS);
  void *memory = nullptr;
  ASSERT_EQ(cuMemHostAlloc(&memory, 100, 0), CUDA_SUCCESS);
  load(kernelOf(""));
  stop();
  expectFinding({"leak: memory of 48 bytes"});
  expectFinding({"leak: 1 streams"});
  expectFinding({"leak: 1 pieces of host memory"});
  expectFinding({"leak: 1 modules"});
  (void)address;
  cambium_emulator_clear_findings();
  start("");
  address = allocate(48);
  EXPECT_EQ(cuMemFree_v2(address), CUDA_SUCCESS);
  stop();
  EXPECT_EQ(cambium_emulator_num_findings(), 0u);
}

} // namespace
