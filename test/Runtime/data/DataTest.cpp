//===-- test/Runtime/data/DataTest.cpp - Readers of data files ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "ReaderTestSupport.h"
#include "Text.h"

using namespace cambium::data;
using namespace cambium::data::test;

namespace {

std::string temporary(const char *name, const std::string &contents) {
  std::string path = testing::TempDir() + "/cambium_data_" + name;
  std::ofstream(path, std::ios::binary) << contents;
  return path;
}

TEST(PtbReader, givesNodesInPreorder) {
  std::unique_ptr<Reader> reader = createReader("ptb");
  std::string path = temporary("words", "(3 (2 It) (4 (2 's) (4 good)))\n"
                                        "(1 (0 good))\n");
  ASSERT_TRUE(reader->fit(path).ok());
  Dataset dataset;
  ASSERT_TRUE(reader->read(path, dataset).ok());
  ASSERT_EQ(dataset.size(), 2);
  EXPECT_EQ(intsOf(dataset, "tree", 0), (Ints{-1, 0, 0, 2, 2}));
  EXPECT_EQ(intsOf(dataset, "labels", 0), (Ints{3, 2, 4, 2, 4}));
  EXPECT_EQ(intsOf(dataset, "label", 0), Ints{3});
  // "good" stands twice, so it is the first word; the others as they come.
  EXPECT_EQ(intsOf(dataset, "words", 0), (Ints{0, 3, 0, 4, 2}));
  EXPECT_EQ(intsOf(dataset, "tokens", 0), (Ints{3, 4, 2}));
  EXPECT_EQ(intsOf(dataset, "tree", 1), (Ints{-1, 0}));
  EXPECT_EQ(intsOf(dataset, "tokens", 1), Ints{2});
  EXPECT_EQ(dataset.sizeOf(0), 5);
  EXPECT_EQ(dataset.heightOf(0), 2);
  EXPECT_EQ(dataset.where(1), path + ":2");
  EXPECT_TRUE(dataset.hasTargets);
}

TEST(PtbReader, separatesAtSpacesOnly) {
  // U+00A0 belongs to the word; tabs, CRLF, a byte order mark and blank lines
  // do not matter, nor does a missing end of the last line.
  std::unique_ptr<Reader> reader = createReader("ptb");
  std::string word = "8\xC2\xA0"
                     "1/2";
  std::string path = temporary("space", "\xEF\xBB\xBF(2\t" + word +
                                            ")\r\n\r\n  ( 1 (0 a)(1 b) ) \r\n"
                                            "(3 x)");
  ASSERT_TRUE(reader->fit(path).ok());
  Dataset dataset;
  Status status = reader->read(path, dataset);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(dataset.size(), 3);
  EXPECT_EQ(*reader->vocabulary()->wordOf(2), word);
  EXPECT_EQ(dataset.lines, (std::vector<int64_t>{1, 3, 4}));
  EXPECT_EQ(intsOf(dataset, "tree", 1), (Ints{-1, 0, 0}));
}

TEST(PtbReader, readsAnyArity) {
  std::unique_ptr<Reader> reader = createReader("ptb");
  Dataset dataset = parse(*reader, "(1 (1 a) (1 b) (1 (1 c)) (1 d))");
  EXPECT_EQ(intsOf(dataset, "tree", 0), (Ints{-1, 0, 0, 0, 3, 0}));
}

TEST(PtbReader, readsDeepTreesAndLongLinesWithoutRecursion) {
  constexpr int kDepth = 200000;
  std::string line;
  for (int i = 0; i < kDepth; ++i)
    line += "(1 ";
  line += "(1 end)" + std::string(kDepth, ')');
  std::unique_ptr<Reader> reader = createReader("ptb");
  Dataset dataset = parse(*reader, line);
  EXPECT_EQ(dataset.sizeOf(0), kDepth + 1);
  EXPECT_EQ(dataset.heightOf(0), kDepth);
}

TEST(PtbReader, namesThePlaceOfAnError) {
  EXPECT_EQ(
      errorOf("ptb", "(2 a)\n(2 (x b) (1 c))"),
      "f:2:5: expected a label that is a whole number from 0, but got 'x'");
  EXPECT_EQ(errorOf("ptb", "(-1 a)"),
            "f:1:2: expected a label that is a whole number from 0, but got "
            "'-1'");
  EXPECT_EQ(errorOf("ptb", "(99999999999 a)"),
            "f:1:2: expected a label that is a whole number from 0, but got "
            "'99999999999'");
  EXPECT_EQ(errorOf("ptb", "word"), "f:1:1: expected '(', but got 'word'");
  EXPECT_EQ(errorOf("ptb", "(2 (1 a)"),
            "f:1:9: expected ')', but got the end of the line");
  EXPECT_EQ(errorOf("ptb", "(2"),
            "f:1:3: expected ')', but got the end of the line");
  EXPECT_EQ(errorOf("ptb", "(2 a) b"),
            "f:1:7: expected the end of the line after the tree, but got 'b'");
  EXPECT_EQ(errorOf("ptb", "(2 a))"),
            "f:1:6: expected the end of the line after the tree, but got ')'");
  EXPECT_EQ(errorOf("ptb", "(2)"),
            "f:1:3: expected a word or a child, but got ')'");
  EXPECT_EQ(errorOf("ptb", "()"),
            "f:1:2: expected the label of a node, but got ')'");
  EXPECT_EQ(errorOf("ptb", "(2 a b)"),
            "f:1:6: expected ')' or '(', but got 'b'");
  EXPECT_EQ(errorOf("ptb", "(2 a (1 b))"),
            "f:1:6: expected ')' after the word of a leaf, but got '('");
  EXPECT_EQ(errorOf("ptb", "(2 (1 a) b)"),
            "f:1:10: expected ')' or '(', but got 'b'");
  EXPECT_EQ(errorOf("ptb", "((1 a) (1 b))"),
            "f:1:2: expected the label of a node, but got '('");
  // Columns count characters, not bytes.
  EXPECT_EQ(errorOf("ptb", "(2 (1 \xC3\xA9) b)"),
            "f:1:10: expected ')' or '(', but got 'b'");
}

TEST(PtbReader, doesNotNeedLabelsWithoutTargets) {
  std::unique_ptr<Reader> reader = createReader("ptb");
  reader->options.requireTargets = false;
  Dataset dataset = parse(*reader, "((a) ((fine) (film)))\n(3 (2 a) (2 b))");
  ASSERT_EQ(dataset.size(), 2);
  EXPECT_FALSE(dataset.hasTargets);
  EXPECT_EQ(intsOf(dataset, "tree", 0), (Ints{-1, 0, 0, 2, 2}));
  EXPECT_EQ(intsOf(dataset, "labels", 1), (Ints{3, 2, 2}));
}

TEST(PtbReader, describesTrees) {
  std::unique_ptr<Reader> reader = createReader("ptb");
  TreeText tree;
  ASSERT_TRUE(reader->describe("(3 (2 a)  (4 (2 b) (1 c)))", "tree", tree));
  EXPECT_EQ(tree.title, "a b c");
  EXPECT_EQ(tree.nodes, (std::vector<std::string>{"", "a", "", "b", "c"}));
  EXPECT_EQ(tree.subtrees,
            (std::vector<std::string>{"(3 (2 a) (4 (2 b) (1 c)))", "(2 a)",
                                      "(4 (2 b) (1 c))", "(2 b)", "(1 c)"}));
  EXPECT_FALSE(reader->describe("(3 (2 a)", "tree", tree));
}

TEST(CobaReader, readsExpressions) {
  std::unique_ptr<Reader> reader = createReader("coba");
  Dataset dataset = parse(*reader, "expression\tvalue\ttuple\tlevel\n"
                                   "+ 4 * 5 2\t14\t7\t0\n# a comment\n\n"
                                   "100\t100\t7\t1\r\n");
  ASSERT_EQ(dataset.size(), 2);
  EXPECT_EQ(intsOf(dataset, "tree", 0), (Ints{-1, 0, 0, 2, 2}));
  EXPECT_EQ(intsOf(dataset, "tokens", 0), (Ints{101, 4, 102, 5, 2}));
  EXPECT_EQ(intsOf(dataset, "numbers", 0), (Ints{0, 4, 0, 5, 2}));
  EXPECT_EQ(intsOf(dataset, "operators", 0), (Ints{1, 0, 2, 0, 0}));
  EXPECT_EQ(intsOf(dataset, "marked", 0), (Ints{103, 101, 4, 102, 5, 2, 104}));
  EXPECT_EQ(intsOf(dataset, "marked_numbers", 0), (Ints{0, 0, 4, 0, 5, 2, 0}));
  EXPECT_EQ(intsOf(dataset, "marked_operators", 0),
            (Ints{3, 1, 0, 2, 0, 0, 4}));
  EXPECT_EQ(dataset.find("marked")->nameOf(104), "[SEP]");
  EXPECT_EQ(dataset.find("tokens")->nameOf(100), "100");
  EXPECT_EQ(dataset.find("value")->nameOf(13), "13");
  EXPECT_EQ(intsOf(dataset, "value", 0), Ints{13});
  EXPECT_EQ(dataset.find("target")->floatsOf(0)[0], 14.0f);
  EXPECT_EQ(intsOf(dataset, "tokens", 1), Ints{100});
  EXPECT_EQ(dataset.extraNames, (std::vector<std::string>{"tuple", "level"}));
  EXPECT_EQ(dataset.extras[1], (std::vector<std::string>{"7", "1"}));
  EXPECT_EQ(dataset.texts[0], "+ 4 * 5 2");
  EXPECT_EQ(dataset.lines, (std::vector<int64_t>{2, 5}));
}

TEST(CobaReader, namesThePlaceOfAnError) {
  EXPECT_EQ(errorOf("coba", "+ 1 2\t3\n+ 1 x\t3"),
            "f:2:5: expected '+', '*' or a number from 1 to 100, but got 'x'");
  EXPECT_EQ(
      errorOf("coba", "+ 1 101\t3"),
      "f:1:5: expected '+', '*' or a number from 1 to 100, but got '101'");
  EXPECT_EQ(errorOf("coba", "+ 1 -2\t3"),
            "f:1:5: expected '+', '*' or a number from 1 to 100, but got '-2'");
  EXPECT_EQ(errorOf("coba", "+ 1\t3"),
            "f:1:4: expected another operand of the operator that is token 1, "
            "but got the end of the expression");
  EXPECT_EQ(
      errorOf("coba", "1 2\t3"),
      "f:1:3: expected a tab or the end of the line after the expression, "
      "but got '2'");
  EXPECT_EQ(errorOf("coba", "1"), "f:1:2: expected a tab and the value of the "
                                  "expression, but got the end of the line");
  EXPECT_EQ(errorOf("coba", "1\tone"),
            "f:1:3: expected a value from 1 to 100, but got 'one'");
  EXPECT_EQ(errorOf("coba", "1\t0"),
            "f:1:3: expected a value from 1 to 100, but got '0'");
  EXPECT_EQ(errorOf("coba", "\t3"),
            "f:1:1: expected an expression, but got nothing");
  EXPECT_EQ(errorOf("coba", std::string_view("1\t\0003", 4)),
            "f:1:3: expected a value from 1 to 100, but got '\\x003'");
}

TEST(CobaReader, keepsTheExamplesBeforeAnError) {
  std::unique_ptr<Reader> reader = createReader("coba");
  Dataset dataset;
  EXPECT_FALSE(reader->readText("+ 1 2\t3\n+ 1", "f", 1, dataset).ok());
  ASSERT_EQ(dataset.size(), 1);
  for (const Field &field : dataset.fields)
    EXPECT_EQ(field.offsets.size(), 2u) << field.name;
  EXPECT_EQ(dataset.find("tokens")->ints.size(), 3u);
}

TEST(CobaReader, describesTrees) {
  std::unique_ptr<Reader> reader = createReader("coba");
  TreeText tree;
  ASSERT_TRUE(reader->describe("+ 4 * + 1 1 2", "tree", tree));
  EXPECT_EQ(tree.nodes,
            (std::vector<std::string>{"+", "4", "*", "+", "1", "1", "2"}));
  EXPECT_EQ(tree.subtrees, (std::vector<std::string>{"+ 4 * + 1 1 2\t8", "4\t4",
                                                     "* + 1 1 2\t4", "+ 1 1\t2",
                                                     "1\t1", "1\t1", "2\t2"}));
  EXPECT_FALSE(reader->describe("+ 100 100", "tree", tree));
}

TEST(Vocabulary, ordersByFrequencyWithinItsLimits) {
  Vocabulary words;
  for (const char *word : {"b", "a", "c", "a", "d", "d", "a"})
    words.count(word);
  words.build(/*minCount=*/1, /*limit=*/0);
  EXPECT_EQ(words.idOf("a"), 2);
  EXPECT_EQ(words.idOf("d"), 3);
  EXPECT_EQ(words.idOf("b"), 4);
  EXPECT_EQ(words.idOf("c"), 5);
  EXPECT_EQ(words.idOf("e"), Vocabulary::kUnknown);
  EXPECT_EQ(words.idOf("<pad>"), Vocabulary::kUnknown);

  for (const char *word : {"b", "a", "c", "a", "d", "d", "a"})
    words.count(word);
  words.build(/*minCount=*/2, /*limit=*/0);
  EXPECT_EQ(words.size(), 4);
  EXPECT_EQ(words.idOf("b"), Vocabulary::kUnknown);

  for (const char *word : {"b", "a", "c", "a"})
    words.count(word);
  words.build(/*minCount=*/1, /*limit=*/3);
  EXPECT_EQ(words.size(), 3);
  EXPECT_EQ(words.idOf("a"), 2);
}

TEST(Vocabulary, survivesItsFile) {
  Vocabulary words, loaded;
  for (const char *word : {"one", "two\xC2\xA0words", "<", "one"})
    words.count(word);
  words.build(1, 0);
  std::string path = testing::TempDir() + "/cambium_data_vocabulary";
  ASSERT_TRUE(words.save(path).ok());
  ASSERT_TRUE(loaded.load(path).ok());
  EXPECT_EQ(loaded.size(), words.size());
  for (int64_t id = 0; id < words.size(); ++id)
    EXPECT_EQ(*loaded.wordOf(id), *words.wordOf(id));
}

TEST(Vocabulary, refusesFilesThatAreNone) {
  Vocabulary words;
  std::string path = temporary("bad", "<pad>\n<unk>\na\nb\na\n");
  EXPECT_EQ(words.load(path).message(),
            path + ":5:1: expected a word that is not in the vocabulary yet, "
                   "but got 'a'");
  path = temporary("bad", "a\n");
  EXPECT_EQ(words.load(path).message(),
            path + ":1:1: expected '<pad>', but got 'a'");
  path = temporary("bad", "<pad>\n");
  EXPECT_EQ(words.load(path).message(),
            path + ": expected a vocabulary of one word per line, beginning "
                   "with <pad> and <unk>, but got 1 lines");
  path = temporary("bad", "<pad>\n<unk>\n\n");
  EXPECT_EQ(words.load(path).message(),
            path + ":3:1: expected a word, but got an empty line");
  EXPECT_EQ(words.size(), 2);
}

TEST(Reader, needsExamples) {
  std::unique_ptr<Reader> reader = createReader("coba");
  Dataset dataset;
  std::string path = temporary("empty", "");
  EXPECT_EQ(reader->read(path, dataset).message(),
            path + ": expected at least one example, but got an empty file");
  path = temporary("empty", "\n\n");
  EXPECT_EQ(reader->read(path, dataset).message(),
            path + ": expected at least one example, but got blank lines only");
  EXPECT_EQ(reader->read(path + ".none", dataset).message(),
            path + ".none: cannot open: No such file or directory");
  EXPECT_EQ(reader->read(testing::TempDir(), dataset).message(),
            testing::TempDir() + ": cannot read: Is a directory");
  EXPECT_EQ(createReader("csv"), nullptr);
}

TEST(Files, appearWholeOrNotAtAll) {
  std::string path = testing::TempDir() + "/cambium_data_none/file";
  EXPECT_EQ(writeFileAtomically(path, "x").message(),
            path + ": cannot create: No such file or directory");
  path = temporary("old", "old");
  ASSERT_TRUE(writeFileAtomically(path, "new").ok());
  std::string contents;
  ASSERT_TRUE(readFile(path, contents).ok());
  EXPECT_EQ(contents, "new");
}

TEST(Sst, hasTheCountsOfItsSource) {
  const std::string folder = CAMBIUM_TEST_DATA "/sst/";
  if (!std::ifstream(folder + "dev.txt"))
    GTEST_SKIP() << "no " << folder;
  std::unique_ptr<Reader> reader = createReader("ptb");
  ASSERT_TRUE(reader->fit(folder + "train.txt").ok());
  struct {
    const char *file;
    int64_t trees, nodes, levels;
  } const expected[] = {{"train.txt", 8544, 318582, 30},
                        {"dev.txt", 1101, 41447, 28},
                        {"test.txt", 2210, 82600, 29}};
  for (const auto &file : expected) {
    Dataset dataset;
    ASSERT_TRUE(reader->read(folder + file.file, dataset).ok());
    EXPECT_EQ(dataset.size(), file.trees);
    EXPECT_EQ(dataset.find("tree")->offsets.back(), file.nodes);
    int64_t highest = 0;
    for (int64_t i = 0; i < dataset.size(); ++i)
      highest = std::max(highest, dataset.heightOf(i));
    EXPECT_EQ(highest + 1, file.levels); // A height counts edges.
  }
}

TEST(Names, nearOnesAreFound) {
  const std::vector<std::string> names = {"words", "labels", "tree"};
  EXPECT_EQ(closestName("word", names), "words");
  EXPECT_EQ(closestName("lables", names), "labels");
  EXPECT_EQ(closestName("something", names), "");
  EXPECT_EQ(closestName("", names), "");
}

TEST(Text, quotesEscapeControls) {
  EXPECT_EQ(quote("a\x1B\x7F\n"), "'a\\x1B\\x7F\\x0A'");
  EXPECT_EQ(quote("\xC2\x9B\x31 \xC2\xA9"), "'\\xC2\\x9B1 \xC2\xA9'");
}

} // namespace
