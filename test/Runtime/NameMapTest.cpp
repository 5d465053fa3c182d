//===-- test/Runtime/NameMapTest.cpp - Names of tensors to names of ours
//----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NameMap.h"

#include <gtest/gtest.h>
#include <random>

using namespace cambium::train;

namespace {

NameMap parse(std::string_view text) {
  NameMap map;
  Status status = NameMap::parse(text, "f", map);
  EXPECT_TRUE(status.ok()) << status.message();
  return map;
}

std::string errorOf(std::string_view text) {
  NameMap map;
  return NameMap::parse(text, "f", map).message();
}

/// The name, "-" of a dropped tensor, "?" of an unknown one; behind it ' where
/// it is transposed.
std::string fateOf(const NameMap &map, const std::string &tensor) {
  const NameMap::Fate fate = map.fateOf(tensor);
  return !fate.isKnown    ? "?"
         : fate.isDropped ? "-"
                          : fate.name + (fate.isTransposed ? "'" : "");
}

TEST(NameMap, starsStandForWhatTheyStandFor) {
  const NameMap map = parse("a.*.w  W_*  transpose\n"
                            "a.*.b.*\tb_*_*\r\n"
                            "\n# a comment\n"
                            "c.** -  # not needed\n"
                            "*  one\n");
  EXPECT_EQ(fateOf(map, "a.12.w"), "W_12'");
  EXPECT_EQ(fateOf(map, "a.1.b.x"), "b_1_x");
  EXPECT_EQ(fateOf(map, "c.d.e"), "-");
  EXPECT_EQ(fateOf(map, "word"), "one");
  // A star stands for something, and not for a dot.
  EXPECT_EQ(fateOf(map, "a..w"), "?");
  EXPECT_EQ(fateOf(map, "a.1.2.w"), "?");
  EXPECT_EQ(fateOf(map, "c."), "?");
  EXPECT_EQ(fateOf(map, "a.1.w.x"), "?");
  EXPECT_EQ(fateOf(map, "a.1"), "?");
}

TEST(NameMap, theFirstRuleCounts) {
  const NameMap map = parse("x.1  one\nx.*  many_*\n");
  EXPECT_EQ(fateOf(map, "x.1"), "one");
  EXPECT_EQ(fateOf(map, "x.10"), "many_10");
}

TEST(NameMap, prefixesAreLost) {
  const NameMap map = parse("prefix bert.\nprefix model.\nx  y\n");
  EXPECT_EQ(fateOf(map, "bert.x"), "y");
  EXPECT_EQ(fateOf(map, "model.x"), "y");
  EXPECT_EQ(fateOf(map, "x"), "y");
  EXPECT_EQ(fateOf(map, "model.bert.x"), "?");
  EXPECT_EQ(fateOf(map, "bert."), "?");
}

TEST(NameMap, withoutRulesNamesAreTheSame) {
  EXPECT_EQ(fateOf(NameMap(), "a.b"), "a.b");
}

TEST(NameMap, saysWhatIsWrong) {
  EXPECT_EQ(errorOf("a b\nc\n"),
            "f:2: expected a tensor, a parameter (or -), and perhaps "
            "'transpose', but got 'c'");
  EXPECT_EQ(errorOf("a b transposed"),
            "f:1: expected a tensor, a parameter (or -), and perhaps "
            "'transpose', but got 'a b transposed'");
  EXPECT_EQ(errorOf("a.* b_*_*"),
            "f:1: expected as many stars in 'a.*' as in 'b_*_*', but got "
            "fewer");
  EXPECT_EQ(errorOf("# nothing\n"), "f: expected a rule, but got none");
  EXPECT_EQ(errorOf(""), "f: expected a rule, but got none");
  EXPECT_EQ(errorOf("a \xff"), "f:1:3: expected UTF-8, but got the byte 0xFF");
}

/// Whatever the rules: names are answered at once.
TEST(NameMap, anyTextIsAnsweredOrRefused) {
  std::mt19937 random(1);
  const std::string letters = "ab..**## \t\n-";
  for (int round = 0; round < 3000; ++round) {
    std::string text, name;
    for (unsigned i = random() % 60; i > 0; --i)
      text += letters[random() % letters.size()];
    for (unsigned i = random() % 40; i > 0; --i)
      name += letters[random() % 4];
    NameMap map;
    if (NameMap::parse(text, "f", map).ok())
      EXPECT_TRUE(map.fateOf(name).isKnown || map.fateOf(name).name.empty());
  }
  // Many stars on a long name that does not fit in the end.
  std::string pattern, name(20000, 'a');
  for (int i = 0; i < 500; ++i)
    pattern += "*a";
  const NameMap map = parse(pattern + "b c");
  EXPECT_EQ(fateOf(map, name), "?");
}

} // namespace
