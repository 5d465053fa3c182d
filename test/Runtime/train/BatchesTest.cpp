//===-- test/Runtime/train/BatchesTest.cpp - Which examples meet ----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchFeed.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using namespace cambium;
using namespace cambium::train;

namespace {

/// Expressions of 1, 3, 5, ... nodes, one after the other.
data::Dataset makeData(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    int operators = i % 7;
    for (int k = 0; k < operators; ++k)
      text += "+ ";
    for (int k = 0; k < operators; ++k)
      text += "1 ";
    text += "1\t" + std::to_string(operators + 1) + "\n";
  }
  data::Dataset dataset;
  dataset.source = "f";
  EXPECT_TRUE(data::createReader("coba")->readText(text, "f", 1, dataset).ok());
  return dataset;
}

std::vector<int32_t> flatten(const std::vector<std::vector<int32_t>> &batches) {
  std::vector<int32_t> all;
  for (const auto &batch : batches)
    all.insert(all.end(), batch.begin(), batch.end());
  return all;
}

TEST(Batches, holdEveryExampleOnce) {
  data::Dataset dataset = makeData(103);
  for (const char *bucket : {"none", "size", "height"}) {
    auto batches = makeBatches(dataset, 1, 0, {10, 0, bucket});
    EXPECT_EQ(batches.size(), 11u);
    std::vector<int32_t> all = flatten(batches);
    std::sort(all.begin(), all.end());
    for (int32_t i = 0; i < 103; ++i)
      EXPECT_EQ(all[i], i);
  }
}

/// Lines of a text follow one another, each in a later batch.
TEST(Batches, ofTextsHandOver) {
  data::Dataset dataset = makeData(103);
  BatchOptions options{10, 0, "none", {}, {}};
  options.carry.outputs["before"] = "state";
  const Batches batches = makeBatches(dataset, 1, 0, options);
  // Nine streams of 11 lines, and one of 4.
  ASSERT_EQ(batches.size(), 11u);
  std::vector<int> batchOf(103, -1);
  for (size_t b = 0; b < batches.size(); ++b) {
    EXPECT_LE(batches[b].size(), 10u);
    for (int32_t line : batches[b]) {
      EXPECT_EQ(batchOf[line], -1);
      batchOf[line] = static_cast<int>(b);
      if (line % 11 > 0)
        EXPECT_EQ(batchOf[line - 1], static_cast<int>(b) - 1);
    }
  }
  for (int32_t line = 0; line < 103; ++line)
    EXPECT_EQ(batchOf[line], line % 11);
  EXPECT_EQ(flatten(batches),
            flatten(makeBatches(dataset, 2, 3, options))); // Nothing is drawn.
  options.examples = 1000000000;
  EXPECT_EQ(makeBatches(dataset, 1, 0, options).size(), 1u);
}

TEST(Batches, dependOnSeedAndEpochAlone) {
  data::Dataset dataset = makeData(50);
  auto order = [&](uint64_t seed, int64_t epoch) {
    return flatten(makeBatches(dataset, seed, epoch, {10, 0, "none"}));
  };
  EXPECT_EQ(order(1, 0), order(1, 0));
  EXPECT_NE(order(1, 0), order(1, 1));
  EXPECT_NE(order(1, 0), order(2, 0));
  // The order is the same whatever the size of a batch.
  EXPECT_EQ(order(1, 0), flatten(makeBatches(dataset, 1, 0, {7, 0, "none"})));
}

TEST(Batches, areMixedEvenly) {
  // The first place goes to each of 8 examples about equally often.
  data::Dataset dataset = makeData(8);
  int counts[8] = {};
  for (int64_t epoch = 0; epoch < 4000; ++epoch)
    ++counts[makeBatches(dataset, 3, epoch, {1, 0, "none"})[0][0]];
  for (int count : counts)
    EXPECT_NEAR(count, 500, 100);
}

