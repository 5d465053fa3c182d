//===-- runtime/data/Vocabulary.cpp - Words and their ids -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include <algorithm>
#include <numeric>

using namespace cambium::data;

static constexpr const char *kPaddingWord = "<pad>";
static constexpr const char *kUnknownWord = "<unk>";

Vocabulary::Vocabulary() : words{kPaddingWord, kUnknownWord} {}

void Vocabulary::addEnds() {
  hasEnds = true;
  add(kBegin, 0);
  add(kEnd, 0);
}

void Vocabulary::count(std::string_view word) {
  auto [entry, isNew] =
      countedIndex.try_emplace(std::string(word), counted.size());
  if (isNew)
    counted.emplace_back(entry->first, 0);
  ++counted[entry->second].second;
}

void Vocabulary::build(int64_t minCount, int64_t limit) {
  std::vector<size_t> order(counted.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [this](size_t a, size_t b) {
    return counted[a].second != counted[b].second
               ? counted[a].second > counted[b].second
               : a < b;
  });
  words.resize(2);
  ids.clear();
  if (hasEnds)
    addEnds();
  for (size_t index : order) {
    const auto &[word, occurrences] = counted[index];
    if (occurrences < minCount || (limit > 0 && size() >= limit))
      break;
    add(word, limit);
  }
  counted.clear();
  countedIndex.clear();
}

bool Vocabulary::add(std::string_view word, int64_t limit) {
  if (limit > 0 && size() >= limit)
    return false;
  const int32_t id = static_cast<int32_t>(size());
  if (!ids.emplace(std::string(word), id).second)
    return false;
  words.emplace_back(word);
  return true;
}

int32_t Vocabulary::idOf(std::string_view word) const {
  auto found = ids.find(std::string(word));
  return found == ids.end() ? kUnknown : found->second;
}

const std::string *Vocabulary::wordOf(int64_t id) const {
  return id >= 0 && id < size() ? &words[id] : nullptr;
}

Status Vocabulary::save(const std::string &path) const {
  return guarded(path, [&] {
    std::string text;
    for (const std::string &word : words)
      text += word + "\n";
    return writeFileAtomically(path, text);
  });
}

Status Vocabulary::load(const std::string &path) {
  return guarded(path, [&] { return loadWords(path); });
}

Status Vocabulary::loadWords(const std::string &path) {
  std::vector<std::string> newWords;
  std::unordered_map<std::string, int32_t> newIds;
  Status status = forEachLine(path, [&](const Line &line) {
    int32_t id = static_cast<int32_t>(newWords.size());
    if (line.text.empty())
      return line.expected(0, "a word", "an empty line");
    const char *reserved = id == kPadding   ? kPaddingWord
                           : id == kUnknown ? kUnknownWord
                                            : nullptr;
    if (reserved && line.text != reserved)
      return line.expected(0, quote(reserved), quote(line.text));
    newWords.emplace_back(line.text);
    if (!reserved && !newIds.emplace(newWords.back(), id).second)
      return line.expected(0, "a word that is not in the vocabulary yet",
                           quote(line.text));
    return Status();
  });
  if (!status.ok())
    return status;
  if (newWords.size() < 2)
    return Status::error(path +
                         ": expected a vocabulary of one word per line, "
                         "beginning with <pad> and <unk>, but got " +
                         std::to_string(newWords.size()) + " lines");
  words = std::move(newWords);
  ids = std::move(newIds);
  return Status();
}
