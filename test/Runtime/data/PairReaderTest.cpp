//===-- test/Runtime/data/PairReaderTest.cpp - Pairs of sentences ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReaderTestSupport.h"

#include <algorithm>
#include <fstream>

using namespace cambium::data;
using namespace cambium::data::test;

namespace {

/// The options that name columns.
ReaderOptions layout(const char *columns) {
  ReaderOptions options;
  options.layout = columns;
  return options;
}

const char kHeader[] = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\t"
                       "entailment_judgment\n";

TEST(PairReader, readsNamedColumnsInAnyOrder) {
  Folder folder;
  std::string path = folder.write(
      "train.txt", "\xEF\xBB\xBF%entailment_judgment\tsentence_A\tsentence_B\t"
                   "relatedness_score\tpair_ID\r\n"
                   "NEUTRAL\ta b\tb\t4.5\t7\r\n\r\n"
                   "entailment\tb\tc\xC2\xA0"
                   "d b\t1\t9");
  std::unique_ptr<Reader> reader = createReader("pairs");
  ASSERT_TRUE(reader->fit(path).ok());
  Dataset dataset;
  Status status = reader->read(path, dataset);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(dataset.size(), 2);
  // "b" stands four times; U+00A0 belongs to a word.
  EXPECT_EQ(intsOf(dataset, "words_a", 0), (Ints{3, 2}));
  EXPECT_EQ(intsOf(dataset, "words_b", 1), (Ints{4, 2}));
  EXPECT_EQ(*reader->vocabulary()->wordOf(4), "c\xC2\xA0"
                                              "d");
  EXPECT_EQ(dataset.find("score")->floatsOf(0)[0], 4.5f);
  EXPECT_EQ(intsOf(dataset, "label", 0), Ints{1});
  EXPECT_EQ(intsOf(dataset, "label", 1), Ints{2});
  EXPECT_EQ(dataset.extraNames[4], "pair_ID");
  EXPECT_EQ(dataset.extras[1][4], "9");
  EXPECT_EQ(dataset.where(1), path + ":4");
  EXPECT_TRUE(dataset.hasTargets);
}

TEST(PairReader, readsPlainColumns) {
  Folder folder;
  std::unique_ptr<Reader> reader = createReader("pairs");
  EXPECT_EQ(errorOf("pairs", "a b\tc\t-0.25\t3\n"),
            "f:1:1: expected the names of the columns, sentence_A and "
            "sentence_B or tree_A and tree_B among them, in the first line or "
            "by --layout, but got 'a b\\x09c\\x09-0.25\\x093'");
  EXPECT_EQ(errorOf("pairs", "a\tb\n", layout("sentence_a,score")),
            "f:1:1: expected the names of the columns, sentence_A and "
            "sentence_B or tree_A and tree_B among them, in the first line or "
            "by --layout, but got the layout 'sentence_a,score'");
  std::ofstream(folder.path + "/f") << "a b\tc\t-0.25\t3\nd\te\t7\t0\n";
  reader->options = layout("sentence_a,sentence_b,score,label");
  ASSERT_TRUE(reader->fit(folder.path + "/f").ok());
  Dataset scored = parse(*reader, "a b\tc\t-0.25\t3\nd\te\t7\t0");
  EXPECT_EQ(scored.find("score")->floatsOf(0)[0], -0.25f);
  EXPECT_EQ(intsOf(scored, "label", 0), Ints{3});
  EXPECT_EQ(scored.find("tree_a"), nullptr);
  reader->options = layout("sentence_a,sentence_b");
  reader->options.requireTargets = false;
  Dataset alone = parse(*reader, "a b\tc");
  EXPECT_FALSE(alone.hasTargets);
  EXPECT_EQ(alone.find("score"), nullptr);
}

TEST(PairReader, readsTreesInBrackets) {
  Folder folder;
  const std::string path =
      folder.write("f", "NEUTRAL\t ( ( a b ) c ) \t( a d )\t4.5\t7\n"
                        "contradiction\ta\t( b ( c ) )\t1\t8\n");
  std::unique_ptr<Reader> reader = createReader("pairs");
  reader->options = layout("label,tree_a,tree_b,score,id");
  reader->options.collapseUnary = true;
  ASSERT_TRUE(reader->fit(path).ok());
  Dataset dataset;
  Status status = reader->read(path, dataset);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(intsOf(dataset, "words_a", 0), (Ints{2, 3, 4}));
  EXPECT_EQ(intsOf(dataset, "ctree_a", 0), (Ints{-1, 0, 1, 1, 0}));
  EXPECT_EQ(intsOf(dataset, "cwords_a", 0), (Ints{0, 0, 2, 3, 4}));
  EXPECT_EQ(intsOf(dataset, "ctree_a", 1), Ints{-1});
  EXPECT_EQ(intsOf(dataset, "ctree_b", 1), (Ints{-1, 0, 0}));
  EXPECT_EQ(intsOf(dataset, "label", 0), Ints{1});
  EXPECT_EQ(intsOf(dataset, "label", 1), Ints{0});
  EXPECT_EQ(dataset.find("score")->floatsOf(0)[0], 4.5f);
  const ReaderOptions trees = layout("label,tree_a,tree_b");
  EXPECT_EQ(errorOf("pairs", "NEUTRAL\t( a b )\t( a b\n", trees),
            "f:1:22: expected ')', but got the end of the line");
  EXPECT_EQ(errorOf("pairs", "NEUTRAL\t( a b )\n", trees),
            "f:1:16: expected 3 columns, as there are names, but got 2");
}

TEST(PairReader, takesNothingForATreeByItsLooks) {
  std::unique_ptr<Reader> reader = createReader("pairs");
  const char text[] = "%entailment_judgment\tsentence_A\tsentence_B\t"
                      "relatedness_score\tpair_ID\n"
                      "NEUTRAL\t( a b )\t( c d )\t2.7\t6592\n";
  Dataset plain = parse(*reader, text);
  EXPECT_EQ(plain.find("ctree_a"), nullptr);
  EXPECT_EQ(plain.find("words_a")->rows(0), 4);
  // The layout wins over the names in the file.
  reader->options = layout("label,tree_A,tree_B,score,id");
  Dataset named = parse(*reader, text);
  ASSERT_EQ(named.size(), 1);
  EXPECT_EQ(intsOf(named, "ctree_b", 0), (Ints{-1, 0, 0}));
  EXPECT_EQ(named.find("score")->floatsOf(0)[0], 2.7f);
  // A leaf alone is a tree, and a sentence beside its tree a further column.
  reader = createReader("pairs");
  Dataset both = parse(*reader, "label\ttree_A\tsentence_A\ttree_B\t"
                                "sentence_B\nneutral\ta\ta\t( b c )\tb c\n");
  EXPECT_EQ(intsOf(both, "ctree_a", 0), Ints{-1});
  EXPECT_EQ(both.extras[0][4], "b c");
}

TEST(PairReader, describesBothTrees) {
  std::unique_ptr<Reader> reader = createReader("pairs");
  reader->options = layout("label,tree_a,tree_b");
  const Dataset dataset =
      parse(*reader, "NEUTRAL\t( ( The cat ) sits )\t( A dog )\n");
  TreeText tree;
  ASSERT_TRUE(reader->describe(dataset.texts[0], "ctree_a", tree));
  EXPECT_EQ(tree.title, "The cat sits");
  EXPECT_EQ(tree.nodes,
            (std::vector<std::string>{"", "", "The", "cat", "sits"}));
  EXPECT_TRUE(tree.subtrees.empty());
  ASSERT_TRUE(reader->describe(dataset.texts[0], "ctree_b", tree));
  EXPECT_EQ(tree.title, "A dog");
  EXPECT_FALSE(reader->describe("NEUTRAL", "ctree_a", tree));
}

TEST(PairReader, namesThePlaceOfAnError) {
  const std::string header = kHeader;
  EXPECT_EQ(errorOf("pairs", "a\tb\n", layout("sentence_a,sentence_b")),
            "f:1:4: expected a column with a score or a label, but got "
            "sentences alone");
  const ReaderOptions scored = layout("sentence_a,sentence_b,score");
  EXPECT_EQ(errorOf("pairs", " \tb\t1\n", scored),
            "f:1:1: expected a sentence, but got nothing");
  EXPECT_EQ(errorOf("pairs", header + "1\ta\tb\t4\n"),
            "f:2:8: expected 5 columns, as there are names, but got 4");
  EXPECT_EQ(errorOf("pairs", header + "1\ta\tb\t4\tNEUTRAL\tx\n"),
            "f:2:18: expected 5 columns, as there are names, but got 6");
  EXPECT_EQ(errorOf("pairs", header + "1\ta\tb\tfour\tNEUTRAL\n"),
            "f:2:7: expected a score from 0 to 5, but got 'four'");
  EXPECT_EQ(errorOf("pairs", header + "1\ta\tb\tnan\tNEUTRAL\n"),
            "f:2:7: expected a score from 0 to 5, but got 'nan'");
  EXPECT_EQ(errorOf("pairs", header + "1\ta\tb\t5.1\tNEUTRAL\n"),
            "f:2:7: expected a score from 0 to 5, but got '5.1'");
  EXPECT_EQ(errorOf("pairs", "a\tb\tinf\n", scored),
            "f:1:5: expected a score, but got 'inf'");
  EXPECT_EQ(errorOf("pairs", header + "1\ta\tb\t4\t-\n"),
            "f:2:9: expected a label of the training data ('contradiction', "
            "'neutral', 'entailment'), but got '-'");
  EXPECT_EQ(errorOf("pairs", "sentence_A\tsentence_B\tpremise\na\tb\tc"),
            "f:1:23: expected one column of that meaning, but got 'premise' "
            "beside 'sentence_A'");
}

TEST(PairReader, keepsTheExamplesBeforeAnError) {
  std::unique_ptr<Reader> reader = createReader("pairs");
  Dataset dataset;
  reader->options = layout("sentence_a,sentence_b,score");
  EXPECT_FALSE(reader->readText("a\tb\t1\nc\td\tx\n", "f", 1, dataset).ok());
  ASSERT_EQ(dataset.size(), 1);
  for (const Field &field : dataset.fields)
    EXPECT_EQ(field.offsets.size(), 2u) << field.name;
}

/// A pair with all its files: "the old man 's hat" and "a hat".
class PairParses : public testing::Test {
protected:
  PairParses() {
    write("id.txt", "12\n");
    write("a.toks", "the old man 's hat\n");
    write("a.parents", "3 3 5 3 0\n");
    // Inner nodes 6 to 9: the phrase of "old man" has a higher number than the
    // word behind it, and the root is none of the ends.
    write("a.cparents", "7 9 9 6 8 8 6 0 7\n");
    write("b.toks", "a hat\n");
    write("b.parents", "2 0\n");
    write("b.cparents", "3 3 0\n");
  }
  void write(const std::string &name, std::string_view text) {
    folder.write("parsed/train/" + name, text);
  }
  /// The error of reading a pair, after the path of the parses.
  std::string error(const char *pair = "12\tx\ty\t3\tNEUTRAL\n") {
    ReaderOptions options;
    options.parses = folder.path + "/parsed";
    std::string text = errorOf("pairs", std::string(kHeader) + pair, options);
    const std::string prefix = options.parses + "/train/";
    return text.rfind(prefix, 0) == 0 ? text.substr(prefix.size()) : text;
  }

