//===-- test/Runtime/emulator/MemoryTest.cpp - Memory of all spaces -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestSupport.h"

using namespace cambium::test;

namespace {

using Words = std::vector<uint32_t>;

class EmulatorMemoryTest : public EmulatorTest {
protected:
  /// What a thread leaves in the first words.
  Words runOne(const std::string &body, Words memory,
               const std::string &before = "") {
    Words after = run(body, memory, 1, 1, before);
    EXPECT_EQ(result, CUDA_SUCCESS) << body;
    return after;
  }
};

TEST_F(EmulatorMemoryTest, LoadsExtend) {
  EXPECT_EQ(
      runOne("ld.global.s8 %r2, [%rd1];\nld.global.u8 %r3, [%rd1+1];\n"
             "ld.global.s16 %r4, [%rd1+2];\nld.global.b16 %r5, [%rd1+2];\n"
             "st.global.v4.b32 [%rd1], {%r2, %r3, %r4, %r5};",
             {0x80f1fe81, 0, 0, 0}),
      (Words{0xffffff81, 0xfe, 0xffff80f1, 0x80f1}));
  EXPECT_EQ(runOne("ld.global.v2.b64 {%rd2, %rd3}, [%rd1];\n"
                   "st.global.v2.b64 [%rd1], {%rd3, %rd2};",
                   {1, 2, 3, 4}),
            (Words{3, 4, 1, 2}));
  EXPECT_EQ(runOne("ld.global.v4.b8 {%h1, %h2, %h3, %h4}, [%rd1];\n"
                   "st.global.v4.b8 [%rd1], {%h4, %h3, _, %h1};",
                   {0x04030201})[0] &
                0xff00ffffu,
            0x01000304u);
  EXPECT_EQ(runOne("ld.global.nc.L1::evict_last.b32 %r2, [%rd1];\n"
                   "ld.volatile.global.b32 %r3, [%rd1+4];\n"
                   "st.volatile.global.b32 [%rd1], %r3;\n"
                   "st.relaxed.gpu.global.b32 [%rd1+4], %r2;",
                   {5, 6}),
            (Words{6, 5}));
}

TEST_F(EmulatorMemoryTest, VariablesHaveTheirValues) {
  EXPECT_EQ(runOne("ld.global.b64 %rd2, [pointer];\nld.b32 %r2, [%rd2];\n"
                   "ld.const.b32 %r3, [table+4];\nmov.b64 %rd3, table;\n"
                   "cvta.const.u64 %rd4, %rd3;\nld.b32 %r4, [%rd4+8];\n"
                   "cvta.to.const.u64 %rd5, %rd4;\nld.const.b32 %r5, [%rd5];\n"
                   "st.global.v4.b32 [%rd1], {%r2, %r3, %r4, %r5};",
                   {0, 0, 0, 0},
                   ".global .align 4 .b8 data[8] = {1, 0, 0, 0, 9};\n"
                   ".global .align 8 .u64 pointer = generic(data)+4;\n"
                   ".const .align 4 .u32 table[3] = {7, 8, 0x10};\n"),
            (Words{9, 8, 16, 7}));
}

TEST_F(EmulatorMemoryTest, SharedLocalAndParametersAreGenericToo) {
  std::string put = "st.global.b32 [%rd1], %r3;";
  EXPECT_EQ(runOne("mov.b64 %rd2, tile;\ncvta.shared.u64 %rd3, %rd2;\n"
                   "mov.b32 %r2, 77;\nst.b32 [%rd3+4], %r2;\n"
                   "ld.shared.b32 %r3, [tile+4];\n"
                   "cvta.to.shared.u64 %rd4, %rd3;\n"
                   "ld.shared.b32 %r4, [%rd4+4];\nadd.s32 %r3, %r3, %r4;\n" +
                       put,
                   {0}, ".shared .align 16 .b8 tile[16];\n"),
            Words{154});
  EXPECT_EQ(runOne("mov.b64 %rd2, tile;\ncvta.shared::cta.u64 %rd3, %rd2;\n"
                   "cvta.to.shared::cta.u64 %rd4, %rd3;\n"
                   "sub.s64 %rd5, %rd4, %rd2;\ncvt.u32.u64 %r3, %rd5;\n" +
                       put,
                   {1}, ".shared .align 16 .b8 tile[16];\n"),
            Words{0});
  EXPECT_EQ(runOne(".local .align 8 .b8 stack[16];\nmov.b64 %rd2, stack;\n"
                   "cvta.local.u64 %rd3, %rd2;\nmov.b32 %r2, 5;\n"
                   "st.b32 [%rd3+8], %r2;\nld.local.b32 %r3, [%rd2+8];\n"
                   "cvta.to.local.u64 %rd4, %rd3;\n"
                   "st.local.b32 [%rd4], %r3;\nld.b32 %r3, [%rd3];\n" +
                       put,
                   {0}),
            Words{5});
  Words word = runOne("mov.b64 %rd2, p;\ncvta.param.u64 %rd3, %rd2;\n"
                      "ld.b32 %r3, [%rd3];\ncvta.to.param.u64 %rd4, %rd3;\n"
                      "ld.param.b32 %r4, [%rd4];\nsub.s32 %r3, %r3, %r4;\n" +
                          put,
                      {1});
  EXPECT_EQ(word, Words{0});
  EXPECT_EQ(runOne("cvta.global.u64 %rd2, %rd1;\n"
                   "cvta.to.global.u64 %rd3, %rd2;\nst.global.b32 [%rd3], 3;",
                   {0}),
            Words{3});
}

TEST_F(EmulatorMemoryTest, SpacesAreTold) {
  const char *const names[] = {"isspacep.global ", "isspacep.shared ",
                               "isspacep.shared::cta ", "isspacep.local ",
                               "isspacep.param "};
  const char *const addresses[] = {
      "mov.b64 %rd3, %rd1;", "cvta.shared.u64 %rd3, %rd2;",
      "cvta.shared.u64 %rd3, %rd2;", "cvta.local.u64 %rd3, %rd2;",
      "cvta.param.u64 %rd3, %rd2;"};
  for (int n = 0; n < 5; ++n)
    for (int a = 0; a < 5; ++a) {
      bool same = n == a || (n + a == 3 && n && a && n < 3 && a < 3);
      EXPECT_EQ(runOne(std::string("mov.b64 %rd2, 2048;\n") + addresses[a] +
                           "\n" + names[n] + "%p1, %rd3;\n" +
                           "selp.b32 %r2, 1, 0, %p1;\n"
                           "st.global.b32 [%rd1], %r2;",
                       {9}),
                Words{same})
          << names[n] << addresses[a];
    }
}

TEST_F(EmulatorMemoryTest, RegistersAreSplitAndJoined) {
  EXPECT_EQ(
      runOne("ld.global.b64 %rd2, [%rd1];\n"
             "mov.b64 {%r2, %r3}, %rd2;\nmov.b64 %rd3, {%r3, %r2};\n"
             "st.global.b64 [%rd1], %rd3;\n"
             "mov.b64 {%h1, %h2, %h3, %h4}, %rd2;\n"
             "mov.b64 %rd3, {%h4, %h3, %h2, %h1};\n"
             "st.global.b64 [%rd1+8], %rd3;\nmov.b32 {_, %h5}, %r2;\n"
             "mov.b32 %r4, {%h5, %h1};\nst.global.b32 [%rd1+16], %r4;",
             {0x00020001, 0x00040003, 0, 0, 0}),
      (Words{0x00040003, 0x00020001, 0x00030004, 0x00010002, 0x00010002}));
}

TEST_F(EmulatorMemoryTest, PrefetchesDoNothing) {
  EXPECT_EQ(runOne("prefetch.global.L1 [%rd1];\nprefetch.global.L2 [%rd1];\n"
                   "prefetch.L1 [%rd1];\nprefetch.L2 [%rd1];\n"
                   "prefetchu.L1 [%rd1];",
                   {4}),
            Words{4});
}

TEST_F(EmulatorMemoryTest, AtomicsReturnWhatWasThere) {
  struct {
    const char *operation;
    uint32_t before, after;
  } cases[] = {{"add.u32 %r2, [%rd1], 7", 5, 12},
               {"add.s32 %r2, [%rd1], -7", 5, 0xfffffffe},
               {"min.u32 %r2, [%rd1], 7", 0xffffffff, 7},
               {"min.s32 %r2, [%rd1], 7", 0xffffffff, 0xffffffff},
               {"max.u32 %r2, [%rd1], 7", 5, 7},
               {"max.s32 %r2, [%rd1], 7", 0x80000000, 7},
               {"and.b32 %r2, [%rd1], 6", 5, 4},
               {"or.b32 %r2, [%rd1], 6", 5, 7},
               {"xor.b32 %r2, [%rd1], 6", 5, 3},
               {"exch.b32 %r2, [%rd1], 6", 5, 6},
               {"cas.b32 %r2, [%rd1], 5, 6", 5, 6},
               {"cas.b32 %r2, [%rd1], 4, 6", 5, 5},
               {"inc.u32 %r2, [%rd1], 6", 5, 6},
               {"inc.u32 %r2, [%rd1], 6", 6, 0},
               {"dec.u32 %r2, [%rd1], 6", 0, 6},
               {"dec.u32 %r2, [%rd1], 6", 5, 4},
               {"add.f32 %r2, [%rd1], 0f3F800000", 0x3f800000, 0x40000000}};
  for (const auto &one : cases)
    for (std::string prefix :
         {"atom.global.", "atom.", "atom.relaxed.gpu.global.",
          "atom.acq_rel.sys.global.", "atom.acquire.cta.global."})
      EXPECT_EQ(
          runOne(prefix + one.operation + ";\nst.global.b32 [%rd1+4], %r2;",
                 {one.before, 0}),
          (Words{one.after, one.before}))
          << prefix << one.operation;
  EXPECT_EQ(runOne("red.global.add.u32 [%rd1], 3;\n"
                   "red.release.gpu.global.or.b32 [%rd1], 64;",
                   {5}),
            Words{72});
  EXPECT_EQ(runOne("atom.global.add.u64 %rd2, [%rd1], 1;\n"
                   "atom.global.cas.b64 %rd3, [%rd1], 4294967296, 5;\n"
                   "atom.global.max.s64 %rd4, [%rd1], -9;\n"
                   "atom.global.min.s64 %rd4, [%rd1], -9;",
                   {0xffffffff, 0}),
            (Words{0xfffffff7, 0xffffffff}));
  EXPECT_EQ(runOne("atom.global.cas.b16 %h1, [%rd1], 3, 4;", {3}), Words{4});
}

TEST_F(EmulatorMemoryTest, AtomicsOfAllLanesAddUp) {
  Words memory = run<uint32_t>(
      "mov.u32 %r1, %tid.x;\nred.global.add.u32 [%rd1], %r1;\n"
      "mov.b32 %r2, 0;\nsetp.eq.s32 %p1, %r1, 0;\n"
      "@%p1 st.shared.b32 [count], %r2;\nbar.sync 0;\n"
      "atom.shared.add.u32 %r3, [count], 2;\nbar.sync 0;\n"
      "@%p1 ld.shared.b32 %r3, [count];\n@%p1 st.global.b32 [%rd1+4], %r3;",
      {0, 0}, 1, 96, ".shared .align 4 .b8 count[4];\n");
  EXPECT_EQ(memory, (Words{95 * 48, 192}));
}

TEST_F(EmulatorMemoryTest, DynamicSharedMemoryIsOfTheLaunch) {
  Words memory = run<uint32_t>("mov.u32 %r1, %dynamic_smem_size;\n"
                               "mov.b32 %r2, 6;\nst.shared.b32 [dyn+96], %r2;\n"
                               "ld.shared.b32 %r3, [dyn+96];\n"
                               "st.global.v2.b32 [%rd1], {%r1, %r3};",
                               {0, 0}, 1, 1,
                               ".extern .shared .align 128 .b8 dyn[];\n", 100);
  EXPECT_EQ(memory, (Words{100, 6}));
  run<uint32_t>("mov.b32 %r2, 6;\nst.shared.b32 [dyn+100], %r2;", {0}, 1, 1,
                ".extern .shared .align 128 .b8 dyn[];\n", 100);
  EXPECT_EQ(result, CUDA_ERROR_ILLEGAL_ADDRESS);
  expectFinding({"shared memory", "100 dynamic ones"});
}

} // namespace
