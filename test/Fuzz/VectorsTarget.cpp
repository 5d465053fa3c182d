//===-- test/Fuzz/VectorsTarget.cpp - Any bytes as word vectors -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The first byte is the size of the vectors, from 1 to 8; the rest is the
/// file. Rows of words that it names hold finite numbers, the others what they
/// held before.
///
//===----------------------------------------------------------------------===//
#include "Target.h"

#include "cambium/data.h"

#include <algorithm>
#include <cmath>

using namespace cambium::data;
using namespace cambium::fuzz;

static void checkError(const Status &status, const std::string &path) {
  FUZZ_REQUIRE(status.ok() ||
                   status.message().compare(0, path.size(), path) == 0,
               status.message());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1)
    return 0;
  const int64_t numbers = 1 + data[0] % 8;
  MemoryFile file({reinterpret_cast<const char *>(data + 1), size - 1});
  Vocabulary words;
  words.add("cat", 0);
  // Rows that the limit keeps out of the table are missing there.
  constexpr int64_t kLimit = 20, kRows = 16;
  checkError(addVectorWords(file.path(), kLimit, words), file.path());
  FUZZ_REQUIRE(words.size() >= 3 && words.size() <= kLimit, "size");
  constexpr float kBefore = -123.5f;
  std::vector<float> table(kRows * numbers, kBefore);
  int64_t found = -1;
  Status status =
      readVectors(file.path(), words, numbers, kRows, table.data(), found);
  checkError(status, file.path());
  int64_t changed = 0;
  for (int64_t row = 0; row < kRows; ++row) {
    const float *first = &table[row * numbers], *end = first + numbers;
    FUZZ_REQUIRE(
        std::all_of(first, end, [](float x) { return std::isfinite(x); }),
        std::to_string(row));
    changed += std::any_of(first, end, [](float x) { return x != kBefore; });
  }
  FUZZ_REQUIRE(table[numbers] == kBefore, "the vector of unknown words");
  FUZZ_REQUIRE(found >= changed, std::to_string(found));
  return 0;
}
