//===-- runtime/readers/PtbReader.cpp - Labelled trees in brackets --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// tree = "(" label ( word | tree+ ) ")", one per line. Only spaces and tabs
/// separate: words may hold any other character, U+00A0 included. Labels are
/// optional where no targets are required. Nodes are in preorder.
///
//===----------------------------------------------------------------------===//

#include "Readers.h"
#include "Text.h"

using namespace cambium::data;

namespace {

/// A tree as it was written.
struct ParsedTree {
  std::vector<int32_t> parents;
  std::vector<int32_t> labels;
  std::vector<std::string_view> words; ///< Empty at inner nodes.
  bool hasLabels = true;               ///< Whether every node has a label.

  void clear() {
    hasLabels = true;
    parents.clear();
    labels.clear();
    words.clear();
  }
};

/// Parses one line without recursion.
class TreeParser {
public:
  TreeParser(const Line &line, bool requireLabels, ParsedTree &tree)
      : line(line), requireLabels(requireLabels), tree(tree) {}

  Status parse();

private:
  static constexpr int32_t kNone = -1;

  bool atEnd() const { return at == line.text.size(); }
  char peek() const { return line.text[at]; }
  static bool isSpace(char c) { return c == ' ' || c == '\t'; }
  void skipSpaces() {
    while (!atEnd() && isSpace(peek()))
      ++at;
  }
  std::string_view readWord();
  /// What stands at the current place, for messages.
  std::string here() const;
  Status openNode();
  Status readLeaf(std::string_view word, size_t place);
  Status closeNode();

  const Line &line;
  bool requireLabels;
  ParsedTree &tree;
  size_t at = 0;
  int32_t current = kNone; ///< The innermost open node.
  bool currentHasContent = false;
};

} // namespace

std::string_view TreeParser::readWord() {
  size_t begin = at;
  while (!atEnd() && !isSpace(peek()) && peek() != '(' && peek() != ')')
    ++at;
  return line.text.substr(begin, at - begin);
}

std::string TreeParser::here() const {
  if (at == line.text.size())
    return "the end of the line";
  return quote(line.text.substr(at, 1) == "(" || line.text.substr(at, 1) == ")"
                   ? line.text.substr(at, 1)
                   : line.text.substr(at));
}

/// Reads "(" and the label of a node.
Status TreeParser::openNode() {
  ++at;
  int32_t node = static_cast<int32_t>(tree.parents.size());
  tree.parents.push_back(current);
  tree.labels.push_back(0);
  tree.words.emplace_back();
  current = node;
  currentHasContent = false;
  skipSpaces();
  size_t place = at;
  std::string_view word = readWord();
  if (word.empty()) {
    if (requireLabels || atEnd() || peek() == ')')
      return line.expected(at, "the label of a node", here());
    tree.hasLabels = false;
    return Status(); // An inner node without a label.
  }
  skipSpaces();
  bool isOnly = !atEnd() && peek() == ')';
  if (!requireLabels && isOnly) {
    tree.hasLabels = false;
    return readLeaf(word, place); // A leaf without a label.
  }
  if (!parseInt(word, tree.labels[node]) || tree.labels[node] < 0)
    return line.expected(place, "a label that is a whole number from 0",
                         quote(word));
  return Status();
}

Status TreeParser::readLeaf(std::string_view word, size_t place) {
  if (currentHasContent)
    return line.expected(place, "')' or '('", quote(word));
  tree.words[current] = word;
  currentHasContent = true;
  return Status();
}

Status TreeParser::closeNode() {
  if (!currentHasContent)
    return line.expected(at, "a word or a child", "')'");
  ++at;
  current = tree.parents[current];
  currentHasContent = true;
  return Status();
}

Status TreeParser::parse() {
  skipSpaces();
  if (atEnd() || peek() != '(')
    return line.expected(at, "'('", here());
  do {
    Status status;
    if (peek() == '(') {
      if (currentHasContent && !tree.words[current].empty())
        return line.expected(at, "')' after the word of a leaf", "'('");
      status = openNode();
    } else if (peek() == ')') {
      status = closeNode();
    } else {
      size_t place = at;
      status = readLeaf(readWord(), place);
    }
    if (!status.ok())
      return status;
    skipSpaces();
    if (current != kNone && atEnd())
      return line.expected(at, "')'", here());
  } while (current != kNone);
  if (!atEnd())
    return line.expected(at, "the end of the line after the tree", here());
  return Status();
}

