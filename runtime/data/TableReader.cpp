//===-- runtime/data/TableReader.cpp - Columns with names and types -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tab-separated columns that become fields. The first line gives each column a
/// name and a type, "tokens:ids<TAB>label:id" (TableColumns.h, and TableCells.h
/// for what cells hold). Lists may be empty, and each has a length of its own.
/// Blank lines are passed over.
///
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "TableCells.h"
#include "Tokenizer.h"

#include <algorithm>

using namespace cambium::data;

namespace {

class TableReader : public Reader {
public:
  const char *name() const override { return "table"; }
  TargetFields targets() const override {
    return {"label", "labels", "target", 0, "loss"};
  }
  Vocabulary *vocabulary() override {
    auto found = vocabularies.find("");
    return found == vocabularies.end() ? nullptr : &found->second;
  }
  const Vocabulary *vocabularyOf(std::string_view field) const override;
  std::vector<std::string> wordFields() const override { return fieldsOf(""); }
  std::string columns() const override { return header; }
  std::string columnsAtHand() const override { return headerAtHand; }
  bool isOfCharacters(std::string_view field) const override;
  Status setColumns(std::string_view text, const std::string &source) override;
  Status readText(std::string_view text, const std::string &source,
                  int64_t firstLine, Dataset &dataset) override;

private:
  Status learn(const std::string &path) override;
  Status readNames(const Line &line);
  Status readLine(const Line &line, Dataset &dataset);
  Status countLine(const Line &line);
  Status readPieces(Dataset &dataset);
  std::vector<std::string> fieldsOf(const std::string &vocabulary) const;
  const TableColumn *columnOf(std::string_view field) const;
  /// Without a training file, those of the file at hand say what ids mean.
  const std::vector<TableColumn> &known() const {
    return trained.empty() ? all : trained;
  }

  std::vector<TableColumn> all;     ///< Of the file at hand.
  std::vector<TableColumn> trained; ///< Of the training file.
  std::string header;               ///< Its first line.
  std::string headerAtHand;         ///< That of the file at hand.
  /// By column of pieces: the cells that are to be cut.
  std::map<std::string, std::vector<std::string>> uncut;
  Tokenizer tokenizer;
};

} // namespace

/// The fields with ids of a vocabulary.
std::vector<std::string>
TableReader::fieldsOf(const std::string &vocabulary) const {
  std::vector<std::string> fields;
  for (const TableColumn &column : known())
    if (column.hasWords() && column.vocabulary == vocabulary) {
      const std::vector<std::string> made = column.fields();
      fields.insert(fields.end(), made.begin(), made.end());
    }
  return fields;
}

/// The column that says what a field holds, or null. Answers need none where
/// one vocabulary alone can be theirs.
const TableColumn *TableReader::columnOf(std::string_view field) const {
  const TableColumn *withWords = nullptr;
  for (const TableColumn &column : known()) {
    const std::vector<std::string> made = column.fields();
    if (std::find(made.begin(), made.end(), field) != made.end())
      return &column;
    withWords = column.hasWords() ? &column : withWords;
  }
  const bool isAnswer = field == targets().value;
  return isAnswer && vocabularies.size() == 1 ? withWords : nullptr;
}

const Vocabulary *TableReader::vocabularyOf(std::string_view field) const {
  const TableColumn *column = columnOf(field);
  if (!column || !column->hasWords())
    return nullptr;
  auto found = vocabularies.find(column->vocabulary);
  return found == vocabularies.end() ? nullptr : &found->second;
}

bool TableReader::isOfCharacters(std::string_view field) const {
  const TableColumn *column = columnOf(field);
  return column && column->type->cell == CellKind::Chars;
}

/// Takes the columns of the file at hand from its first line. What the training
/// file calls the values of a column holds for all files.
Status TableReader::readNames(const Line &line) {
  if (Status status = readColumns(line, all); !status.ok())
    return status;
  headerAtHand = line.text;
  const std::vector<Column> texts = cutColumns(line.text);
  for (size_t i = 0; i < all.size(); ++i) {
    TableColumn &column = all[i];
    const std::vector<std::string> &known = namesOf(column.name);
    if (!column.values.empty() && !known.empty() && column.values != known) {
      Status wrong = line.expected(texts[i].offset,
                                   "the names of the training data for " +
                                       quote(column.name),
                                   quote(texts[i].text));
      all.clear();
      return wrong;
    }
    const bool lacksTokenizer =
        column.type->cell == CellKind::Pieces && options.tokenizer.empty();
    // Without a training file, all words would be unknown.
    const bool lacksWords = trained.empty() && column.hasWords() &&
                            !vocabularies.count(column.vocabulary);
    if (lacksTokenizer || lacksWords) {
      const std::string missing =
          lacksTokenizer ? "a tokenizer (--tokenizer) for the pieces of "
          : column.vocabulary.empty()
              ? "a vocabulary (--vocab) for the words of "
              : "a vocabulary (--vocab-of " + column.vocabulary +
                    "=FILE) for the words of ";
      Status wrong =
          line.expected(texts[i].offset, missing + quote(column.name), "none");
      all.clear();
      return wrong;
    }
    if (column.values.empty())
      column.values = known;
    else if (column.type->cell == CellKind::Class)
      labels[column.name].setNames(column.values);
  }
  return Status();
}

