//===-- runtime/data/PairReader.cpp - Pairs of sentences ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tab-separated columns (PairLayout.h): two sentences, how related they are,
/// and whether one entails the other. Sentences are words between spaces, or
/// trees in brackets. With ReaderOptions::parses words and trees come from
/// there, by the pair's id.
///
//===----------------------------------------------------------------------===//

#include "BracketTree.h"
#include "PairLayout.h"
#include "PairParses.h"
#include "Readers.h"

#include <algorithm>

using namespace cambium::data;
using Role = PairLayout::Role;

namespace {

/// A sentence of a pair: its words, and the trees that are known.
struct Side {
  std::vector<std::string_view> words;
  std::vector<int32_t> heads; ///< Empty: none.
  LeafTree phrases;           ///< Without nodes: none.
};

class PairReader : public Reader {
public:
  const char *name() const override { return "pairs"; }
  TargetFields targets() const override {
    return {"label", "", "score", 0, "pearson"};
  }
  Vocabulary *vocabulary() override { return &words; }
  std::vector<std::string> wordFields() const override {
    return {"words_a", "words_b", "cwords_a", "cwords_b"};
  }
  Status readText(std::string_view text, const std::string &source,
                  int64_t firstLine, Dataset &dataset) override;
  bool describe(std::string_view text, std::string_view tree,
                TreeText &result) const override;

private:
  Status learn(const std::string &path) override;
  Status loadParses();
  /// Learns the names of columns from the first line of a file.
  Status findNames(const Line &line, bool &isHeader);
  /// Calls `take` with the lines that hold pairs, and their columns.
  template <typename Take> LineTaker forPairs(Take take);
  Status readSentences(const Line &line, const std::vector<Column> &columns,
                       Side (&result)[2]) const;
  Status readBrackets(const Line &line, const Column &column,
                      Side &result) const;
  Status readTargets(const Line &line, const std::vector<Column> &columns,
                     Dataset &dataset) const;
  void appendSentence(const Side &sentence, int side, Dataset &dataset) const;
  Status readPair(const Line &line, const std::vector<Column> &columns,
                  Dataset &dataset) const;
  int32_t idOf(std::string_view word) const {
    return options.lowercase ? words.idOf(lowerCase(word)) : words.idOf(word);
  }

  Vocabulary words;
  PairLayout layout;
  PairParses parses;
  bool hasParses = false;
};

} // namespace

Status PairReader::loadParses() {
  if (hasParses || options.parses.empty())
    return Status();
  Status status = parses.load(options.parses);
  hasParses = status.ok();
  return status;
}

Status PairReader::findNames(const Line &line, bool &isHeader) {
  Status status = layout.findNames(line, options.layout, isHeader);
  if (status.ok() && hasParses && !layout.has(Role::kId))
    return line.expected(0,
                         "the names of the columns, pair_ID among them, by "
                         "which parses are found",
                         quote(line.text));
  return status;
}

template <typename Take> LineTaker PairReader::forPairs(Take take) {
  return [this, take](const Line &line) {
    bool isHeader = false;
    Status status;
    if (line.number == 1)
      status = findNames(line, isHeader);
    if (!status.ok() || isHeader || line.text.empty())
      return status;
    std::vector<Column> columns;
    if (status = layout.cut(line, columns); !status.ok())
      return status;
    return take(line, columns);
  };
}

/// A sentence that is a tree over its words.
Status PairReader::readBrackets(const Line &line, const Column &column,
                                Side &result) const {
  BracketTree tree;
  if (Status status =
          parseBrackets(line, column.offset, column.offset + column.text.size(),
                        BracketStyle::Plain, tree);
      !status.ok())
    return status;
  reshapeTree(options, tree);
  result.phrases.parents = tree.parents;
  for (std::string_view word : tree.words) {
    const int32_t place = static_cast<int32_t>(result.words.size());
    result.phrases.leaves.push_back(word.empty() ? -1 : place);
    if (!word.empty())
      result.words.push_back(word);
  }
  return Status();
}

