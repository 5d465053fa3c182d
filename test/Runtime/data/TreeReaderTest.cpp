//===-- test/Runtime/data/TreeReaderTest.cpp - Trees in brackets ----------===//
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

using Texts = std::vector<std::string>;

/// A reader that has learned its words from the text that it then reads.
class Readout {
public:
  Readout(const char *format, const std::string &text,
          ReaderOptions options = ReaderOptions())
      : reader(createReader(format)) {
    reader->options = options;
    const std::string path =
        testing::TempDir() + "/cambium_tree_reader" + std::to_string(getpid());
    std::ofstream(path, std::ios::binary) << text;
    Status status = reader->fit(path);
    std::filesystem::remove(path);
    if (status.ok())
      status = reader->readText(text, "f", 1, dataset);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  Ints ints(const char *name, int64_t example = 0) const {
    const Field *field = dataset.find(name);
    return Ints(field->intsOf(example),
                field->intsOf(example) + field->rows(example));
  }
  /// The words of a field, "-" where there is none.
  Texts words(const char *name, int64_t example = 0) const {
    Texts result;
    for (int32_t id : ints(name, example))
      result.push_back(id ? *reader->vocabulary()->wordOf(id) : "-");
    return result;
  }

  std::unique_ptr<Reader> reader;
  Dataset dataset;
};

ReaderOptions shape(Binarize binarize, bool collapseUnary) {
  ReaderOptions options = noTargets();
  options.binarize = binarize;
  options.collapseUnary = collapseUnary;
  return options;
}

TEST(Brackets, giveWordsAtTheLeaves) {
  Readout read("brackets", "( ( The cat ) ( sits . ) )\nYes\n", noTargets());
  EXPECT_EQ(read.ints("tree"), (Ints{-1, 0, 1, 1, 0, 4, 4}));
  EXPECT_EQ(read.words("words"),
            (Texts{"-", "-", "The", "cat", "-", "sits", "."}));
  EXPECT_EQ(read.words("tokens"), (Texts{"The", "cat", "sits", "."}));
  EXPECT_FALSE(read.dataset.hasTargets);
  // A sentence of one word has no brackets.
  EXPECT_EQ(read.ints("tree", 1), Ints{-1});
  EXPECT_EQ(read.words("words", 1), Texts{"Yes"});
}

TEST(Brackets, haveClassesAndFurtherColumns) {
  Readout read("brackets", "2\t( a b )\tx\ty\r\n\r\n0\ta\tz\n");
  EXPECT_EQ(read.ints("label", 0), Ints{2});
  EXPECT_EQ(read.ints("label", 1), Ints{0});
  EXPECT_TRUE(read.dataset.hasTargets);
  EXPECT_EQ(read.dataset.extraNames, (Texts{"column3", "column4"}));
  EXPECT_EQ(read.dataset.extras[1], Texts{"z"});
  EXPECT_EQ(read.dataset.lines, (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(read.dataset.texts[0], "( a b )");
}

TEST(Brackets, takeColumnsByName) {
  Readout read("brackets", "\xEF\xBB\xBFsource\tid\tTarget\n( a b )\t7\t1\n");
  ASSERT_EQ(read.dataset.size(), 1);
  EXPECT_EQ(read.ints("label"), Ints{1});
  EXPECT_EQ(read.dataset.extraNames, Texts{"id"});
  EXPECT_EQ(read.dataset.extras[0], Texts{"7"});
}

TEST(Brackets, keepOtherSpacesInWords) {
  const std::string word = "8\xC2\xA0"
                           "1/2";
  Readout read("brackets", "( " + word + "  x)", noTargets());
  EXPECT_EQ(read.words("tokens"), (Texts{word, "x"}));
}

TEST(Brackets, nameThePlaceOfAnError) {
  EXPECT_EQ(errorOf("brackets", "( a b )"),
            "f:1:8: expected a class, a tab and a tree, but got one column");
  EXPECT_EQ(errorOf("brackets", "1\t( a b ) c"),
            "f:1:11: expected the end of the line after the tree, but got 'c'");
  EXPECT_EQ(errorOf("brackets", "1\t( a b ) c\tx"),
            "f:1:11: expected the end of the column after the tree, but got "
            "'c'");
  EXPECT_EQ(errorOf("brackets", "1\t( a b"),
            "f:1:8: expected ')', but got the end of the line");
  EXPECT_EQ(errorOf("brackets", "1\t( a b\tx"),
            "f:1:8: expected ')', but got the end of the column");
  EXPECT_EQ(errorOf("brackets", "1\t( )"),
            "f:1:5: expected a word or a child, but got ')'");
  EXPECT_EQ(errorOf("brackets", "1\t)"),
            "f:1:3: expected '(' or a word, but got ')'");
  EXPECT_EQ(errorOf("brackets", "1\t"),
            "f:1:3: expected '(' or a word, but got the end of the line");
  EXPECT_EQ(errorOf("brackets", "one\ta"),
            "f:1:1: expected a class that is a whole number from 0, but got "
            "'one'");
  EXPECT_EQ(errorOf("brackets", "-1\ta", noTargets()),
            "f:1:1: expected a class that is a whole number from 0, but got "
            "'-1'");
  EXPECT_EQ(errorOf("brackets", "tree\tid\n( a b )\t1"),
            "f:1:1: expected a column 'label', 'class' or 'target', but got "
            "'tree\\x09id'");
  EXPECT_EQ(errorOf("brackets", "id\ttree\tlabel\n7\t( a b )"),
            "f:2:10: expected 3 columns, but got 2");
}

TEST(Constituents, haveTheirLabelsAsWords) {
  Readout read("constituents", "( (S (NP (DT The) (NN cat)) (VP (VBZ sits))) )",
               noTargets());
  EXPECT_EQ(read.words("words"),
            (Texts{"-", "[S]", "[NP]", "The", "cat", "[VP]", "sits"}));
  EXPECT_EQ(read.ints("tree"), (Ints{-1, 0, 1, 2, 2, 1, 5}));
  EXPECT_EQ(read.words("tokens"), (Texts{"The", "cat", "sits"}));
  Readout collapsed("constituents",
                    "( (S (NP (DT The) (NN cat)) (VP (VBZ sits))) )",
                    shape(Binarize::None, true));
  EXPECT_EQ(collapsed.words("words"),
            (Texts{"[S]", "[NP]", "The", "cat", "sits"}));
  EXPECT_EQ(collapsed.ints("tree"), (Ints{-1, 0, 1, 1, 0}));
}

TEST(Binarization, repeatsTheLabel) {
  const std::string text = "(3 (0 a) (1 b) (2 c) (4 d))";
  Readout left("ptb", text, shape(Binarize::Left, false));
  EXPECT_EQ(left.ints("tree"), (Ints{-1, 0, 1, 2, 2, 1, 0}));
  EXPECT_EQ(left.ints("labels"), (Ints{3, 3, 3, 0, 1, 2, 4}));
  EXPECT_EQ(left.words("words"), (Texts{"-", "-", "-", "a", "b", "c", "d"}));
  Readout right("ptb", text, shape(Binarize::Right, false));
  EXPECT_EQ(right.ints("tree"), (Ints{-1, 0, 0, 2, 2, 4, 4}));
  EXPECT_EQ(right.ints("labels"), (Ints{3, 0, 3, 1, 3, 2, 4}));
  EXPECT_EQ(right.words("words"), (Texts{"-", "a", "-", "b", "-", "c", "d"}));
  // What is drawn has the same nodes.
  TreeText tree;
  ASSERT_TRUE(left.reader->describe(text, "tree", tree));
  EXPECT_EQ(tree.subtrees[1], "(3 (3 (0 a) (1 b)) (2 c))");
}

TEST(Classes, replaceLabels) {
  ReaderOptions options;
  options.classes = {{0, 0}, {1, 0}, {3, 1}, {4, 1}};
  // A neutral sentence is no example, and a neutral phrase has no weight.
  Readout read("ptb", "(2 (1 a) (3 b))\n(4 (2 a) (0 b))\n(1 c)", options);
  ASSERT_EQ(read.dataset.size(), 2);
  EXPECT_EQ(read.dataset.lines, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(read.ints("label", 0), Ints{1});
  EXPECT_EQ(read.ints("labels", 0), (Ints{1, 0, 0}));
  EXPECT_EQ(read.ints("labels", 1), Ints{0});
  EXPECT_EQ(read.dataset.find("weights")->floats,
            (std::vector<float>{1, 0, 1, 1}));
  Readout all("ptb", "(2 (1 a) (3 b))");
  EXPECT_EQ(all.ints("labels"), (Ints{2, 1, 3}));
  EXPECT_EQ(all.dataset.find("weights")->floats, (std::vector<float>{1, 1, 1}));
}

TEST(Binarization, leavesBinaryTreesAlone) {
  const std::string text = "(3 (2 It) (4 (2 's) (4 good)))\n(1 x)";
  Readout plain("ptb", text), left("ptb", text, shape(Binarize::Left, true)),
      right("ptb", text, shape(Binarize::Right, true));
  for (int64_t i = 0; i < 2; ++i)
    for (const char *field : {"tree", "words", "labels"}) {
      EXPECT_EQ(left.ints(field, i), plain.ints(field, i));
      EXPECT_EQ(right.ints(field, i), plain.ints(field, i));
    }
}

TEST(Collapsing, keepsTheUpperLabelAndTheWord) {
  Readout read("ptb", "(4 (3 (2 (1 a) (0 (2 (1 b))))))",
               shape(Binarize::None, true));
  EXPECT_EQ(read.ints("tree"), (Ints{-1, 0, 0}));
  EXPECT_EQ(read.ints("labels"), (Ints{4, 1, 0}));
  EXPECT_EQ(read.words("words"), (Texts{"-", "a", "b"}));
}

/// Chains and fans of a line of 10 MB: linear time, no recursion.
TEST(Binarization, takesLinesOfTenMegabytes) {
  constexpr int32_t kCount = 1000000;
  std::string chain, fan = "(1 ";
  for (int i = 0; i < kCount; ++i) {
    chain += "(0 (2 word) ";
    fan += "(0 word) ";
  }
  chain += "(2 end)" + std::string(kCount, ')');
  fan += ")";
  ASSERT_GT(chain.size() + fan.size(), 20000000u);
  for (Binarize binarize : {Binarize::Left, Binarize::Right}) {
    Readout deep("ptb", chain, shape(binarize, true));
    EXPECT_EQ(deep.dataset.sizeOf(0), 2 * kCount + 1);
    EXPECT_EQ(deep.dataset.heightOf(0), kCount);
    Readout wide("ptb", fan, shape(binarize, true));
    EXPECT_EQ(wide.dataset.sizeOf(0), 2 * kCount - 1);
    EXPECT_EQ(wide.dataset.heightOf(0), kCount - 1);
    TreeText tree;
    EXPECT_FALSE(
        wide.reader->describe(fan, "tree", tree)); // Too large to draw.
  }
}

TEST(ListOps, readsBinaryBrackets) {
  Readout read("listops", "9\t( ( ( [MAX 2 ) 9 ) ] )\n0\t0\n");
  EXPECT_EQ(read.ints("tree"), (Ints{-1, 0, 1, 2, 2, 1, 0}));
  EXPECT_EQ(read.words("words"), (Texts{"-", "-", "-", "[MAX", "2", "9", "]"}));
  EXPECT_EQ(read.words("tokens"), (Texts{"[MAX", "2", "9", "]"}));
  EXPECT_EQ(read.ints("label"), Ints{9});
  // An expression may be a single digit.
  EXPECT_EQ(read.ints("tree", 1), Ints{-1});
  EXPECT_EQ(read.dataset.extraNames, Texts{"depth"});
  EXPECT_EQ(read.dataset.extras, (std::vector<Texts>{{"1"}, {"0"}}));
}

TEST(ListOps, readsPrefixNotation) {
  Readout read("listops", "9\t[MAX 2 [MIN 9 9 ] 3 ]\ttwo\n");
  EXPECT_EQ(read.ints("tree"), (Ints{-1, 0, 0, 2, 2, 0}));
  EXPECT_EQ(read.words("words"), (Texts{"[MAX", "2", "[MIN", "9", "9", "3"}));
  EXPECT_EQ(read.dataset.extraNames, (Texts{"depth", "column3"}));
  EXPECT_EQ(read.dataset.extras[0], (Texts{"2", "two"}));
  TreeText tree;
  ASSERT_TRUE(read.reader->describe(read.dataset.texts[0], "tree", tree));
  EXPECT_EQ(tree.nodes, (Texts{"[MAX", "2", "[MIN", "9", "9", "3"}));
  EXPECT_EQ(tree.subtrees[0], "[MAX 2 [MIN 9 9 ] 3 ]");
  EXPECT_EQ(tree.subtrees[2], "[MIN 9 9 ]");
}

TEST(ListOps, namesThePlaceOfAnError) {
  EXPECT_EQ(errorOf("listops", "1\t[MAX 1 2"),
            "f:1:11: expected ']' of the operator '[MAX', but got the end of "
            "the expression");
  EXPECT_EQ(errorOf("listops", "1\t[MAX 1 ] 2"),
            "f:1:12: expected the end of the expression, but got '2'");
  EXPECT_EQ(errorOf("listops", "1\t[MAX ]"),
            "f:1:8: expected an operand of '[MAX' before its end, but got "
            "']'");
  EXPECT_EQ(errorOf("listops", "1\t[MAX 1 ] ]"),
            "f:1:12: expected the end of the expression, but got ']'");
  EXPECT_EQ(errorOf("listops", "1\t[MAX (1 2) ]"),
            "f:1:8: expected an operator or a value without parentheses, but "
            "got '(1'");
  EXPECT_EQ(errorOf("listops", "1\t( [MAX 1"),
            "f:1:11: expected ')', but got the end of the line");
  EXPECT_EQ(errorOf("listops", "( ( [MAX 1 ) ] )"),
            "f:1:17: expected a class, a tab and a tree, but got one column");
}

TEST(Encoding, namesTheFirstWrongByte) {
  auto error = [](std::string_view text) {
    return checkText(text, "f", 1).message();
  };
  EXPECT_EQ(error("\xEF\xBB\xBFz\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8C\xB3"), "");
  EXPECT_EQ(error("a\n\xC3\xA9 \xFF"),
            "f:2:3: expected UTF-8, but got the byte 0xFF");
  EXPECT_EQ(error("caf\xE9 x"),
            "f:1:4: expected UTF-8, but got the byte 0xE9"); // Latin-1.
  EXPECT_EQ(error("\xC0\xAF"), "f:1:1: expected UTF-8, but got the byte 0xC0");
  EXPECT_EQ(error("\xE0\x80\xAF"),
            "f:1:1: expected UTF-8, but got the byte 0xE0"); // Overlong.
  EXPECT_EQ(error("\xED\xA0\x80"),
            "f:1:1: expected UTF-8, but got the byte 0xED"); // A surrogate.
  EXPECT_EQ(error("\xF4\x90\x80\x80"),
            "f:1:1: expected UTF-8, but got the byte 0xF4"); // U+110000.
  EXPECT_EQ(error("x\xE2\x82"), "f:1:2: expected UTF-8, but got the byte 0xE2");
  EXPECT_EQ(error(std::string_view("a\0b", 3)),
            "f:1:2: expected a text, but got the byte 0x00");
  EXPECT_EQ(error(std::string_view("\xFF\xFE(\0", 4)),
            "f:1:1: expected UTF-8, but got the byte 0xFF, a byte order mark "
            "of UTF-16 (iconv -f UTF-16 -t UTF-8 converts it)");
}

TEST(Encoding, isCheckedWhereverFilesAreRead) {
  const std::string path =
      testing::TempDir() + "/cambium_latin1" + std::to_string(getpid());
  std::ofstream(path, std::ios::binary) << "(1 a)\n(1 caf\xE9)\n";
  const std::string expected =
      path + ":2:7: expected UTF-8, but got the byte 0xE9";
  std::unique_ptr<Reader> reader = createReader("ptb");
  Dataset dataset;
  EXPECT_EQ(reader->fit(path).message(), expected);
  EXPECT_EQ(reader->read(path, dataset).message(), expected);
  EXPECT_EQ(createReader("listops")->fit(path).message(), expected);
  std::filesystem::remove(path);
}

TEST(ListOpsFiles, haveTheCountsOfTheirSource) {
  const std::string folder = CAMBIUM_TEST_DATA "/listops/";
  if (!std::ifstream(folder + "test_d20.tsv"))
    GTEST_SKIP() << "no " << folder;
  std::unique_ptr<Reader> reader = createReader("listops");
  ASSERT_TRUE(reader->fit(folder + "test_d20.tsv").ok());
  // Two special words, ten digits, four operators and their end.
  EXPECT_EQ(reader->vocabulary()->size(), 17);
  for (const char *file : {"test_d8.tsv", "test_d10.tsv", "test_d14.tsv",
                           "test_d20.tsv", "test_d20a.tsv"}) {
    Dataset dataset;
    Status status = reader->read(folder + file, dataset);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(dataset.size(), 10000);
    const Field &tree = *dataset.find("tree"),
                &tokens = *dataset.find("tokens");
    for (int64_t i = 0; i < dataset.size(); ++i)
      ASSERT_EQ(tree.rows(i), 2 * tokens.rows(i) - 1) << dataset.where(i);
  }
}

} // namespace
