//===-- test/Runtime/emulator/FamilyTest.cpp - Every member ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `ld`, `st`, `atom`, `red` and `cvt` are no rows of the table but products of
// types, operations and spaces: all members that the emulator takes are run
// here, or stand in Inputs/instructions.txt.
//
//===----------------------------------------------------------------------===//
#include "EmulatorTestSupport.h"

#include "../../../runtime/emulator/Table.h"

#include <cstring>

using namespace cambium::emulator;
using namespace cambium::test;

namespace {

using Numbers = std::vector<uint64_t>;

constexpr const char *kTypes[] = {"b8",  "u8",  "s8",  "b16", "u16",
                                  "s16", "b32", "u32", "s32", "f32",
                                  "b64", "u64", "s64", "f64"};

class EmulatorFamilyTest : public EmulatorTest {
protected:
  static bool isKnown(const std::string &name) {
    Opcode opcode;
    return findOpcode(name, opcode);
  }

  /// Registers for so many elements of so many bytes.
  static std::string registers(int bytes, int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += std::string(i ? ", " : "") +
              (bytes <= 2   ? "%h"
               : bytes == 4 ? "%r"
                            : "%rd") +
              std::to_string(i + 4);
    return count == 1 ? text : "{" + text + "}";
  }
};

/// What goes through memory of each space comes back.
TEST_F(EmulatorFamilyTest, LoadsAndStores) {
  const std::string memory = ".shared .align 16 .b8 s[16];\n";
  int count = 0;
  for (std::string space : {"", ".global", ".shared", ".local"})
    for (std::string type : kTypes)
      for (int elements : {1, 2, 4}) {
        int bytes = bytesOfType(type);
        std::string vector =
            elements == 1 ? "" : ".v" + std::to_string(elements);
        std::string load = "ld" + space + vector + "." + type;
        std::string store = "st" + space + vector + "." + type;
        if (bytes * elements > 16)
          continue;
        ASSERT_TRUE(isKnown(load) && isKnown(store)) << load;
        std::string data = registers(bytes, elements);
        std::string own = space == ".shared"  ? "[s]"
                          : space == ".local" ? "[l]"
                                              : "[%rd1+16]";
        std::string whole = vector + "." + type + " ";
        std::string body = ".local .align 16 .b8 l[16];\nld.global" + whole +
                           data + ", [%rd1];\n" + store + " " + own + ", " +
                           data + ";\n" + load + " " + data + ", " + own +
                           ";\nst.global" + whole + "[%rd1+32], " + data + ";";
        const Numbers in = {0x8796a5b4c3d2e1f0, 0x0123456789abcdef};
        Numbers out = run<uint64_t>(body, {in[0], in[1], 0, 0, 0, 0}, 1, 1,
                                    space == ".shared" ? memory : "");
        ASSERT_EQ(result, CUDA_SUCCESS) << load;
        Numbers expected = {0, 0};
        std::memcpy(expected.data(), in.data(),
                    static_cast<size_t>(bytes * elements));
        EXPECT_EQ(Numbers(out.begin() + 4, out.end()), expected) << load;
        ++count;
      }
  EXPECT_GT(count, 120);
}

/// An operation on numbers of so many bits.
uint64_t applied(const std::string &operation, bool isSigned, int bits,
                 uint64_t old, uint64_t b, uint64_t c) {
  uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  auto isLess = [&](uint64_t x, uint64_t y) {
    uint64_t flip = isSigned ? uint64_t{1} << (bits - 1) : 0;
    return (x ^ flip) < (y ^ flip);
  };
  uint64_t value = operation == "add"   ? old + b
                   : operation == "min" ? (isLess(old, b) ? old : b)
                   : operation == "max" ? (isLess(old, b) ? b : old)
                   : operation == "and" ? old & b
                   : operation == "or"  ? old | b
                   : operation == "xor" ? old ^ b
                   : operation == "cas" ? (old == b ? c : old)
                   : operation == "inc" ? (old >= b ? 0 : old + 1)
                   : operation == "dec" ? (!old || old > b ? b : old - 1)
                                        : b;
  return value & mask;
}

TEST_F(EmulatorFamilyTest, Atomics) {
  int count = 0;
  for (std::string operation :
       {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"})
    for (std::string type : kTypes)
      for (std::string family : {"atom", "red"}) {
        std::string name = family + ".global." + operation + "." + type;
        int bytes = bytesOfType(type), bits = 8 * bytes;
        // Floats are added, and tested in MemoryTest.cpp.
        if (!isKnown(name) || type[0] == 'f')
          continue;
        uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
        uint64_t old = 0xf000000380000005 & mask, c = 77 & mask;
        for (uint64_t b : {uint64_t{7}, old, ~uint64_t{0} & mask}) {
          std::string reg = bytes == 2 ? "%h" : bytes == 4 ? "%r" : "%rd";
          std::string word = ".b" + std::to_string(bits) + " ";
          std::string body =
              "ld.global" + word + reg + "2, [%rd1+16];\nld.global" + word +
              reg + "3, [%rd1+24];\n" + name + " " +
              (family == "atom" ? reg + "4, " : "") + "[%rd1], " + reg + "2" +
              (operation == "cas" ? ", " + reg + "3" : "") + ";\n" +
              (family == "atom" ? "st.global" + word + "[%rd1+8], " + reg + "4;"
                                : "");
          Numbers out = run<uint64_t>(body, {old, 0, b, c}, 1, 1);
          ASSERT_EQ(result, CUDA_SUCCESS) << name;
          EXPECT_EQ(out[0], applied(operation, type[0] == 's', bits, old, b, c))
              << name << " " << b;
          EXPECT_EQ(out[1], family == "atom" ? old : 0) << name;
        }
        ++count;
      }
  EXPECT_GT(count, 60);
}

/// Every conversion that is taken has results that were computed apart.
TEST_F(EmulatorFamilyTest, EveryConversionHasATest) {
  const std::string tests = "\n" + readInput("instructions.txt");
  const char *types[] = {"u8",  "s8",  "u16",  "s16", "u32", "s32", "u64",
                         "s64", "f16", "bf16", "f32", "f64", "tf32"};
  int count = 0;
  for (std::string mode :
       {"", ".rn", ".rz", ".rm", ".rp", ".rna", ".rni", ".rzi", ".rmi", ".rpi"})
    for (std::string to : types)
      for (std::string from : types) {
        std::string name = "cvt" + mode + "." + to + "." + from;
        if (!isKnown(name))
          continue;
        EXPECT_NE(tests.find("\n" + name + ":"), std::string::npos)
            << "no test of " << name;
        ++count;
      }
  EXPECT_GT(count, 250);
}

} // namespace