TEST(Batches, ofBucketsHoldSimilarSizes) {
  data::Dataset dataset = makeData(700);
  auto spread = [&](const char *bucket) {
    int64_t sum = 0;
    for (const auto &batch : makeBatches(dataset, 1, 0, {50, 0, bucket})) {
      auto [low, high] = std::minmax_element(
          batch.begin(), batch.end(), [&](int32_t a, int32_t b) {
            return dataset.sizeOf(a) < dataset.sizeOf(b);
          });
      sum += dataset.sizeOf(*high) - dataset.sizeOf(*low);
    }
    return sum;
  };
  EXPECT_GT(spread("none"), 100);
  EXPECT_LE(spread("size"), 4);
  // Here a node more of height is two more of size.
  EXPECT_LE(spread("height"), 4);
}

TEST(Batches, endByTheirNodes) {
  data::Dataset dataset = makeData(200); // 1, 3, ... 13 nodes.
  for (const char *bucket : {"none", "size"}) {
    auto batches = makeBatches(dataset, 1, 0, {40, 12, bucket});
    std::vector<int32_t> all = flatten(batches);
    std::sort(all.begin(), all.end());
    std::vector<int32_t> expected(200);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(all, expected);
    size_t alone = 0;
    for (const auto &batch : batches) {
      int64_t nodes = 0;
      for (int32_t example : batch)
        nodes += dataset.sizeOf(example);
      EXPECT_TRUE(nodes <= 12 || batch.size() == 1) << nodes;
      alone += nodes > 12;
    }
    EXPECT_EQ(alone, 28u); // Every seventh has 13 nodes.
  }
  // The number of examples holds as well.
  for (const auto &batch : makeBatches(dataset, 1, 0, {3, 1000, "none"}))
    EXPECT_LE(batch.size(), 3u);
}

/// Remembers what it is filled with.
class RecordingBatch : public Batch {
public:
  void clear(uint64_t keySeed) override {
    ordinals.clear();
    ints.clear();
    seed = keySeed;
  }
  Status begin(uint64_t ordinal) override {
    ordinals.push_back(ordinal);
    return ordinal == failing ? Status::error("refused") : Status();
  }
  Status setTree(size_t, int64_t, const int32_t *) override { return Status(); }
  Status setGraph(size_t, int64_t, const int32_t *, const int32_t *) override {
    return Status();
  }
  Status setInput(size_t, int64_t rows, const void *data) override {
    const int32_t *values = static_cast<const int32_t *>(data);
    ints.insert(ints.end(), values, values + rows);
    return Status();
  }
  Status setRowCounts(size_t, const std::vector<int32_t> &counts) override {
    ints.insert(ints.end(), counts.begin(), counts.end());
    return Status();
  }
  Status end() override { return Status(); }
  Status finish() override { return Status(); }
  int64_t numExamples() const override { return ordinals.size(); }
  const int32_t *spaceOffsets(int32_t) const override { return nullptr; }

  uint64_t seed = 0, failing = ~uint64_t(0);
  std::vector<uint64_t> ordinals;
  std::vector<int32_t> ints;
};

/// Makes batches that only remember.
class RecordingEngine : public Engine {
public:
  std::vector<std::pair<std::string, std::string>> facts() const override {
    return {};
  }
  std::string manifest() const override { return ""; }
  Status initialize(uint64_t) override { return Status(); }
  Status makeBatch(const EntrySpec &, std::unique_ptr<Batch> &batch) override {
    auto made = std::make_unique<RecordingBatch>();
    made->failing = failing;
    batch = std::move(made);
    return Status();
  }
  Status call(const EntrySpec &, const Batch &,
              std::vector<Output> &) override {
    return Status();
  }
  Status accumulate(const EntrySpec &, const Batch &, double &) override {
    return Status();
  }
  Status apply(const EntrySpec &, const std::vector<Rate> &, double) override {
    return Status();
  }
  void clearGradients() override {}
  const void *value(size_t) override { return nullptr; }
  Status setValue(size_t, const void *) override { return Status(); }
  Status save(const std::string &, bool) override { return Status(); }
  Status load(const std::string &, bool) override { return Status(); }
  Status setMetadata(const std::string &, const std::string &) override {
    return Status();
  }
  std::string metadata(const std::string &) const override { return ""; }
  int64_t memoryPeak() const override { return 0; }

