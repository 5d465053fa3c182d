//===-- runtime/train/Batches.cpp - Which examples go together ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Batches.h"
#include "cambium/runtime.h"

#include <algorithm>
#include <numeric>

using namespace cambium;
using namespace cambium::train;

uint64_t train::randomBelow(uint64_t key, uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>((static_cast<Wide>(key) * bound) >> 64);
}

template <typename T> static void shuffle(std::vector<T> &items, uint64_t key) {
  for (size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[randomBelow(cambium_mix(key, i), i)]);
}

/// Sorts each piece of the order by size or height. Equal ones keep their
/// random order.
static void sortPieces(const data::Dataset &dataset,
                       const BatchOptions &options,
                       std::vector<int32_t> &order) {
  constexpr int64_t kBatchesPerPiece = 50;
  const bool byHeight = options.bucket == "height";
  // By example: what it is sorted by, and its place in the random order.
  std::vector<std::pair<int64_t, size_t>> keys(order.size());
  for (size_t place = 0; place < order.size(); ++place) {
    const int32_t example = order[place];
    keys[example] = {
        byHeight ? dataset.heightOf(example) : dataset.sizeOf(example), place};
  }
  const size_t piece = static_cast<size_t>(options.examples * kBatchesPerPiece);
  for (size_t first = 0; first < order.size(); first += piece)
    std::sort(order.begin() + first,
              order.begin() + std::min(first + piece, order.size()),
              [&](int32_t a, int32_t b) { return keys[a] < keys[b]; });
}

/// The examples of an epoch in their order: lines, or sets of them.
static std::vector<std::vector<int32_t>>
orderExamples(const data::Dataset &dataset, uint64_t key,
              const BatchOptions &options) {
  std::vector<int32_t> order(dataset.size());
  std::iota(order.begin(), order.end(), 0);
  Sets sets;
  // That there is such a field was found when the data was bound.
  if (options.sets.areGiven() &&
      Sets::create(dataset, options.sets, sets).ok()) {
    if (!sets.isByField())
      shuffle(order, key);
    std::vector<std::vector<int32_t>> examples = sets.of(order);
    if (sets.isByField())
      shuffle(examples, key);
    return examples;
  }
  shuffle(order, key);
  if (options.bucket != "none")
    sortPieces(dataset, options, order);
  std::vector<std::vector<int32_t>> examples;
  for (int32_t line : order)
    examples.push_back({line});
  return examples;
}

static int64_t nodesOf(const data::Dataset &dataset,
                       const std::vector<int32_t> &lines) {
  int64_t nodes = 0;
  for (int32_t line : lines)
    nodes += dataset.sizeOf(line);
  return nodes;
}

/// Each place of a batch goes through a text, line by line, and then through
/// the next one that is left.
static Batches laneBatches(const data::Dataset &dataset, uint64_t key,
                           const BatchOptions &options) {
  std::vector<int32_t> begins;
  // That there is such a field was found when the data was bound.
  if (!findTexts(dataset, options.carry.by, options.examples, begins).ok())
    return {};
  using Text = std::pair<int32_t, int32_t>; // The next line and the end.
  std::vector<Text> texts;
  for (size_t i = 0; i < begins.size(); ++i)
    texts.emplace_back(begins[i], i + 1 < begins.size()
                                      ? begins[i + 1]
                                      : static_cast<int32_t>(dataset.size()));
  if (!options.carry.by.empty())
    shuffle(texts, key);
  std::vector<Text> lanes(std::min<size_t>(options.examples, texts.size()),
                          Text(0, 0));
  size_t next = 0;
  Batches batches;
  while (true) {
    std::vector<int32_t> batch;
    for (Text &lane : lanes) {
      if (lane.first == lane.second && next < texts.size())
        lane = texts[next++];
      if (lane.first < lane.second)
        batch.push_back(lane.first++);
    }
    if (batch.empty())
      return batches;
    batches.push_back(std::move(batch));
  }
}

Batches train::makeBatches(const data::Dataset &dataset, uint64_t seed,
                           int64_t epoch, const BatchOptions &options) {
  const uint64_t key = cambium_mix(seed, static_cast<uint64_t>(epoch));
  if (options.carry.areGiven())
    return laneBatches(dataset, cambium_mix(key, 0), options);
  Batches batches;
  int64_t nodes = 0, count = 0;
  for (const std::vector<int32_t> &lines :
       orderExamples(dataset, cambium_mix(key, 0), options)) {
    const int64_t size = options.nodes > 0 ? nodesOf(dataset, lines) : 0;
    const bool isFull = batches.empty() || count >= options.examples ||
                        (options.nodes > 0 && nodes + size > options.nodes);
    if (isFull) {
      batches.emplace_back();
      nodes = count = 0;
    }
    batches.back().insert(batches.back().end(), lines.begin(), lines.end());
    nodes += size;
    ++count;
  }
  if (options.bucket != "none")
    shuffle(batches, cambium_mix(key, 1));
  return batches;
}