namespace {

class PtbReader : public Reader {
public:
  const char *name() const override { return "ptb"; }
  TargetFields targets() const override {
    return {"label", "labels", "", 0, "accuracy"};
  }
  Vocabulary *vocabulary() override { return &words; }
  Status fit(const std::string &path) override;
  Status readText(std::string_view text, const std::string &source,
                  int64_t firstLine, Dataset &dataset) override;
  bool describe(std::string_view text, TreeText &result) const override;

private:
  /// The word as the vocabulary knows it.
  std::string normalize(std::string_view word) const;
  void append(const ParsedTree &tree, Dataset &dataset) const;

  Vocabulary words;
};

} // namespace

std::string PtbReader::normalize(std::string_view word) const {
  return options.lowercase ? lowerCase(word) : std::string(word);
}

static bool isBlank(std::string_view text) {
  return text.find_first_not_of(" \t") == std::string_view::npos;
}

Status PtbReader::fit(const std::string &path) {
  std::string text;
  if (Status status = readFile(path, text); !status.ok())
    return status;
  LineCutter lines(text, path, 1);
  ParsedTree tree;
  for (Line line{}; lines.next(line);) {
    if (isBlank(line.text))
      continue;
    tree.clear();
    if (Status status = TreeParser(line, false, tree).parse(); !status.ok())
      return status;
    for (std::string_view word : tree.words)
      if (!word.empty())
        words.count(normalize(word));
  }
  words.build(options.minCount, options.vocabularyLimit);
  return Status();
}

Status PtbReader::readText(std::string_view text, const std::string &source,
                           int64_t firstLine, Dataset &dataset) {
  LineCutter lines(text, source, firstLine);
  ParsedTree tree;
  for (Line line{}; lines.next(line);) {
    if (isBlank(line.text))
      continue;
    tree.clear();
    TreeParser parser(line, options.requireTargets, tree);
    if (Status status = parser.parse(); !status.ok())
      return status;
    append(tree, dataset);
    dataset.hasTargets &= tree.hasLabels;
    dataset.texts.emplace_back(line.text);
    dataset.lines.push_back(line.number);
    dataset.extras.emplace_back();
  }
  return Status();
}

void PtbReader::append(const ParsedTree &tree, Dataset &dataset) const {
  size_t parents = fieldIndex(dataset, "tree", FieldKind::Tree, true);
  size_t ids = fieldIndex(dataset, "words", FieldKind::I32, true);
  size_t labels = fieldIndex(dataset, "labels", FieldKind::I32, true);
  size_t label = fieldIndex(dataset, "label", FieldKind::I32, false);
  size_t tokens = fieldIndex(dataset, "tokens", FieldKind::I32, true);
  std::vector<Field> &fields = dataset.fields;
  for (size_t node = 0; node < tree.parents.size(); ++node) {
    int32_t id = Vocabulary::kPadding;
    if (!tree.words[node].empty()) {
      id = words.idOf(normalize(tree.words[node]));
      fields[tokens].ints.push_back(id);
    }
    fields[parents].ints.push_back(tree.parents[node]);
    fields[ids].ints.push_back(id);
    fields[labels].ints.push_back(tree.labels[node]);
  }
  fields[label].ints.push_back(tree.labels.front());
  for (Field &field : fields)
    field.endExample();
}

bool PtbReader::describe(std::string_view text, TreeText &result) const {
  const std::string source;
  const Line line = {text, &source, 1};
  ParsedTree tree;
  if (!TreeParser(line, false, tree).parse().ok())
    return false;
  const size_t count = tree.parents.size();
  result = TreeText();
  result.subtrees.resize(count);
  for (std::string_view word : tree.words) {
    result.nodes.emplace_back(word);
    if (!word.empty())
      result.title.append(result.title.empty() ? "" : " ").append(word);
  }
  // Children stand behind their parents, so each is complete before it is moved
  // to the front of what its parent has so far.
  for (size_t node = count; node-- > 0;) {
    std::string &inside = result.subtrees[node];
    const std::string label =
        tree.hasLabels ? std::to_string(tree.labels[node]) : "";
    const std::string space = tree.hasLabels ? " " : "";
    inside =
        "(" + label + space +
        (tree.words[node].empty() ? inside : std::string(tree.words[node])) +
        ")";
    if (int32_t parent = tree.parents[node]; parent >= 0)
      result.subtrees[parent].insert(
          0, inside + (result.subtrees[parent].empty() ? "" : " "));
  }
  return true;
}

std::unique_ptr<Reader> cambium::data::createPtbReader() {
  return std::make_unique<PtbReader>();
}
