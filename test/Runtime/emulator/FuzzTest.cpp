//===-- test/Runtime/emulator/FuzzTest.cpp - Text that is damaged ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever text comes, loading it gives a module or an error with a text; what
// loads, runs to an end or a fault.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestSupport.h"

#include <random>

using namespace cambium::test;

namespace {

class EmulatorFuzzTest : public EmulatorTest {
protected:
  /// A text with a few changes: bytes, words of the text, pieces of it.
  std::string damaged(const std::string &text, std::mt19937 &random) {
    std::string result = text;
    auto below = [&](size_t n) {
      return static_cast<size_t>(random()) % std::max<size_t>(n, 1);
    };
    for (size_t change = below(4) + 1; change > 0 && !result.empty();
         --change) {
      size_t at = below(result.size()), from = below(text.size());
      size_t length = below(40);
      switch (below(5)) {
      case 0:
        result[at] = static_cast<char>(below(255) + 1);
        break;
      case 1:
        result.erase(at, length);
        break;
      case 2:
        result.insert(at, text.substr(from, length));
        break;
      case 3:
        result.replace(at, length, text.substr(from, length));
        break;
      default:
        result[at] = "0123456789%$[]{}();,.:@!<>-+"[below(28)];
        break;
      }
    }
    return result;
  }

  void fuzz(const std::string &text, const char *kernel, unsigned seed,
            int rounds) {
    std::mt19937 random(seed);
    int errors = 0, modules = 0;
    for (int round = 0; round < rounds; ++round) {
      CUmodule module = load(damaged(text, random));
      if (loaded) {
        ++errors;
        EXPECT_FALSE(loadText.empty());
        continue;
      }
      ++modules;
      CUfunction found = nullptr;
      if (!cuModuleGetFunction(&found, module, kernel)) {
        CUdeviceptr memory = upload(std::vector<uint32_t>(1024, 1));
        launch(found, 2, 64, {memory, memory, 3, 4, memory, 1});
        start("hang=3000,blocks=2");
        continue;
      }
      cuModuleUnload(module);
    }
    EXPECT_GT(errors, 0);
    EXPECT_GT(modules, 0);
  }
};

TEST_F(EmulatorFuzzTest, KernelsOfLLVM) {
  testing::internal::CaptureStderr();
  start("hang=3000,blocks=2");
  fuzz(readInput("kernels.ptx"), "rows", 1, 300);
  fuzz(readInput("calls.ptx"), "k", 2, 600);
  testing::internal::GetCapturedStderr();
}

TEST_F(EmulatorFuzzTest, PiecesOfText) {
  std::string text = readInput("calls.ptx");
  testing::internal::CaptureStderr();
  for (size_t end = 0; end < text.size(); end += 7) {
    CUmodule module = load(text.substr(0, end));
    if (!loaded)
      cuModuleUnload(module);
    else
      EXPECT_FALSE(loadText.empty());
  }
  testing::internal::GetCapturedStderr();
}

TEST_F(EmulatorFuzzTest, ExtremeTexts) {
  testing::internal::CaptureStderr();
  std::string deep = ".version 8.0\n.target sm_80\n.entry t()\n{\n";
  for (const std::string &text :
       {std::string(), std::string("\0\0", 2), std::string(100000, '{'),
        deep + std::string(100000, '{'), deep + ".reg .b32 %r<1000000000>;\n}",
        deep + ".reg .b64 %r<1048576>, %q<1048576>;\n}",
        deep + ".local .align 8 .b8 s[999999999];\n}",
        deep + ".shared .align 8 .b8 s[4000000000];\n}",
        std::string(".version 8.0\n.target sm_80\n.global .b8 "
                    "g[4294967295][4294967295];\n"),
        std::string(".version 99999999999999.1\n"),
        std::string(".version 8.0\n.target sm_80\n.global .align 0 .b8 g;\n"),
        deep + ".param .b8 p[8000];\n.param .b8 q[8000][8000];\n}"}) {
    load(text);
    EXPECT_NE(loaded, CUDA_SUCCESS) << text.substr(0, 200);
  }
  // Many blocks in a chain, and loops in loops.
  std::string chain = deep + ".reg .pred %p<2>;\n";
  for (int b = 0; b < 30000; ++b)
    chain += "L" + std::to_string(b) + ":\n@%p1 bra L" +
             std::to_string(b * 7919 % 30000) + ";\n";
  load(chain + "ret;\n}");
  EXPECT_EQ(loaded, CUDA_SUCCESS) << loadText;
  testing::internal::GetCapturedStderr();
}

} // namespace
