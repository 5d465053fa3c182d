//===-- test/Runtime/train/NameMapTest.cpp - Names of tensors to names of ours
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
/// it is transposed, and the rows. Several for ranges.
std::string fateOf(const NameMap &map, const std::string &tensor) {
  std::string all;
  for (const NameMap::Fate &fate : map.fatesOf(tensor)) {
    all += (all.empty() ? "" : " ") + (!fate.isKnown    ? std::string("?")
                                       : fate.isDropped ? std::string("-")
                                                        : fate.name);
    if (fate.slice >= 0)
      all += "[" + std::to_string(fate.slice) + "]";
    all += fate.isTransposed ? "'" : "";
    if (fate.end >= 0)
      all +=
          " of " + std::to_string(fate.begin) + ":" + std::to_string(fate.end);
  }
  return all;
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

TEST(NameMap, aStarIsANumberOfASlice) {
  const NameMap map = parse("a.*.w  layer.W[*]  transpose\nb  layer.b[3]\n");
  EXPECT_EQ(fateOf(map, "a.12.w"), "layer.W[12]'");
  EXPECT_EQ(fateOf(map, "b"), "layer.b[3]");
  // No number: the name of no parameter, which the import says.
  EXPECT_EQ(fateOf(map, "a.x.w"), "layer.W[x]'");
}

TEST(NameMap, rowsOfOneTensorAreSeveral) {
  const NameMap map = parse("qkv.*[0:8]   q[*]  transpose\n"
                            "qkv.*[8:16]  k[*]\n"
                            "*.*          other\n");
  EXPECT_EQ(fateOf(map, "qkv.2"), "q[2]' of 0:8 k[2] of 8:16");
  EXPECT_EQ(fateOf(map, "x.2"), "other");
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
  for (const char *rows : {"a[8]", "a[8:", "a[8:8]", "a[:8]", "a[0:x]"})
    EXPECT_EQ(errorOf(std::string(rows) + " b"),
              "f:1: expected rows as [begin:end], but got '" +
                  std::string(rows) + "'");
  EXPECT_EQ(errorOf("a b[x]"),
            "f:1: expected a slice as [number] or [*], but got 'b[x]'");
  EXPECT_EQ(errorOf("# nothing\n"), "f: expected a rule, but got none");
  EXPECT_EQ(errorOf(""), "f: expected a rule, but got none");
  EXPECT_EQ(errorOf("a \xff"), "f:1:3: expected UTF-8, but got the byte 0xFF");
}

/// Whatever the rules: names are answered at once.
TEST(NameMap, anyTextIsAnsweredOrRefused) {
  std::mt19937 random(1);
  const std::string letters = "ab..**##[:]0 \t\n-";
  for (int round = 0; round < 3000; ++round) {
    std::string text, name;
    for (unsigned i = random() % 60; i > 0; --i)
      text += letters[random() % letters.size()];
    for (unsigned i = random() % 40; i > 0; --i)
      name += letters[random() % 4];
    NameMap map;
    if (NameMap::parse(text, "f", map).ok())
      for (const NameMap::Fate &fate : map.fatesOf(name))
        EXPECT_TRUE(fate.isKnown || fate.name.empty());
  }
  // Many stars on a long name that does not fit in the end.
  std::string pattern, name(20000, 'a');
  for (int i = 0; i < 500; ++i)
    pattern += "*a";
  const NameMap map = parse(pattern + "b c");
  EXPECT_EQ(fateOf(map, name), "?");
}

} // namespace