Status PairReader::readSentences(const Line &line,
                                 const std::vector<Column> &columns,
                                 Side (&result)[2]) const {
  const PairParses::Pair *known = nullptr;
  if (const Column *id = layout.at(Role::kId, columns); hasParses) {
    known = id ? parses.find(id->text) : nullptr;
    if (!known)
      return line.expected(id ? id->offset : line.text.size(),
                           "a pair that is in " + options.parses,
                           id ? quote(id->text) : "no id");
  }
  for (int side : {0, 1}) {
    const Column &column =
        *layout.at(side == 0 ? Role::kSentenceA : Role::kSentenceB, columns);
    Side &sentence = result[side];
    if (known) {
      const ParsedSentence &parsed = known->sentences[side];
      sentence.words.assign(parsed.words.begin(), parsed.words.end());
      sentence.heads = parsed.heads;
      sentence.phrases = parsed.phrases;
    } else if (layout.isBracketed()) {
      if (Status status = readBrackets(line, column, sentence); !status.ok())
        return status;
    } else {
      for (const Column &word : cutWords(column.text))
        sentence.words.push_back(word.text);
    }
    if (sentence.words.empty())
      return line.expected(column.offset, "a sentence", "nothing");
  }
  return Status();
}

static Labels entailmentLabels() {
  Labels known;
  known.setNames({"contradiction", "neutral", "entailment"});
  return known;
}

/// Labels of entailment have the ids that models of it were made with, and
/// other ones those of their order.
static void buildLabels(Labels &set) {
  set.build(/*hasUnknown=*/false);
  Labels known = entailmentLabels();
  const std::vector<std::string> &names = set.names();
  if (!names.empty() &&
      std::all_of(names.begin(), names.end(), [&](const std::string &name) {
        return known.idOf(name) >= 0;
      }))
    set = std::move(known);
}

Status PairReader::learn(const std::string &path) {
  if (Status status = loadParses(); !status.ok())
    return status;
  auto countWords = [this](const Line &line,
                           const std::vector<Column> &columns) {
    Side sentences[2];
    Status status = readSentences(line, columns, sentences);
    for (const Side &sentence : sentences)
      for (std::string_view word : sentence.words)
        words.count(options.lowercase ? lowerCase(word) : word);
    if (const Column *label = layout.at(Role::kLabel, columns))
      labels["label"].count(label->text);
    return status;
  };
  Status status = forEachLine(path, forPairs(countWords));
  if (status.ok())
    words.build(options.minCount, limitOf(wordFields()));
  if (auto found = labels.find("label"); found != labels.end())
    buildLabels(found->second);
  return status;
}

Status PairReader::readTargets(const Line &line,
                               const std::vector<Column> &columns,
                               Dataset &dataset) const {
  const Column *score = layout.at(Role::kScore, columns);
  const Column *label = layout.at(Role::kLabel, columns);
  if (dataset.size() > 0 &&
      (!score != !dataset.find("score") || !label != !dataset.find("label")))
    return line.expected(line.text.size(),
                         "the same columns as in the lines before",
                         std::to_string(columns.size()) + " columns");
  if (!score && !label && options.requireTargets)
    return line.expected(line.text.size(), "a column with a score or a label",
                         "sentences alone");
  dataset.hasTargets &= score || label;
  float number = 0;
  const bool isBad = score && !parseFloat(score->text, number);
  if (isBad ||
      (score && layout.isRelatedness() && !(number >= 0 && number <= 5)))
    return line.expected(score->offset,
                         layout.isRelatedness() ? "a score from 0 to 5"
                                                : "a score",
                         quote(score->text));
  // Without training data, the words of entailment are known.
  static const Labels entailment = entailmentLabels();
  auto known = labels.find("label");
  const Labels &set = known == labels.end() ? entailment : known->second;
  const int32_t id = label ? set.idOf(label->text) : 0;
  if (id < 0)
    return line.expected(label->offset, set.expectation(), quote(label->text));
  if (score)
    dataset.fields[fieldIndex(dataset, "score", FieldKind::F32, false)]
        .floats.push_back(number);
  if (label) {
    Field &field =
        dataset.fields[fieldIndex(dataset, "label", FieldKind::I32, false)];
    field.names = namesOf("label");
    field.ints.push_back(id);
  }
  return Status();
}

