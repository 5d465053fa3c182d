//===-- runtime/data/ConlluReader.cpp - Universal Dependencies ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// CoNLL-U: sentences of lines with ten tab-separated columns, ended by an
/// empty line; comments begin with '#'. The nodes of the tree are the syntactic
/// words: tokens of several words (1-2) and empty nodes (8.1) are left out.
/// Words may hold spaces. A comment "# label = 3" gives the class of a
/// sentence, in place of the part of speech of its root. The text of an example
/// is its words between spaces, where U+00A0 stands for a space in a word.
///
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "Trees.h"

#include <algorithm>

using namespace cambium::data;

namespace {

enum ColumnNumber {
  kNumber,
  kForm,
  kLemma,
  kPos,
  kHead = 6,
  kRelation,
  kNumColumns = 10
};

/// A sentence as it stands in the file.
struct Sentence {
  Line first{}; ///< Its first line with a word.
  std::string text, id;
  std::vector<std::string_view> words, relations;
  std::vector<int32_t> tags, heads;
  std::string_view label;  ///< Of the whole sentence, by a comment; or empty.
  Line labelLine{};        ///< With that comment.
  std::vector<Line> lines; ///< Of each word,
  std::vector<Column> headColumns; ///< with its head.
};

class ConlluReader : public Reader {
public:
  const char *name() const override { return "conllu"; }
  TargetFields targets() const override {
    return {"label", "labels", "", 0, "accuracy_all"};
  }
  Vocabulary *vocabulary() override { return &words; }
  Status readText(std::string_view text, const std::string &source,
                  int64_t firstLine, Dataset &dataset) override;
  bool endsExample(std::string_view line) const override {
    return isBlank(line.substr(0, line.find_first_of("\r\n")));
  }
  const std::vector<std::string> &
  namesOf(std::string_view field) const override;
  bool describe(std::string_view text, std::string_view tree,
                TreeText &result) const override;

private:
  Status learn(const std::string &path) override;
  template <typename Take>
  Status forEachSentence(std::string_view text, const std::string &source,
                         int64_t firstLine, bool needTags, Take take) const;
  Status readWord(const Line &line, bool needTags, Sentence &sentence) const;
  Status append(const Sentence &sentence, Dataset &dataset) const;
  Status labelOf(const Sentence &sentence, bool &hasLabel,
                 int32_t &label) const;
  std::string normalize(std::string_view word) const {
    return options.lowercase ? lowerCase(word) : std::string(word);
  }

  Vocabulary words;
};

} // namespace

/// The parts of speech, in alphabetical order.
static const char *const kTags[] = {
    "ADJ",  "ADP",  "ADV",   "AUX",   "CCONJ", "DET", "INTJ", "NOUN", "NUM",
    "PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"};

/// The number of a part of speech; -1 if it is none.
static int32_t tagOf(std::string_view name) {
  auto found = std::find(std::begin(kTags), std::end(kTags), name);
  return found == std::end(kTags) ? -1 : static_cast<int32_t>(found - kTags);
}

/// The value of a comment such as "# sent_id = weblog-1"; empty if it is
/// another one.
static std::string_view commentValue(std::string_view line,
                                     std::string_view key) {
  const std::string prefix = "# " + std::string(key) + " = ";
  return line.substr(0, prefix.size()) == prefix ? line.substr(prefix.size())
                                                 : std::string_view();
}

Status ConlluReader::readWord(const Line &line, bool needTags,
                              Sentence &sentence) const {
  const std::vector<Column> columns = cutColumns(line.text);
  if (columns.size() != kNumColumns)
    return line.expected(line.text.size(), "10 columns between tabs",
                         std::to_string(columns.size()));
  const Column &number = columns[kNumber];
  if (number.text.find_first_of("-.") != std::string_view::npos)
    return Status();
  int32_t place = 0;
  const int32_t next = static_cast<int32_t>(sentence.words.size()) + 1;
  if (!parseInt(number.text, place) || place != next)
    return line.expected(number.offset,
                         "the number of the word, " + std::to_string(next),
                         quote(number.text));
  if (columns[kForm].text.empty())
    return line.expected(columns[kForm].offset, "a word", "nothing");
  const int32_t tag = tagOf(columns[kPos].text);
  if (tag < 0 && needTags)
    return line.expected(columns[kPos].offset,
                         "a part of speech, ADJ to X, in upper case",
                         quote(columns[kPos].text));
  if (sentence.words.empty())
    sentence.first = line;
  sentence.words.push_back(columns[kForm].text);
  sentence.relations.push_back(columns[kRelation].text);
  sentence.tags.push_back(tag);
  sentence.lines.push_back(line);
  sentence.headColumns.push_back(columns[kHead]);
  return Status();
}

