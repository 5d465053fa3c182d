//===-- runtime/data/TableColumns.cpp - Names and types of columns --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableColumns.h"
#include "Names.h"

#include <algorithm>

using namespace cambium::data;

static constexpr ColumnType kTypes[] = {
    {"id", CellKind::Number, FieldKind::I32, false, Argument::Names},
    {"ids", CellKind::Number, FieldKind::I32, true, Argument::Names},
    {"number", CellKind::Number, FieldKind::F32, false, Argument::None},
    {"numbers", CellKind::Number, FieldKind::F32, true, Argument::None},
    {"vector", CellKind::Number, FieldKind::F32, false, Argument::Width},
    {"vectors", CellKind::Number, FieldKind::F32, true, Argument::Width},
    {"text", CellKind::Text, FieldKind::I32, false, Argument::None},
    {"class", CellKind::Class, FieldKind::I32, false, Argument::Names},
    {"classes", CellKind::Class, FieldKind::I32, true, Argument::Names},
    {"words", CellKind::Words, FieldKind::I32, true, Argument::Vocabulary},
    {"chars", CellKind::Chars, FieldKind::I32, true, Argument::Vocabulary},
    {"pieces", CellKind::Pieces, FieldKind::I32, true, Argument::None},
    {"tree", CellKind::Tree, FieldKind::Tree, true, Argument::Vocabulary},
    {"constituents", CellKind::Phrases, FieldKind::Tree, true,
     Argument::Vocabulary},
    {"heads", CellKind::Heads, FieldKind::Tree, true, Argument::None},
    {"graph", CellKind::Graph, FieldKind::Graph, true, Argument::None}};

bool TableColumn::operator==(const TableColumn &other) const {
  return name == other.name && type == other.type && values == other.values &&
         vocabulary == other.vocabulary && width == other.width &&
         hasEnds == other.hasEnds;
}

std::vector<std::string> TableColumn::fields() const {
  if (type->cell == CellKind::Text)
    return {};
  std::vector<std::string> all = {name};
  if (hasEnds)
    all.insert(all.end(), {name + ".in", name + ".out"});
  if (type->cell == CellKind::Tree || type->cell == CellKind::Phrases)
    all.insert(all.end(), {name + ".words", name + ".tokens"});
  if (type->cell == CellKind::Heads)
    all.push_back(name + ".rows");
  return all;
}

/// The types that a column may have because answers are compared with it; null
/// for any.
static const char *typesOfTarget(std::string_view name) {
  if (name == "label")
    return "id or class";
  if (name == "labels")
    return "ids or classes";
  return name == "target" ? "number, ids, words, chars or pieces" : nullptr;
}

static bool isAmong(std::string_view list, std::string_view type) {
  for (size_t at = 0; (at = list.find(type, at)) != std::string_view::npos;
       ++at) {
    const size_t end = at + type.size();
    const bool isWhole =
        (at == 0 || list[at - 1] == ' ') &&
        (end == list.size() || list[end] == ' ' || list[end] == ',');
    if (isWhole)
      return true;
  }
  return false;
}

/// Names stand in names of files of a run.
static bool isName(std::string_view name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  (c >= '0' && c <= '9') || c == '_' || c == '-';
         });
}

