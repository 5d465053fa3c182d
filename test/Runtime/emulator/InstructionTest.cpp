//===-- test/Runtime/emulator/InstructionTest.cpp - One by one ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs/instructions.txt holds results of arithmetic that make-instructions
// computed apart from the emulator. What lanes do together, memory and control
// are tested in files beside; no row of the table is left out.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestSupport.h"

#include "../../../runtime/emulator/Table.h"

#include <cstdlib>
#include <set>

using namespace cambium::emulator;
using namespace cambium::test;

namespace {

class EmulatorInstructionTest : public EmulatorTest {
protected:
  static constexpr uint64_t kInfinity = uint64_t{0x7ff} << 52;

  struct Case {
    std::vector<uint64_t> arguments;
    bool isClose = false;
    uint64_t expected = 0;
  };

  static std::vector<Case> parseCases(const std::string &text) {
    std::vector<Case> cases(1);
    std::istringstream words(text);
    bool isResult = false;
    for (std::string word; words >> word;) {
      bool ends = word.back() == ';';
      uint64_t bits = std::strtoull(word.c_str(), nullptr, 16);
      if (word == "=" || word == "~") {
        cases.back().isClose = word == "~";
        isResult = true;
      } else if (isResult) {
        cases.back().expected = bits;
        isResult = false;
      } else {
        cases.back().arguments.push_back(bits);
      }
      if (ends)
        cases.emplace_back();
    }
    return cases;
  }

  static char codeAt(const std::string &codes, size_t &at) {
    if (codes[at] == '>')
      return codes[++at] == '1' ? '2' : codes[at];
    return codes[at];
  }

  /// Arguments of a thread are words of 64 bits, then the result.
  static std::string bodyOf(const std::string &name, const std::string &codes) {
    std::string body, call, result;
    int number = 0;
    for (size_t at = 0; at < codes.size(); ++at) {
      if (codes[at] == '?')
        continue;
      char code = codeAt(codes, at);
      std::string n = std::to_string(number + 2);
      std::string reg = (code == 'p'   ? "%p"
                         : code == '2' ? "%h"
                         : code == '4' ? "%r"
                                       : "%rd") +
                        n;
      call += (number ? ", " : "") + reg;
      std::string load = "ld.global.b64 %rd" + n + ", [%rd1+" +
                         std::to_string(8 * (number - 1)) + "];\n";
      if (code == 'p')
        load += "setp.ne.s64 " + reg + ", %rd" + n + ", 0;\n";
      else if (code != '8')
        load += std::string("cvt.u") + (code == '2' ? "16" : "32") + ".u64 " +
                reg + ", %rd" + n + ";\n";
      if (number)
        body += load;
      else if (code == 'p')
        result = "selp.b64 %rd30, 1, 0, " + reg + ";\n";
      else if (code == '8')
        result = "mov.b64 %rd30, " + reg + ";\n";
      else
        result = std::string("cvt.u64.u") + (code == '2' ? "16" : "32") +
                 " %rd30, " + reg + ";\n";
      ++number;
    }
    return "mov.u32 %r31, %tid.x;\nmul.wide.u32 %rd31, %r31, " +
           std::to_string(8 * number) + ";\nadd.u64 %rd1, %rd1, %rd31;\n" +
           body + name + " " + call + ";\n" + result + "st.global.b64 [%rd1+" +
           std::to_string(8 * (number - 1)) + "], %rd30;";
  }

