//===-- runtime/data/CobaReader.cpp - Arithmetic in prefix notation -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tab-separated columns: an expression in prefix notation ("* + 2 3 4"), its
/// value (1 to 100), and further columns that are kept as texts. A first line
/// that begins with the word "expression" names the columns; lines that begin
/// with '#' are comments. The value may be missing where no targets are
/// required.
///
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "Text.h"

#include <algorithm>

using namespace cambium::data;

namespace {

constexpr int32_t kLargest = 100, kPlus = 101, kTimes = 102;
/// The marks of the beginning and of the end, as tokens.
constexpr int32_t kBegin = 103, kEnd = 104;

class CobaReader : public Reader {
public:
  const char *name() const override { return "coba"; }
  TargetFields targets() const override {
    return {"value", "", "target", 1, "rmse"};
  }
  Status readText(std::string_view text, const std::string &source,
                  int64_t firstLine, Dataset &dataset) override;
  bool describe(std::string_view text, std::string_view tree,
                TreeText &result) const override;

private:
  Status readLine(const Line &line, Dataset &dataset) const;
};

} // namespace

/// The id of a token; 0 if it is none.
static int32_t tokenId(std::string_view token) {
  if (token == "+")
    return kPlus;
  if (token == "*")
    return kTimes;
  int32_t number = 0;
  return parseInt(token, number) && number >= 1 && number <= kLargest ? number
                                                                      : 0;
}

/// Appends the nodes of an expression, in prefix order.
static Status readExpression(const Line &line, const Column &column,
                             Field &tree, std::vector<int32_t> &tokens) {
  std::string_view text = column.text;
  size_t first = tree.ints.size();
  // Operators that lack operands: the node and how many.
  std::vector<std::pair<int32_t, int>> open;
  size_t at = 0;
  while ((at = text.find_first_not_of(' ', at)) != std::string_view::npos) {
    size_t end = std::min(text.find(' ', at), text.size());
    std::string_view token = text.substr(at, end - at);
    int32_t node = static_cast<int32_t>(tree.ints.size() - first);
    if (node > 0 && open.empty())
      return line.expected(column.offset + at,
                           "a tab or the end of the line after the expression",
                           quote(token));
    int32_t id = tokenId(token);
    if (id == 0)
      return line.expected(column.offset + at,
                           "'+', '*' or a number from 1 to 100", quote(token));
    int32_t parent = -1;
    if (!open.empty()) {
      parent = open.back().first;
      if (--open.back().second == 0)
        open.pop_back();
    }
    tree.ints.push_back(parent);
    tokens.push_back(id);
    if (id > kLargest)
      open.emplace_back(node, 2);
    at = end;
  }
  if (tree.ints.size() == first)
    return line.expected(column.offset, "an expression", "nothing");
  if (!open.empty())
    return line.expected(column.offset + text.size(),
                         "another operand of the operator that is token " +
                             std::to_string(open.back().first + 1),
                         "the end of the expression");
  return Status();
}

/// What the two embedding tables of a model read: the number, or the operator
/// or mark; 0 where there is none.
static void appendTableIds(int32_t id, Field &numbers, Field &operators) {
  numbers.ints.push_back(id <= kLargest ? id : 0);
  operators.ints.push_back(id <= kLargest ? 0 : id - kLargest);
}

/// What the ids of tokens stand for, padding first.
static std::vector<std::string> tokenNames() {
  std::vector<std::string> names{"[PAD]"};
  for (int32_t number = 1; number <= kLargest; ++number)
    names.push_back(std::to_string(number));
  for (const char *name : {"+", "*", "[CLS]", "[SEP]"})
    names.emplace_back(name);
  return names;
}

/// The tokens of an expression and what the tables read; then the same between
/// the marks of the beginning and of the end.
static void appendTokens(const std::vector<int32_t> &tokens, Dataset &dataset) {
  auto field = [&](const char *name) {
    return fieldIndex(dataset, name, FieldKind::I32, true);
  };
  const size_t plain[] = {field("tokens"), field("numbers"),
                          field("operators")};
  const size_t marked[] = {field("marked"), field("marked_numbers"),
                           field("marked_operators")};
  std::vector<Field> &fields = dataset.fields;
  auto append = [&](int32_t id, const size_t (&places)[3]) {
    fields[places[0]].ints.push_back(id);
    appendTableIds(id, fields[places[1]], fields[places[2]]);
  };
  append(kBegin, marked);
  for (int32_t id : tokens) {
    append(id, plain);
    append(id, marked);
  }
  append(kEnd, marked);
  if (fields[marked[0]].names.empty()) {
    fields[plain[0]].names = fields[marked[0]].names = tokenNames();
    fields[plain[2]].names =
        fields[marked[2]].names = {"number", "+", "*", "[CLS]", "[SEP]"};
  }
}

