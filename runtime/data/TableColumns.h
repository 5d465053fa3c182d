//===-- runtime/data/TableColumns.h - Names and types of columns *- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The first line of a table: "NAME:TYPE", "NAME:TYPE=ARGUMENT" between tabs.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DATA_TABLECOLUMNS_H
#define CAMBIUM_DATA_TABLECOLUMNS_H

#include "Text.h"

namespace cambium::data {

/// How a cell is read.
enum class CellKind {
  Number,  ///< Numbers.
  Text,    ///< Kept as it is.
  Class,   ///< Names of classes.
  Words,   ///< Words between spaces, ids of a vocabulary.
  Chars,   ///< Characters, likewise.
  Pieces,  ///< What a tokenizer makes of the cell.
  Tree,    ///< Words in brackets.
  Phrases, ///< The same with labels.
  Heads,   ///< Numbers of heads from 1, 0 at the root.
  Graph    ///< Numbers of children from 1, between commas.
};

/// What may stand behind a type and '='.
enum class Argument { None, Names, Vocabulary, Width };

/// A type of columns.
struct ColumnType {
  const char *name;
  CellKind cell;
  FieldKind field;
  bool perRow;
  Argument argument;
};

/// A column as the first line of a file names it.
struct TableColumn {
  std::string name;
  const ColumnType *type = nullptr;
  std::vector<std::string> values; ///< Names of 0, 1, ...; mostly empty.
  std::string vocabulary;          ///< Empty: the one without a name.
  int64_t width = 1;               ///< Numbers of a row.
  bool hasEnds = false;            ///< "+ends"

  bool operator==(const TableColumn &other) const;
  /// Whether its cells are ids of a vocabulary.
  bool hasWords() const { return type->argument == Argument::Vocabulary; }
  /// The fields that it makes, the one of its name first; none of a text.
  std::vector<std::string> fields() const;
};

/// Reads the names and types. Names of columns are different, and so are those
/// of the fields that they make.
Status readColumns(const Line &line, std::vector<TableColumn> &columns);

} // namespace cambium::data

#endif // CAMBIUM_DATA_TABLECOLUMNS_H
