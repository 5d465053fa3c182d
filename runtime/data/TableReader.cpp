//===-- runtime/data/TableReader.cpp - Columns with names and types -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tab-separated columns that become fields as they are. The first line gives
/// each column a name and a type, "tokens:ids<TAB>label:id":
///
///   id       a whole number         ids       whole numbers between spaces
///   number   a number               numbers   numbers between spaces
///   text     kept as it is (a further column of predictions)
///
/// Names may be given for 0, 1, ...: "kinds:ids=word,mark". They are for
/// people. A list may be empty, and each has a length of its own. Blank lines
/// are passed over.
///
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "Text.h"

#include <algorithm>

using namespace cambium::data;

namespace {

/// A type of columns: one entry of the table below.
struct ColumnType {
  const char *name;
  FieldKind kind;
  bool perRow;
  bool isText;
};

constexpr ColumnType kTypes[] = {{"id", FieldKind::I32, false, false},
                                 {"ids", FieldKind::I32, true, false},
                                 {"number", FieldKind::F32, false, false},
                                 {"numbers", FieldKind::F32, true, false},
                                 {"text", FieldKind::I32, false, true}};

/// A column as the first line of a file names it.
struct NamedColumn {
  std::string name;
  const ColumnType *type;
  std::vector<std::string> values; ///< Names of 0, 1, ...; mostly empty.

  bool operator==(const NamedColumn &other) const {
    return name == other.name && type == other.type && values == other.values;
  }
};

class TableReader : public Reader {
public:
  const char *name() const override { return "table"; }
  TargetFields targets() const override {
    return {"label", "labels", "target", 0, "loss"};
  }
  Status readText(std::string_view text, const std::string &source,
                  int64_t firstLine, Dataset &dataset) override;

private:
  Status learn(const std::string &path) override;
  Status readNames(const Line &line);
  Status readName(const Line &line, const Column &column);
  Status readLine(const Line &line, Dataset &dataset) const;

  std::vector<NamedColumn> columns;
};

} // namespace

/// The type that a column must have because answers are compared with it; null
/// for any.
static const char *typeOfTarget(std::string_view name) {
  if (name == "label")
    return "id";
  if (name == "labels")
    return "ids";
  return name == "target" ? "number" : nullptr;
}

Status TableReader::readName(const Line &line, const Column &column) {
  const size_t colon = column.text.rfind(':');
  if (colon == std::string_view::npos || colon == 0)
    return line.expected(column.offset,
                         "the name of a column and its type (tokens:ids)",
                         quote(column.text));
  const std::string_view name = column.text.substr(0, colon);
  std::string_view type = column.text.substr(colon + 1);
  const size_t equals = type.find('=');
  std::vector<std::string> values;
  if (equals != std::string_view::npos) {
    values = cutNames(type.substr(equals + 1));
    type = type.substr(0, equals);
  }
  const auto known =
      std::find_if(std::begin(kTypes), std::end(kTypes),
                   [&](const ColumnType &each) { return each.name == type; });
  if (known == std::end(kTypes))
    return line.expected(column.offset + colon + 1,
                         "a type (id, ids, number, numbers, text)",
                         quote(type));
  const char *wanted = typeOfTarget(name);
  if (wanted && wanted != type)
    return line.expected(column.offset + colon + 1,
                         "the type " + std::string(wanted) + " for " +
                             quote(name) + ", which answers are compared with",
                         quote(type));
  for (const NamedColumn &other : columns)
    if (other.name == name)
      return line.expected(column.offset, "a name that no other column has",
                           quote(name));
  if (!values.empty() && (known->isText || known->kind != FieldKind::I32))
    return line.expected(column.offset + colon + 1 + equals,
                         "names of values of an id or ids alone", quote(type));
  const std::vector<std::string> &trained = namesOf(name);
  if (!values.empty() && !trained.empty() && values != trained)
    return line.expected(column.offset + colon + 1 + equals,
                         "the names of the training data for " + quote(name),
                         quote(type));
  columns.push_back({std::string(name), &*known,
                     values.empty() ? trained : std::move(values)});
  return Status();
}