void PairReader::appendSentence(const Side &sentence, int side,
                                Dataset &dataset) const {
  const std::string end = side == 0 ? "_a" : "_b";
  auto field = [&](const char *name, FieldKind kind) -> std::vector<int32_t> & {
    const std::string full = name + end;
    return dataset.fields[fieldIndex(dataset, full, kind, true)].ints;
  };
  std::vector<int32_t> ids;
  for (std::string_view word : sentence.words)
    ids.push_back(idOf(word));
  if (!sentence.heads.empty()) {
    std::vector<int32_t> &tree = field("tree", FieldKind::Tree);
    tree.insert(tree.end(), sentence.heads.begin(), sentence.heads.end());
  }
  std::vector<int32_t> &all = field("words", FieldKind::I32);
  all.insert(all.end(), ids.begin(), ids.end());
  const LeafTree &phrases = sentence.phrases;
  if (!phrases.parents.empty()) {
    std::vector<int32_t> &tree = field("ctree", FieldKind::Tree);
    tree.insert(tree.end(), phrases.parents.begin(), phrases.parents.end());
    std::vector<int32_t> &leaves = field("cwords", FieldKind::I32);
    for (int32_t leaf : phrases.leaves)
      leaves.push_back(leaf < 0 ? Vocabulary::kPadding : ids[leaf]);
  }
}

Status PairReader::readPair(const Line &line,
                            const std::vector<Column> &columns,
                            Dataset &dataset) const {
  Side sentences[2];
  Status status = readSentences(line, columns, sentences);
  if (!status.ok())
    return status;
  for (int side : {0, 1})
    appendSentence(sentences[side], side, dataset);
  if (status = readTargets(line, columns, dataset); !status.ok())
    return status;
  for (Field &field : dataset.fields)
    field.endExample();
  dataset.texts.emplace_back(line.text);
  dataset.lines.push_back(line.number);
  dataset.extraNames = layout.columnNames();
  std::vector<std::string> extras;
  if (!dataset.extraNames.empty())
    for (const Column &column : columns)
      extras.emplace_back(column.text);
  dataset.extras.push_back(std::move(extras));
  return Status();
}

Status PairReader::readText(std::string_view text, const std::string &source,
                            int64_t firstLine, Dataset &dataset) {
  if (Status status = loadParses(); !status.ok())
    return status;
  Status status = forEachLine(
      text, source, firstLine,
      forPairs([&](const Line &line, const std::vector<Column> &columns) {
        return readPair(line, columns, dataset);
      }));
  if (!status.ok())
    dropUnfinished(dataset);
  return status;
}

bool PairReader::describe(std::string_view text, std::string_view tree,
                          TreeText &result) const {
  const std::string source;
  const Line line = {text, &source, 1};
  std::vector<Column> columns;
  Side sentences[2];
  if (!layout.cut(line, columns).ok() ||
      !readSentences(line, columns, sentences).ok())
    return false;
  const bool isSecond = tree.size() > 2 && tree.substr(tree.size() - 2) == "_b";
  const Side &sentence = sentences[isSecond];
  result = TreeText();
  result.title = joinWords(sentence.words);
  if (tree.substr(0, 5) != "ctree") {
    result.nodes.assign(sentence.words.begin(), sentence.words.end());
    return true;
  }
  for (int32_t leaf : sentence.phrases.leaves)
    result.nodes.emplace_back(leaf < 0 ? "" : sentence.words[leaf]);
  return true;
}

std::unique_ptr<Reader> cambium::data::createPairReader() {
  return std::make_unique<PairReader>();
}