/// The heads of a sentence, which are known when all its words are.
static Status readHeads(Sentence &sentence) {
  const size_t count = sentence.words.size();
  Status status =
      readParents(sentence.first, sentence.headColumns, "word", sentence.heads);
  if (status.ok())
    return status;
  // Once more, word by word, to name the line.
  int64_t root = -1;
  for (size_t i = 0; i < count; ++i) {
    int32_t head = 0;
    const Column &column = sentence.headColumns[i];
    const Line &line = sentence.lines[i];
    if (!parseInt(column.text, head) || head < 0 ||
        head > static_cast<int64_t>(count) ||
        head == static_cast<int64_t>(i) + 1)
      return line.expected(column.offset,
                           "the number of another word of the sentence, or 0 "
                           "at the root",
                           quote(column.text));
    if (head == 0 && root >= 0)
      return line.expected(column.offset, "one root",
                           "a second one beside word " +
                               std::to_string(root + 1));
    if (head == 0)
      root = static_cast<int64_t>(i);
  }
  return sentence.first.expected(
      sentence.headColumns.front().offset, "heads that make one tree",
      root < 0 ? "no root, which has the head 0" : "a cycle");
}

template <typename Take>
Status ConlluReader::forEachSentence(std::string_view text,
                                     const std::string &source,
                                     int64_t firstLine, bool needTags,
                                     Take take) const {
  Sentence sentence;
  auto end = [&] {
    Status status;
    if (!sentence.words.empty() && (status = readHeads(sentence)).ok()) {
      status = take(sentence);
      sentence = Sentence();
    }
    return status;
  };
  Status status = forEachLine(text, source, firstLine, [&](const Line &line) {
    if (line.text.empty())
      return end();
    if (line.text.front() != '#')
      return readWord(line, needTags, sentence);
    if (auto comment = commentValue(line.text, "text"); !comment.empty())
      sentence.text = comment;
    if (auto id = commentValue(line.text, "sent_id"); !id.empty())
      sentence.id = id;
    if (auto label = commentValue(line.text, "label"); !label.empty()) {
      sentence.label = label;
      sentence.labelLine = line;
    }
    return Status();
  });
  return status.ok() ? end() : status;
}

Status ConlluReader::learn(const std::string &path) {
  std::string text;
  if (Status status = readTextFile(path, text); !status.ok())
    return status;
  Status status =
      forEachSentence(text, path, 1, false, [&](const Sentence &sentence) {
        for (std::string_view word : sentence.words)
          words.count(normalize(word));
        for (std::string_view relation : sentence.relations)
          labels["relations"].count(relation);
        if (!sentence.label.empty())
          labels["label"].count(sentence.label);
        return Status();
      });
  words.build(options.minCount, limitOf(wordFields()));
  for (auto &[field, set] : labels)
    set.build(/*hasUnknown=*/field == "relations");
  return status;
}

/// The words between spaces.
static std::string textOf(const Sentence &sentence) {
  std::string text;
  for (std::string_view word : sentence.words) {
    text += text.empty() ? "" : " ";
    for (char c : word)
      c == ' ' ? text += "\xC2\xA0" : text += c;
  }
  return text;
}

const std::vector<std::string> &
ConlluReader::namesOf(std::string_view field) const {
  static const std::vector<std::string> tags(std::begin(kTags),
                                             std::end(kTags));
  // Without classes of their own, sentences have the tag of their root.
  const bool isTag =
      field == "labels" || (field == "label" && !labels.count("label"));
  return isTag ? tags : Reader::namesOf(field);
}

