//===-- runtime/data/TableCells.cpp - Cells as fields ---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableCells.h"
#include "../core/Utf8.h"
#include "Trees.h"

#include <algorithm>

using namespace cambium::data;

/// What stands for no class, and for no children.
static constexpr std::string_view kNothing = "_";

/// What stands at a node as a word of the vocabulary; empty if nothing does.
static std::string wordAt(const BracketTree &tree, int64_t node,
                          const ReaderOptions &options) {
  if (!tree.labels[node].empty() && tree.words[node].empty())
    return "[" + std::string(tree.labels[node]) + "]";
  return options.lowercase ? lowerCase(tree.words[node])
                           : std::string(tree.words[node]);
}

static Status parseTree(const Line &line, const Column &cell,
                        const TableColumn &column, const ReaderOptions &options,
                        BracketTree &tree) {
  const BracketStyle style = column.type->cell == CellKind::Tree
                                 ? BracketStyle::Plain
                                 : BracketStyle::MaybeLabelled;
  Status status = parseBrackets(line, cell.offset,
                                cell.offset + cell.text.size(), style, tree);
  if (status.ok())
    reshapeTree(options, tree);
  return status;
}

Status cambium::data::forEachWord(const Line &line, const Column &cell,
                                  const TableColumn &column,
                                  const ReaderOptions &options,
                                  const WordTaker &take) {
  const std::string text =
      options.lowercase ? lowerCase(cell.text) : std::string(cell.text);
  if (column.type->cell == CellKind::Words) {
    for (const Column &word : cutWords(text))
      take(word.text);
    return Status();
  }
  if (column.type->cell == CellKind::Chars) {
    for (size_t at = 0; at < text.size();) {
      const size_t length =
          std::max<size_t>(runtime::characterLength(text, at), 1);
      take(std::string_view(text).substr(at, length));
      at += length;
    }
    return Status();
  }
  BracketTree tree;
  Status status = parseTree(line, cell, column, options, tree);
  for (int64_t node = 0; status.ok() && node < tree.size(); ++node)
    take(wordAt(tree, node, options));
  return status;
}

Field &CellReader::field(const std::string &name, FieldKind kind, bool perRow) {
  return dataset.fields[fieldIndex(dataset, name, kind, perRow)];
}

Status CellReader::append(const Column &cell, const TableColumn &column) {
  switch (column.type->cell) {
  case CellKind::Text:
  case CellKind::Pieces:
    return Status();
  case CellKind::Number:
    return appendNumbers(cell, column);
  case CellKind::Class:
    return appendClasses(cell, column);
  case CellKind::Words:
  case CellKind::Chars:
    return appendWords(cell, column);
  case CellKind::Tree:
  case CellKind::Phrases:
    return appendTree(cell, column);
  case CellKind::Heads:
    return appendHeads(cell, column);
  case CellKind::Graph:
    return appendGraph(cell, column);
  }
  return Status();
}

/// Appends one number; false if the text is none.
static bool appendNumber(std::string_view text, Field &field) {
  if (field.kind == FieldKind::F32)
    return parseFloat(text, field.floats.emplace_back());
  return parseInt(text, field.ints.emplace_back());
}

Status CellReader::appendNumbers(const Column &cell,
                                 const TableColumn &column) {
  Field &numbers = field(column.name, column.type->field, column.type->perRow);
  numbers.names = column.values;
  numbers.width = column.width;
  const char *what =
      numbers.kind == FieldKind::F32 ? "a number for " : "a whole number for ";
  const std::string expected = what + quote(column.name);
  const bool isOne =
      !numbers.perRow && column.type->argument != Argument::Width;
  if (isOne)
    return appendNumber(cell.text, numbers)
               ? Status()
               : line.expected(cell.offset, expected, quote(cell.text));
  int64_t count = 0;
  for (const Column &word : cutWords(cell.text, cell.offset)) {
    if (!appendNumber(word.text, numbers))
      return line.expected(word.offset, expected, quote(word.text));
    ++count;
  }
  if (numbers.perRow ? count % column.width != 0 : count != column.width)
    return line.expected(cell.offset,
                         (numbers.perRow ? "rows of " : "") +
                             std::to_string(column.width) + " numbers for " +
                             quote(column.name),
                         std::to_string(count));
  return Status();
}

