//===-- test/Fuzz/OptMutator.cpp - Changes of a model's text --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Most changes of single bytes only break the syntax. These keep it more
/// often: whole lines move, and words are replaced by other words of the same
/// kind.
///
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed);

namespace {

using Random = std::minstd_rand;

struct Word {
  size_t begin, size;
};

bool isPart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
         c == '%' || c == '@' || c == '#' || c == '!' || c == '?';
}

std::vector<Word> wordsOf(const std::string &text) {
  std::vector<Word> words;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && isPart(text[end]))
      ++end;
    if (end > at)
      words.push_back({at, end - at});
    at = std::max(end, at + 1);
  }
  return words;
}

/// Values, symbols, numbers and names are exchanged among themselves.
char kindOf(const std::string &text, Word word) {
  char first = text[word.begin];
  if (std::isdigit(static_cast<unsigned char>(first)) || first == '?')
    return '0';
  if (first == '%' || first == '@' || first == '#' || first == '!')
    return first;
  return text.find('.', word.begin) < word.begin + word.size ? '.' : 'a';
}

void replaceWord(std::string &text, Random &random) {
  std::vector<Word> words = wordsOf(text);
  if (words.empty())
    return;
  Word word = words[random() % words.size()];
  char kind = kindOf(text, word);
  static constexpr const char *kNumbers[] = {"0",
                                             "1",
                                             "2",
                                             "3",
                                             "-1",
                                             "?",
                                             "7",
                                             "?x",
                                             "x",
                                             "2147483648",
                                             "9223372036854775807",
                                             "1.0",
                                             "x?",
                                             "64",
                                             "5",
                                             "1e39"};
  if (kind == '0' && random() % 2) {
    text.replace(word.begin, word.size,
                 kNumbers[random() % std::size(kNumbers)]);
    return;
  }
  std::vector<Word> same;
  for (Word other : words)
    if (kindOf(text, other) == kind)
      same.push_back(other);
  Word other = same[random() % same.size()];
  text.replace(word.begin, word.size, text.substr(other.begin, other.size));
}

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size() - 1);
    lines.push_back(text.substr(at, end + 1 - at));
    at = end + 1;
  }
  return lines;
}

/// Removes, doubles or moves a piece of up to eight lines.
void moveLines(std::string &text, Random &random) {
  std::vector<std::string> lines = linesOf(text);
  if (lines.size() < 2)
    return;
  size_t begin = random() % lines.size();
  size_t size = std::min<size_t>(1 + (random() % 4 ? 0 : random() % 8),
                                 lines.size() - begin);
  auto first = lines.begin() + static_cast<std::ptrdiff_t>(begin);
  std::vector<std::string> piece(first,
                                 first + static_cast<std::ptrdiff_t>(size));
  unsigned how = random() % 3;
  if (how != 1)
    lines.erase(first, first + static_cast<std::ptrdiff_t>(size));
  if (how != 0) {
    size_t place = random() % (lines.size() + 1);
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(place),
                 piece.begin(), piece.end());
  }
  text.clear();
  for (const std::string &line : lines)
    text += line;
}

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  Random random(seed + 1);
  if (random() % 5 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string text(reinterpret_cast<char *>(data), size);
  for (unsigned i = 0, n = 1 + random() % 3; i < n; ++i) {
    if (random() % 4)
      replaceWord(text, random);
    else
      moveLines(text, random);
  }
  if (text.empty() || text.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
