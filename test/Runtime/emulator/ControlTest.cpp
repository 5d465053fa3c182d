//===-- test/Runtime/emulator/ControlTest.cpp - Branches, calls, barriers -===//
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

class EmulatorControlTest : public EmulatorTest {};

/// %rd2 points to the thread's word.
const std::string kEach = "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\n"
                          "add.s64 %rd2, %rd2, %rd1;\n";

TEST_F(EmulatorControlTest, LanesTakeTheirWaysAndMeet) {
  // What is counted at the end by all lanes together shows that they met.
  Words memory = run<uint32_t>(
      kEach + "mov.b32 %r2, 0;\nmov.b32 %r3, 0;\n"
              "LOOP:\nadd.s32 %r2, %r2, %r1;\nadd.s32 %r3, %r3, 1;\n"
              "setp.lt.u32 %p1, %r3, %r1;\n@%p1 bra LOOP;\n"
              "activemask.b32 %r4;\npopc.b32 %r4, %r4;\n"
              "mad.lo.s32 %r2, %r4, 10000, %r2;\nst.global.b32 [%rd2], %r2;",
      Words(32, 0));
  for (uint32_t l = 0; l < 32; ++l)
    EXPECT_EQ(memory[l], 320000 + l * std::max(l, 1u));
}

/// Where the place to meet stands before one of the ways.
TEST_F(EmulatorControlTest, OrderOfBlocksIsNotThatOfTheText) {
  Words memory = run<uint32_t>(
      kEach + "and.b32 %r5, %r1, 1;\nsetp.eq.s32 %p1, %r5, 0;\n"
              "@%p1 bra FAR;\nmov.b32 %r2, 1;\nbra.uni MEET;\n"
              "MEET:\nactivemask.b32 %r4;\npopc.b32 %r4, %r4;\n"
              "add.s32 %r2, %r2, %r4;\nst.global.b32 [%rd2], %r2;\nret.uni;\n"
              "FAR:\nmov.b32 %r2, 2;\nbra MEET;",
      Words(32, 0));
  for (uint32_t l = 0; l < 32; ++l)
    EXPECT_EQ(memory[l], 32 + (l % 2 ? 1 : 2));
}

TEST_F(EmulatorControlTest, BranchesByIndex) {
  for (std::string name : {"brx.idx ", "brx.idx.uni "}) {
    Words memory = run<uint32_t>(
        kEach + "T: .branchtargets A, B, A, C;\nand.b32 %r2, %r1, 3;\n" + name +
            "%r2, T;\nA:\nmov.b32 %r3, 10;\nbra END;\n"
            "B:\nmov.b32 %r3, 20;\nbra END;\nC:\nmov.b32 %r3, 30;\n"
            "END:\nst.global.b32 [%rd2], %r3;",
        Words(32, 0));
    for (uint32_t l = 0; l < 32; ++l)
      EXPECT_EQ(memory[l], (Words{10, 20, 10, 30})[l % 4]);
  }
  run<uint32_t>("T: .branchtargets A;\nmov.b32 %r2, 1;\nbrx.idx %r2, T;\nA:",
                {0});
  EXPECT_EQ(result, CUDA_ERROR_ILLEGAL_INSTRUCTION);
  expectFinding({"expected an index below 1, but got 1", "PTX line"});
}

const char *const kSquare =
    ".func (.param .b32 r) square(.param .b32 x)\n{\n.reg .b32 %a<4>;\n"
    "ld.param.b32 %a1, [x];\nmul.lo.s32 %a2, %a1, %a1;\n"
    "st.param.b32 [r], %a2;\nret;\n}\n"
    ".func (.param .b32 r) twice(.param .b32 x)\n{\n.reg .b32 %a<4>;\n"
    "ld.param.b32 %a1, [x];\nadd.s32 %a2, %a1, %a1;\n"
    "st.param.b32 [r], %a2;\nret;\n}\n"
    ".func (.param .b32 r) factorial(.param .b32 x)\n{\n.reg .b32 %a<8>;\n"
    ".reg .pred %q<2>;\nld.param.b32 %a1, [x];\nsetp.gt.s32 %q1, %a1, 1;\n"
    "mov.b32 %a3, 1;\n@!%q1 bra DONE;\n"
    "add.s32 %a2, %a1, -1;\n{\n.param .b32 i;\n.param .b32 o;\n"
    "st.param.b32 [i], %a2;\ncall (o), factorial, (i);\n"
    "ld.param.b32 %a3, [o];\n}\nmul.lo.s32 %a3, %a3, %a1;\n"
    "DONE:\nst.param.b32 [r], %a3;\nret;\n}\n";

