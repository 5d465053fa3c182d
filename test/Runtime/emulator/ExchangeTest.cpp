//===-- ExchangeTest.cpp - Lanes that talk to each other ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestSupport.h"

#include <functional>

using namespace cambium::test;

namespace {

using Words = std::vector<uint32_t>;

/// Each lane has a word in %r2 (its own, 7 l modulo 13), its number in %r1, and
/// %p1 where that word is even; what it leaves in %r3 is compared.
class EmulatorExchangeTest : public EmulatorTest {
protected:
  static uint32_t wordOf(uint32_t lane) { return lane * 7 % 13; }

  void check(const std::string &body,
             const std::function<uint32_t(uint32_t)> &expected) {
    Words memory(64, 0);
    for (uint32_t l = 0; l < 32; ++l)
      memory[l] = wordOf(l);
    memory = run("mov.u32 %r1, %laneid;\nmul.wide.u32 %rd2, %r1, 4;\n"
                 "add.s64 %rd2, %rd2, %rd1;\nld.global.b32 %r2, [%rd2];\n"
                 "cvt.u64.u32 %rd3, %r2;\nand.b32 %r4, %r2, 1;\n"
                 "setp.eq.s32 %p1, %r4, 0;\nmov.b32 %r3, 0;\n" +
                     body + "\nst.global.b32 [%rd2+128], %r3;",
                 memory);
    ASSERT_EQ(result, CUDA_SUCCESS) << body;
    for (uint32_t l = 0; l < 32; ++l)
      EXPECT_EQ(memory[32 + l], expected(l)) << body << " lane " << l;
  }

