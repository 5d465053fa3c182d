//===-- test/Fuzz/ReaderTarget.cpp - Any bytes as a data file -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The bits of the first byte are the options of a reader, the second one names
/// its format: '0' is the first one of formats(), and so on. The rest is the
/// file; of pairs with parses, the file and those of the folder of parses,
/// between form feeds. Whatever it is: the data set holds whole examples that a
/// batch could take, or there is an error that names a place.
///
/// With the environment variable CAMBIUM_FUZZ_FORMAT, the name of a format,
/// inputs of others are passed over.
///
//===----------------------------------------------------------------------===//
#include "Target.h"

#include "cambium/data.h"

#include <cstring>
#include <filesystem>
#include <fstream>

using namespace cambium::data;
using namespace cambium::fuzz;
namespace fs = std::filesystem;

/// A folder of its own for this process.
static const std::string &parsesFolder() {
  static const struct Folder {
    Folder() {
      std::string pattern = fs::temp_directory_path() / "fuzz-XXXXXX";
      FUZZ_REQUIRE(mkdtemp(pattern.data()), pattern);
      path = pattern;
    }
    ~Folder() { fs::remove_all(path); }
    std::string path;
  } folder;
  return folder.path;
}

/// Writes what stands behind the first form feed as the files of a folder of
/// parses (an empty one is not there), and returns what stands before it.
static std::string_view writeParses(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\f'));
  text.remove_prefix(first.size());
  for (const char *name : {"id.txt", "a.toks", "b.toks", "a.parents",
                           "b.parents", "a.cparents", "b.cparents"}) {
    text.remove_prefix(text.empty() ? 0 : 1);
    const std::string_view contents = text.substr(0, text.find('\f'));
    const std::string path = parsesFolder() + "/" + name;
    fs::remove(path);
    if (!contents.empty())
      FUZZ_REQUIRE(std::ofstream(path, std::ios::binary) << contents, path);
    text.remove_prefix(contents.size());
  }
  return first;
}

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
  FUZZ_REQUIRE(field.offsets.back() * field.width ==
                   static_cast<int64_t>(values),
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
static void checkError(const Status &status, const Reader &reader,
                       const std::string &source) {
  const std::string &text = status.message(), &parses = reader.options.parses;
  FUZZ_REQUIRE(
      text.compare(0, source.size(), source) == 0 ||
          (!parses.empty() && text.compare(0, parses.size(), parses) == 0),
      text);
  for (unsigned char c : text)
    FUZZ_REQUIRE(c >= 0x20 && c != 0x7F, text);
}

/// What is drawn has the nodes of the tree.
static void checkDescriptions(const Reader &reader, const Dataset &dataset) {
  for (const Field &field : dataset.fields)
    for (int64_t i = 0; i < dataset.size(); ++i) {
      const std::string &example = dataset.texts[i];
      TreeText tree;
      // Descriptions are drawn: they are for small trees.
      if (field.kind != FieldKind::Tree || example.size() > 2000 ||
          !reader.describe(example, field.name, tree))
        continue;
      const size_t nodes = tree.nodes.size();
      FUZZ_REQUIRE(static_cast<int64_t>(nodes) == field.rows(i), example);
      FUZZ_REQUIRE(tree.subtrees.empty() || tree.subtrees.size() == nodes,
                   example);
    }
}

static void setOptions(uint8_t bits, Reader &reader) {
  ReaderOptions &options = reader.options;
  options.requireTargets = bits & 1;
  options.lowercase = bits & 2;
  options.minCount = bits & 4 ? 2 : 1;
  if (bits & 8)
    for (const std::string &field : reader.wordFields())
      options.fieldLimits[field] = 5;
  if (std::strcmp(reader.name(), "pairs") == 0) {
    options.parses = bits & 16 ? parsesFolder() : "";
    options.layout = bits & 32   ? "label,tree_a,tree_b,score,id"
                     : bits & 64 ? "sentence_a,sentence_b,score,label"
                                 : "";
    return;
  }
  options.collapseUnary = bits & 16;
  options.binarize = bits & 32   ? Binarize::Left
                     : bits & 64 ? Binarize::Right
                                 : Binarize::None;
  if (bits & 128)
    options.classes = {{0, 0}, {1, 0}, {3, 1}};
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return 0;
  const size_t format = static_cast<uint8_t>(data[1] - '0') % formats().size();
  const char *name = formats()[format].name;
  static const char *const only = std::getenv("CAMBIUM_FUZZ_FORMAT");
  if (only && *only && std::strcmp(only, name) != 0)
    return -1;
  std::unique_ptr<Reader> reader = createReader(name);
  FUZZ_REQUIRE(reader, name);
  setOptions(data[0], *reader);
  std::string_view text(reinterpret_cast<const char *>(data + 2), size - 2);
  if (!reader->options.parses.empty())
    text = writeParses(text);
  MemoryFile file(text);
  if (Status status = reader->fit(file.path()); !status.ok())
    checkError(status, *reader, file.path());
  Dataset dataset;
  Status status = reader->readText(text, "place", 1, dataset);
  if (!status.ok())
    checkError(status, *reader, "place");
  checkDataset(dataset);
  checkDescriptions(*reader, dataset);
  return 0;
}