/// What the first line of the training file calls the values of a column holds
/// for all files.
Status TableReader::learn(const std::string &path) {
  std::string text;
  if (Status status = readTextFile(path, text); !status.ok())
    return status;
  Line first{};
  if (!LineCutter(text, path, 1).next(first))
    return Status();
  Status status = readNames(first);
  for (const NamedColumn &column : columns)
    if (!column.values.empty())
      labels[column.name].setNames(column.values);
  return status;
}

Status TableReader::readNames(const Line &line) {
  columns.clear();
  for (const Column &column : cutColumns(line.text))
    if (Status status = readName(line, column); !status.ok()) {
      columns.clear();
      return status;
    }
  return Status();
}

/// Appends one number; false if the text is none.
static bool appendNumber(std::string_view text, Field &field) {
  if (field.kind == FieldKind::F32)
    return parseFloat(text, field.floats.emplace_back());
  return parseInt(text, field.ints.emplace_back());
}

/// Appends the number, or the numbers, of a column.
static Status appendNumbers(const Line &line, const Column &column,
                            Field &field) {
  const char *what =
      field.kind == FieldKind::F32 ? "a number for " : "a whole number for ";
  const std::string expected = what + quote(field.name);
  if (!field.perRow)
    return appendNumber(column.text, field)
               ? Status()
               : line.expected(column.offset, expected, quote(column.text));
  for (const Column &word : cutWords(column.text, column.offset))
    if (!appendNumber(word.text, field))
      return line.expected(word.offset, expected, quote(word.text));
  return Status();
}

Status TableReader::readLine(const Line &line, Dataset &dataset) const {
  const std::vector<Column> cut = cutColumns(line.text);
  if (cut.size() != columns.size())
    return line.expected(cut.size() > columns.size()
                             ? cut[columns.size()].offset
                             : line.text.size(),
                         "as many columns as the first line names (" +
                             std::to_string(columns.size()) + ")",
                         std::to_string(cut.size()));
  std::vector<std::string> extras;
  for (size_t i = 0; i < cut.size(); ++i) {
    const NamedColumn &column = columns[i];
    if (column.type->isText) {
      extras.emplace_back(cut[i].text);
      continue;
    }
    Field &field = dataset.fields[fieldIndex(
        dataset, column.name.c_str(), column.type->kind, column.type->perRow)];
    field.names = column.values;
    if (Status status = appendNumbers(line, cut[i], field); !status.ok())
      return status;
  }
  for (Field &field : dataset.fields)
    field.endExample();
  dataset.texts.emplace_back(line.text);
  dataset.lines.push_back(line.number);
  dataset.extras.push_back(std::move(extras));
  return Status();
}

Status TableReader::readText(std::string_view text, const std::string &source,
                             int64_t firstLine, Dataset &dataset) {
  const std::vector<NamedColumn> before = columns;
  Status status = forEachLine(text, source, firstLine, [&](const Line &line) {
    if (line.number != 1)
      return line.text.empty()  ? Status()
             : !columns.empty() ? readLine(line, dataset)
                                : line.expected(0,
                                                "the names and types of the "
                                                "columns in line 1",
                                                "no such line");
    if (Status names = readNames(line); !names.ok())
      return names;
    if (dataset.size() > 0 && columns != before)
      return line.expected(0, "the columns of the examples read before",
                           quote(line.text));
    if (dataset.size() == 0)
      dataset.fields.clear();
    dataset.extraNames.clear();
    for (const NamedColumn &column : columns)
      if (column.type->isText)
        dataset.extraNames.push_back(column.name);
    return Status();
  });
  if (!status.ok())
    dropUnfinished(dataset);
  return status;
}

std::unique_ptr<Reader> cambium::data::createTableReader() {
  return std::make_unique<TableReader>();
}