std::string callOf(const std::string &what) {
  return kEach + "{\n.param .b32 i;\n.param .b32 o;\nst.param.b32 [i], %r1;\n" +
         what + "ld.param.b32 %r2, [o];\n}\nst.global.b32 [%rd2], %r2;";
}

TEST_F(EmulatorControlTest, Calls) {
  Words memory = run<uint32_t>(callOf("call.uni (o), square, (i);\n"),
                               Words(32, 0), 1, 32, kSquare);
  for (uint32_t l = 0; l < 32; ++l)
    EXPECT_EQ(memory[l], l * l);
  memory = run<uint32_t>(callOf("call (o), factorial, (i);\n"), Words(12, 0), 1,
                         12, kSquare);
  for (uint32_t l = 0, f = 1; l < 12; f *= ++l)
    EXPECT_EQ(memory[l], f);
  // Through a pointer; lanes call different functions.
  memory = run<uint32_t>(
      callOf("mov.b64 %rd3, square;\nmov.b64 %rd4, twice;\n"
             "setp.lt.s32 %p1, %r1, 7;\nselp.b64 %rd5, %rd3, %rd4, %p1;\n"
             "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
             "call (o), %rd5, (i), P;\n"),
      Words(32, 0), 1, 32, kSquare);
  for (uint32_t l = 0; l < 32; ++l)
    EXPECT_EQ(memory[l], l < 7 ? l * l : 2 * l);
}

TEST_F(EmulatorControlTest, CallsWithoutEndAreFound) {
  std::string endless = ".func f()\n{\ncall f, ();\nret;\n}\n";
  run<uint32_t>("call f, ();", {0}, 1, 32, endless);
  EXPECT_EQ(result, CUDA_ERROR_HARDWARE_STACK_ERROR);
  expectFinding({"expected fewer nested calls"});
}

TEST_F(EmulatorControlTest, BarriersOfAllKindsWait) {
  for (std::string name :
       {"bar.sync ", "bar.cta.sync ", "barrier.sync ", "barrier.cta.sync ",
        "barrier.sync.aligned ", "barrier.cta.sync.aligned "}) {
    Words memory = run<uint32_t>(
        kEach +
            "mov.b64 %rd3, tile;\nmul.wide.u32 %rd4, %r1, 4;\n"
            "add.s64 %rd4, %rd4, %rd3;\nst.shared.b32 [%rd4], %r1;\n" +
            name +
            "0;\nxor.b32 %r2, %r1, 63;\nmul.wide.u32 %rd4, %r2, 4;\n"
            "add.s64 %rd4, %rd4, %rd3;\nld.shared.b32 %r3, [%rd4];\n"
            "st.global.b32 [%rd2], %r3;",
        Words(64, 0), 1, 64, ".shared .align 4 .b8 tile[256];\n");
    ASSERT_EQ(result, CUDA_SUCCESS) << name;
    for (uint32_t t = 0; t < 64; ++t)
      EXPECT_EQ(memory[t], t ^ 63);
  }
}

TEST_F(EmulatorControlTest, SomeArriveAndOthersWait) {
  for (std::string name : {"bar.arrive ", "bar.cta.arrive ", "barrier.arrive ",
                           "barrier.cta.arrive ", "barrier.arrive.aligned ",
                           "barrier.cta.arrive.aligned "}) {
    Words memory = run<uint32_t>(
        "mov.u32 %r1, %tid.x;\nsetp.lt.s32 %p1, %r1, 32;\n@%p1 bra FIRST;\n"
        "bar.sync 1, 64;\nld.shared.b32 %r2, [word];\n"
        "setp.eq.s32 %p2, %r1, 32;\n@%p2 st.global.b32 [%rd1], %r2;\nret;\n"
        "FIRST:\nmov.b32 %r2, 44;\nsetp.eq.s32 %p2, %r1, 0;\n"
        "@%p2 st.shared.b32 [word], %r2;\n" +
            name + "1, 64;",
        {0}, 1, 64, ".shared .align 4 .b8 word[4];\n");
    ASSERT_EQ(result, CUDA_SUCCESS) << name;
    EXPECT_EQ(memory, Words{44}) << name;
  }
}

