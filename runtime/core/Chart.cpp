//===-- runtime/core/Chart.cpp - The spans of sequences
//--------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Level l holds the spans of l + 1 rows. A segment of n rows has n - l of them,
// each with 2 l children.
//
//===----------------------------------------------------------------------===//
#include "Chart.h"
#include "Forest.h"

using namespace cambium::runtime;

namespace {

/// The spans of n rows, and all those of up to l rows among them.
int64_t numSpans(int64_t n) { return n * (n + 1) / 2; }
int64_t numShorter(int64_t n, int64_t l) { return l * n - l * (l - 1) / 2; }

/// The links of n rows to children, and those of all spans of up to l rows.
int64_t numLinks(int64_t n) { return (n * n * n - n) / 3; }
int64_t numShorterLinks(int64_t n, int64_t l) {
  return n * l * (l - 1) - (l - 1) * l * (2 * l - 1) / 3;
}

/// More rows have more links than numbers can hold.
constexpr int64_t kMostRows = 2000;

/// Fills the arrays level by level.
class ChartOrder {
public:
  ChartOrder(cambium_abi_forest_t &forest, const cambium_abi_rows_t &rows)
      : forest(forest), rows(rows) {}

  void fillAll() {
    for (int32_t level = 0; level < forest.num_levels; ++level) {
      fill(forest.level_nodes)[level] = node;
      firstSpan = firstLink = 0;
      for (int64_t s = 0; s < rows.num_segments; ++s)
        fillSegment(rows.offsets[s + 1] - rows.offsets[s], level, s);
    }
    fill(forest.level_nodes)[forest.num_levels] = node;
    fill(forest.child_offsets)[forest.num_nodes] = edge;
  }

private:
  void fillSegment(int64_t n, int64_t level, int64_t segment) {
    for (int64_t i = 0; i < n - level; ++i) {
      int64_t user = firstSpan + numShorter(n, level) + i;
      fill(forest.node_to_user)[node] = static_cast<int32_t>(user);
      fill(forest.user_to_node)[user] = node;
      fill(forest.child_offsets)[node] = edge;
      int64_t link = firstLink + numShorterLinks(n, level) + 2 * level * i;
      for (int64_t k = 0; k < level; ++k) {
        addChild(numShorter(n, k) + i, link++);
        addChild(numShorter(n, level - k - 1) + i + k + 1, link++);
      }
      // The last span is the whole segment.
      fill(forest.roots)[segment] = node++;
    }
    firstSpan += numSpans(n);
    firstLink += numLinks(n);
  }

  void addChild(int64_t span, int64_t link) {
    fill(forest.child_nodes)[edge] = forest.user_to_node[firstSpan + span];
    fill(forest.edge_parents)[edge] = node;
    fill(forest.edge_to_user)[edge++] = static_cast<int32_t>(link);
  }

  cambium_abi_forest_t &forest;
  const cambium_abi_rows_t &rows;
  int32_t node = 0, edge = 0;
  /// Of the segment at hand, in the user's order.
  int64_t firstSpan = 0, firstLink = 0;
};

} // namespace

cambium_status_t
cambium::runtime::measureChart(cambium_abi_forest_t &forest,
                               const cambium_abi_rows_t &rows) {
  int64_t nodes = 0, edges = 0;
  for (int64_t s = 0; s < rows.num_segments; ++s) {
    int64_t n = rows.offsets[s + 1] - rows.offsets[s];
    if (n <= kMostRows) {
      nodes += numSpans(n);
      edges += numLinks(n);
    }
    if (n > kMostRows || nodes > kMaxRows || edges > kMaxRows)
      return fail(CAMBIUM_STATUS_OUT_OF_RANGE,
                  "chart: expected fewer than 2^31 children of all spans, but "
                  "got more with the %lld rows of example %lld",
                  static_cast<long long>(n), static_cast<long long>(s));
  }
  forest.num_nodes = nodes;
  forest.num_edges = edges;
  forest.num_levels = longestSegment(rows);
  forest.num_trees = rows.num_segments;
  return CAMBIUM_STATUS_OK;
}

void cambium::runtime::orderChart(cambium_abi_forest_t &forest, int32_t *words,
                                  const cambium_abi_rows_t &rows) {
  placeForest(forest, words);
  ChartOrder(forest, rows).fillAll();
  linkParents(forest);
  measureLevels(forest);
}