  uint64_t failing = ~uint64_t(0);
};

EntrySpec makeEntry() {
  EntrySpec entry;
  entry.name = "train.accumulate";
  TensorSpec tokens;
  tokens.name = "tokens";
  tokens.type = CAMBIUM_TYPE_I32;
  tokens.space = 0;
  entry.inputs.push_back(tokens);
  return entry;
}

/// Everything that batches from `first` on are filled with.
std::string record(int64_t ahead, size_t first, const Batches &batches,
                   const data::Dataset &dataset) {
  RecordingEngine engine;
  EntrySpec entry = makeEntry();
  BatchFeed feed;
  Status status = feed.open(engine, entry, dataset, {}, ahead);
  EXPECT_TRUE(status.ok()) << status.message();
  feed.start(batches, first, 99);
  std::string result;
  for (size_t i = first; i < batches.size(); ++i) {
    const Batch *batch = nullptr;
    EXPECT_TRUE(feed.next(batch).ok());
    const auto &recorded = static_cast<const RecordingBatch &>(*batch);
    result += std::to_string(recorded.seed) + ":";
    for (uint64_t ordinal : recorded.ordinals)
      result += " " + std::to_string(ordinal);
    for (int32_t value : recorded.ints)
      result += "," + std::to_string(value);
    result += "\n";
  }
  return result;
}

TEST(BatchFeed, givesTheSameHoweverFarAhead) {
  data::Dataset dataset = makeData(203);
  const Batches batches = makeBatches(dataset, 1, 0, {4, 0, "none"});
  const std::string expected = record(0, 0, batches, dataset);
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 51);
  for (int64_t ahead : {1, 2, 7, 100})
    EXPECT_EQ(record(ahead, 0, batches, dataset), expected);
  // A resumed epoch goes on in its middle.
  const std::string rest = record(3, 20, batches, dataset);
  EXPECT_EQ(expected.substr(expected.size() - rest.size()), rest);
  EXPECT_EQ(std::count(rest.begin(), rest.end(), '\n'), 31);
}

TEST(BatchFeed, endsWithBatchesLeft) {
  data::Dataset dataset = makeData(203);
  const Batches batches = makeBatches(dataset, 1, 0, {4, 0, "none"});
  RecordingEngine engine;
  EntrySpec entry = makeEntry();
  BatchFeed feed;
  ASSERT_TRUE(feed.open(engine, entry, dataset, {}, 5).ok());
  for (size_t taken = 0; taken < 20; ++taken) {
    feed.start(batches, 0, 1);
    const Batch *batch = nullptr;
    for (size_t i = 0; i < taken; ++i)
      ASSERT_TRUE(feed.next(batch).ok());
    if (taken % 2)
      feed.stop(); // Else start() or the destructor does.
  }
}

TEST(BatchFeed, givesErrorsAtTheirBatch) {
  data::Dataset dataset = makeData(40);
  Batches batches(10);
  for (int32_t i = 0; i < 40; ++i)
    batches[i / 4].push_back(i);
  for (int64_t ahead : {0, 1, 20}) {
    RecordingEngine engine;
    engine.failing = 22;
    EntrySpec entry = makeEntry();
    BatchFeed feed;
    ASSERT_TRUE(feed.open(engine, entry, dataset, {}, ahead).ok());
    feed.start(batches, 0, 1);
    const Batch *batch = nullptr;
    for (size_t i = 0; i < 5; ++i)
      ASSERT_TRUE(feed.next(batch).ok());
    EXPECT_EQ(feed.next(batch).message(), "f:23: refused");
    EXPECT_TRUE(feed.next(batch).ok());
  }
}

} // namespace