/// Whether there is a character that no text has, such as one that is zero.
static bool hasControl(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

/// Takes the names of values between commas.
static Status readNames(const Line &line, size_t offset,
                        std::string_view argument, TableColumn &column) {
  column.values = cutNames(argument);
  std::vector<std::string> sorted(column.values.begin(), column.values.end());
  std::sort(sorted.begin(), sorted.end());
  if (sorted.front().empty() ||
      std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return line.expected(offset, "different names between commas",
                         quote(argument));
  return Status();
}

/// Takes what stands behind '=' at the byte `offset` of the line.
static Status readArgument(const Line &line, size_t offset,
                           std::string_view argument, TableColumn &column) {
  const std::string type = quote(column.type->name);
  int32_t width = 0;
  switch (column.type->argument) {
  case Argument::Names:
    return readNames(line, offset, argument, column);
  case Argument::Vocabulary:
    column.vocabulary = argument;
    return isName(argument)
               ? Status()
               : line.expected(offset,
                               "the name of a vocabulary (letters, digits, "
                               "'_', '-') after " +
                                   type,
                               quote(argument));
  case Argument::Width:
    if (!parseInt(argument, width) || width < 1)
      return line.expected(offset, "how many numbers a row has after " + type,
                           quote(argument));
    column.width = width;
    return Status();
  case Argument::None:
    break;
  }
  return line.expected(offset,
                       "nothing after " + type +
                           " (names of values are for id, ids, class and "
                           "classes, vocabularies for words, chars and trees)",
                       quote(argument));
}

/// Reads "TYPE", "TYPE+ends", "TYPE=ARGUMENT" or both.
static Status readType(const Line &line, size_t offset, std::string_view text,
                       TableColumn &column) {
  constexpr std::string_view kEnds = "+ends";
  const size_t equals = std::min(text.find('='), text.size());
  std::string_view type = text.substr(0, equals);
  column.hasEnds = type.size() > kEnds.size() &&
                   type.substr(type.size() - kEnds.size()) == kEnds;
  if (column.hasEnds)
    type.remove_suffix(kEnds.size());
  std::string list;
  std::vector<std::string> names;
  for (const ColumnType &each : kTypes) {
    if (each.name == type)
      column.type = &each;
    list.append(list.empty() ? "" : ", ").append(each.name);
    names.emplace_back(each.name);
  }
  if (!column.type)
    return line.expected(offset, "a type (" + list + ")",
                         quote(type) + didYouMean(type, names));
  const CellKind cell = column.type->cell;
  if (column.hasEnds && cell != CellKind::Words && cell != CellKind::Chars &&
      cell != CellKind::Pieces)
    return line.expected(offset, "+ends after words, chars or pieces",
                         quote(type));
  const char *wanted = typesOfTarget(column.name);
  if (wanted && !isAmong(wanted, type))
    return line.expected(offset,
                         "the type " + std::string(wanted) + " for " +
                             quote(column.name) +
                             ", which answers are compared with",
                         quote(type));
  if (equals < text.size())
    return readArgument(line, offset + equals + 1, text.substr(equals + 1),
                        column);
  return column.type->argument == Argument::Width
             ? line.expected(offset,
                             "how many numbers a row has (" +
                                 std::string(type) + "=300)",
                             quote(type))
             : Status();
}

static Status readColumn(const Line &line, const Column &text,
                         TableColumn &column) {
  const std::string_view named = text.text.substr(0, text.text.find('='));
  const size_t colon = named.rfind(':');
  if (colon == std::string_view::npos || colon == 0)
    return line.expected(text.offset,
                         "the name of a column and its type (tokens:ids)",
                         quote(text.text));
  column.name = text.text.substr(0, colon);
  if (hasControl(column.name))
    return line.expected(text.offset,
                         "the name of a column without control characters",
                         quote(column.name));
  return readType(line, text.offset + colon + 1, text.text.substr(colon + 1),
                  column);
}

/// A vocabulary holds words or characters; a word of one character would be the
/// character's id.
static Status checkVocabulary(const Line &line, const Column &text,
                              const TableColumn &column,
                              const TableColumn &other) {
  const bool isChars = column.type->cell == CellKind::Chars;
  if (!column.hasWords() || !other.hasWords() ||
      column.vocabulary != other.vocabulary ||
      isChars == (other.type->cell == CellKind::Chars))
    return Status();
  return line.expected(text.offset,
                       "a vocabulary of words or of chars (" +
                           std::string(column.type->name) +
                           "=NAME names another one)",
                       "the one of " + quote(other.name));
}

Status cambium::data::readColumns(const Line &line,
                                  std::vector<TableColumn> &columns) {
  columns.clear();
  std::vector<std::string> names;
  for (const Column &text : cutColumns(line.text)) {
    TableColumn column;
    Status status = readColumn(line, text, column);
    std::vector<std::string> made = column.type ? column.fields() : names;
    if (made.empty())
      made.push_back(column.name);
    for (const std::string &name : made)
      if (status.ok() &&
          std::find(names.begin(), names.end(), name) != names.end())
        status = line.expected(text.offset, "a name that no other column has",
                               quote(name));
    for (const TableColumn &other : columns)
      if (status.ok())
        status = checkVocabulary(line, text, column, other);
    if (!status.ok()) {
      columns.clear();
      return status;
    }
    names.insert(names.end(), made.begin(), made.end());
    columns.push_back(std::move(column));
  }
  return Status();
}
