//===-- test/Runtime/data/TableColumnTest.cpp - Columns that are learned --===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Columns of words, characters, classes, trees and vectors: ids are those of
/// the training file.
///
//===----------------------------------------------------------------------===//

#include "ReaderTestSupport.h"

using namespace cambium::data;
using namespace cambium::data::test;

namespace {

/// A reader that has learned from a text.
std::unique_ptr<Reader> fitted(const Folder &folder, std::string_view text,
                               const ReaderOptions &options = {}) {
  std::unique_ptr<Reader> reader = createReader("table");
  reader->options = options;
  Status status = reader->fit(folder.write("train.tsv", text));
  EXPECT_TRUE(status.ok()) << status.message();
  return reader;
}

std::string fitError(const Folder &folder, std::string_view text) {
  const std::string message =
      createReader("table")->fit(folder.write("train.tsv", text)).message();
  return message.substr(std::min(message.size(), folder.path.size() + 10));
}

TEST(TableColumns, haveTheVocabulariesThatTheyName) {
  Folder folder;
  std::unique_ptr<Reader> reader =
      fitted(folder, "source:words=en\ttarget:words=fr\tletters:chars=abc\n"
                     "a b a\tb x\tx\xC3\xA9x\n");
  EXPECT_EQ(reader->vocabulary(), nullptr);
  ASSERT_EQ(reader->vocabularies.size(), 3u);
  EXPECT_EQ(*reader->vocabularies["en"].wordOf(2), "a");
  EXPECT_EQ(*reader->vocabularyOf("target")->wordOf(2), "b");
  EXPECT_EQ(*reader->vocabularyOf("letters")->wordOf(3), "\xC3\xA9");
  EXPECT_EQ(reader->vocabularyOf("other"), nullptr);
  // Other files have the ids of the training file, in any order of columns.
  Dataset dataset = parse(*reader, "letters:chars=abc\tsource:words=en\n"
                                   "\xC3\xA9?\tb zzz\n\t\n");
  EXPECT_EQ(intsOf(dataset, "letters", 0), (Ints{3, 1}));
  EXPECT_EQ(intsOf(dataset, "source", 0), (Ints{3, 1}));
  EXPECT_EQ(intsOf(dataset, "source", 1), Ints{});
}

TEST(TableColumns, shareAVocabulary) {
  Folder folder;
  ReaderOptions options;
  options.lowercase = true;
  options.fieldLimits = {{"b", 4}, {"a", 100}};
  std::unique_ptr<Reader> reader =
      fitted(folder, "a:words\tb:words\nx Y z\ty\n", options);
  // All ids stay below the least limit of its fields.
  EXPECT_EQ(reader->vocabulary()->size(), 4);
  Dataset dataset = parse(*reader, "a:words\tb:words\nY X\tz\n");
  EXPECT_EQ(intsOf(dataset, "a", 0), (Ints{2, 3}));
  EXPECT_EQ(intsOf(dataset, "b", 0), Ints{1});
}

TEST(TableColumns, haveEnds) {
  Folder folder;
  std::unique_ptr<Reader> reader =
      fitted(folder, "target:words+ends=out\tsource:words=out\n"
                     "a b\tc </s>\n");
  Dataset dataset = parse(*reader, "target:words+ends=out\na c\n\n\n");
  const Vocabulary &words = reader->vocabularies["out"];
  EXPECT_EQ(*words.wordOf(2), "<s>");
  EXPECT_EQ(*words.wordOf(3), "</s>");
  EXPECT_EQ(words.size(), 7); // The word </s> of the data is no other one.
  EXPECT_EQ(intsOf(dataset, "target", 0), (Ints{4, 6}));
  EXPECT_EQ(intsOf(dataset, "target.in", 0), (Ints{2, 4, 6}));
  EXPECT_EQ(intsOf(dataset, "target.out", 0), (Ints{4, 6, 3}));
  // Where the training file has none, there is no end.
  EXPECT_EQ(
      reader->readText("source:words+ends=in\na\n", "f", 1, dataset).message(),
      "f:1:1: expected the columns of the examples read before, but got "
      "'source:words+ends=in'");
  Dataset other;
  EXPECT_EQ(
      reader->readText("source:words+ends=in\na\n", "f", 1, other).message(),
      "f:2:1: expected a vocabulary that has <s> and </s> for 'source', but "
      "got one without");
}

TEST(TableColumns, nameClasses) {
  Folder folder;
  std::unique_ptr<Reader> reader = fitted(
      folder, "label:class\tlabels:classes\tfixed:class=no,yes\tn:class\n"
              "good\tO _ B-x\tyes\t3\nbad\t\tno\t0\n");
  Dataset dataset = parse(*reader, "label:class\tlabels:classes\tfixed:class\n"
                                   "good\tB-x O _\tyes\n");
  EXPECT_EQ(intsOf(dataset, "label", 0), Ints{1});
  EXPECT_EQ(intsOf(dataset, "labels", 0), (Ints{0, 1, -1}));
  EXPECT_EQ(intsOf(dataset, "fixed", 0), Ints{1});
  EXPECT_EQ(dataset.find("labels")->nameOf(1), "O");
  Dataset other;
  EXPECT_EQ(reader->readText("label:class\nfine\n", "f", 1, other).message(),
            "f:2:1: expected a label of the training data ('bad', 'good'), but "
            "got 'fine'");
  EXPECT_EQ(
      reader->readText("labels:classes\nO  C\n", "f", 1, other).message(),
      "f:2:4: expected a label of the training data ('B-x', 'O'), but got 'C'");
  EXPECT_EQ(
      reader->readText("fixed:class=yes,no\nyes\n", "f", 1, other).message(),
      "f:1:1: expected the names of the training data for 'fixed', but got "
      "'fixed:class=yes,no'");
  // Numbers from 0 are the classes themselves.
  EXPECT_EQ(intsOf(parse(*reader, "n:class\n17\n"), "n", 0), Ints{17});
}

TEST(TableColumns, holdTrees) {
  Folder folder;
  std::unique_ptr<Reader> reader =
      fitted(folder, "tree:tree\tparse:constituents\n"
                     "( ( a b ) c )\t(S (NP a) (VP b))\n");
  Dataset dataset = parse(*reader, "tree:tree\tparse:constituents\n"
                                   "( a ( b c ) )\t(S (NP a) (VP b))\n");
  EXPECT_EQ(intsOf(dataset, "tree", 0), (Ints{-1, 0, 0, 2, 2}));
  EXPECT_EQ(intsOf(dataset, "tree.words", 0), (Ints{0, 2, 0, 3, 4}));
  EXPECT_EQ(intsOf(dataset, "tree.tokens", 0), (Ints{2, 3, 4}));
  EXPECT_EQ(intsOf(dataset, "parse", 0), (Ints{-1, 0, 0}));
  EXPECT_EQ(
      *reader->vocabulary()->wordOf(intsOf(dataset, "parse.words", 0).front()),
      "[S]");
  EXPECT_EQ(intsOf(dataset, "parse.tokens", 0), (Ints{2, 3}));
  Dataset other;
  EXPECT_EQ(reader->readText("tree:tree\n( a\n", "f", 1, other)
                .message()
                .substr(0, 16),
            "f:2:4: expected ");
  EXPECT_EQ(other.size(), 0);
}

TEST(TableColumns, holdHeadsAndGraphs) {
  std::unique_ptr<Reader> reader = createReader("table");
  Dataset dataset = parse(*reader, "t:heads\tg:graph\n2 0 2\t2,3 3 _\n0\t_\n");
  EXPECT_EQ(intsOf(dataset, "t", 0), (Ints{1, -1, 1}));
  EXPECT_EQ(dataset.find("t")->kind, FieldKind::Tree);
  EXPECT_EQ(intsOf(dataset, "t.rows", 0), (Ints{1, -1, 1}));
  EXPECT_EQ(dataset.find("t.rows")->kind, FieldKind::I32);
  const Field &graph = *dataset.find("g");
  EXPECT_EQ(graph.kind, FieldKind::Graph);
  EXPECT_EQ(intsOf(dataset, "g", 0), (Ints{2, 1, 0}));
  EXPECT_EQ(graph.children, (Ints{1, 2, 2}));
  EXPECT_EQ(graph.childOffsets, (std::vector<int64_t>{0, 3, 3}));
  EXPECT_EQ(dataset.sizeOf(0), 3);
  EXPECT_EQ(errorOf("table", "t:heads\n2 1"),
            "f:2:4: expected a root, which has the parent 0, but got none");
  EXPECT_EQ(errorOf("table", "g:graph\n2,x _"),
            "f:2:1: expected the numbers of children from 1 to 2 between "
            "commas, or '_', for 'g', but got '2,x'");
  EXPECT_EQ(errorOf("table", "g:graph\n_ 3"),
            "f:2:3: expected the numbers of children from 1 to 2 between "
            "commas, or '_', for 'g', but got '3'");
}

TEST(TableColumns, keepExamplesBeforeABadGraph) {
  std::unique_ptr<Reader> reader = createReader("table");
  Dataset dataset;
  EXPECT_FALSE(reader->readText("g:graph\n2 _\n2 1,9\n", "f", 1, dataset).ok());
  ASSERT_EQ(dataset.size(), 1);
  EXPECT_EQ(dataset.find("g")->children, Ints{1});
}

TEST(TableColumns, holdVectors) {
  std::unique_ptr<Reader> reader = createReader("table");
  Dataset dataset = parse(*reader, "v:vector=2\trows:vectors=3\n"
                                   "1 2\t1 2 3 4 5 6\n-1 0.5\t\n");
  const Field &vector = *dataset.find("v"), &rows = *dataset.find("rows");
  EXPECT_EQ(vector.rows(1), 1);
  EXPECT_EQ(vector.floatsOf(1)[1], 0.5f);
  EXPECT_FALSE(vector.perRow);
  EXPECT_EQ(rows.rows(0), 2);
  EXPECT_EQ(rows.rows(1), 0);
  EXPECT_EQ(rows.floatsOf(0)[5], 6.0f);
  EXPECT_EQ(errorOf("table", "v:vector=2\n1 2 3"),
            "f:2:1: expected 2 numbers for 'v', but got 3");
  for (const char *names : {"no,no", "no,", "", ",no"})
    EXPECT_EQ(errorOf("table", std::string("c:class=") + names + "\nno"),
              std::string("f:1:9: expected different names between commas, "
                          "but got '") +
                  names + "'");
  EXPECT_EQ(errorOf("table", "v:vectors=2\n1 2 3"),
            "f:2:1: expected rows of 2 numbers for 'v', but got 3");
  EXPECT_EQ(errorOf("table", "v:vector=0\n"),
            "f:1:10: expected how many numbers a row has after 'vector', but "
            "got '0'");
  EXPECT_EQ(errorOf("table", "v:vector\n"),
            "f:1:3: expected how many numbers a row has (vector=300), but got "
            "'vector'");
}

/// Names are those of fields and files, also where they are C strings.
TEST(TableColumns, refuseControlCharacters) {
  for (const char *name : {"\\x00", "\\x1E", "\\x7F"}) {
    const char byte = static_cast<char>(std::stoi(name + 2, nullptr, 16));
    const std::string text =
        "a:ids\tt" + std::string(1, byte) + "b:ids\n1\t2\n";
    EXPECT_EQ(errorOf("table", text),
              std::string("f:1:7: expected the name of a column without "
                          "control characters, but got 't") +
                  name + "b'");
  }
}

TEST(TableColumns, nameThePlaceOfAnError) {
  Folder folder;
  EXPECT_EQ(fitError(folder, "a:words=x y\n"),
            ":1:9: expected the name of a vocabulary (letters, digits, '_', "
            "'-') after 'words', but got 'x y'");
  EXPECT_EQ(fitError(folder, "a:heads+ends\n"),
            ":1:3: expected +ends after words, chars or pieces, but got "
            "'heads'");
  EXPECT_EQ(
      fitError(folder, "a:words\tb:chars\n"),
      ":1:9: expected a vocabulary of words or of chars (chars=NAME names "
      "another one), but got the one of 'a'");
  EXPECT_EQ(fitError(folder, "a:words+ends\ta.in:id\n"),
            ":1:14: expected a name that no other column has, but got 'a.in'");
  EXPECT_EQ(fitError(folder, "a:pieces\n"),
            ":1:1: expected a tokenizer (--tokenizer) for the pieces of 'a', "
            "but got none");
  EXPECT_EQ(fitError(folder, "a:words\tb:class\nx\n"),
            ":2:2: expected as many columns as the first line names (2), but "
            "got 1");
}

TEST(TableColumns, areKeptForLater) {
  Folder folder;
  std::unique_ptr<Reader> first =
      fitted(folder, "a:words+ends=w\tlabel:class\nx\tno\n");
  EXPECT_EQ(first->columns(), "a:words+ends=w\tlabel:class");
  std::unique_ptr<Reader> second = createReader("table");
  ASSERT_TRUE(second->setColumns(first->columns(), "columns.tsv").ok());
  ASSERT_EQ(second->vocabularies.count("w"), 1u);
  EXPECT_EQ(second->vocabularies["w"].size(), 4);
  EXPECT_EQ(second->setColumns("a:word", "columns.tsv").message().substr(0, 37),
            "columns.tsv:1:3: expected a type (id,");
}

} // namespace
