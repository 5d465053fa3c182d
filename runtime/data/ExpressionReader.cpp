//===-- runtime/data/ExpressionReader.cpp - Trees without targets ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tab-separated columns: the class of an example, its tree, and further
/// columns, which are kept as texts. The class may be missing where no targets
/// are required. A first line may name the columns, in any order. A tree is
/// - brackets:      words in brackets without labels, ( ( The cat ) sits )
/// - constituents:  labelled phrases, (S (NP (DT The) (NN cat)) (VP sits))
/// - listops:       an expression in binary brackets, ( ( ( [MAX 2 ) 9 ) ] ),
///                  or in prefix notation, [MAX 2 9 ]; its depth becomes the
///                  further column "depth"
///
//===----------------------------------------------------------------------===//

#include "BracketTree.h"
#include "Readers.h"

#include <algorithm>

using namespace cambium::data;

namespace {

enum class Grammar { Brackets, Constituents, ListOps };

/// Which column of a file is which.
struct Header {
  size_t label = 0, tree = 1;
  bool isNamed = false;
  std::vector<std::string> others; ///< The names of further columns.
};

class ExpressionReader : public Reader {
public:
  explicit ExpressionReader(Grammar grammar) : grammar(grammar) {}

  const char *name() const override {
    return grammar == Grammar::Brackets       ? "brackets"
           : grammar == Grammar::Constituents ? "constituents"
                                              : "listops";
  }
  TargetFields targets() const override {
    return {"label", "", "", 0, "accuracy"};
  }
  Vocabulary *vocabulary() override { return &words; }
  Status readText(std::string_view text, const std::string &source,
                  int64_t firstLine, Dataset &dataset) override;
  bool describe(std::string_view text, std::string_view tree,
                TreeText &result) const override;

private:
  Status learn(const std::string &path) override;
  BracketStyle style() const {
    return grammar == Grammar::Constituents ? BracketStyle::MaybeLabelled
                                            : BracketStyle::Plain;
  }
  Status parse(const Line &line, const Column &column, BracketTree &tree) const;
  Status readHeader(const Line &line);
  /// Calls `take` with the lines behind the names of the columns.
  template <typename Take> LineTaker behindHeader(Take take);
  /// The columns of the class (which may have no text) and the tree.
  Status split(const Line &line, bool requireLabel, Column &label,
               Column &tree) const;
  Status readLine(const Line &line, BracketTree &tree, Dataset &dataset) const;
  void append(const BracketTree &tree, int32_t label, Dataset &dataset) const;
  /// What stands at a node as a word of the vocabulary; empty if nothing does.
  std::string wordAt(const BracketTree &tree, int64_t node) const;

  const Grammar grammar;
  Vocabulary words;
  Header header; ///< Of the file that is read, also where it comes in parts.
};

} // namespace

std::string ExpressionReader::wordAt(const BracketTree &tree,
                                     int64_t node) const {
  if (!tree.labels[node].empty() && tree.words[node].empty())
    return "[" + std::string(tree.labels[node]) + "]";
  const std::string_view word = tree.words[node];
  return options.lowercase ? lowerCase(word) : std::string(word);
}

Status ExpressionReader::parse(const Line &line, const Column &column,
                               BracketTree &tree) const {
  const size_t begin = column.offset, end = begin + column.text.size();
  const size_t first = column.text.find_first_not_of(" \t");
  // An operator alone is part of an expression in binary brackets.
  const bool isWord =
      !options.requireTargets &&
      column.text.find_first_of(" \t") == std::string_view::npos;
  const bool isPrefix = grammar == Grammar::ListOps && !isWord &&
                        first != std::string_view::npos &&
                        column.text[first] == '[';
  Status status = isPrefix ? parseOperators(line, begin, end, tree)
                           : parseBrackets(line, begin, end, style(), tree);
  if (status.ok() && !isPrefix)
    reshapeTree(options, tree);
  return status;
}

/// Whether a first line names the columns: the tree's among them.
Status ExpressionReader::readHeader(const Line &line) {
  static const std::string labels[] = {"label", "class", "target"};
  static const std::string trees[] = {"tree", "expression", "source", "parse"};
  auto isOneOf = [](const std::string &name, const auto &names) {
    return std::find(std::begin(names), std::end(names), name) !=
           std::end(names);
  };
  const std::vector<Column> columns = cutColumns(line.text);
  if (columns.size() < 2)
    return Status();
  Header found = {columns.size(), columns.size(), true, {}};
  for (size_t i = 0; i < columns.size(); ++i) {
    const std::string name = lowerCase(columns[i].text);
    if (isOneOf(name, labels) && found.label == columns.size())
      found.label = i;
    else if (isOneOf(name, trees) && found.tree == columns.size())
      found.tree = i;
    else
      found.others.emplace_back(columns[i].text);
  }
  if (found.tree == columns.size())
    return Status();
  if (found.label == columns.size() && options.requireTargets)
    return line.expected(0, "a column 'label', 'class' or 'target'",
                         quote(line.text));
  header = std::move(found);
  return Status();
}

Status ExpressionReader::split(const Line &line, bool requireLabel,
                               Column &label, Column &tree) const {
  const std::vector<Column> columns = cutColumns(line.text);
  label = {{}, 0};
  if (!header.isNamed && columns.size() == 1) {
    if (requireLabel)
      return line.expected(line.text.size(), "a class, a tab and a tree",
                           "one column");
    tree = columns[0];
    return Status();
  }
  const size_t needed =
      std::max(header.tree, requireLabel ? header.label : 0) + 1;
  if (columns.size() < needed)
    return line.expected(line.text.size(), std::to_string(needed) + " columns",
                         std::to_string(columns.size()));
  tree = columns[header.tree];
  if (header.label < columns.size())
    label = columns[header.label];
  return Status();
}

