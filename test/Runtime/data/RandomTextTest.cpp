//===-- test/Runtime/data/RandomTextTest.cpp - Readers of random texts ----===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Texts of random pieces, read in every format: an answer, never a crash; what
/// is read is whole, and what is drawn of it has its nodes. The fuzz target
/// `reader` searches further, but does not run with every test.
///
//===----------------------------------------------------------------------===//

#include "ReaderTestSupport.h"

#include <map>
#include <random>

using namespace cambium::data;
using namespace cambium::data::test;

namespace {

/// The number of nodes below each node, itself included.
std::vector<int64_t> sizesOf(const Field &tree, int64_t example) {
  std::vector<int64_t> sizes(tree.rows(example), 1);
  for (size_t node = sizes.size(); node-- > 1;)
    sizes[tree.intsOf(example)[node]] += sizes[node];
  return sizes;
}

/// The same, from the texts of a description.
std::vector<int64_t> sizesBelow(Reader &reader, const TreeText &tree) {
  std::string text;
  for (const std::string &line : tree.subtrees)
    text += line + "\n";
  const bool required = std::exchange(reader.options.requireTargets, false);
  const Dataset dataset = parse(reader, text);
  reader.options.requireTargets = required;
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < dataset.size(); ++i)
    sizes.push_back(dataset.sizeOf(i));
  return sizes;
}

void checkTree(Reader &reader, const Dataset &dataset, const Field &field,
               int64_t example) {
  TreeText tree;
  // Values of arithmetic may be too large.
  if (!reader.describe(dataset.texts[example], field.name, tree)) {
    ASSERT_STREQ(reader.name(), "coba") << dataset.texts[example];
    return;
  }
  ASSERT_EQ(static_cast<int64_t>(tree.nodes.size()), field.rows(example));
  if (!tree.subtrees.empty())
    ASSERT_EQ(sizesBelow(reader, tree), sizesOf(field, example));
}

void checkDataset(Reader &reader, const Dataset &dataset) {
  // Lists of a table may be empty, and so may texts.
  const std::string_view name = reader.name();
  const int64_t least = name == "table" || name == "text" ? 0 : 1;
  for (int64_t i = 0; i < dataset.size(); ++i)
    ASSERT_GE(dataset.sizeOf(i), dataset.heightOf(i) + least);
  for (const Field &field : dataset.fields) {
    ASSERT_EQ(static_cast<int64_t>(field.offsets.size()), dataset.size() + 1);
    for (int64_t i = 0; field.kind == FieldKind::Tree && i < dataset.size();
         ++i)
      checkTree(reader, dataset, field, i);
  }
}

/// What texts are put together from.
const std::string kPieces[] = {"(",
                               ")",
                               " ",
                               "2",
                               "a",
                               "\t",
                               "[MAX",
                               "]",
                               "( ",
                               " )",
                               "\r\n",
                               "\n",
                               "\xC2\xA0",
                               "\xFF",
                               "-",
                               "1\t",
                               "+ ",
                               "* ",
                               "100",
                               "#",
                               "\t( a b )",
                               "\tNEUTRAL",
                               "a:ids\n",
                               "b:number\tc:text\n",
                               "1\ta\t_\tX\t_\t_\t0\t_\t_\t_\n"};

TEST(RandomTexts, haveAnAnswer) {
  std::mt19937_64 random(4321);
  auto next = [&](uint64_t bound) { return random() % bound; };
  std::map<std::string, int> examples;
  for (int round = 0; round < 150000; ++round) {
    std::string text;
    for (uint64_t i = 0, length = next(12); i < length; ++i)
      text += kPieces[next(std::size(kPieces))];
    for (const FormatInfo &format : formats()) {
      std::unique_ptr<Reader> reader = createReader(format.name);
      reader->options.requireTargets = next(2);
      reader->options.collapseUnary = next(2);
      reader->options.binarize = Binarize(next(3));
      if (std::string_view(format.name) == "pairs")
        reader->options.layout =
            next(2) ? "label,tree_a,tree_b" : "sentence_a,sentence_b";
      Dataset dataset;
      Status status = reader->readText(text, "f", 1, dataset);
      if (!status.ok())
        ASSERT_EQ(status.message().rfind("f:", 0), 0u) << status.message();
      ASSERT_NO_FATAL_FAILURE(checkDataset(*reader, dataset)) << text;
      examples[format.name] += static_cast<int>(dataset.size());
    }
  }
  for (const FormatInfo &format : formats())
    EXPECT_GT(examples[format.name], 50) << format.name;
}

} // namespace
