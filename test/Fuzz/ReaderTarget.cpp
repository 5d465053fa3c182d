//===-- test/Fuzz/ReaderTarget.cpp - Any bytes as a data file -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The lowest bits of the first byte are the options of a reader, the second
/// one names its format: '0' is the first one of formats(), and so on. The rest
/// is the file. Whatever it is: the data set holds whole examples that a batch
/// could take, or there is an error that names a place.
///
//===----------------------------------------------------------------------===//
#include "Target.h"

#include "cambium/data.h"

using namespace cambium::data;
using namespace cambium::fuzz;

/// Every field has all rows of all examples, and no others.
static void checkField(const Dataset &dataset, const Field &field) {
  const size_t examples = dataset.texts.size();
  FUZZ_REQUIRE(field.offsets.size() == examples + 1, field.name);
  FUZZ_REQUIRE(field.offsets.front() == 0, field.name);
  for (size_t i = 0; i < examples; ++i) {
    int64_t rows = field.rows(static_cast<int64_t>(i));
    FUZZ_REQUIRE(rows >= 0 && (field.perRow || rows == 1), field.name);
  }
  const size_t values =
      field.kind == FieldKind::F32 ? field.floats.size() : field.ints.size();
  FUZZ_REQUIRE(field.offsets.back() == static_cast<int64_t>(values),
               field.name);
}

/// One root, and every parent within the tree.
static void checkTree(const Field &field, int64_t example) {
  const int32_t *parents = field.intsOf(example);
  int64_t nodes = field.rows(example), roots = 0;
  for (int64_t node = 0; node < nodes; ++node) {
    FUZZ_REQUIRE(parents[node] >= -1 && parents[node] < nodes, field.name);
    roots += parents[node] == -1;
  }
  FUZZ_REQUIRE(nodes > 0 && roots == 1, field.name);
}

static void checkDataset(const Dataset &dataset) {
  FUZZ_REQUIRE(dataset.lines.size() == dataset.texts.size(), "lines");
  FUZZ_REQUIRE(dataset.extras.size() == dataset.texts.size(), "extras");
  for (size_t i = 1; i < dataset.lines.size(); ++i)
    FUZZ_REQUIRE(dataset.lines[i - 1] <= dataset.lines[i], "order of lines");
  for (const std::vector<std::string> &extra : dataset.extras)
    FUZZ_REQUIRE(extra.size() <= dataset.extraNames.size(), "extra columns");
  for (const Field &field : dataset.fields) {
    checkField(dataset, field);
    for (int64_t i = 0; i < dataset.size(); ++i)
      if (field.kind == FieldKind::Tree)
        checkTree(field, i);
  }
  for (int64_t i = 0; i < dataset.size(); ++i)
    FUZZ_REQUIRE(dataset.heightOf(i) <= dataset.sizeOf(i), "height");
}

/// An error is one line of text that begins with the place.
static void checkError(const Status &status, const std::string &source) {
  const std::string &text = status.message();
  FUZZ_REQUIRE(text.compare(0, source.size(), source) == 0, text);
  for (unsigned char c : text)
    FUZZ_REQUIRE(c >= 0x20 && c != 0x7F, text);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return 0;
  const size_t format = static_cast<uint8_t>(data[1] - '0') % formats().size();
  std::unique_ptr<Reader> reader = createReader(formats()[format].name);
  FUZZ_REQUIRE(reader, formats()[format].name);
  reader->options.requireTargets = data[0] & 1;
  reader->options.lowercase = data[0] & 2;
  reader->options.minCount = data[0] & 4 ? 2 : 1;
  reader->options.vocabularyLimit = data[0] & 8 ? 5 : 0;
  std::string_view text(reinterpret_cast<const char *>(data + 2), size - 2);
  MemoryFile file(text);
  if (Status status = reader->fit(file.path()); !status.ok())
    checkError(status, file.path());
  Dataset dataset;
  Status status = reader->readText(text, "place", 1, dataset);
  if (!status.ok())
    checkError(status, "place");
  checkDataset(dataset);
  for (const std::string &example : dataset.texts) {
    TreeText tree;
    // Descriptions are drawn: they are for small trees.
    if (example.size() <= 2000)
      (void)reader->describe(example, tree);
    FUZZ_REQUIRE(tree.nodes.size() == tree.subtrees.size(), example);
  }
  return 0;
}
