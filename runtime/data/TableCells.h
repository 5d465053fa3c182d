//===-- runtime/data/TableCells.h - Cells as fields -------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DATA_TABLECELLS_H
#define CAMBIUM_DATA_TABLECELLS_H

#include "BracketTree.h"
#include "TableColumns.h"

namespace cambium::data {

/// Calls `take` with the words of a cell: words, characters, or what stands at
/// each node of a tree (nothing at some). An error is one of a tree.
using WordTaker = std::function<void(std::string_view)>;
Status forEachWord(const Line &line, const Column &cell,
                   const TableColumn &column, const ReaderOptions &options,
                   const WordTaker &take);

/// Appends cells to the fields of their columns.
class CellReader {
public:
  CellReader(const Line &line, Reader &reader, Dataset &dataset)
      : line(line), reader(reader), dataset(dataset) {}

  /// Appends a cell; of pieces and texts nothing.
  Status append(const Column &cell, const TableColumn &column);

private:
  Status appendNumbers(const Column &cell, const TableColumn &column);
  Status appendClasses(const Column &cell, const TableColumn &column);
  Status appendWords(const Column &cell, const TableColumn &column);
  Status appendTree(const Column &cell, const TableColumn &column);
  Status appendHeads(const Column &cell, const TableColumn &column);
  Status appendGraph(const Column &cell, const TableColumn &column);
  Field &field(const std::string &name, FieldKind kind, bool perRow);

  const Line &line;
  Reader &reader;
  Dataset &dataset;
};

/// Appends ids to the fields of a column whose sequences have ends: NAME.in
/// begins with one, NAME.out ends with one.
void appendWithEnds(const std::vector<int32_t> &ids, int32_t begin, int32_t end,
                    Field &in, Field &out);

} // namespace cambium::data

#endif // CAMBIUM_DATA_TABLECELLS_H