  Folder folder;
};

TEST_F(PairParses, giveWordsAndTrees) {
  std::unique_ptr<Reader> reader = createReader("pairs");
  reader->options.parses = folder.path + "/parsed";
  std::string path = folder.write("f.txt", std::string(kHeader) +
                                               "12\tthe old man's hat\ta hat\t"
                                               "3\tNEUTRAL\n");
  ASSERT_TRUE(reader->fit(path).ok());
  Dataset dataset;
  Status status = reader->read(path, dataset);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(*reader->vocabulary()->wordOf(2), "hat");
  EXPECT_EQ(intsOf(dataset, "words_a", 0), (Ints{3, 4, 5, 6, 2}));
  EXPECT_EQ(intsOf(dataset, "tree_a", 0), (Ints{2, 2, 4, 2, -1}));
  EXPECT_EQ(intsOf(dataset, "tree_b", 0), (Ints{1, -1}));
  // (((the (old man)) 's) hat) in preorder.
  EXPECT_EQ(intsOf(dataset, "ctree_a", 0), (Ints{-1, 0, 1, 2, 2, 4, 4, 1, 0}));
  EXPECT_EQ(intsOf(dataset, "cwords_a", 0), (Ints{0, 0, 0, 3, 0, 4, 5, 6, 2}));
  EXPECT_EQ(dataset.heightOf(0), 2);
  TreeText tree;
  ASSERT_TRUE(reader->describe(dataset.texts[0], "tree_a", tree));
  EXPECT_EQ(tree.title, "the old man 's hat");
  EXPECT_EQ(tree.nodes[2], "man");
  ASSERT_TRUE(reader->describe(dataset.texts[0], "ctree_b", tree));
  EXPECT_EQ(tree.nodes, (std::vector<std::string>{"", "a", "hat"}));
  // A folder of files itself will do as well.
  reader = createReader("pairs");
  reader->options.parses = folder.path + "/parsed/train";
  EXPECT_TRUE(reader->fit(path).ok());
}

TEST_F(PairParses, mustFitThePairs) {
  EXPECT_EQ(error(), "");
  EXPECT_EQ(error("13\tx\ty\t3\tNEUTRAL\n"),
            "f:2:1: expected a pair that is in " + folder.path +
                "/parsed, but got '13'");
  ReaderOptions options;
  options.parses = folder.path + "/parsed";
  ReaderOptions unnamed = options;
  unnamed.layout = "sentence_a,sentence_b,score";
  EXPECT_EQ(errorOf("pairs", "a\tb\t3\n", unnamed),
            "f:1:1: expected the names of the columns, pair_ID among them, by "
            "which parses are found, but got 'a\\x09b\\x093'");
  options.parses = folder.path + "/none";
  EXPECT_EQ(errorOf("pairs", "a\tb\t3\n", options),
            options.parses +
                ": cannot read the folder: No such file or directory");
  options.parses = folder.path;
  EXPECT_EQ(errorOf("pairs", "a\tb\t3\n", options),
            options.parses + ": expected id.txt, a.toks, b.toks, ... in the "
                             "folder or in its folders, but got none");
}

TEST_F(PairParses, mustHaveTheSameLines) {
  write("b.toks", "a hat\na hat\n");
  EXPECT_EQ(error(), "b.toks:2:1: expected the end of the file after 1 lines, "
                     "as in id.txt, but got 'a hat'");
  write("b.toks", "");
  EXPECT_EQ(error(), "b.toks: expected 1 lines, as in id.txt, but got 0");
  write("b.toks", " \n");
  EXPECT_EQ(error(),
            "b.toks:1:1: expected the words of a sentence, but got an empty "
            "line");
  write("b.toks", "a hat\n");
  write("id.txt", "12\n12\n");
  EXPECT_EQ(error(),
            "id.txt:2:1: expected an id that no other pair has, but got '12'");
}

TEST_F(PairParses, mustBeTheSameFilesEverywhere) {
  std::filesystem::remove(folder.path + "/parsed/train/b.parents");
  EXPECT_EQ(error(), "b.parents: expected such a file for all sentences or for "
                     "none, but got some");
  write("b.parents", "2 0\n");
  folder.write("parsed/xtra/id.txt", "13\n");
  folder.write("parsed/xtra/a.toks", "x\n");
  EXPECT_EQ(error(), folder.path +
                         "/parsed/xtra/a.parents: expected such a file for all "
                         "sentences or for none, but got some");
}

TEST_F(PairParses, headsMakeATree) {
  const std::pair<const char *, const char *> cases[] = {
      {"2", "1:1: expected 2 heads, one per word of the sentence, but got 1"},
      {"2 x", "1:3: expected the number of a word from 1 to 2, or 0 at the "
              "root, but got 'x'"},
      {"3 0", "1:1: expected the number of a word from 1 to 2, or 0 at the "
              "root, but got '3'"},
      {"-1 0", "1:1: expected the number of a word from 1 to 2, or 0 at the "
               "root, but got '-1'"},
      {"0 0", "1:3: expected one root, but got word 2 beside 1"},
      {"1 0", "1:1: expected another node as parent, but got word 1 itself"},
      {"2 1", "1:4: expected a root, which has the parent 0, but got none"}};
  for (const auto &[line, message] : cases) {
    write("b.parents", line);
    EXPECT_EQ(error(), "b.parents:" + std::string(message));
  }
  write("a.parents", "2 1 0 3 3\n");
  EXPECT_EQ(error(), "a.parents:1:1: expected a tree, but got word 1 that is "
                     "its own ancestor");
}

TEST_F(PairParses, phrasesMakeABinaryTree) {
  write("b.cparents", "3 0\n");
  EXPECT_EQ(error(), "b.cparents:1:1: expected 3 parents, for the nodes of a "
                     "binary tree over 2 words, but got 2");
  write("b.cparents", "2 0 2\n");
  EXPECT_EQ(error(), "b.cparents:1:1: expected a tree whose leaves are the "
                     "nodes 1 to 2, but got another one");
  write("b.cparents", "3 3 0\n");
  write("a.cparents", "6 6 6 7 8 7 8 0 8\n");
  EXPECT_EQ(error(), "a.cparents:1:5: expected two children of node 6, but got "
                     "a third one, node 3");
}

TEST(BracketedSick, hasTheCountsOfItsSource) {
  const std::string folder = CAMBIUM_TEST_DATA "/sick/bracketed/";
  if (!std::ifstream(folder + "SICK_train_parsed.txt"))
    GTEST_SKIP() << "no " << folder;
  std::unique_ptr<Reader> reader = createReader("pairs");
  struct {
    const char *file;
    int64_t pairs;
    bool hasScores;
    const char *columns;
  } const expected[] = {
      {"SICK_train_parsed.txt", 4500, false, "label,tree_a,tree_b"},
      {"SICK_train_parsed_exactAlign.txt", 4500, false, "label,tree_a,tree_b"},
      {"SICK_trial_parsed.txt", 500, true, "label,tree_a,tree_b,score,id"},
      {"SICK_test_annotated_rearranged_parsed.txt", 4927, false,
       "label,tree_a,tree_b,sentence_a,sentence_b"}};
  for (const auto &file : expected) {
    Dataset dataset;
    reader->options = layout(file.columns);
    Status status = reader->read(folder + file.file, dataset);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(dataset.size(), file.pairs);
    EXPECT_EQ(dataset.find("score") != nullptr, file.hasScores);
    for (const char *side : {"_a", "_b"}) {
      const std::string end = side;
      const Field &words = *dataset.find("words" + end);
      const Field &phrases = *dataset.find("ctree" + end);
      for (int64_t i = 0; i < dataset.size(); ++i)
        ASSERT_EQ(phrases.rows(i), 2 * words.rows(i) - 1) << dataset.where(i);
    }
  }
}

TEST(Sick, hasTheCountsOfItsSource) {
  const std::string folder = CAMBIUM_TEST_DATA "/sick/";
  if (!std::ifstream(folder + "SICK_train.txt"))
    GTEST_SKIP() << "no " << folder;
  std::unique_ptr<Reader> reader = createReader("pairs");
  reader->options.parses = folder + "parsed";
  ASSERT_TRUE(reader->fit(folder + "SICK_train.txt").ok());
  struct {
    const char *file;
    int64_t pairs;
    Ints classes; ///< Contradiction, neutral, entailment.
  } const expected[] = {{"SICK_train.txt", 4500, {665, 2536, 1299}},
                        {"SICK_trial.txt", 500, {74, 282, 144}},
                        {"SICK_test_annotated.txt", 4927, {720, 2793, 1414}}};
  for (const auto &file : expected) {
    Dataset dataset;
    Status status = reader->read(folder + file.file, dataset);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(dataset.size(), file.pairs);
    Ints classes(3);
    for (int64_t i = 0; i < dataset.size(); ++i) {
      ++classes.at(intsOf(dataset, "label", i)[0]);
      for (const char *side : {"_a", "_b"}) {
        const std::string end = side;
        const Field &words = *dataset.find("words" + end);
        const Field &phrases = *dataset.find("cwords" + end);
        ASSERT_EQ(phrases.rows(i), 2 * words.rows(i) - 1);
        // The leaves of the phrases are the words, in their order.
        Ints leaves = intsOf(dataset, ("cwords" + end).c_str(), i);
        leaves.erase(std::remove(leaves.begin(), leaves.end(), 0),
                     leaves.end());
        ASSERT_EQ(leaves, intsOf(dataset, ("words" + end).c_str(), i));
      }
    }
    EXPECT_EQ(classes, file.classes);
  }
}

} // namespace
