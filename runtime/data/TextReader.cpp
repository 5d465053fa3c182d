//===-- runtime/data/TextReader.cpp - Texts with classes ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A line is a text, or two with a tab between them, perhaps after a class and
/// a tab. A first line may name the columns instead. Texts are cut into the
/// pieces of a tokenizer, or into words between spaces.
///
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "Text.h"
#include "Tokenizer.h"

#include <algorithm>

using namespace cambium::data;

namespace {

/// Where the parts of an example stand among the columns; -1: nowhere.
struct TextLayout {
  int text = 0, second = -1, label = -1, score = -1;
};

/// A line, cut into its parts.
struct TextLine {
  std::string text; ///< A tab between two texts.
  std::string label;
  size_t labelOffset = 0;
  int32_t labelId = 0;
  float score = 0;
  bool hasLabel = false, hasScore = false;
  std::vector<std::string> extras;
  std::string whole;
  int64_t number = 0;
};

class TextReader : public Reader {
public:
  const char *name() const override { return "text"; }
  TargetFields targets() const override {
    return {"label", "", "score", 0, "accuracy"};
  }
  /// With a tokenizer there is none: it knows the ids.
  Vocabulary *vocabulary() override {
    return options.tokenizer.empty() ? &words : nullptr;
  }
  std::vector<std::string> wordFields() const override { return {"tokens"}; }
  Status readText(std::string_view text, const std::string &source,
                  int64_t firstLine, Dataset &dataset) override;

private:
  Status learn(const std::string &path) override;
  /// Calls `take` with every line that holds an example.
  using Taker = std::function<Status(TextLine)>;
  Status forEachText(std::string_view text, const std::string &source,
                     int64_t firstLine, const Taker &take);
  bool findNames(const Line &line);
  TextLayout layoutOf(const std::vector<Column> &columns) const;
  Status cut(const Line &line, TextLine &result) const;
  Status cutTargets(const Line &line, const std::vector<Column> &columns,
                    const TextLayout &layout, TextLine &result) const;
  Pieces wordsOf(std::string_view text) const;
  Status append(const std::vector<TextLine> &lines, Dataset &dataset);

  Vocabulary words;
  std::vector<std::string> columnNames; ///< Empty: they have no names.
  Tokenizer tokenizer;
};

} // namespace

/// Takes the names of the columns from a first line that has them.
bool TextReader::findNames(const Line &line) {
  const std::vector<Column> columns = cutColumns(line.text);
  columnNames.clear();
  const bool hasNames =
      columns.size() > 1 &&
      std::any_of(columns.begin(), columns.end(),
                  [](const Column &column) { return column.text == "text"; });
  for (const Column &column : columns)
    if (hasNames)
      columnNames.emplace_back(column.text);
  if (!hasNames && !options.layout.empty())
    columnNames = cutNames(options.layout);
  return hasNames;
}

TextLayout TextReader::layoutOf(const std::vector<Column> &columns) const {
  TextLayout layout;
  if (columnNames.empty()) {
    int32_t number = 0;
    if (columns.size() > 1 && parseInt(columns[0].text, number))
      layout.label = 0;
    layout.text = layout.label + 1;
    if (static_cast<int>(columns.size()) > layout.text + 1)
      layout.second = layout.text + 1;
    return layout;
  }
  auto placeOf = [&](const char *name) {
    auto found = std::find(columnNames.begin(), columnNames.end(), name);
    return found == columnNames.end()
               ? -1
               : static_cast<int>(found - columnNames.begin());
  };
  layout.text = placeOf("text");
  layout.second = placeOf("text_b");
  layout.label = placeOf("label");
  layout.score = placeOf("score");
  return layout;
}

Status TextReader::cutTargets(const Line &line,
                              const std::vector<Column> &columns,
                              const TextLayout &layout,
                              TextLine &result) const {
  result.hasLabel = layout.label >= 0;
  result.hasScore = layout.score >= 0;
  if (result.hasLabel) {
    const Column &column = columns[layout.label];
    result.label = column.text;
    result.labelOffset = column.offset;
  }
  if (result.hasScore) {
    const Column &column = columns[layout.score];
    if (!parseFloat(column.text, result.score))
      return line.expected(column.offset, "a number", quote(column.text));
  }
  if (options.requireTargets && !result.hasLabel && !result.hasScore)
    return line.expected(0, "a class and a tab before the text",
                         quote(line.text));
  return Status();
}

Status TextReader::cut(const Line &line, TextLine &result) const {
  const std::vector<Column> columns = cutColumns(line.text);
  const TextLayout layout = layoutOf(columns);
  const size_t most =
      columnNames.empty() ? layout.text + 2 : columnNames.size();
  if (columns.size() > most ||
      (!columnNames.empty() && columns.size() < columnNames.size()))
    return line.expected(line.text.size(),
                         columnNames.empty()
                             ? "one text, or two with a tab between them"
                             : std::to_string(most) + " columns",
                         std::to_string(columns.size()) + " columns");
  // A line of nothing is a text to answer, but none to learn from.
  const bool mayBeEmpty = !options.requireTargets && columns.size() == 1;
  for (int place : {layout.text, layout.second})
    if (place >= 0 && isBlank(columns[place].text) && !mayBeEmpty)
      return line.expected(columns[place].offset, "a text", "nothing");
  result.text = columns[layout.text].text;
  if (layout.second >= 0)
    result.text.append("\t").append(columns[layout.second].text);
  if (Status status = cutTargets(line, columns, layout, result); !status.ok())
    return status;
  for (size_t i = 0; i < columnNames.size(); ++i)
    result.extras.emplace_back(columns[i].text);
  result.whole = line.text;
  result.number = line.number;
  return Status();
}

