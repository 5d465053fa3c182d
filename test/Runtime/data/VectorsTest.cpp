//===-- test/Runtime/data/VectorsTest.cpp - Files of word vectors ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReaderTestSupport.h"

using namespace cambium::data;
using namespace cambium::data::test;

namespace {

struct Table {
  std::vector<float> values = std::vector<float>(10, 9);
  int64_t numFound = -1;
  std::string error;
};

/// Reads vectors of two numbers for <pad>, <unk>, a, "at b", c.
Table read(std::string_view text) {
  Folder folder;
  Vocabulary words;
  for (const char *word : {"a", "at b", "c"})
    words.add(word, 0);
  Table table;
  Status status = readVectors(folder.write("v", text), words, 2, 5,
                              table.values.data(), table.numFound);
  table.error = status.message();
  if (const size_t place = table.error.rfind("/v:"); place != std::string::npos)
    table.error = table.error.substr(place + 1);
  return table;
}

TEST(Vectors, fillTheRowsOfKnownWords) {
  // Words may hold spaces; the first vector of a word counts; unknown words and
  // <unk> itself are left alone.
  Table table = read("\xEF\xBB\xBF"
                     "a 1 -2.5\r\nz 7 7\nat b 1e-3 4 \n<unk> 5 5\na 6 6");
  EXPECT_EQ(table.error, "");
  EXPECT_EQ(table.numFound, 2);
  EXPECT_EQ(table.values,
            (std::vector<float>{9, 9, 9, 9, 1, -2.5f, 1e-3f, 4, 9, 9}));
}

TEST(Vectors, haveSpacesBetweenNumbers) {
  // As many as there are, and tabs.
  Table table = read("a  1   2\nat b\t3 \t4\n");
  EXPECT_EQ(table.error, "");
  EXPECT_EQ(table.values, (std::vector<float>{9, 9, 9, 9, 1, 2, 3, 4, 9, 9}));
}

TEST(Vectors, keepTheRowOfABadLine) {
  Table table = read("a 1 inf\n");
  EXPECT_EQ(table.error, "v:1:5: expected a finite number, but got 'inf'");
  EXPECT_EQ(table.values, std::vector<float>(10, 9));
}

TEST(Vectors, mayBeginWithTheirNumberAndSize) {
  Table table = read("3 2\nc 1 2\n");
  EXPECT_EQ(table.error, "");
  EXPECT_EQ(table.numFound, 1);
  EXPECT_EQ(table.values[8], 1);
}

TEST(Vectors, haveTheSizeOfTheRows) {
  EXPECT_EQ(read("a 1 2\nc 1\n").error,
            "v:2:1: expected a word and 2 numbers, but got 2 parts between "
            "spaces");
  EXPECT_EQ(read("a 1 x2\n").error,
            "v:1:5: expected a finite number, but got 'x2'");
  EXPECT_EQ(read("c nan 2\n").error,
            "v:1:3: expected a finite number, but got 'nan'");
  EXPECT_EQ(read("c 1e99 2\n").error,
            "v:1:3: expected a finite number, but got '1e99'");
  EXPECT_EQ(read("").numFound, 0);
}

TEST(Vectors, giveWordsToAVocabulary) {
  Folder folder;
  Vocabulary words;
  words.add("the", 0);
  const std::string path = folder.write("v", "2 2\nthe 1 2\nof 3 4\nin 5 6\n");
  ASSERT_TRUE(addVectorWords(path, 4, words).ok());
  EXPECT_EQ(words.size(), 4);
  EXPECT_EQ(words.idOf("of"), 3);
  EXPECT_EQ(words.idOf("in"), Vocabulary::kUnknown);
  EXPECT_FALSE(addVectorWords(folder.path + "/none", 0, words).ok());
  const std::string odd = folder.write("w", "the 1 2\nof\n");
  EXPECT_EQ(addVectorWords(odd, 0, words).message(),
            odd + ":2:1: expected a word and 2 numbers, but got 'of'");
}

TEST(Glove, hasTheCountsOfItsSource) {
  const std::string path =
      CAMBIUM_TEST_DATA "/sick_glove300/glove840B_300d_sickvocab.txt";
  if (!std::ifstream(path))
    GTEST_SKIP() << "no " << path;
  Vocabulary words;
  ASSERT_TRUE(addVectorWords(path, 0, words).ok());
  EXPECT_EQ(words.size(), 2402 + 2);
  std::vector<float> table(words.size() * 300);
  int64_t found = 0;
  Status status =
      readVectors(path, words, 300, words.size(), table.data(), found);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(found, 2402);
  const float *the = table.data() + words.idOf("the") * 300;
  EXPECT_NEAR(the[0], 0.27204f, 1e-5);
  EXPECT_NEAR(the[4], -0.01816f, 1e-5);
}

} // namespace
