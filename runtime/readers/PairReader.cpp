//===-- runtime/readers/PairReader.cpp - Pairs of sentences ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tab-separated columns: two sentences, how related they are, and whether one
/// entails the other. The first line may name the columns, in any order, as in
/// SICK; without names they are sentence, sentence, score, label. With
/// ReaderOptions::parses words and trees come from there, by the pair's id.
///
//===----------------------------------------------------------------------===//

#include "PairParses.h"
#include "Readers.h"

#include <algorithm>

using namespace cambium::data;

namespace {

/// What a column may hold.
enum Role { kSentenceA, kSentenceB, kScore, kLabel, kId, kNumRoles };

/// Which column plays which role; -1: none.
struct Layout {
  int column[kNumRoles] = {0, 1, 2, 3, -1};
  std::vector<std::string> names; ///< Empty: the file does not name them.
  bool isRelatedness = false;     ///< The score is SICK's, from 1 to 5.
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
  Status fit(const std::string &path) override;
  Status readText(std::string_view text, const std::string &source,
                  int64_t firstLine, Dataset &dataset) override;

private:
  /// The sentences of a line, one after the other.
  struct Sentences {
    std::vector<std::string_view> words[2];
    const PairParses::Pair *parses = nullptr;
  };

  Status loadParses();
  Status findLayout(const Line &line, bool &isHeader);
  Status cutLine(const Line &line, std::vector<Column> &columns) const;
  Status readSentences(const Line &line, const std::vector<Column> &columns,
                       Sentences &result) const;
  Status readTargets(const Line &line, const std::vector<Column> &columns,
                     Dataset &dataset) const;
  void appendSentence(const Sentences &sentences, int side,
                      Dataset &dataset) const;
  Status readLine(const Line &line, Dataset &dataset) const;
  int32_t idOf(std::string_view word) const {
    return options.lowercase ? words.idOf(lowerCase(word)) : words.idOf(word);
  }

  Vocabulary words;
  Layout layout;
  PairParses parses;
  bool hasParses = false;
};

} // namespace

/// The role of a column by its name, in lower case; kNumRoles if it has none.
static Role roleOf(std::string_view name) {
  static const std::pair<std::string_view, Role> known[] = {
      {"sentence_a", kSentenceA},
      {"sentence1", kSentenceA},
      {"sentence_b", kSentenceB},
      {"sentence2", kSentenceB},
      {"premise", kSentenceA},
      {"hypothesis", kSentenceB},
      {"relatedness_score", kScore},
      {"score", kScore},
      {"entailment_judgment", kLabel},
      {"label", kLabel},
      {"gold_label", kLabel},
      {"pair_id", kId},
      {"pairid", kId},
      {"id", kId}};
  for (const auto &[text, role] : known)
    if (text == name)
      return role;
  return kNumRoles;
}

/// The class of a label; -1 if it is none.
static int32_t classOf(std::string_view label) {
  const std::string lower = lowerCase(label);
  const char *names[] = {"contradiction", "neutral", "entailment"};
  for (int32_t i = 0; i < 3; ++i)
    if (lower == names[i])
      return i;
  int32_t number = -1;
  return parseInt(label, number) && number >= 0 ? number : -1;
}

Status PairReader::loadParses() {
  if (hasParses || options.parses.empty())
    return Status();
  Status status = parses.load(options.parses);
  hasParses = status.ok();
  return status;
}

/// Reads the names of the columns, if the first line has them: those of both
/// sentences.
Status PairReader::findLayout(const Line &line, bool &isHeader) {
  Layout found;
  std::fill(std::begin(found.column), std::end(found.column), -1);
  const std::vector<Column> columns = cutColumns(line.text);
  Status status;
  for (const Column &column : columns) {
    std::string_view name = column.text;
    if (column.offset == 0 && name.substr(0, 1) == "%")
      name.remove_prefix(1);
    const std::string lower = lowerCase(name);
    if (Role role = roleOf(lower); role != kNumRoles) {
      if (found.column[role] >= 0 && status.ok())
        status = line.expected(column.offset, "one column of that meaning",
                               quote(name) + " beside " +
                                   quote(found.names[found.column[role]]));
      found.column[role] = static_cast<int>(found.names.size());
    }
    found.isRelatedness |= lower == "relatedness_score";
    found.names.emplace_back(name);
  }
  isHeader = found.column[kSentenceA] >= 0 && found.column[kSentenceB] >= 0;
  layout = isHeader ? std::move(found) : Layout();
  if (hasParses && layout.column[kId] < 0)
    return line.expected(0,
                         "the names of the columns, pair_ID among them, by "
                         "which parses are found",
                         quote(line.text));
  return isHeader ? status : Status();
}

Status PairReader::cutLine(const Line &line,
                           std::vector<Column> &columns) const {
  columns = cutColumns(line.text);
  const size_t least = layout.names.empty() ? 2 : layout.names.size();
  if (columns.size() < least ||
      (!layout.names.empty() && columns.size() > least))
    return line.expected(line.text.size(),
                         std::to_string(least) + " columns" +
                             (layout.names.empty() ? " at least" : ""),
                         std::to_string(columns.size()));
  return Status();
}

