//===-- runtime/data/BracketParser.cpp - Trees in brackets ----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BracketTree.h"

#include <algorithm>

using namespace cambium::data;

namespace {

constexpr int32_t kNone = -1;

bool isSpace(char c) { return c == ' ' || c == '\t'; }

/// Parses one tree without recursion.
class Parser {
public:
  Parser(const Line &line, size_t begin, size_t end, BracketStyle style,
         BracketTree &tree)
      : line(line), text(line.text.substr(0, end)), style(style), tree(tree),
        at(begin) {}

  Status parse();

private:
  bool atEnd() const { return at == text.size(); }
  char peek() const { return text[at]; }
  void skipSpaces() {
    while (!atEnd() && isSpace(peek()))
      ++at;
  }
  std::string_view readWord();
  /// What stands at the current place, for messages.
  std::string here() const;
  /// The end of the text, for messages.
  const char *endName() const {
    return text.size() == line.text.size() ? "the end of the line"
                                           : "the end of the column";
  }
  Status step();
  Status openNode();
  Status readLabel();
  Status readLeaf(std::string_view word, size_t place);
  Status closeNode();

  const Line &line;
  const std::string_view text;
  const BracketStyle style;
  BracketTree &tree;
  size_t at;
  int32_t current = kNone; ///< The innermost open node.
  bool currentHasContent = false;
};

} // namespace

std::string_view Parser::readWord() {
  size_t begin = at;
  while (!atEnd() && !isSpace(peek()) && peek() != '(' && peek() != ')')
    ++at;
  return text.substr(begin, at - begin);
}

std::string Parser::here() const {
  if (atEnd())
    return endName();
  const bool isBracket = peek() == '(' || peek() == ')';
  return quote(isBracket ? text.substr(at, 1) : text.substr(at));
}

Status Parser::openNode() {
  if (style != BracketStyle::Plain && currentHasContent &&
      !tree.words[current].empty())
    return line.expected(at, "')' after the word of a leaf", "'('");
  ++at;
  current = tree.add(current, {}, {});
  currentHasContent = false;
  return style == BracketStyle::Plain ? Status() : readLabel();
}

/// Reads the label of the node that has just been opened.
Status Parser::readLabel() {
  skipSpaces();
  size_t place = at;
  std::string_view word = readWord();
  if (word.empty()) {
    if (style == BracketStyle::Labelled || atEnd() || peek() == ')')
      return line.expected(at, "the label of a node", here());
    return Status(); // An inner node without a label.
  }
  skipSpaces();
  if (style == BracketStyle::MaybeLabelled && !atEnd() && peek() == ')')
    return readLeaf(word, place); // A leaf without a label.
  tree.labels[current] = word;
  return Status();
}

Status Parser::readLeaf(std::string_view word, size_t place) {
  if (style == BracketStyle::Plain)
    tree.add(current, {}, word);
  else if (currentHasContent)
    return line.expected(place, "')' or '('", quote(word));
  else
    tree.words[current] = word;
  currentHasContent = true;
  return Status();
}

Status Parser::closeNode() {
  if (!currentHasContent)
    return line.expected(at, "a word or a child", "')'");
  ++at;
  current = tree.parents[current];
  currentHasContent = true;
  return Status();
}

/// Reads one bracket or word.
Status Parser::step() {
  if (peek() == '(')
    return openNode();
  if (peek() == ')' && current != kNone)
    return closeNode();
  const size_t place = at;
  return readLeaf(readWord(), place);
}

Status Parser::parse() {
  skipSpaces();
  const bool mayBeWord = style == BracketStyle::Plain;
  if (atEnd() || (peek() != '(' && !mayBeWord) || peek() == ')')
    return line.expected(at, mayBeWord ? "'(' or a word" : "'('", here());
  do {
    if (Status status = step(); !status.ok())
      return status;
    skipSpaces();
    if (current != kNone && atEnd())
      return line.expected(at, "')'", here());
  } while (current != kNone);
  if (!atEnd())
    return line.expected(at, std::string(endName()) + " after the tree",
                         here());
  return Status();
}

Status cambium::data::parseBrackets(const Line &line, size_t begin, size_t end,
                                    BracketStyle style, BracketTree &tree) {
  tree.clear();
  return Parser(line, begin, end, style, tree).parse();
}

Status cambium::data::parseOperators(const Line &line, size_t begin, size_t end,
                                     BracketTree &tree) {
  tree.clear();
  const std::string_view text = line.text.substr(0, end);
  int32_t open = kNone;
  size_t at = begin;
  while ((at = text.find_first_not_of(" \t", at)) != std::string_view::npos) {
    const size_t stop = std::min(text.find_first_of(" \t", at), text.size());
    const std::string_view word = text.substr(at, stop - at);
    if (tree.size() > 0 && open == kNone)
      return line.expected(at, "the end of the expression", quote(word));
    if (word.find_first_of("()") != std::string_view::npos)
      return line.expected(at, "an operator or a value without parentheses",
                           quote(word));
    if (word == "]") {
      if (open == kNone)
        return line.expected(at, "an operator or a value", "']'");
      if (open + 1 == tree.size())
        return line.expected(
            at, "an operand of " + quote(tree.words[open]) + " before its end",
            "']'");
      open = tree.parents[open];
    } else {
      const int32_t node = tree.add(open, {}, word);
      if (word.front() == '[')
        open = node;
    }
    at = stop;
  }
  if (tree.size() == 0)
    return line.expected(begin, "an expression", "nothing");
  if (open != kNone)
    return line.expected(end, "']' of the operator " + quote(tree.words[open]),
                         "the end of the expression");
  return Status();
}
