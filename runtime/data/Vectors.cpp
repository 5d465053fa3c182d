//===-- runtime/data/Vectors.cpp - Files of word vectors ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Files of word vectors may be larger than the memory: they are read line by
/// line. A word may hold spaces ("at name@domain.com" in GloVe 840B), so that
/// the numbers are what stands last in the line.
///
//===----------------------------------------------------------------------===//

#include "Text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

using namespace cambium::data;

/// Calls `take` with each line of a file that need not fit into memory.
static Status streamLines(const std::string &path, const LineTaker &take) {
  if (Status status = expectRegular(path); !status.ok())
    return status;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Status::error(path + ": cannot open: " + strerror(errno));
  std::string text;
  for (int64_t number = 1; std::getline(file, text); ++number) {
    // Cuts a byte order mark and a carriage return.
    LineCutter cutter(text, path, number);
    Line line{};
    if (!cutter.next(line))
      continue;
    if (Status status = take(line); !status.ok())
      return status;
  }
  return file.bad() ? Status::error(path + ": cannot read") : Status();
}

/// Whether a line is the first one of word2vec: two whole numbers.
static bool isHeader(const Line &line) {
  if (line.number != 1)
    return false;
  const std::vector<Column> columns = cutWords(line.text);
  int32_t number = 0;
  return columns.size() == 2 && parseInt(columns[0].text, number) &&
         parseInt(columns[1].text, number);
}

/// The text without the spaces at its end.
static std::string_view trimEnd(std::string_view text) {
  const size_t last = text.find_last_not_of(" \t");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// The length of the text before the last `count` of the parts between spaces;
/// npos if there are fewer parts.
static size_t findNumbers(std::string_view text, int64_t count) {
  for (; count > 0; --count) {
    const size_t space = trimEnd(text).find_last_of(" \t");
    if (space == std::string_view::npos)
      return space;
    text = text.substr(0, space);
  }
  return trimEnd(text).size();
}

Status cambium::data::addVectorWords(const std::string &path, int64_t limit,
                                     Vocabulary &words) {
  int64_t size =
      0; // Of the vectors: what follows the first word, a single one.
  return guarded(path, [&] {
    return streamLines(path, [&](const Line &line) {
      const std::string_view text = trimEnd(line.text);
      if (isHeader(line))
        return Status();
      if (size == 0)
        size = static_cast<int64_t>(cutWords(text).size()) - 1;
      const size_t end = findNumbers(text, size);
      if (size < 1 || end == std::string_view::npos || end == 0)
        return line.expected(
            0,
            "a word and " +
                (size < 1 ? std::string("its") : std::to_string(size)) +
                " numbers",
            quote(text));
      words.add(text.substr(0, end), limit);
      return Status();
    });
  });
}

Status cambium::data::readVectors(const std::string &path,
                                  const Vocabulary &words, int64_t size,
                                  int64_t rows, float *table,
                                  int64_t &numFound) {
  numFound = 0;
  std::vector<bool> isSet(rows, false);
  std::vector<float> vector(size); // Only whole ones reach the table.
  return guarded(path, [&] {
    return streamLines(path, [&](const Line &line) {
      const std::string_view text = trimEnd(line.text);
      if (isHeader(line))
        return Status();
      const size_t end = findNumbers(text, size);
      if (end == std::string_view::npos || end == 0)
        return line.expected(
            0, "a word and " + std::to_string(size) + " numbers",
            std::to_string(cutWords(text).size()) + " parts between spaces");
      const int32_t id = words.idOf(text.substr(0, end));
      if (id == Vocabulary::kUnknown || id >= rows || isSet[id])
        return Status();
      const std::vector<Column> numbers = cutWords(text.substr(end), end);
      for (int64_t i = 0; i < size; ++i)
        if (!parseFloat(numbers[i].text, vector[i]))
          return line.expected(numbers[i].offset, "a finite number",
                               quote(numbers[i].text));
      std::copy(vector.begin(), vector.end(), table + id * size);
      isSet[id] = true;
      ++numFound;
      return Status();
    });
  });
}