Status PairReader::readSentences(const Line &line,
                                 const std::vector<Column> &columns,
                                 Sentences &result) const {
  if (hasParses) {
    const Column &id = columns[layout.column[kId]];
    result.parses = parses.find(id.text);
    if (!result.parses)
      return line.expected(id.offset, "a pair that is in " + options.parses,
                           quote(id.text));
  }
  for (int side : {0, 1}) {
    const Column &column = columns[layout.column[kSentenceA + side]];
    if (result.parses)
      for (const std::string &word : result.parses->sentences[side].words)
        result.words[side].push_back(word);
    else
      for (const Column &word : cutWords(column.text))
        result.words[side].push_back(word.text);
    if (result.words[side].empty())
      return line.expected(column.offset, "a sentence", "nothing");
  }
  return Status();
}

Status PairReader::fit(const std::string &path) {
  std::string text;
  Status status = loadParses();
  if (status.ok())
    status = readTextFile(path, text);
  LineCutter lines(text, path, 1);
  std::vector<Column> columns;
  for (Line line{}; status.ok() && lines.next(line);) {
    bool isHeader = false;
    if (line.number == 1)
      status = findLayout(line, isHeader);
    if (!status.ok() || isHeader || line.text.empty())
      continue;
    Sentences sentences;
    status = cutLine(line, columns);
    if (status.ok())
      status = readSentences(line, columns, sentences);
    for (const auto &side : sentences.words)
      for (std::string_view word : side)
        words.count(options.lowercase ? lowerCase(word) : word);
  }
  if (status.ok())
    words.build(options.minCount, options.vocabularyLimit);
  return status;
}

Status PairReader::readTargets(const Line &line,
                               const std::vector<Column> &columns,
                               Dataset &dataset) const {
  auto columnOf = [&](Role role) -> const Column * {
    const int index = layout.column[role];
    return index >= 0 && index < static_cast<int>(columns.size())
               ? &columns[index]
               : nullptr;
  };
  const Column *score = columnOf(kScore), *label = columnOf(kLabel);
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
  if (isBad || (score && layout.isRelatedness && !(number >= 1 && number <= 5)))
    return line.expected(
        score->offset, layout.isRelatedness ? "a score from 1 to 5" : "a score",
        quote(score->text));
  const int32_t id = label ? classOf(label->text) : 0;
  if (id < 0)
    return line.expected(label->offset,
                         "CONTRADICTION, NEUTRAL, ENTAILMENT or the number of "
                         "a class",
                         quote(label->text));
  if (score)
    dataset.fields[fieldIndex(dataset, "score", FieldKind::F32, false)]
        .floats.push_back(number);
  if (label)
    dataset.fields[fieldIndex(dataset, "label", FieldKind::I32, false)]
        .ints.push_back(id);
  return Status();
}

void PairReader::appendSentence(const Sentences &sentences, int side,
                                Dataset &dataset) const {
  const std::string end = side == 0 ? "_a" : "_b";
  auto field = [&](const char *name, FieldKind kind) -> std::vector<int32_t> & {
    const std::string full = name + end;
    return dataset.fields[fieldIndex(dataset, full.c_str(), kind, true)].ints;
  };
  std::vector<int32_t> ids;
  for (std::string_view word : sentences.words[side])
    ids.push_back(idOf(word));
  if (hasParses && parses.hasHeads()) {
    const ParsedSentence &parsed = sentences.parses->sentences[side];
    std::vector<int32_t> &tree = field("tree", FieldKind::Tree);
    tree.insert(tree.end(), parsed.heads.begin(), parsed.heads.end());
  }
  std::vector<int32_t> &all = field("words", FieldKind::I32);
  all.insert(all.end(), ids.begin(), ids.end());
  if (hasParses && parses.hasPhrases()) {
    const LeafTree &parsed = sentences.parses->sentences[side].phrases;
    std::vector<int32_t> &tree = field("ctree", FieldKind::Tree);
    tree.insert(tree.end(), parsed.parents.begin(), parsed.parents.end());
    std::vector<int32_t> &leaves = field("cwords", FieldKind::I32);
    for (int32_t leaf : parsed.leaves)
      leaves.push_back(leaf < 0 ? Vocabulary::kPadding : ids[leaf]);
  }
}

Status PairReader::readLine(const Line &line, Dataset &dataset) const {
  std::vector<Column> columns;
  Sentences sentences;
  Status status = cutLine(line, columns);
  if (status.ok())
    status = readSentences(line, columns, sentences);
  if (status.ok())
    for (int side : {0, 1})
      appendSentence(sentences, side, dataset);
  if (status.ok())
    status = readTargets(line, columns, dataset);
  if (!status.ok())
    return status;
  for (Field &field : dataset.fields)
    field.endExample();
  dataset.texts.emplace_back(line.text);
  dataset.lines.push_back(line.number);
  dataset.extraNames = layout.names;
  std::vector<std::string> extras;
  if (!layout.names.empty())
    for (const Column &column : columns)
      extras.emplace_back(column.text);
  dataset.extras.push_back(std::move(extras));
  return Status();
}

Status PairReader::readText(std::string_view text, const std::string &source,
                            int64_t firstLine, Dataset &dataset) {
  if (Status status = loadParses(); !status.ok())
    return status;
  LineCutter lines(text, source, firstLine);
  for (Line line{}; lines.next(line);) {
    bool isHeader = false;
    Status status;
    if (line.number == 1)
      status = findLayout(line, isHeader);
    if (status.ok() && !isHeader && !line.text.empty())
      status = readLine(line, dataset);
    if (!status.ok()) {
      dropUnfinished(dataset);
      return status;
    }
  }
  return Status();
}

std::unique_ptr<Reader> cambium::data::createPairReader() {
  return std::make_unique<PairReader>();
}
