//===-- test/Runtime/train/SetsTest.cpp - Sets of lines -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sets.h"
#include "Batches.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using namespace cambium;
using namespace cambium::train;

namespace {

/// Lines with the number of a document each: 5 of 7, 3 of 8, and so on.
data::Dataset makeData(const std::vector<int> &documents) {
  std::string text = "document:id\tx:number\n";
  for (int document : documents)
    text += std::to_string(document) + "\t1\n";
  data::Dataset dataset;
  dataset.source = "f";
  auto reader = data::createReader("table");
  EXPECT_TRUE(reader->readText(text, "f", 1, dataset).ok());
  return dataset;
}

std::vector<int32_t> inOrder(int64_t count) {
  std::vector<int32_t> lines(count);
  std::iota(lines.begin(), lines.end(), 0);
  return lines;
}

/// Cuts lines of whole sets where `endOf` says.
std::vector<std::vector<int32_t>> cut(const Sets &sets,
                                      const std::vector<int32_t> &lines) {
  std::vector<std::vector<int32_t>> result;
  const auto count = static_cast<int64_t>(lines.size());
  for (int64_t first = 0, end = 0; first < count; first = end) {
    end = sets.endOf(lines.data(), count, first);
    result.emplace_back(lines.begin() + first, lines.begin() + end);
  }
  return result;
}

TEST(Sets, ofNLines) {
  data::Dataset dataset = makeData(std::vector<int>(7, 0));
  Sets sets;
  ASSERT_TRUE(Sets::create(dataset, {3, ""}, sets).ok());
  const std::vector<std::vector<int32_t>> expected = {
      {0, 1, 2}, {3, 4, 5}, {6}};
  EXPECT_EQ(sets.of(inOrder(7)), expected);
  EXPECT_EQ(cut(sets, inOrder(7)), expected);
}

TEST(Sets, byField) {
  data::Dataset dataset = makeData({7, 7, 8, 7, 8, 9});
  Sets sets;
  ASSERT_TRUE(Sets::create(dataset, {0, "document"}, sets).ok());
  const std::vector<std::vector<int32_t>> expected = {{0, 1, 3}, {2, 4}, {5}};
  EXPECT_EQ(sets.of(inOrder(6)), expected);
  ASSERT_TRUE(Sets::create(dataset, {2, "document"}, sets).ok());
  const std::vector<std::vector<int32_t>> shorter = {{0, 1}, {2, 4}, {3}, {5}};
  EXPECT_EQ(sets.of(inOrder(6)), shorter);
  // In any order of the sets, they are found again.
  EXPECT_EQ(cut(sets, {3, 0, 1, 5, 2, 4}),
            (std::vector<std::vector<int32_t>>{{3}, {0, 1}, {5}, {2, 4}}));
}

TEST(Sets, needAField) {
  data::Dataset dataset = makeData({1, 2});
  Sets sets;
  EXPECT_EQ(Sets::create(dataset, {0, "page"}, sets).message(),
            "expected --set-by with a field of f, one of document, x, but got "
            "'page'");
  EXPECT_EQ(Sets::create(dataset, {0, "x"}, sets).message(),
            "expected --set-by with a number or a class per line, but the "
            "field 'x' is none");
}

TEST(Sets, areInBatches) {
  std::vector<int> documents;
  for (int line = 0; line < 100; ++line)
    documents.push_back(line / 9);
  data::Dataset dataset = makeData(documents);
  for (const SetOptions &options :
       {SetOptions{8, ""}, SetOptions{0, "document"},
        SetOptions{4, "document"}}) {
    Sets sets;
    ASSERT_TRUE(Sets::create(dataset, options, sets).ok());
    size_t count = 0;
    std::vector<int32_t> all;
    for (const auto &batch :
         makeBatches(dataset, 1, 0, {3, 0, "none", options})) {
      auto found = cut(sets, batch);
      EXPECT_LE(found.size(), 3u);
      count += found.size();
      all.insert(all.end(), batch.begin(), batch.end());
    }
    EXPECT_EQ(count, sets.of(inOrder(100)).size());
    EXPECT_NE(all, inOrder(100));
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, inOrder(100));
  }
}

} // namespace
