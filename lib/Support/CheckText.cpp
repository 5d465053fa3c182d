//===-- lib/Support/CheckText.cpp - What no parser is given ---------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/CheckText.h"
#include "cambium/Support/PlainText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace cambium;
using llvm::StringRef;
using llvm::Twine;

/// A level of the parser takes up to 2 KB of stack, of which there are 8 MB.
static constexpr unsigned kMostNesting = 512;
static constexpr unsigned kMostOperators = 512;
/// What walks attributes takes less.
static constexpr unsigned kMostDepth = 2048;
static constexpr uint64_t kMostAliases = uint64_t(1) << 20;

namespace {
/// What an alias stands for.
struct Alias {
  unsigned depth = 0;
  uint64_t count = 1; ///< Of aliases, each as often as it stands there.
};

/// Walks text as far as it matters: without strings and comments, and without
/// the arrows and comparisons that look like brackets or operators.
class TextScan {
public:
  explicit TextScan(StringRef text) : text(text) {}

  std::optional<TextError> run() {
    while (!error && skipSpace())
      takeToken();
    return error;
  }

private:
  struct Level {
    char bracket;
    unsigned operators = 0;
  };

  char letter(size_t place) const {
    return place < text.size() ? text[place] : '\0';
  }
  void fail(size_t place, const Twine &message) {
    if (!error)
      error = TextError{place, message.str()};
  }

  /// Goes to the next token; false at the end.
  bool skipSpace() {
    for (; at < text.size(); ++at) {
      endsLine |= text[at] == '\n';
      if (text.substr(at).starts_with("//"))
        at = std::min(text.find('\n', at), text.size()) - 1;
      else if (!llvm::isSpace(text[at]))
        return true;
    }
    return false;
  }

  void takeToken() {
    endDefinition();
    char first = text[at], next = letter(at + 1);
    if (first == '"')
      skipString();
    else if ((first == '-' && next == '>') ||
             ((first == '<' || first == '>' || first == '=') && next == '='))
      at += 2;
    else if (StringRef("([{<").contains(first))
      open();
    else if (StringRef(")]}>").contains(first))
      close();
    else if (first == '#' || first == '!')
      takeAlias();
    else if (llvm::isAlpha(first) || first == '_')
      takeWord();
    else if (llvm::isDigit(first) || StringRef("%@^").contains(first))
      at = endOfName(at + 1);
    else
      takeSign();
  }

  void skipString() {
    for (++at; at < text.size() && text[at] != '"' && text[at] != '\n'; ++at)
      at += text[at] == '\\';
    ++at;
  }

  size_t endOfName(size_t place, StringRef marks = "_$.") const {
    while (place < text.size() &&
           (llvm::isAlnum(text[place]) || marks.contains(text[place])))
      ++place;
    return place;
  }

  void open() {
    levels.push_back({text[at]});
    if (levels.size() > kMostNesting)
      fail(at, "expected brackets to nest at most " + Twine(kMostNesting) +
                   " deep");
    checkDepth(at, 0);
    ++at;
  }

  void close() {
    if (!levels.empty())
      operators -= levels.pop_back_val().operators;
    ++at;
  }

  void takeSign() {
    if (text[at] == ',' && !levels.empty())
      operators -= std::exchange(levels.back().operators, 0);
    if (StringRef("+-*").contains(text[at]))
      countOperator();
    ++at;
  }

  /// Regions have no affine expressions of their own.
  void countOperator() {
    if (levels.empty() || levels.back().bracket == '{')
      return;
    ++levels.back().operators;
    if (++operators > kMostOperators)
      fail(at, "expected at most " + Twine(kMostOperators) +
                   " operators in an affine expression");
  }

  void takeWord() {
    StringRef word = text.slice(at, endOfName(at));
    if (word == "mod" || word == "floordiv" || word == "ceildiv")
      countOperator();
    at += word.size();
    if (!list.empty() && word == list)
      checkList();
    else if (StringRef after = listOf(word); !after.empty())
      list = after;
  }

  /// The list of an op that must hold integers.
  static StringRef listOf(StringRef op) {
    return llvm::StringSwitch<StringRef>(op)
        .Cases({"linalg.broadcast", "linalg.reduce"}, "dimensions")
        .Case("linalg.transpose", "permutation")
        .Default("");
  }

  void checkList() {
    StringRef name = std::exchange(list, "");
    if (!skipSpace() || text[at] != '=')
      return;
    ++at;
    skipSpace();
    size_t begin = at, end = text.find(']', at);
    StringRef inner = text.slice(begin, end);
    llvm::SmallVector<StringRef> numbers;
    bool isList = inner.consume_front("[") && end != StringRef::npos;
    if (!inner.trim().empty())
      inner.split(numbers, ',');
    int64_t number = 0;
    isList &= llvm::all_of(numbers, [&](StringRef each) {
      return !each.trim().getAsInteger(10, number);
    });
    if (!isList)
      fail(begin, "expected integers between '[' and ']' for '" + name + "'");
  }

  void takeAlias() {
    size_t begin = at;
    at = endOfName(at + 1, "_$.-");
    StringRef name = text.slice(begin, at);
    if (levels.empty() && skipSpace() && text[at] == '=' &&
        letter(at + 1) != '=') {
      ++at;
      keepDefinition();
      defined = name;
      hasValue = false;
      return;
    }
    auto known = aliases.find(name);
    if (known == aliases.end())
      return;
    checkDepth(begin, known->second.depth);
    definition.count += known->second.count;
    if (defined && definition.count > kMostAliases)
      fail(begin, "expected an alias to stand for at most " +
                      Twine(kMostAliases) + " others");
  }

  void checkDepth(size_t place, unsigned depth) {
    depth += levels.size() + 1;
    definition.depth = std::max(definition.depth, depth);
    if (depth > kMostDepth)
      fail(place, "expected aliases and brackets to nest at most " +
                      Twine(kMostDepth) + " deep");
  }

  /// An alias ends with its line, unless the next one goes on with a bracket, a
  /// type or a result.
  void endDefinition() {
    if (levels.empty() && endsLine && hasValue &&
        !StringRef("([{<:-").contains(text[at]))
      keepDefinition();
    hasValue = true;
    endsLine = false;
  }
  void keepDefinition() {
    if (defined)
      aliases[*defined] = definition;
    defined.reset();
    definition = Alias();
  }

  StringRef text;
  size_t at = 0;
  std::optional<TextError> error;
  llvm::SmallVector<Level> levels;
  unsigned operators = 0; ///< Of all levels.
  StringRef list;         ///< The word before integers.

  llvm::StringMap<Alias> aliases;
  std::optional<StringRef> defined; ///< The alias whose value is read.
  Alias definition;
  bool endsLine = false, hasValue = false;
};
} // namespace

std::optional<TextError> cambium::findTextError(StringRef text) {
  // Its reader writes past the end of its memory where bytes are damaged.
  if (text.starts_with("ML\xefR"))
    return TextError{0, "expected text, but got MLIR's bytecode"};
  if (size_t place = findControl(text); place != StringRef::npos)
    return TextError{place, "expected UTF-8 without control characters, but "
                            "got the byte 0x" +
                                llvm::toHex(text.substr(place, 1))};
  return TextScan(text).run();
}
