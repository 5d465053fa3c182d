//===-- test/Runtime/data/ConlluReaderTest.cpp - Universal Dependencies ---===//
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

/// A line of CoNLL-U.
std::string word(const std::string &number, const std::string &form,
                 const std::string &tag, const std::string &head) {
  return number + "\t" + form + "\t_\t" + tag + "\t_\t_\t" + head +
         "\tdep\t_\t_\n";
}

TEST(ConlluReader, readsSyntacticWords) {
  Folder folder;
  const std::string path = folder.write(
      "f", "# sent_id = one\n# text = Don't go 1 000\n" +
               word("1-2", "Don't", "_", "_") + word("1", "Do", "AUX", "3") +
               word("2", "n't", "PART", "3") + word("2.1", "x", "_", "_") +
               word("3", "go", "VERB", "0") +
               // A word with a space in it.
               word("4", "1 000", "NUM", "3") + "\n\r\n" +
               "# sent_id = two\r\n" + word("1", "go", "VERB", "0"));
  std::unique_ptr<Reader> reader = createReader("conllu");
  ASSERT_TRUE(reader->fit(path).ok());
  Dataset dataset;
  Status status = reader->read(path, dataset);
  ASSERT_TRUE(status.ok()) << status.message();
  ASSERT_EQ(dataset.size(), 2);
  EXPECT_EQ(intsOf(dataset, "tree", 0), (Ints{2, 2, -1, 2}));
  EXPECT_EQ(intsOf(dataset, "words", 0), (Ints{3, 4, 2, 5}));
  EXPECT_EQ(*reader->vocabulary()->wordOf(5), "1 000");
  EXPECT_EQ(intsOf(dataset, "labels", 0), (Ints{3, 9, 15, 8}));
  EXPECT_EQ(intsOf(dataset, "label", 0), Ints{15});
  EXPECT_EQ(dataset.texts[1], "go");
  EXPECT_EQ(dataset.extraNames, (std::vector<std::string>{"sent_id", "text"}));
  EXPECT_EQ(dataset.extras[0],
            (std::vector<std::string>{"one", "Don't go 1 000"}));
  EXPECT_EQ(dataset.extras[1], (std::vector<std::string>{"two", ""}));
  // What is drawn are the words, also those that the vocabulary does not know.
  TreeText tree;
  ASSERT_TRUE(createReader("conllu")->describe(dataset.texts[0], "tree", tree));
  EXPECT_EQ(tree.title, "Do n't go 1\xC2\xA0"
                        "000");
  EXPECT_EQ(tree.nodes, (std::vector<std::string>{"Do", "n't", "go",
                                                  "1\xC2\xA0"
                                                  "000"}));
  EXPECT_EQ(dataset.lines, (std::vector<int64_t>{4, 12}));
  EXPECT_EQ(dataset.heightOf(0), 1);
}

TEST(ConlluReader, readsRelationsAndLabelsOfSentences) {
  Folder folder;
  const std::string root = "2\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n";
  const std::string go = word("1", "go", "VERB", "0");
  const std::string path =
      folder.write("f", word("1", "I", "PRON", "2") + root);
  std::unique_ptr<Reader> reader = createReader("conllu");
  ASSERT_TRUE(reader->fit(path).ok());
  // Ids are those of the training file, whatever comes first in another one.
  Dataset dataset =
      parse(*reader, "1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n" + go +
                         "\n1\tgo\t_\tVERB\t_\t_\t0\tother\t_\t_\n");
  ASSERT_EQ(dataset.size(), 3);
  EXPECT_EQ(intsOf(dataset, "label", 0), Ints{15}); // VERB
  EXPECT_EQ(intsOf(dataset, "relations", 0), Ints{2});
  EXPECT_EQ(intsOf(dataset, "relations", 1), Ints{1});
  EXPECT_EQ(intsOf(dataset, "relations", 2), Ints{0});
  EXPECT_EQ(dataset.find("relations")->names,
            (std::vector<std::string>{"<unk>", "dep", "root"}));
  EXPECT_EQ(dataset.find("labels")->nameOf(15), "VERB");
  EXPECT_EQ(errorOf("conllu", "# label = -1\n" + go),
            "f:1:11: expected a class that is a whole number from 0, but got "
            "'-1'");
  EXPECT_EQ(errorOf("conllu", "# label = two\n" + go),
            "f:1:11: expected a class that is a whole number from 0, but got "
            "'two'");
  // They survive a file, with classes of sentences that are words or numbers.
  for (const char *label : {"4", "yes"}) {
    reader = createReader("conllu");
    const std::string comment = std::string("# label = ") + label + "\n";
    ASSERT_TRUE(reader->fit(folder.write("g", comment + go)).ok());
    const std::string file = folder.path + "/labels.tsv";
    ASSERT_TRUE(reader->saveLabels(file).ok());
    reader = createReader("conllu");
    ASSERT_TRUE(reader->loadLabels(file).ok());
    Dataset labelled = parse(*reader, comment + go);
    EXPECT_EQ(intsOf(labelled, "label", 0), Ints{*label == '4' ? 4 : 0});
    EXPECT_EQ(intsOf(labelled, "relations", 0), Ints{1});
    // Among labelled sentences, the tag of a root is none.
    EXPECT_FALSE(reader->readText(go, "f", 1, labelled).ok());
  }
}