Status TextReader::forEachText(std::string_view text, const std::string &source,
                               int64_t firstLine, const Taker &take) {
  return forEachLine(text, source, firstLine, [&](const Line &line) {
    if (line.number == 1 && findNames(line))
      return Status();
    TextLine cutLine;
    Status status = cut(line, cutLine);
    return status.ok() ? take(std::move(cutLine)) : status;
  });
}

Status TextReader::learn(const std::string &path) {
  std::string text;
  if (Status status = readTextFile(path, text); !status.ok())
    return status;
  auto count = [&](const TextLine &line) {
    if (line.hasLabel)
      labels["label"].count(line.label);
    if (options.tokenizer.empty())
      for (const Column &word : cutWords(line.text))
        words.count(options.lowercase ? lowerCase(word.text) : word.text);
    return Status();
  };
  Status status = forEachText(text, path, 1, count);
  if (status.ok()) {
    words.build(options.minCount, limitOf(wordFields()));
    for (auto &[field, set] : labels)
      set.build(/*hasUnknown=*/false);
  }
  return status;
}

/// The ids of the words between spaces, of both texts.
Pieces TextReader::wordsOf(std::string_view text) const {
  Pieces pieces;
  int32_t segment = 0;
  for (const Column &part : cutColumns(text)) {
    for (const Column &word : cutWords(part.text)) {
      if (options.maxTokens > 0 &&
          static_cast<int64_t>(pieces.ids.size()) == options.maxTokens)
        return pieces;
      pieces.ids.push_back(words.idOf(
          options.lowercase ? lowerCase(word.text) : std::string(word.text)));
      pieces.segments.push_back(segment);
    }
    ++segment;
  }
  return pieces;
}

Status TextReader::append(const std::vector<TextLine> &lines,
                          Dataset &dataset) {
  std::vector<std::string> texts;
  for (const TextLine &line : lines)
    texts.push_back(line.text);
  std::vector<Pieces> pieces;
  if (options.tokenizer.empty())
    for (const std::string &text : texts)
      pieces.push_back(wordsOf(text));
  else if (Status status = tokenizer.encode(options, texts, pieces);
           !status.ok())
    return status;
  auto field = [&](const char *name, FieldKind kind, bool perRow) -> Field & {
    return dataset.fields[fieldIndex(dataset, name, kind, perRow)];
  };
  for (size_t i = 0; i < lines.size(); ++i) {
    const TextLine &line = lines[i];
    Field &tokens = field("tokens", FieldKind::I32, true);
    tokens.ints.insert(tokens.ints.end(), pieces[i].ids.begin(),
                       pieces[i].ids.end());
    Field &segments = field("segments", FieldKind::I32, true);
    segments.ints.insert(segments.ints.end(), pieces[i].segments.begin(),
                         pieces[i].segments.end());
    if (line.hasLabel) {
      Field &classes = field("label", FieldKind::I32, false);
      classes.names = namesOf("label");
      classes.ints.push_back(line.labelId);
    }
    if (line.hasScore)
      field("score", FieldKind::F32, false).floats.push_back(line.score);
    for (Field &each : dataset.fields)
      each.endExample();
    dataset.hasTargets &= line.hasLabel || line.hasScore;
    dataset.texts.push_back(line.whole);
    dataset.lines.push_back(line.number);
    dataset.extraNames = columnNames;
    dataset.extras.push_back(line.extras);
  }
  return Status();
}

Status TextReader::readText(std::string_view text, const std::string &source,
                            int64_t firstLine, Dataset &dataset) {
  std::vector<TextLine> lines;
  const bool isNew = dataset.size() == 0;
  const Labels &known = labels["label"];
  bool hasLabel = dataset.find("label"), hasScore = dataset.find("score");
  auto take = [&](TextLine line) {
    if (isNew && lines.empty()) {
      hasLabel = line.hasLabel;
      hasScore = line.hasScore;
    }
    const Line place = {line.whole, &source, line.number};
    if (line.hasLabel && (line.labelId = known.idOf(line.label)) < 0)
      return place.expected(line.labelOffset, known.expectation(),
                            quote(line.label));
    if (line.hasLabel != hasLabel || line.hasScore != hasScore)
      return place.expected(0,
                            hasLabel || hasScore
                                ? "a class and a tab, as in the lines before"
                                : "a text alone, as in the lines before",
                            quote(line.whole));
    lines.push_back(std::move(line));
    return Status();
  };
  // What stands before a bad line is read all the same.
  Status status = forEachText(text, source, firstLine, take);
  Status appended = append(lines, dataset);
  return appended.ok() ? status : appended;
}

std::unique_ptr<Reader> cambium::data::createTextReader() {
  return std::make_unique<TextReader>();
}