/// Further columns are kept as they are.
static void appendExtras(const std::vector<Column> &columns, Dataset &dataset) {
  std::vector<std::string> extras;
  for (size_t i = 2; i < columns.size(); ++i)
    extras.emplace_back(columns[i].text);
  for (size_t i = dataset.extraNames.size(); i < extras.size(); ++i)
    dataset.extraNames.push_back("column" + std::to_string(i + 3));
  dataset.extras.push_back(std::move(extras));
}

Status CobaReader::readLine(const Line &line, Dataset &dataset) const {
  size_t tree = fieldIndex(dataset, "tree", FieldKind::Tree, true);
  size_t value = fieldIndex(dataset, "value", FieldKind::I32, false);
  size_t target = fieldIndex(dataset, "target", FieldKind::F32, false);
  std::vector<Field> &fields = dataset.fields;
  std::vector<Column> columns = cutColumns(line.text);
  std::vector<int32_t> tokens;
  if (Status status = readExpression(line, columns[0], fields[tree], tokens);
      !status.ok())
    return status;
  appendTokens(tokens, dataset);

  int32_t number = 1;
  if (columns.size() > 1) {
    if (!parseInt(columns[1].text, number) || number < 1 || number > kLargest)
      return line.expected(columns[1].offset, "a value from 1 to 100",
                           quote(columns[1].text));
  } else if (options.requireTargets) {
    return line.expected(line.text.size(),
                         "a tab and the value of the expression",
                         "the end of the line");
  } else {
    dataset.hasTargets = false;
  }
  fields[value].ints.push_back(number - 1);
  fields[target].floats.push_back(static_cast<float>(number));
  for (Field &field : fields)
    field.endExample();
  dataset.texts.emplace_back(columns[0].text);
  dataset.lines.push_back(line.number);
  appendExtras(columns, dataset);
  return Status();
}

Status CobaReader::readText(std::string_view text, const std::string &source,
                            int64_t firstLine, Dataset &dataset) {
  Status status = forEachLine(text, source, firstLine, [&](const Line &line) {
    if (line.text.empty() || line.text.front() == '#')
      return Status();
    std::vector<Column> columns = cutColumns(line.text);
    if (line.number != 1 || columns[0].text != "expression")
      return readLine(line, dataset);
    dataset.extraNames.clear();
    for (size_t i = 2; i < columns.size(); ++i)
      dataset.extraNames.emplace_back(columns[i].text);
    return Status();
  });
  if (!status.ok())
    dropUnfinished(dataset);
  return status;
}

bool CobaReader::describe(std::string_view text, std::string_view,
                          TreeText &result) const {
  const std::string source;
  const Line line = {text, &source, 1};
  Field tree;
  std::vector<int32_t> tokens;
  tree.kind = FieldKind::Tree;
  if (!readExpression(line, {text, 0}, tree, tokens).ok())
    return false;
  const size_t count = tree.ints.size();
  std::vector<int64_t> values(count);
  std::vector<std::string> expressions(count);
  result.title = text;
  result.nodes.resize(count);
  result.subtrees.resize(count);
  // The operands of a node stand behind it: the left one first.
  for (size_t node = count; node-- > 0;) {
    const int32_t id = tokens[node];
    if (id <= kLargest) {
      values[node] = id;
      expressions[node] = std::to_string(id);
    } else {
      size_t left = node + 1, right = left + 1;
      while (tree.ints[right] != static_cast<int32_t>(node))
        ++right;
      values[node] = id == kPlus ? values[left] + values[right]
                                 : values[left] * values[right];
      values[node] = std::min<int64_t>(values[node], kLargest + 1);
      expressions[node] = (id == kPlus ? "+ " : "* ") + expressions[left] +
                          " " + expressions[right];
    }
    if (values[node] > kLargest)
      return false;
    result.nodes[node] = id == kPlus    ? "+"
                         : id == kTimes ? "*"
                                        : std::to_string(id);
    result.subtrees[node] =
        expressions[node] + "\t" + std::to_string(values[node]);
  }
  return true;
}

std::unique_ptr<Reader> cambium::data::createCobaReader() {
  return std::make_unique<CobaReader>();
}
