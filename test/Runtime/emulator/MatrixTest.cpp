//===-- MatrixTest.cpp - Matrices, and copies that wait -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestSupport.h"

#include <cstring>

using namespace cambium::test;

namespace {

using Words = std::vector<uint32_t>;

class EmulatorMatrixTest : public EmulatorTest {
protected:
  static uint32_t bitsOf(float x) {
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
  }
  /// Small integers are exact in every format.
  static float a(int row, int k) {
    return static_cast<float>((row * 3 + k) % 7 - 3);
  }
  static float b(int k, int column) {
    return static_cast<float>((k * 5 + column) % 5 - 2);
  }
  static uint32_t encode(float x, const std::string &type) {
    uint32_t bits = bitsOf(x);
    if (type == "tf32")
      return bits;
    if (type == "bf16")
      return bits >> 16;
    if (x == 0)
      return 0;
    return (bits >> 16 & 0x8000) | ((bits >> 23 & 255) - 112) << 10 |
           (bits >> 13 & 0x3ff);
  }

  /// What thread `l` holds of the two factors, and where its sums begin.
  static Words fragmentsOf(int l, const std::string &type, int wordsA,
                           int wordsB) {
    int perWord = type == "tf32" ? 1 : 2;
    int group = l / 4, in = l % 4;
    Words mine(12, 0);
    for (int w = 0; w < wordsA; ++w)
      for (int p = 0; p < perWord; ++p)
        mine[static_cast<size_t>(w)] |=
            encode(a(group + w % 2 * 8, in * perWord + p + w / 2 * 4 * perWord),
                   type)
            << (16 * p);
    for (int w = 0; w < wordsB; ++w)
      for (int p = 0; p < perWord; ++p)
        mine[static_cast<size_t>(4 + w)] |=
            encode(b(in * perWord + p + w * 4 * perWord, group), type)
            << (16 * p);
    for (size_t w = 0; w < 4; ++w)
      mine[8 + w] = bitsOf(static_cast<float>(w + 1));
    return mine;
  }
};

/// Fragments as the PTX manual lays them out.
TEST_F(EmulatorMatrixTest, Products) {
  const char *const names[] = {
      "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 ",
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 ",
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 ",
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 ",
      "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 ",
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "};
  for (const std::string name : names) {
    std::string type = name.find("tf32") != std::string::npos   ? "tf32"
                       : name.find("bf16") != std::string::npos ? "bf16"
                                                                : "f16";
    int depth = std::stoi(name.substr(name.find("n8k") + 3));
    int perWord = type == "tf32" ? 1 : 2, wordsB = depth / (4 * perWord);
    int wordsA = 2 * wordsB;
    Words memory;
    for (int l = 0; l < 32; ++l) {
      Words mine = fragmentsOf(l, type, wordsA, wordsB);
      memory.insert(memory.end(), mine.begin(), mine.end());
    }
    auto list = [](const char *first, int count) {
      std::string text = "{";
      for (int i = 0; i < count; ++i)
        text += (i ? ", %r" : "%r") + std::to_string(std::stoi(first) + i);
      return text + "}";
    };
    std::string body = "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 48;\n"
                       "add.s64 %rd2, %rd2, %rd1;\n";
    for (int r = 0; r < 12; ++r)
      body += "ld.global.b32 %r" + std::to_string(10 + r) + ", [%rd2+" +
              std::to_string(4 * r) + "];\n";
    body += name + list("2", 4) + ", " + list("10", wordsA) + ", " +
            list("14", wordsB) + ", " + list("18", 4) +
            ";\nst.global.v4.b32 [%rd2], {%r2, %r3, %r4, %r5};";
    memory = run(body, memory);
    ASSERT_EQ(result, CUDA_SUCCESS) << name;
    for (int l = 0; l < 32; ++l)
      for (int w = 0; w < 4; ++w) {
        int row = l / 4 + w / 2 * 8, column = l % 4 * 2 + w % 2;
        float sum = static_cast<float>(w + 1);
        for (int k = 0; k < depth; ++k)
          sum += a(row, k) * b(k, column);
        EXPECT_EQ(memory[static_cast<size_t>(12 * l + w)], bitsOf(sum))
            << name << l << " " << w;
      }
  }
}

const char *const kLoads[] = {
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 ",
    "ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16 ",
    "ldmatrix.sync.aligned.m8n8.x2.shared.b16 ",
    "ldmatrix.sync.aligned.m8n8.x2.shared::cta.b16 ",
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 ",
    "ldmatrix.sync.aligned.m8n8.x4.shared::cta.b16 ",
    "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 ",
    "ldmatrix.sync.aligned.m8n8.x1.trans.shared::cta.b16 ",
    "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 ",
    "ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 ",
    "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 ",
    "ldmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 "};
const char *const kStores[] = {
    "stmatrix.sync.aligned.m8n8.x1.shared.b16 ",
    "stmatrix.sync.aligned.m8n8.x1.shared::cta.b16 ",
    "stmatrix.sync.aligned.m8n8.x2.shared.b16 ",
    "stmatrix.sync.aligned.m8n8.x2.shared::cta.b16 ",
    "stmatrix.sync.aligned.m8n8.x4.shared.b16 ",
    "stmatrix.sync.aligned.m8n8.x4.shared::cta.b16 ",
    "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 ",
    "stmatrix.sync.aligned.m8n8.x1.trans.shared::cta.b16 ",
    "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 ",
    "stmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 ",
    "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 ",
    "stmatrix.sync.aligned.m8n8.x4.trans.shared::cta.b16 "};

/// Rows go to shared memory, are stored and loaded as matrices, and come back.
TEST_F(EmulatorMatrixTest, MatricesMoveThroughSharedMemory) {
  for (int n = 0; n < 12; ++n) {
    std::string load = kLoads[n], store = kStores[n];
    int count = load[load.find(".x") + 2] - '0';
    bool trans = load.find("trans") != std::string::npos;
    std::string list = count == 1   ? "{%r2}"
                       : count == 2 ? "{%r2, %r3}"
                                    : "{%r2, %r3, %r4, %r5}";
    std::string begin = "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 16;\n"
                        "mov.b64 %rd3, tile;\nadd.s64 %rd3, %rd3, %rd2;\n"
                        "add.s64 %rd4, %rd1, %rd2;\n"
                        "ld.global.v4.b32 {%r2, %r3, %r4, %r5}, [%rd4];\n";
    std::string before = ".shared .align 16 .b8 tile[512];\n";
    std::vector<uint16_t> rows(256);
    for (size_t i = 0; i < rows.size(); ++i)
      rows[i] = static_cast<uint16_t>(i * 3 + 1);
    auto loaded = run(begin +
                          "st.shared.v4.b32 [%rd3], {%r2, %r3, %r4, %r5};\n"
                          "bar.sync 0;\n" +
                          load + list +
                          ", [%rd3];\n"
                          "st.global.v4.b32 [%rd4], "
                          "{%r2, %r3, %r4, %r5};",
                      rows, 1, 32, before);
    ASSERT_EQ(result, CUDA_SUCCESS) << load;
    for (size_t l = 0; l < 32; ++l)
      for (size_t m = 0; m < static_cast<size_t>(count); ++m)
        for (size_t k = 0; k < 2; ++k) {
          size_t row = l / 4, column = l % 4 * 2 + k;
          if (trans)
            std::swap(row, column);
          EXPECT_EQ(loaded[8 * l + 2 * m + k], rows[64 * m + 8 * row + column])
              << load << l;
        }
    // And back: what was loaded, stored the same way, are the rows again.
    auto stored = run(begin + store + "[%rd3], " + list +
                          ";\nbar.sync 0;\nsetp.lt.s32 %p1, %r1, " +
                          std::to_string(8 * count) +
                          ";\n@!%p1 ret;\n"
                          "ld.shared.v4.b32 {%r2, %r3, %r4, %r5}, [%rd3];\n"
                          "st.global.v4.b32 [%rd4], {%r2, %r3, %r4, %r5};",
                      loaded, 1, 32, before);
    ASSERT_EQ(result, CUDA_SUCCESS) << store;
    for (size_t i = 0; i < 64 * static_cast<size_t>(count); ++i)
      EXPECT_EQ(stored[i], rows[i]) << store << i;
  }
}

TEST_F(EmulatorMatrixTest, DivergentProductIsFound) {
  run<uint32_t>("mov.u32 %r1, %laneid;\nsetp.lt.s32 %p1, %r1, 3;\n"
                "@%p1 mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
                "{%r2, %r3, %r4, %r5}, {%r2, %r3}, {%r4}, "
                "{%r2, %r3, %r4, %r5};",
                {0});
  EXPECT_EQ(result, CUDA_ERROR_LAUNCH_FAILED);
  expectFinding({"expected all lanes of a warp"});
}

class EmulatorAsyncTest : public EmulatorTest {
protected:
  const std::string before = ".shared .align 16 .b8 tile[64];\n";
  const std::string clear = "mov.b32 %r2, 0;\n"
                            "st.shared.v4.b32 [tile], {%r2, %r2, %r2, %r2};\n";
  const std::string give = "ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [tile];\n"
                           "st.global.v4.b32 [%rd1], {%r4, %r5, %r6, %r7};";
};

TEST_F(EmulatorAsyncTest, CopiesAreThereWhenWaitedFor) {
  const char *const names[] = {"cp.async.ca.shared.global ",
                               "cp.async.ca.shared.global.L2::64B ",
                               "cp.async.ca.shared.global.L2::128B ",
                               "cp.async.ca.shared.global.L2::256B ",
                               "cp.async.ca.shared::cta.global ",
                               "cp.async.ca.shared::cta.global.L2::64B ",
                               "cp.async.ca.shared::cta.global.L2::128B ",
                               "cp.async.ca.shared::cta.global.L2::256B ",
                               "cp.async.cg.shared.global ",
                               "cp.async.cg.shared.global.L2::64B ",
                               "cp.async.cg.shared.global.L2::128B ",
                               "cp.async.cg.shared.global.L2::256B ",
                               "cp.async.cg.shared::cta.global ",
                               "cp.async.cg.shared::cta.global.L2::64B ",
                               "cp.async.cg.shared::cta.global.L2::128B ",
                               "cp.async.cg.shared::cta.global.L2::256B "};
  for (std::string name : names)
    for (std::string wait : {"cp.async.commit_group;\ncp.async.wait_group 0;\n",
                             "cp.async.wait_all;\n"}) {
      Words memory =
          run<uint32_t>(clear + name + "[tile], [%rd1+16], 16;\n" + wait + give,
                        {0, 0, 0, 0, 5, 6, 7, 8}, 1, 1, before);
      memory.resize(4);
      EXPECT_EQ(memory, (Words{5, 6, 7, 8})) << name;
    }
}

TEST_F(EmulatorAsyncTest, GroupsAreWaitedForInTheirOrder) {
  Words memory =
      run<uint32_t>(clear +
                        "cp.async.ca.shared.global [tile], [%rd1+16], 4;\n"
                        "cp.async.commit_group;\n"
                        "cp.async.ca.shared.global [tile+4], [%rd1+20], 4;\n"
                        "cp.async.commit_group;\ncp.async.wait_group 1;\n" +
                        give,
                    {0, 0, 0, 0, 5, 6}, 1, 1, before);
  EXPECT_EQ((Words{memory[0], memory[1]}), (Words{5, 0}));
}

TEST_F(EmulatorAsyncTest, WhatTheSourceLacksIsZero) {
  Words memory =
      run<uint32_t>(clear +
                        "mov.b32 %r3, 5;\n"
                        "cp.async.ca.shared.global [tile], [%rd1+16], 8, %r3;\n"
                        "cp.async.wait_all;\n" +
                        give,
                    {0, 0, 0, 0, 0x11223344, 0x55667788}, 1, 1, before);
  EXPECT_EQ((Words{memory[0], memory[1]}), (Words{0x11223344, 0x88}));
}

/// A program that does not wait reads what was there before.
TEST_F(EmulatorAsyncTest, MissingWaitShows) {
  run<uint32_t>("cp.async.cg.shared.global [tile], [%rd1+16], 16;\n"
                "cp.async.commit_group;\n" +
                    give,
                {0, 0, 0, 0, 5, 6, 7, 8}, 1, 1, before);
  EXPECT_EQ(result, CUDA_ERROR_LAUNCH_FAILED);
  expectFinding({"uninitialized", "shared memory"});
}

} // namespace