TEST(ConlluReader, doesNotNeedTagsWithoutTargets) {
  std::unique_ptr<Reader> reader = createReader("conllu");
  reader->options.requireTargets = false;
  Dataset dataset = parse(*reader, word("1", "go", "_", "0"));
  EXPECT_FALSE(dataset.hasTargets);
  EXPECT_EQ(intsOf(dataset, "labels", 0), Ints{0});
}

TEST(ConlluReader, namesThePlaceOfAnError) {
  const std::string first = word("1", "a", "DET", "2");
  EXPECT_EQ(errorOf("conllu", "1\ta\n"),
            "f:1:4: expected 10 columns between tabs, but got 2");
  EXPECT_EQ(errorOf("conllu", word("2", "a", "DET", "0")),
            "f:1:1: expected the number of the word, 1, but got '2'");
  EXPECT_EQ(errorOf("conllu", first + word("2", "", "DET", "0")),
            "f:2:3: expected a word, but got nothing");
  EXPECT_EQ(
      errorOf("conllu", word("1", "a", "NN", "0")),
      "f:1:7: expected a part of speech, ADJ to X, in upper case, but got "
      "'NN'");
  const std::string wrongHead = "expected the number of another word of the "
                                "sentence, or 0 at the root, but got ";
  EXPECT_EQ(errorOf("conllu", first + word("2", "b", "NOUN", "3")),
            "f:2:16: " + wrongHead + "'3'");
  EXPECT_EQ(errorOf("conllu", first + word("2", "b", "NOUN", "2")),
            "f:2:16: " + wrongHead + "'2'");
  EXPECT_EQ(errorOf("conllu", first + word("2", "b", "NOUN", "_")),
            "f:2:16: " + wrongHead + "'_'");
  EXPECT_EQ(errorOf("conllu",
                    word("1", "a", "DET", "0") + word("2", "b", "NOUN", "0")),
            "f:2:16: expected one root, but got a second one beside word 1");
  EXPECT_EQ(errorOf("conllu", first + word("2", "b", "NOUN", "1")),
            "f:1:15: expected heads that make one tree, but got no root, which "
            "has the head 0");
  EXPECT_EQ(errorOf("conllu", first + word("2", "b", "NOUN", "1") +
                                  word("3", "c", "VERB", "0")),
            "f:1:15: expected heads that make one tree, but got a cycle");
}

TEST(EnglishWebTreebank, hasTheCountsOfItsSource) {
  const std::string folder = CAMBIUM_TEST_DATA "/ud_english_ewt/";
  if (!std::ifstream(folder + "en_ewt-ud-dev.conllu"))
    GTEST_SKIP() << "no " << folder;
  std::unique_ptr<Reader> reader = createReader("conllu");
  struct {
    const char *part;
    int64_t sentences, words;
  } const expected[] = {
      {"train", 12544, 204577}, {"dev", 2001, 25147}, {"test", 2077, 25094}};
  for (const auto &file : expected) {
    Dataset dataset;
    Status status =
        reader->read(folder + "en_ewt-ud-" + file.part + ".conllu", dataset);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(dataset.size(), file.sentences);
    EXPECT_EQ(dataset.find("words")->offsets.back(), file.words);
  }
}

} // namespace
