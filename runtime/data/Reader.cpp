//===-- runtime/data/Reader.cpp - What all readers share ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "Text.h"

#include <algorithm>

using namespace cambium::data;

Reader::~Reader() = default;

Status Reader::learn(const std::string &) { return Status(); }

Status Reader::setColumns(std::string_view, const std::string &) {
  return Status();
}

const Vocabulary *Reader::vocabularyOf(std::string_view field) const {
  const std::vector<std::string> fields = wordFields();
  const bool hasWords =
      std::find(fields.begin(), fields.end(), field) != fields.end();
  // Only the caller may change it.
  return hasWords ? const_cast<Reader *>(this)->vocabulary() : nullptr;
}

std::vector<std::string> Reader::tokensOf(std::string_view field,
                                          const int32_t *ids,
                                          int64_t count) const {
  const Vocabulary *words = vocabularyOf(field);
  std::vector<std::string> tokens;
  for (int64_t i = 0; i < count && ids[i] >= 0; ++i) {
    const std::string *word = words ? words->wordOf(ids[i]) : nullptr;
    if (words &&
        (ids[i] == Vocabulary::kPadding || (word && *word == Vocabulary::kEnd)))
      break;
    if (!word || *word != Vocabulary::kBegin)
      tokens.push_back(word ? *word : std::to_string(ids[i]));
  }
  return tokens;
}

int64_t Reader::limitOf(const std::vector<std::string> &fields) const {
  int64_t limit = 0;
  for (const std::string &field : fields)
    if (auto found = options.fieldLimits.find(field);
        found != options.fieldLimits.end())
      limit = limit ? std::min(limit, found->second) : found->second;
  return limit;
}

Status Reader::fit(const std::string &path) {
  return guarded(path, [&] { return learn(path); });
}

bool Reader::endsExample(std::string_view) const { return true; }

bool Reader::describe(std::string_view, std::string_view, TreeText &) const {
  return false;
}

Status Reader::read(const std::string &path, Dataset &dataset) {
  return guarded(path, [&] { return readWhole(path, dataset); });
}

Status Reader::readWhole(const std::string &path, Dataset &dataset) {
  std::string text;
  const std::string source = path == "-" ? "<stdin>" : path;
  Status status = readStream(path, text);
  if (status.ok())
    status = checkText(text, source, 1);
  if (!status.ok())
    return status;
  int64_t before = dataset.size();
  dataset.source = source;
  dataset.digest = digestOf(text);
  if (status = readText(text, source, 1, dataset); !status.ok())
    return status;
  if (dataset.size() == before)
    return lacksExamples(text, source);
  return Status();
}

Status cambium::data::lacksExamples(std::string_view text,
                                    const std::string &source) {
  const bool isBlank =
      text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  return Status::error(source + ": expected at least one example, but got " +
                       (text.empty() ? "an empty file"
                        : isBlank    ? "blank lines only"
                                     : "none"));
}

namespace {

/// A format: one entry of the registry below.
struct Format {
  const char *name;
  std::unique_ptr<Reader> (*create)();
  const char *summary;
};

} // namespace

static constexpr Format kFormats[] = {
    {"ptb", createPtbReader,
     "labelled trees, one per line: (3 (2 It) (4 (2 's) (4 good))). "
     "Fields: tree (nodes in preorder), words (per node; 0 at inner "
     "nodes), labels (per node), label (of the root), weights (per node: 1, "
     "or 0 where there is no label, or no class of it), tokens (the words "
     "alone)"},
    {"coba", createCobaReader,
     "arithmetic, tab-separated: an expression in prefix notation "
     "(* + 2 3 4), its value from 1 to 100, and any further columns. "
     "Fields: tree (nodes in prefix order), tokens (per node: numbers "
     "1 to 100, + is 101, * is 102), numbers (the same, 0 at operators), "
     "operators (+ is 1, * is 2, 0 at numbers), value (class: value - 1), "
     "target "
     "(the value, f32)"},
    {"pairs", createPairReader,
     "pairs of sentences, tab-separated; the first line, or --layout, names "
     "the "
     "columns: sentence_A and sentence_B (words between spaces) or tree_A and "
     "tree_B (trees as in brackets), relatedness_score (0 to 5) or score, "
     "label, pair_ID and others in any order. "
     "Fields: words_a, words_b, score (f32), label (of entailment 0 "
     "contradiction, 1 neutral, 2 entailment; else a label of the training "
     "data); with --parses also tree_a, tree_b (words that depend on words); "
     "with --parses or trees ctree_a, ctree_b (phrases, nodes in preorder) and "
     "cwords_a, cwords_b (their words; 0 at inner nodes)"},
    {"conllu", createConlluReader,
     "dependency trees of Universal Dependencies. Fields: tree (words in the "
     "order of the sentence), words, labels (the part of speech of each word, "
     "in alphabetical order from 0, ADJ, to 16, X), relations (of each word to "
     "its head, a label of the training data; 0: another one), heads (the head "
     "of each word as a row from 0, -1 at the root), label (of a "
     "comment '# label = ...', else the part of speech of the root)"},
    {"brackets", createBracketsReader,
     "words in brackets, one tree per line, ( ( The cat ) sits ), after its "
     "class and a tab. Fields: tree (nodes in preorder), words (per node; 0 "
     "at inner nodes), tokens (the words alone), label (the class: a number "
     "from 0, or a label of the training data)"},
    {"constituents", createConstituentsReader,
     "the same with labels, (S (NP (DT The) (NN cat)) (VP sits)), which are "
     "the words of inner nodes: [NP]. Fields: as of brackets"},
    {"listops", createListOpsReader,
     "a class, a tab and an expression, in brackets, ( ( ( [MAX 2 ) 9 ) ] ), "
     "or in prefix notation, [MAX 2 9 ]; the column 'depth' of predictions "
     "counts nested operators. Fields: as of brackets; in prefix notation "
     "operators are the words of inner nodes"},
    {"table", createTableReader,
     "tab-separated columns; the first line gives each a name and a type "
     "(tokens:ids) of id, ids (whole numbers between spaces), number, "
     "numbers, vector=N, vectors=N (rows of N numbers), class, classes (names "
     "between spaces; _: none), words, chars, pieces (by --tokenizer), tree "
     "(brackets), constituents, heads, graph and text; words, chars and trees "
     "may name a vocabulary (words=source). Fields: the columns, of trees also "
     "NAME.words and NAME.tokens, of heads NAME.rows, with +ends (words+ends) "
     "NAME.in and NAME.out; answers are compared with label, labels (per row) "
     "or target (a number or a sequence)"},
    {"text", createTextReader,
     "a text per line, or two with a tab between them, perhaps after a class "
     "and a tab; or a first line names the columns text, text_b, label, "
     "score "
     "and others in any order. Cut into pieces by --tokenizer, else into "
     "words. Fields: tokens, segments (per token: 0, and 1 in the second "
     "text), label (the class, from 0), score (f32)"}};

std::unique_ptr<Reader> cambium::data::createReader(std::string_view format) {
  for (const Format &each : kFormats)
    if (format == each.name)
      return each.create();
  return nullptr;
}

const std::vector<FormatInfo> &cambium::data::formats() {
  static const std::vector<FormatInfo> all = [] {
    std::vector<FormatInfo> infos;
    for (const Format &each : kFormats)
      infos.push_back({each.name, each.summary});
    return infos;
  }();
  return all;
}