/// The class of a sentence: by its comment where the training data has such
/// ones, else the tag of its root.
Status ConlluReader::labelOf(const Sentence &sentence, bool &hasLabel,
                             int32_t &label) const {
  auto set = labels.find("label");
  const size_t root =
      std::find(sentence.heads.begin(), sentence.heads.end(), -1) -
      sentence.heads.begin();
  label = std::max(sentence.tags[root], 0);
  hasLabel = sentence.tags[root] >= 0;
  if (set == labels.end() && sentence.label.empty())
    return Status();
  hasLabel = !sentence.label.empty();
  label = 0;
  if (!hasLabel)
    return options.requireTargets
               ? sentence.first.expected(0,
                                         "a comment '# label = ...' before the "
                                         "sentence, as in the training data",
                                         "none")
               : Status();
  static const Labels numbers;
  const Labels &known = set == labels.end() ? numbers : set->second;
  label = known.idOf(sentence.label);
  return label >= 0
             ? Status()
             : sentence.labelLine.expected(
                   sentence.labelLine.text.size() - sentence.label.size(),
                   known.expectation(), quote(sentence.label));
}

Status ConlluReader::append(const Sentence &sentence, Dataset &dataset) const {
  bool hasLabel = true;
  int32_t labelId = 0;
  if (Status status = labelOf(sentence, hasLabel, labelId); !status.ok())
    return status;
  const size_t tree = fieldIndex(dataset, "tree", FieldKind::Tree, true);
  const size_t ids = fieldIndex(dataset, "words", FieldKind::I32, true);
  const size_t tags = fieldIndex(dataset, "labels", FieldKind::I32, true);
  const size_t label = fieldIndex(dataset, "label", FieldKind::I32, false);
  // Without the names of a training nobody knows their numbers: there is no
  // such field, and what needs it says so.
  auto known = labels.find("relations");
  const bool hasRelations = known != labels.end();
  const size_t relations =
      hasRelations ? fieldIndex(dataset, "relations", FieldKind::I32, true) : 0;
  const size_t heads = fieldIndex(dataset, "heads", FieldKind::I32, true);
  std::vector<Field> &fields = dataset.fields;
  if (fields[tags].names.empty()) {
    fields[tags].names = namesOf("labels");
    fields[label].names = namesOf("label");
    if (hasRelations)
      fields[relations].names = namesOf("relations");
  }
  dataset.hasTargets &= hasLabel;
  for (size_t i = 0; i < sentence.words.size(); ++i) {
    const int32_t tag = sentence.tags[i];
    dataset.hasTargets &= tag >= 0;
    fields[tree].ints.push_back(sentence.heads[i]);
    fields[heads].ints.push_back(sentence.heads[i]);
    fields[ids].ints.push_back(words.idOf(normalize(sentence.words[i])));
    fields[tags].ints.push_back(std::max(tag, 0));
    if (hasRelations)
      fields[relations].ints.push_back(
          std::max(known->second.idOf(sentence.relations[i]), 0));
    if (sentence.heads[i] < 0)
      fields[label].ints.push_back(labelId);
  }
  for (Field &field : fields)
    field.endExample();
  dataset.texts.push_back(textOf(sentence));
  dataset.lines.push_back(sentence.first.number);
  dataset.extraNames = {"sent_id", "text"};
  dataset.extras.push_back({sentence.id, sentence.text});
  return Status();
}

Status ConlluReader::readText(std::string_view text, const std::string &source,
                              int64_t firstLine, Dataset &dataset) {
  return forEachSentence(
      text, source, firstLine, options.requireTargets,
      [&](const Sentence &sentence) { return append(sentence, dataset); });
}

bool ConlluReader::describe(std::string_view text, std::string_view,
                            TreeText &result) const {
  result = TreeText();
  result.title = text;
  for (const Column &word : cutWords(text))
    result.nodes.emplace_back(word.text);
  return !result.nodes.empty();
}

std::unique_ptr<Reader> cambium::data::createConlluReader() {
  return std::make_unique<ConlluReader>();
}