template <typename Take> LineTaker ExpressionReader::behindHeader(Take take) {
  return [this, take](const Line &line) {
    if (line.number == 1)
      header = Header();
    if (isBlank(line.text))
      return Status();
    Status status;
    if (line.number == 1)
      status = readHeader(line);
    const bool isHeader = line.number == 1 && header.isNamed;
    return status.ok() && !isHeader ? take(line) : status;
  };
}

Status ExpressionReader::learn(const std::string &path) {
  BracketTree tree;
  auto countWords = [&](const Line &line) {
    Column label, column;
    Status status = split(line, false, label, column);
    if (status.ok() && !label.text.empty())
      labels["label"].count(label.text);
    if (status.ok())
      status = parse(line, column, tree);
    for (int64_t node = 0; status.ok() && node < tree.size(); ++node)
      if (std::string word = wordAt(tree, node); !word.empty())
        words.count(word);
    return status;
  };
  Status status = forEachLine(path, behindHeader(countWords));
  if (status.ok())
    words.build(options.minCount, limitOf(wordFields()));
  for (auto &[field, set] : labels)
    set.build(/*hasUnknown=*/false);
  return status;
}

Status ExpressionReader::readText(std::string_view text,
                                  const std::string &source, int64_t firstLine,
                                  Dataset &dataset) {
  BracketTree tree;
  const size_t numBefore = grammar == Grammar::ListOps;
  if (numBefore && dataset.extraNames.empty())
    dataset.extraNames.emplace_back("depth");
  return forEachLine(
      text, source, firstLine, behindHeader([&](const Line &line) {
        if (dataset.extraNames.size() == numBefore)
          dataset.extraNames.insert(dataset.extraNames.end(),
                                    header.others.begin(), header.others.end());
        return readLine(line, tree, dataset);
      }));
}

/// The largest number of operators around a value of an expression.
static int64_t operatorDepth(std::string_view text) {
  int64_t depth = 0, deepest = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '[';
    depth -= text[i] == ']';
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

/// The depth of an expression, and the further columns of a line.
static std::vector<std::string> extrasOf(const Line &line, const Column &tree,
                                         const Header &header, bool hasDepth) {
  std::vector<std::string> extras;
  if (hasDepth)
    extras.push_back(std::to_string(operatorDepth(tree.text)));
  const std::vector<Column> columns = cutColumns(line.text);
  for (size_t i = 0; i < columns.size(); ++i)
    if (i != header.tree && i != header.label && columns.size() > 1)
      extras.emplace_back(columns[i].text);
  return extras;
}

Status ExpressionReader::readLine(const Line &line, BracketTree &tree,
                                  Dataset &dataset) const {
  Column label, column;
  Status status = split(line, options.requireTargets, label, column);
  if (status.ok())
    status = parse(line, column, tree);
  if (!status.ok())
    return status;
  int32_t number = 0;
  const bool hasLabel = options.requireTargets || !label.text.empty();
  static const Labels numbers;
  auto found = labels.find("label");
  const Labels &known = found == labels.end() ? numbers : found->second;
  if (hasLabel && (number = known.idOf(label.text)) < 0)
    return line.expected(label.offset, known.expectation(), quote(label.text));
  dataset.hasTargets &= hasLabel;
  append(tree, number, dataset);
  dataset.texts.emplace_back(column.text);
  dataset.lines.push_back(line.number);
  const bool hasDepth = grammar == Grammar::ListOps;
  std::vector<std::string> extras = extrasOf(line, column, header, hasDepth);
  for (size_t i = dataset.extraNames.size(); i < extras.size(); ++i)
    dataset.extraNames.push_back("column" + std::to_string(i + 3 - hasDepth));
  dataset.extras.push_back(std::move(extras));
  return Status();
}

void ExpressionReader::append(const BracketTree &tree, int32_t label,
                              Dataset &dataset) const {
  size_t parents = fieldIndex(dataset, "tree", FieldKind::Tree, true);
  size_t ids = fieldIndex(dataset, "words", FieldKind::I32, true);
  size_t tokens = fieldIndex(dataset, "tokens", FieldKind::I32, true);
  size_t classes = fieldIndex(dataset, "label", FieldKind::I32, false);
  std::vector<Field> &fields = dataset.fields;
  for (int64_t node = 0; node < tree.size(); ++node) {
    const std::string word = wordAt(tree, node);
    const int32_t id = word.empty() ? Vocabulary::kPadding : words.idOf(word);
    if (!tree.words[node].empty())
      fields[tokens].ints.push_back(id);
    fields[parents].ints.push_back(tree.parents[node]);
    fields[ids].ints.push_back(id);
  }
  fields[classes].names = namesOf("label");
  fields[classes].ints.push_back(label);
  for (Field &field : fields)
    field.endExample();
}

bool ExpressionReader::describe(std::string_view text, std::string_view,
                                TreeText &result) const {
  const std::string source;
  const Line line = {text, &source, 1};
  BracketTree tree;
  if (!parse(line, {text, 0}, tree).ok())
    return false;
  return describeTree(tree, style(), result);
}

std::unique_ptr<Reader> cambium::data::createBracketsReader() {
  return std::make_unique<ExpressionReader>(Grammar::Brackets);
}

std::unique_ptr<Reader> cambium::data::createConstituentsReader() {
  return std::make_unique<ExpressionReader>(Grammar::Constituents);
}

std::unique_ptr<Reader> cambium::data::createListOpsReader() {
  return std::make_unique<ExpressionReader>(Grammar::ListOps);
}