  static uint32_t evenLanes() {
    uint32_t mask = 0;
    for (uint32_t l = 0; l < 32; ++l)
      mask |= static_cast<uint32_t>(wordOf(l) % 2 == 0) << l;
    return mask;
  }
};

TEST_F(EmulatorExchangeTest, Shuffles) {
  std::string in = "|%p2, %r2, ", put = ";\n@!%p2 add.s32 %r3, %r3, 100;";
  check("shfl.sync.up.b32 %r3" + in + "3, 0, -1" + put,
        [](uint32_t l) { return l < 3 ? wordOf(l) + 100 : wordOf(l - 3); });
  check("shfl.sync.down.b32 %r3" + in + "3, 31, -1" + put,
        [](uint32_t l) { return l > 28 ? wordOf(l) + 100 : wordOf(l + 3); });
  check("shfl.sync.bfly.b32 %r3" + in + "5, 31, -1" + put,
        [](uint32_t l) { return wordOf(l ^ 5); });
  check("shfl.sync.idx.b32 %r3" + in + "%r2, 31, -1" + put,
        [](uint32_t l) { return wordOf(wordOf(l)); });
  // Segments of eight lanes.
  check("shfl.sync.down.b32 %r3" + in + "1, 0x181f, -1" + put, [](uint32_t l) {
    return l % 8 == 7 ? wordOf(l) + 100 : wordOf(l + 1);
  });
  check("shfl.sync.idx.b32 %r3" + in + "0, 0x181f, -1" + put,
        [](uint32_t l) { return wordOf(l & ~7u); });
}

TEST_F(EmulatorExchangeTest, Votes) {
  std::string put = ";\nselp.b32 %r3, 1, 0, %p2;";
  check("vote.sync.all.pred %p2, %p1, -1" + put, [](uint32_t) { return 0u; });
  check("vote.sync.any.pred %p2, %p1, -1" + put, [](uint32_t) { return 1u; });
  check("vote.sync.uni.pred %p2, %p1, -1" + put, [](uint32_t) { return 0u; });
  check("setp.eq.s32 %p3, 0, 0;\nvote.sync.uni.pred %p2, %p3, -1" + put,
        [](uint32_t) { return 1u; });
  check("vote.sync.ballot.b32 %r3, %p1, -1;",
        [](uint32_t) { return evenLanes(); });
  check("vote.sync.ballot.b32 %r3, !%p1, -1;",
        [](uint32_t) { return ~evenLanes(); });
  check("activemask.b32 %r3;", [](uint32_t) { return ~0u; });
  check("@%p1 activemask.b32 %r3;",
        [](uint32_t l) { return wordOf(l) % 2 ? 0 : evenLanes(); });
}

TEST_F(EmulatorExchangeTest, Reductions) {
  auto all = [](auto f, uint32_t sum) {
    for (uint32_t l = 1; l < 32; ++l)
      sum = f(sum, wordOf(l) - 3);
    return sum;
  };
  auto s = [](uint32_t x) { return static_cast<int32_t>(x); };
  struct {
    const char *name;
    std::function<uint32_t(uint32_t, uint32_t)> f;
  } cases[] = {
      {"redux.sync.add.u32 ", [](auto a, auto b) { return a + b; }},
      {"redux.sync.add.s32 ", [](auto a, auto b) { return a + b; }},
      {"redux.sync.min.u32 ", [](auto a, auto b) { return std::min(a, b); }},
      {"redux.sync.max.u32 ", [](auto a, auto b) { return std::max(a, b); }},
      {"redux.sync.min.s32 ",
       [&](auto a, auto b) { return s(a) < s(b) ? a : b; }},
      {"redux.sync.max.s32 ",
       [&](auto a, auto b) { return s(a) > s(b) ? a : b; }},
      {"redux.sync.and.b32 ", [](auto a, auto b) { return a & b; }},
      {"redux.sync.or.b32 ", [](auto a, auto b) { return a | b; }},
      {"redux.sync.xor.b32 ", [](auto a, auto b) { return a ^ b; }}};
  for (const auto &one : cases)
    check(std::string("add.s32 %r2, %r2, -3;\n") + one.name + "%r3, %r2, -1;",
          [&](uint32_t) { return all(one.f, wordOf(0) - 3); });
}

TEST_F(EmulatorExchangeTest, Matches) {
  auto same = [](uint32_t l) {
    uint32_t mask = 0;
    for (uint32_t other = 0; other < 32; ++other)
      mask |= static_cast<uint32_t>(wordOf(other) == wordOf(l)) << other;
    return mask;
  };
  check("match.any.sync.b32 %r3, %r2, -1;", same);
  check("match.any.sync.b64 %r3, %rd3, -1;", same);
  std::string put = ";\n@%p2 add.s32 %r3, %r3, 1;";
  check("match.all.sync.b32 %r3|%p2, %r2, -1" + put,
        [](uint32_t) { return 0u; });
  check("match.all.sync.b64 %r3|%p2, 5, -1" + put, [](uint32_t) { return 0u; });
  check("elect.sync %r3|%p2, -1" + put, [](uint32_t l) { return l ? 0u : 1u; });
}

/// Lanes that took another way are waited for.
TEST_F(EmulatorExchangeTest, MaskIsWaitedFor) {
  check("@%p1 bra EVEN;\nadd.s32 %r2, %r2, 20;\n"
        "EVEN:\nshfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;",
        [](uint32_t l) {
          uint32_t w = wordOf(l ^ 1);
          return w % 2 ? w + 20 : w;
        });
  check("bar.warp.sync -1;\nmov.b32 %r3, %r2;",
        [](uint32_t l) { return wordOf(l); });
}

TEST_F(EmulatorExchangeTest, MissingLanesAreFound) {
  run<uint32_t>("mov.u32 %r1, %laneid;\nsetp.lt.s32 %p1, %r1, 16;\n"
                "@%p1 bra LOW;\nshfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;\nret;\n"
                "LOW:\nshfl.sync.bfly.b32 %r3, %r1, 2, 31, -1;",
                {0});
  EXPECT_EQ(result, CUDA_ERROR_LAUNCH_FAILED);
  expectFinding({"wait for lanes at", "0000ffff", "ffff0000"});
}

TEST_F(EmulatorExchangeTest, ReadingFromAnAbsentLaneIsFound) {
  run<uint32_t>("mov.u32 %r1, %laneid;\nsetp.lt.s32 %p1, %r1, 16;\n"
                "@!%p1 bra END;\n"
                "shfl.sync.bfly.b32 %r3, %r1, 16, 31, 0xffff;\nEND:",
                {0});
  EXPECT_EQ(result, CUDA_ERROR_LAUNCH_FAILED);
  expectFinding({"expected lane 16 at a shuffle"});
}

/// 128 bits from words of 64 and 32.
TEST_F(EmulatorExchangeTest, CarriesGoOn) {
  using Wide = unsigned __int128;
  std::vector<uint64_t> memory = {~0ull, 5, 7, ~0ull - 3, 0, 0, 0, 0, 0, 0};
  auto result64 =
      run("ld.global.b64 %rd2, [%rd1];\nld.global.b64 %rd3, [%rd1+8];\n"
          "ld.global.b64 %rd4, [%rd1+16];\nld.global.b64 %rd5, [%rd1+24];\n"
          "add.cc.u64 %rd6, %rd2, %rd4;\naddc.u64 %rd7, %rd3, %rd5;\n"
          "st.global.b64 [%rd1+32], %rd6;\nst.global.b64 [%rd1+40], %rd7;\n"
          "sub.cc.s64 %rd6, %rd4, %rd2;\nsubc.s64 %rd7, %rd5, %rd3;\n"
          "st.global.b64 [%rd1+48], %rd6;\nst.global.b64 [%rd1+56], %rd7;\n"
          "mad.lo.cc.u64 %rd6, %rd2, %rd4, %rd3;\n"
          "madc.hi.u64 %rd7, %rd2, %rd4, %rd5;\n"
          "st.global.b64 [%rd1+64], %rd6;\nst.global.b64 [%rd1+72], %rd7;",
          memory, 1, 1);
  auto pair = [&](size_t at) {
    return Wide{result64[at]} | Wide{result64[at + 1]} << 64;
  };
  Wide a = Wide{memory[0]} | Wide{memory[1]} << 64,
       b = Wide{memory[2]} | Wide{memory[3]} << 64;
  EXPECT_TRUE(pair(4) == a + b);
  EXPECT_TRUE(pair(6) == b - a);
  EXPECT_TRUE(pair(8) == Wide{memory[0]} * memory[2] +
                             (Wide{memory[1]} | Wide{memory[3]} << 64));
}

/// The carry is set, used, or both; products from their lower or upper half.
TEST_F(EmulatorExchangeTest, EveryCarry) {
  const char *const names[] = {
      "add.cc.u32 ",     "add.cc.s32 ",     "addc.u32 ",       "addc.s32 ",
      "addc.cc.u32 ",    "addc.cc.s32 ",    "sub.cc.u32 ",     "sub.cc.s32 ",
      "subc.u32 ",       "subc.s32 ",       "subc.cc.u32 ",    "subc.cc.s32 ",
      "add.cc.u64 ",     "add.cc.s64 ",     "addc.u64 ",       "addc.s64 ",
      "addc.cc.u64 ",    "addc.cc.s64 ",    "sub.cc.u64 ",     "sub.cc.s64 ",
      "subc.u64 ",       "subc.s64 ",       "subc.cc.u64 ",    "subc.cc.s64 ",
      "mad.lo.cc.u32 ",  "mad.lo.cc.s32 ",  "madc.lo.u32 ",    "madc.lo.s32 ",
      "madc.lo.cc.u32 ", "madc.lo.cc.s32 ", "mad.hi.cc.u32 ",  "madc.hi.u32 ",
      "madc.hi.cc.u32 ", "mad.lo.cc.u64 ",  "mad.lo.cc.s64 ",  "madc.lo.u64 ",
      "madc.lo.s64 ",    "madc.lo.cc.u64 ", "madc.lo.cc.s64 ", "mad.hi.cc.u64 ",
      "madc.hi.u64 ",    "madc.hi.cc.u64 "};
  using Wide = unsigned __int128;
  for (const std::string name : names) {
    bool wide = name.find("64") != std::string::npos;
    bool takes = name[3] == 'c';
    bool sets = name.find(".cc") != std::string::npos;
    bool mad = name[0] == 'm', minus = name[0] == 's';
    uint64_t a = ~0ull - 5, b = ~0ull - 1, c = ~0ull - 2;
    int n = wide ? 64 : 32;
    uint64_t mask = wide ? ~0ull : 0xffffffffull;
    a &= mask, b &= mask, c &= mask;
    std::string r = wide ? "%rd" : "%r", t = wide ? "64" : "32";
    auto memory = run<uint64_t>(
        "mov.b" + t + " " + r + "2, " + std::to_string(a) + "U;\nmov.b" + t +
            " " + r + "3, " + std::to_string(b) + "U;\nmov.b" + t + " " + r +
            "4, " + std::to_string(c) + "U;\nadd.cc.u32 %r9, -1, 1;\n" + name +
            r + "5, " + r + "2, " + r + "3" + (mad ? ", " + r + "4" : "") +
            ";\naddc.u32 %r9, 0, 0;\nst.global.b" + t + " [%rd1], " + r +
            "5;\nst.global.b32 [%rd1+8], %r9;",
        {0, 0}, 1, 1);
    Wide product = Wide{a} * b;
    Wide half =
        name.find("hi") != std::string::npos ? product >> n : product & mask;
    Wide sum = mad     ? half + c + takes
               : minus ? Wide{a} + (~b & mask) + 1
                       : Wide{a} + b + takes;
    EXPECT_EQ(memory[0], static_cast<uint64_t>(sum) & mask) << name;
    EXPECT_EQ(memory[1], sets ? static_cast<uint64_t>(sum >> n) & 1 : 1)
        << name;
  }
}

} // namespace
