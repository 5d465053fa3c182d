//===-- test/Runtime/data/TableReaderTest.cpp - Columns with types --------===//
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

TEST(TableReader, makesFieldsOfColumns) {
  std::unique_ptr<Reader> reader = createReader("table");
  Dataset dataset =
      parse(*reader, "tokens:ids\tlabel:id\tweights:numbers\tmean:number\t"
                     "who:text\n"
                     "5 -1  7\t2\t0.5 1e-1\t-3\ta b\n"
                     "\n"
                     "\t-4\t\t0\t\r\n");
  ASSERT_EQ(dataset.size(), 2);
  EXPECT_EQ(intsOf(dataset, "tokens", 0), (Ints{5, -1, 7}));
  EXPECT_EQ(intsOf(dataset, "label", 0), Ints{2});
  EXPECT_EQ(dataset.find("weights")->rows(0), 2);
  EXPECT_EQ(dataset.find("weights")->floatsOf(0)[1], 0.1f);
  EXPECT_EQ(dataset.find("mean")->floatsOf(0)[0], -3.0f);
  EXPECT_TRUE(dataset.find("tokens")->perRow);
  EXPECT_FALSE(dataset.find("mean")->perRow);
  // Lists may be empty, and are as long as they are.
  EXPECT_EQ(intsOf(dataset, "tokens", 1), Ints{});
  EXPECT_EQ(intsOf(dataset, "label", 1), Ints{-4});
  EXPECT_EQ(dataset.find("weights")->rows(1), 0);
  EXPECT_EQ(dataset.extraNames, std::vector<std::string>{"who"});
  EXPECT_EQ(dataset.extras[0], std::vector<std::string>{"a b"});
  EXPECT_EQ(dataset.lines, (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(dataset.fieldNames(), "tokens, label, weights, mean");
  EXPECT_TRUE(dataset.hasTargets);
}

TEST(TableReader, keepsTheColumnsForLinesOfTheirOwn) {
  std::unique_ptr<Reader> reader = createReader("table");
  Dataset dataset = parse(*reader, "a:id\n");
  EXPECT_EQ(dataset.size(), 0);
  ASSERT_TRUE(reader->readText("3", "f", 2, dataset).ok());
  EXPECT_EQ(intsOf(dataset, "a", 0), Ints{3});
}

TEST(TableReader, namesValues) {
  std::unique_ptr<Reader> reader = createReader("table");
  Dataset dataset = parse(*reader, "a:ids=word,[PAD],[SEP]\tb:id\n2 0 7\t1\n");
  const Field &field = *dataset.find("a");
  EXPECT_EQ(field.names, (std::vector<std::string>{"word", "[PAD]", "[SEP]"}));
  EXPECT_EQ(field.nameOf(2), "[SEP]");
  EXPECT_EQ(field.nameOf(7), "7");
  EXPECT_TRUE(dataset.find("b")->names.empty());
  EXPECT_EQ(errorOf("table", "a:ids=word,,[SEP]\n1\n"),
            "f:1:7: expected different names between commas, but got "
            "'word,,[SEP]'");
  EXPECT_EQ(errorOf("table", "a:id\tb:numbers=x,y\n1\t1"),
            "f:1:16: expected nothing after 'numbers' (names of values are for "
            "id, ids, class and classes, vocabularies for words, chars and "
            "trees), but got 'x,y'");
}

TEST(TableReader, readsFilesOfOtherColumns) {
  std::unique_ptr<Reader> reader = createReader("table");
  parse(*reader, "a:id\n1\n");
  Dataset dataset = parse(*reader, "b:ids\n1 2\n");
  EXPECT_EQ(dataset.fieldNames(), "b");
  EXPECT_EQ(reader->readText("a:id\n1\n", "f", 1, dataset).message(),
            "f:1:1: expected the columns of the examples read before, but got "
            "'a:id'");
}

TEST(TableReader, dropsTheFieldsOfAFailure) {
  std::unique_ptr<Reader> reader = createReader("table");
  Dataset dataset;
  EXPECT_FALSE(reader->readText("a:id\tb:ids\n1\tx\n", "f", 1, dataset).ok());
  ASSERT_TRUE(reader->readText("c:id\n1\n", "f", 1, dataset).ok());
  EXPECT_EQ(dataset.fieldNames(), "c");
}

TEST(TableReader, keepsTheExamplesBeforeAnError) {
  std::unique_ptr<Reader> reader = createReader("table");
  Dataset dataset;
  EXPECT_FALSE(
      reader->readText("a:ids\tb:id\n1 2\t3\n4\tx\n", "f", 1, dataset).ok());
  ASSERT_EQ(dataset.size(), 1);
  EXPECT_EQ(dataset.find("a")->ints, (Ints{1, 2}));
}

TEST(TableReader, namesThePlaceOfAnError) {
  EXPECT_EQ(errorOf("table", "tokens\n1"),
            "f:1:1: expected the name of a column and its type (tokens:ids), "
            "but got 'tokens'");
  EXPECT_EQ(errorOf("table", "a:id\t:ids\n1"),
            "f:1:6: expected the name of a column and its type (tokens:ids), "
            "but got ':ids'");
  EXPECT_EQ(
      errorOf("table", "a:int\n1"),
      "f:1:3: expected a type (id, ids, number, numbers, vector, vectors, "
      "text, class, classes, words, chars, pieces, tree, constituents, "
      "heads, graph), but got 'int'");
  EXPECT_EQ(errorOf("table", "a:id\ta:ids\n1\t2"),
            "f:1:6: expected a name that no other column has, but got 'a'");
  EXPECT_EQ(
      errorOf("table", "label:ids\n1"),
      "f:1:7: expected the type id or class for 'label', which answers are "
      "compared with, but got 'ids'");
  EXPECT_EQ(errorOf("table", "target:id\n1"),
            "f:1:8: expected the type number, ids, words, chars or pieces for "
            "'target', which answers are compared with, but got 'id'");
  EXPECT_EQ(
      errorOf("table", "a:id\tb:id\n1"),
      "f:2:2: expected as many columns as the first line names (2), but got 1");
  EXPECT_EQ(
      errorOf("table", "a:id\n1\t2"),
      "f:2:3: expected as many columns as the first line names (1), but got 2");
  EXPECT_EQ(errorOf("table", "a:id\tb:ids\n1\t2 x"),
            "f:2:5: expected a whole number for 'b', but got 'x'");
  EXPECT_EQ(errorOf("table", "a:id\n1 2"),
            "f:2:1: expected a whole number for 'a', but got '1 2'");
  EXPECT_EQ(errorOf("table", "a:id\n2147483648"),
            "f:2:1: expected a whole number for 'a', but got '2147483648'");
  EXPECT_EQ(errorOf("table", "a:numbers\n1 inf"),
            "f:2:3: expected a number for 'a', but got 'inf'");
  EXPECT_EQ(errorOf("table", "a:number\n"
                             "\n1.5.2"),
            "f:3:1: expected a number for 'a', but got '1.5.2'");
}

TEST(TableReader, needsItsFirstLine) {
  Dataset dataset;
  EXPECT_EQ(
      createReader("table")->readText("1", "f", 7, dataset).message(),
      "f:7:1: expected the names and types of the columns in line 1, but got "
      "no such line");
}

} // namespace