Status CellReader::appendClasses(const Column &cell,
                                 const TableColumn &column) {
  Field &classes = field(column.name, FieldKind::I32, column.type->perRow);
  const Labels &known = reader.labels[column.name];
  classes.names = known.names();
  auto appendClass = [&](const Column &name) {
    int32_t id = -1;
    if (!column.type->perRow || name.text != kNothing)
      if ((id = known.idOf(name.text)) < 0)
        return line.expected(name.offset, known.expectation(),
                             quote(name.text));
    classes.ints.push_back(id);
    return Status();
  };
  if (!column.type->perRow)
    return appendClass(cell);
  for (const Column &name : cutWords(cell.text, cell.offset))
    if (Status status = appendClass(name); !status.ok())
      return status;
  return Status();
}

void cambium::data::appendWithEnds(const std::vector<int32_t> &ids,
                                   int32_t begin, int32_t end, Field &in,
                                   Field &out) {
  in.ints.push_back(begin);
  in.ints.insert(in.ints.end(), ids.begin(), ids.end());
  out.ints.insert(out.ints.end(), ids.begin(), ids.end());
  out.ints.push_back(end);
}

Status CellReader::appendWords(const Column &cell, const TableColumn &column) {
  const Vocabulary &words = reader.vocabularies[column.vocabulary];
  std::vector<int32_t> ids;
  Status status = forEachWord(
      line, cell, column, reader.options,
      [&](std::string_view word) { ids.push_back(words.idOf(word)); });
  if (!status.ok())
    return status;
  Field &all = field(column.name, FieldKind::I32, true);
  all.ints.insert(all.ints.end(), ids.begin(), ids.end());
  if (!column.hasEnds)
    return Status();
  const int32_t begin = words.idOf(Vocabulary::kBegin),
                end = words.idOf(Vocabulary::kEnd);
  if (begin == Vocabulary::kUnknown || end == Vocabulary::kUnknown)
    return line.expected(cell.offset,
                         "a vocabulary that has <s> and </s> for " +
                             quote(column.name),
                         "one without");
  // A second field may move the first one.
  field(column.name + ".in", FieldKind::I32, true);
  Field &out = field(column.name + ".out", FieldKind::I32, true);
  appendWithEnds(ids, begin, end,
                 field(column.name + ".in", FieldKind::I32, true), out);
  return Status();
}

Status CellReader::appendTree(const Column &cell, const TableColumn &column) {
  const Vocabulary &words = reader.vocabularies[column.vocabulary];
  BracketTree tree;
  Status status = parseTree(line, cell, column, reader.options, tree);
  if (!status.ok())
    return status;
  Field &parents = field(column.name, FieldKind::Tree, true);
  parents.ints.insert(parents.ints.end(), tree.parents.begin(),
                      tree.parents.end());
  for (int64_t node = 0; node < tree.size(); ++node) {
    const std::string word = wordAt(tree, node, reader.options);
    const int32_t id = word.empty() ? 0 : words.idOf(word);
    field(column.name + ".words", FieldKind::I32, true).ints.push_back(id);
    Field &tokens = field(column.name + ".tokens", FieldKind::I32, true);
    if (!tree.words[node].empty())
      tokens.ints.push_back(id);
  }
  return Status();
}

Status CellReader::appendHeads(const Column &cell, const TableColumn &column) {
  std::vector<int32_t> parents;
  Status status =
      readParents(line, cutWords(cell.text, cell.offset), "node", parents);
  for (const char *suffix : {"", ".rows"}) {
    Field &heads = field(column.name + suffix,
                         *suffix ? FieldKind::I32 : FieldKind::Tree, true);
    if (status.ok())
      heads.ints.insert(heads.ints.end(), parents.begin(), parents.end());
  }
  return status;
}

Status CellReader::appendGraph(const Column &cell, const TableColumn &column) {
  Field &graph = field(column.name, FieldKind::Graph, true);
  const std::vector<Column> nodes = cutWords(cell.text, cell.offset);
  const std::string expected =
      "the numbers of children from 1 to " + std::to_string(nodes.size()) +
      " between commas, or '_', for " + quote(column.name);
  for (const Column &node : nodes) {
    int32_t count = 0, child = 0;
    if (node.text != kNothing)
      for (const std::string &number : cutNames(node.text)) {
        if (!parseInt(number, child) || child < 1 ||
            child > static_cast<int64_t>(nodes.size()))
          return line.expected(node.offset, expected, quote(node.text));
        graph.children.push_back(child - 1);
        ++count;
      }
    graph.ints.push_back(count);
  }
  return Status();
}