Status TableReader::setColumns(std::string_view text,
                               const std::string &source) {
  Line line{};
  header.clear();
  if (!LineCutter(text, source, 1).next(line))
    return Status();
  if (Status status = readColumns(line, trained); !status.ok())
    return status;
  header = line.text;
  vocabularies.clear();
  for (const TableColumn &column : trained)
    if (column.hasWords()) {
      Vocabulary &words = vocabularies[column.vocabulary];
      if (column.hasEnds)
        words.addEnds();
    }
  return Status();
}

Status TableReader::learn(const std::string &path) {
  std::string text;
  if (Status status = readTextFile(path, text); !status.ok())
    return status;
  Status status = setColumns(text, path);
  if (!status.ok() || header.empty())
    return status;
  status = forEachLine(text, path, 1, [&](const Line &line) {
    return line.number == 1    ? readNames(line)
           : line.text.empty() ? Status()
                               : countLine(line);
  });
  for (auto &[name, words] : vocabularies)
    words.build(options.minCount, limitOf(fieldsOf(name)));
  for (const TableColumn &column : trained) {
    if (!column.values.empty())
      labels[column.name].setNames(column.values);
    else if (column.type->cell == CellKind::Class)
      labels[column.name].build(/*hasUnknown=*/false);
  }
  return status;
}

/// Cuts a line into as many cells as there are columns.
static Status cutCells(const Line &line, size_t count,
                       std::vector<Column> &cells) {
  cells = cutColumns(line.text);
  if (cells.size() == count)
    return Status();
  return line.expected(
      cells.size() > count ? cells[count].offset : line.text.size(),
      "as many columns as the first line names (" + std::to_string(count) + ")",
      std::to_string(cells.size()));
}

Status TableReader::countLine(const Line &line) {
  std::vector<Column> cells;
  Status status = cutCells(line, trained.size(), cells);
  for (size_t i = 0; status.ok() && i < cells.size(); ++i) {
    const TableColumn &column = trained[i];
    if (column.hasWords()) {
      Vocabulary &words = vocabularies[column.vocabulary];
      status = forEachWord(line, cells[i], column, options,
                           [&](std::string_view word) {
                             if (!word.empty())
                               words.count(word);
                           });
    }
    if (column.type->cell != CellKind::Class || !column.values.empty())
      continue;
    if (!column.type->perRow)
      labels[column.name].count(cells[i].text);
    else
      for (const Column &name : cutWords(cells[i].text))
        if (name.text != "_")
          labels[column.name].count(name.text);
  }
  return status;
}

Status TableReader::readLine(const Line &line, Dataset &dataset) {
  std::vector<Column> cells;
  if (Status status = cutCells(line, all.size(), cells); !status.ok())
    return status;
  std::vector<std::string> extras;
  CellReader reader(line, *this, dataset);
  for (size_t i = 0; i < cells.size(); ++i) {
    if (all[i].type->cell == CellKind::Text)
      extras.emplace_back(cells[i].text);
    if (Status status = reader.append(cells[i], all[i]); !status.ok())
      return status;
  }
  for (size_t i = 0; i < cells.size(); ++i) {
    if (all[i].type->cell == CellKind::Pieces)
      uncut[all[i].name].emplace_back(cells[i].text);
    else
      for (const std::string &name : all[i].fields())
        const_cast<Field *>(dataset.find(name))->endExample();
  }
  dataset.texts.emplace_back(line.text);
  dataset.lines.push_back(line.number);
  dataset.extras.push_back(std::move(extras));
  return Status();
}

/// The pieces of all cells that were read, cut at once.
Status TableReader::readPieces(Dataset &dataset) {
  for (const TableColumn &column : all) {
    auto cells = uncut.find(column.name);
    if (cells == uncut.end() || cells->second.empty())
      continue;
    std::vector<Pieces> pieces;
    if (Status status = tokenizer.encode(options, cells->second, pieces);
        !status.ok())
      return status;
    for (const std::string &name : column.fields())
      fieldIndex(dataset, name, FieldKind::I32, true);
    for (const std::string &name : column.fields()) {
      Field &field =
          dataset.fields[fieldIndex(dataset, name, FieldKind::I32, true)];
      // The first and the last piece are the ends.
      const bool isIn = name == column.name + ".in",
                 isOut = name == column.name + ".out";
      for (const Pieces &each : pieces) {
        const int64_t count = each.ids.size();
        field.ints.insert(field.ints.end(),
                          each.ids.begin() + (isOut && count > 0),
                          each.ids.end() - (isIn && count > 0));
        field.endExample();
      }
    }
  }
  return Status();
}

Status TableReader::readText(std::string_view text, const std::string &source,
                             int64_t firstLine, Dataset &dataset) {
  const std::vector<TableColumn> before = all;
  uncut.clear();
  Status status = forEachLine(text, source, firstLine, [&](const Line &line) {
    if (line.number != 1)
      return line.text.empty() ? Status()
             : !all.empty()    ? readLine(line, dataset)
                               : line.expected(0,
                                               "the names and types of the "
                                               "columns in line 1",
                                               "no such line");
    if (Status names = readNames(line); !names.ok())
      return names;
    if (dataset.size() > 0 && all != before)
      return line.expected(0, "the columns of the examples read before",
                           quote(line.text));
    if (dataset.size() == 0)
      dataset.fields.clear();
    dataset.extraNames.clear();
    for (const TableColumn &column : all)
      if (column.type->cell == CellKind::Text)
        dataset.extraNames.push_back(column.name);
    return Status();
  });
  if (!status.ok())
    dropUnfinished(dataset);
  Status cut = readPieces(dataset);
  return status.ok() ? cut : status;
}

std::unique_ptr<Reader> cambium::data::createTableReader() {
  return std::make_unique<TableReader>();
}