  void check(const std::string &name, const std::vector<Case> &cases) {
    Opcode opcode;
    ASSERT_TRUE(findOpcode(name, opcode)) << name;
    std::vector<uint64_t> memory;
    for (const Case &one : cases) {
      memory.insert(memory.end(), one.arguments.begin(), one.arguments.end());
      memory.push_back(0);
    }
    size_t stride = memory.size() / cases.size();
    memory = run(bodyOf(name, opcode.operands), memory, 1,
                 static_cast<unsigned>(cases.size()));
    ASSERT_EQ(result, CUDA_SUCCESS) << name;
    for (size_t c = 0; c < cases.size(); ++c) {
      uint64_t got = memory[c * stride + stride - 1],
               expected = cases[c].expected;
      uint64_t apart = got > expected ? got - expected : expected - got;
      std::string given;
      for (uint64_t argument : cases[c].arguments)
        given += " " + std::to_string(argument);
      // Which NaN an f64 becomes is not said.
      bool isF64 = name.find(".f64") != std::string::npos;
      if (isF64 && (expected & kInfinity) == kInfinity && expected << 12 &&
          got << 12)
        apart = (got & kInfinity) != kInfinity;
      EXPECT_LE(apart, cases[c].isClose ? 2u : 0u)
          << name << given << ": got " << std::hex << got << ", expected "
          << expected;
    }
  }
};

TEST_F(EmulatorInstructionTest, ArithmeticIsRight) {
  std::istringstream lines(readInput("instructions.txt"));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    size_t colon = line.find(": ");
    ASSERT_NE(colon, std::string::npos) << line;
    check(line.substr(0, colon), parseCases(line.substr(colon + 2)));
  }
  EXPECT_GT(count, 1000);
}

/// Input of make-instructions.
TEST_F(EmulatorInstructionTest, DISABLED_List) {
  for (const std::string &name : opcodeNames()) {
    Opcode opcode;
    findOpcode(name, opcode);
    std::printf("%s %s\n", name.c_str(), opcode.operands.c_str());
  }
}

TEST_F(EmulatorInstructionTest, EveryRowHasATest) {
  std::string tests;
  for (const char *file :
       {"Inputs/instructions.txt", "ExchangeTest.cpp", "MemoryTest.cpp",
        "ControlTest.cpp", "MatrixTest.cpp"})
    tests += readInput(std::string("../") + file);
  for (const std::string &name : opcodeNames()) {
    // `mov` of several registers is written without these.
    if (name.find("pack") != std::string::npos)
      continue;
    bool isThere = false;
    for (const char *end : {":", " ", ";"})
      isThere |= tests.find(name + end) != std::string::npos;
    EXPECT_TRUE(isThere) << "no test of " << name;
  }
}

TEST_F(EmulatorInstructionTest, UnknownOnesAreErrorsWithTheirLine) {
  for (const char *body :
       {"add.f99 %r1, %r2, %r3;", "frobnicate;", "ld.global.b31 %r1, [%rd1];",
        "cvt.f32.s32 %r1, %r2;", "atom.global.frob.u32 %r1, [%rd1], 1;"}) {
    load(kernelOf(body));
    EXPECT_EQ(loaded, CUDA_ERROR_INVALID_PTX) << body;
    EXPECT_NE(loadText.find("PTX line 10: expected a known instruction"),
              std::string::npos)
        << loadText;
  }
}

TEST_F(EmulatorInstructionTest, WrongOperandsAreErrors) {
  struct {
    const char *body, *error;
  } cases[] = {
      {"add.s32 %r1, %r2, %rd3;", "expected 32 bits, but got '%rd3' of 64"},
      {"add.s32 %r1, %r2;", "expected ',', but got ';'"},
      {"add.s32 %r1, %r2, %r99;", "expected a register or a variable"},
      {"@%r1 bra L;", "expected a predicate"},
      {"bra NOWHERE;", "expected a label 'NOWHERE'"},
      {"L: L: bra L;", "expected one label 'L'"},
      {"ld.global.v4.b32 {%r1, %r2}, [%rd1];", "expected ','"},
      {"brx.idx %r1, T;", "expected a table of labels"},
      {"call.uni nowhere, ();", "expected a function that is defined"},
      {".reg .b99 %q;", "expected a type of registers"},
      {"mov.b32 %r1, 0d3FF0000000000000;", "expected a number of 32 bits"}};
  for (const auto &one : cases) {
    load(kernelOf(one.body));
    EXPECT_EQ(loaded, CUDA_ERROR_INVALID_PTX) << one.body;
    EXPECT_NE(loadText.find(one.error), std::string::npos)
        << one.body << ": " << loadText;
  }
}

} // namespace