TEST_F(EmulatorControlTest, BarriersReduce) {
  for (std::string name :
       {"bar.red.popc.u32 ", "bar.cta.red.popc.u32 ", "barrier.red.popc.u32 ",
        "barrier.cta.red.popc.u32 ", "barrier.red.popc.aligned.u32 ",
        "barrier.cta.red.popc.aligned.u32 "}) {
    Words memory = run<uint32_t>(kEach + "setp.lt.s32 %p1, %r1, 40;\n" + name +
                                     "%r2, 0, %p1;\nst.global.b32 [%rd2], %r2;",
                                 Words(64, 0), 1, 64);
    EXPECT_EQ(memory, Words(64, 40)) << name;
  }
  for (std::string name :
       {"bar.red.and.pred ", "bar.cta.red.and.pred ", "bar.red.or.pred ",
        "bar.cta.red.or.pred ", "barrier.red.and.pred ",
        "barrier.cta.red.and.pred ", "barrier.red.or.pred ",
        "barrier.cta.red.or.pred ", "barrier.red.and.aligned.pred ",
        "barrier.cta.red.and.aligned.pred ", "barrier.red.or.aligned.pred ",
        "barrier.cta.red.or.aligned.pred "}) {
    bool isOr = name.find(".or.") != std::string::npos;
    for (uint32_t limit : {0u, 40u, 64u}) {
      Words memory =
          run<uint32_t>(kEach + "setp.lt.u32 %p1, %r1, " +
                            std::to_string(limit) + ";\n" + name +
                            "%p2, 0, %p1;\nselp.b32 %r2, 1, 0, %p2;\n"
                            "st.global.b32 [%rd2], %r2;",
                        Words(64, 9), 1, 64);
      EXPECT_EQ(memory, Words(64, isOr ? limit > 0 : limit == 64)) << name;
    }
  }
}

TEST_F(EmulatorControlTest, EveryFenceOrders) {
  for (std::string name :
       {"membar.gl;", "membar.sys;", "fence.acq_rel.gpu;", "fence.acq_rel.sys;",
        "fence.sc.gpu;", "fence.sc.sys;", "fence.gpu;", "fence.sys;",
        "membar.cta;", "fence.acq_rel.cta;", "fence.sc.cta;", "fence.cta;"}) {
    bool isNarrow = name.find("cta") != std::string::npos;
    start("blocks=2");
    run<uint32_t>("mov.u32 %r1, %ctaid.x;\nsetp.eq.s32 %p1, %r1, 0;\n"
                  "@!%p1 bra READ;\nst.global.b32 [%rd1], 5;\n" +
                      name +
                      "\nst.relaxed.gpu.global.b32 [%rd1+4], 1;\nret;\n"
                      "READ:\nld.relaxed.gpu.global.b32 %r2, [%rd1+4];\n"
                      "setp.eq.s32 %p2, %r2, 0;\n@%p2 bra READ;\n" +
                      name + "\nld.global.b32 %r3, [%rd1];",
                  {0, 0}, 2, 1);
    EXPECT_EQ(result, isNarrow ? CUDA_ERROR_LAUNCH_FAILED : CUDA_SUCCESS)
        << name;
  }
}

TEST_F(EmulatorControlTest, EndsAndPauses) {
  Words memory = run<uint32_t>(kEach + "st.global.b32 [%rd2], 1;\nbrkpt;\n"
                                       "pmevent 3;\nnanosleep.u32 20;\n"
                                       "setp.lt.s32 %p1, %r1, 9;\n@%p1 exit;\n"
                                       "st.global.b32 [%rd2], 2;",
                               Words(32, 0));
  for (uint32_t l = 0; l < 32; ++l)
    EXPECT_EQ(memory[l], l < 9 ? 1u : 2u);
  run<uint32_t>("trap;", {0});
  EXPECT_EQ(result, CUDA_ERROR_LAUNCH_FAILED);
  expectFinding({"got a trap"});
}

TEST_F(EmulatorControlTest, SpecialRegistersTellWhere) {
  start("blocks=6");
  Words memory = run<uint32_t>(
      "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
      "mov.u32 %r4, %nctaid.x;\nmov.u32 %r5, %warpid;\nmov.u32 %r6, %laneid;\n"
      "mad.lo.s32 %r7, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r7, 32;\n"
      "add.s64 %rd2, %rd2, %rd1;\n"
      "st.global.v4.b32 [%rd2], {%r3, %r4, %r5, %r6};\n"
      "mov.u32 %r1, %lanemask_lt;\nmov.u32 %r2, %lanemask_le;\n"
      "mov.u32 %r3, %lanemask_gt;\nmov.u32 %r4, %smid;\n"
      "st.global.v4.b32 [%rd2+16], {%r1, %r2, %r3, %r4};\n"
      "mov.u64 %rd3, %globaltimer;\nmov.u64 %rd4, %clock64;\n"
      "mov.u32 %r5, %clock;",
      Words(8 * 144, 0), 3, 48);
  ASSERT_EQ(result, CUDA_SUCCESS);
  for (uint32_t t = 0; t < 144; ++t) {
    uint32_t lane = t % 48 % 32, bit = 1u << lane;
    EXPECT_EQ(Words(memory.begin() + 8 * t, memory.begin() + 8 * t + 8),
              (Words{48, 3, t % 48 / 32, lane, bit - 1, 2 * bit - 1,
                     ~(2 * bit - 1), t / 48}))
        << t;
  }
}

} // namespace
