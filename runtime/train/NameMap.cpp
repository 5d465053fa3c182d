//===-- runtime/train/NameMap.cpp - Names of tensors, and ours ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NameMap.h"

#include <algorithm>
#include <charconv>

using namespace cambium;
using namespace cambium::train;

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Cuts a pattern into its literal pieces; `isLong[i]` says whether the star
/// behind piece i is a double one.
static std::vector<std::string> piecesOf(std::string_view pattern,
                                         std::vector<bool> &isLong) {
  std::vector<std::string> pieces(1);
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '*') {
      pieces.back() += pattern[i];
      continue;
    }
    const bool isDouble = i + 1 < pattern.size() && pattern[i + 1] == '*';
    isLong.push_back(isDouble);
    i += isDouble;
    pieces.emplace_back();
  }
  return pieces;
}

/// Whether a name fits a pattern, and what its stars stand for: each takes as
/// little as it can. Work in proportion to the product of both lengths at most:
/// a star is never shortened again once the piece behind it was found, but by
/// the last one, which the rest of the name must end with.
static bool fits(std::string_view name, std::string_view pattern,
                 std::vector<std::string> &stars) {
  std::vector<bool> isLong;
  const std::vector<std::string> pieces = piecesOf(pattern, isLong);
  if (name.substr(0, pieces[0].size()) != pieces[0])
    return false;
  size_t at = pieces[0].size();
  for (size_t i = 0; i < isLong.size(); ++i) {
    const std::string &next = pieces[i + 1];
    // A star stands for at least one character.
    size_t end = i + 1 == isLong.size()
                     ? (name.size() >= next.size() &&
                                name.substr(name.size() - next.size()) == next
                            ? name.size() - next.size()
                            : std::string_view::npos)
                     : name.find(next, at + 1);
    if (end == std::string_view::npos || end < at + 1)
      return false;
    const std::string_view taken = name.substr(at, end - at);
    if (!isLong[i] && taken.find('.') != std::string_view::npos)
      return false;
    stars.emplace_back(taken);
    at = end + next.size();
  }
  return at == name.size();
}

static std::string fill(std::string_view name,
                        const std::vector<std::string> &stars) {
  std::vector<bool> isLong;
  const std::vector<std::string> pieces = piecesOf(name, isLong);
  std::string result = pieces[0];
  for (size_t i = 0; i < isLong.size(); ++i)
    result += stars[i] + pieces[i + 1];
  return result;
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// The words of a line before a word that begins with '#'.
static std::vector<std::string> wordsOf(std::string_view line) {
  std::vector<std::string> words;
  size_t at = 0;
  while ((at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos) {
    const size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    if (line[at] == '#')
      break;
    words.emplace_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

static size_t countStars(std::string_view pattern) {
  std::vector<bool> isLong;
  piecesOf(pattern, isLong);
  return isLong.size();
}

static bool readNumber(std::string_view text, int64_t &number) {
  const char *end = text.data() + text.size();
  auto [last, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && last == end && number >= 0;
}

/// Takes `[begin:end]` from the end of a pattern; false if it is malformed.
static bool takeRange(std::string &pattern, int64_t &begin, int64_t &end) {
  const size_t open = pattern.find('[');
  if (open == std::string::npos)
    return true;
  const std::string_view range = std::string_view(pattern).substr(open + 1);
  const size_t colon = range.find(':');
  if (colon == std::string_view::npos || range.back() != ']' ||
      !readNumber(range.substr(0, colon), begin) ||
      !readNumber(range.substr(colon + 1, range.size() - colon - 2), end) ||
      begin >= end)
    return false;
  pattern.erase(open);
  return true;
}

/// Takes `[slice]` from the end of a parameter's name; false if it is
/// malformed.
static bool takeSlice(std::string &name, int64_t &slice) {
  const size_t open = name.find('[');
  if (open == std::string::npos)
    return true;
  const std::string_view number = std::string_view(name).substr(open + 1);
  if (number.empty() || number.back() != ']' ||
      !readNumber(number.substr(0, number.size() - 1), slice))
    return false;
  name.erase(open);
  return true;
}

Status NameMap::parse(std::string_view text, const std::string &source,
                      NameMap &result) {
  if (Status status = data::checkText(text, source, 1); !status.ok())
    return status;
  NameMap map;
  for (int64_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::vector<std::string> words = wordsOf(line);
    const std::string where = source + ":" + std::to_string(number) + ": ";
    if (words.empty())
      continue;
    if (words.size() == 2 && words[0] == "prefix") {
      map.prefixes.push_back(words[1]);
      continue;
    }
    const bool isTransposed = words.size() == 3 && words[2] == "transpose";
    if (words.size() != 2 && !isTransposed)
      return Status::error(where +
                           "expected a tensor, a parameter (or -), and perhaps "
                           "'transpose', but got '" +
                           std::string(line) + "'");
    if (countStars(words[1]) > countStars(words[0]))
      return Status::error(where + "expected as many stars in '" + words[0] +
                           "' as in '" + words[1] + "', but got fewer");
    Rule rule{words[0], words[1], isTransposed};
    if (!takeRange(rule.pattern, rule.begin, rule.end))
      return Status::error(where + "expected rows as [begin:end], but got '" +
                           words[0] + "'");
    // What stands for the star may be no number, which the import says.
    int64_t slice = -1;
    std::string name = rule.name;
    if (name.find("[*]") == std::string::npos && !takeSlice(name, slice))
      return Status::error(where +
                           "expected a slice as [number] or [*], but got '" +
                           words[1] + "'");
    map.rules.push_back(std::move(rule));
  }
  if (map.rules.empty())
    return Status::error(source + ": expected a rule, but got none");
  result = std::move(map);
  return Status();
}

Status NameMap::load(const std::string &path, NameMap &result) {
  std::string text;
  Status status = data::readFile(path, text);
  return status.ok() ? parse(text, path, result) : status;
}

std::vector<NameMap::Fate> NameMap::fatesOf(const std::string &tensor) const {
  std::string name = tensor;
  for (const std::string &prefix : prefixes)
    if (name.size() > prefix.size() &&
        name.compare(0, prefix.size(), prefix) == 0) {
      name.erase(0, prefix.size());
      break;
    }
  if (rules.empty()) {
    Fate same;
    same.isKnown = true;
    same.name = name;
    return {same};
  }
  std::vector<Fate> fates;
  for (const Rule &rule : rules) {
    std::vector<std::string> stars;
    // Behind a rule for some rows only those for others count.
    if ((!fates.empty() && rule.end < 0) || !fits(name, rule.pattern, stars))
      continue;
    Fate fate;
    fate.isKnown = true;
    fate.isDropped = rule.name == "-";
    fate.isTransposed = rule.isTransposed;
    fate.name = fate.isDropped ? "" : fill(rule.name, stars);
    takeSlice(fate.name, fate.slice);
    fate.begin = rule.begin;
    fate.end = rule.end;
    fates.push_back(fate);
    if (rule.end < 0)
      break;
  }
  if (fates.empty())
    fates.emplace_back();
  return fates;
}
