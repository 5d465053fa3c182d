//===-- runtime/core/Forest.cpp - Putting trees in level order ------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Forest.h"

#include <algorithm>

using namespace cambium::runtime;

//===----------------------------------------------------------------------===//
// Arrays of a forest
//===----------------------------------------------------------------------===//

namespace {

/// Arrays start at multiples of 16 words (64 bytes).
int64_t roundWords(int64_t words) { return (words + 15) / 16 * 16; }

/// Hands out consecutive arrays.
struct Placer {
  int32_t *next;
  int32_t *take(int64_t words) {
    int32_t *array = next;
    next += roundWords(words);
    return array;
  }
};

/// Turns counts per bucket into the end of each bucket. Filling buckets from
/// the back then leaves the beginning of each.
void sumUp(int32_t *counts, int64_t size) {
  int32_t end = 0;
  for (int64_t i = 0; i < size; ++i)
    counts[i] = end += counts[i];
}

} // namespace

int64_t cambium::runtime::forestWords(int64_t nodes, int64_t edges,
                                      int64_t levels, int64_t trees) {
  return roundWords(levels + 1) + 2 * roundWords(nodes + 1) +
         2 * roundWords(nodes) + 4 * roundWords(edges) + roundWords(trees);
}

void cambium::runtime::placeForest(cambium_abi_forest_t &forest,
                                   int32_t *words) {
  Placer placer{words};
  forest.level_nodes = placer.take(forest.num_levels + 1);
  forest.child_offsets = placer.take(forest.num_nodes + 1);
  forest.child_nodes = placer.take(forest.num_edges);
  forest.edge_parents = placer.take(forest.num_edges);
  forest.parent_offsets = placer.take(forest.num_nodes + 1);
  forest.parent_edges = placer.take(forest.num_edges);
  forest.node_to_user = placer.take(forest.num_nodes);
  forest.user_to_node = placer.take(forest.num_nodes);
  forest.edge_to_user = placer.take(forest.num_edges);
  forest.roots = placer.take(forest.num_trees);
}

void cambium::runtime::linkParents(cambium_abi_forest_t &forest) {
  int32_t *offsets = fill(forest.parent_offsets);
  int32_t *edges = fill(forest.parent_edges);
  std::fill(offsets, offsets + forest.num_nodes, 0);
  for (int64_t e = 0; e < forest.num_edges; ++e)
    ++offsets[forest.child_nodes[e]];
  sumUp(offsets, forest.num_nodes);
  offsets[forest.num_nodes] = static_cast<int32_t>(forest.num_edges);
  for (int64_t e = forest.num_edges; e-- > 0;)
    edges[--offsets[forest.child_nodes[e]]] = static_cast<int32_t>(e);
}

void cambium::runtime::measureLevels(cambium_abi_forest_t &forest) {
  forest.max_level_nodes = forest.max_level_edges = 0;
  for (int64_t l = 0; l < forest.num_levels; ++l) {
    int32_t begin = forest.level_nodes[l], end = forest.level_nodes[l + 1];
    forest.max_level_nodes =
        std::max<int64_t>(forest.max_level_nodes, end - begin);
    forest.max_level_edges = std::max<int64_t>(forest.max_level_edges,
                                               forest.child_offsets[end] -
                                                   forest.child_offsets[begin]);
  }
}

//===----------------------------------------------------------------------===//
// Trees in level order
//===----------------------------------------------------------------------===//

int64_t TreeList::numLevels() const {
  int32_t highest = -1;
  for (int64_t i = 0; i < heights.size(); ++i)
    highest = std::max(highest, heights[i]);
  return int64_t{highest} + 1;
}

int64_t TreeList::numWords() const {
  return forestWords(numNodes(), numEdges(), numLevels(), numTrees());
}

void TreeList::order(cambium_abi_forest_t &forest, int32_t *words) const {
  forest.num_nodes = numNodes();
  forest.num_edges = numEdges();
  forest.num_levels = numLevels();
  forest.num_trees = numTrees();
  placeForest(forest, words);

  // A stable sort by height: nodes of a level stay in the user's order.
  int32_t *levels = fill(forest.level_nodes);
  int32_t *toNode = fill(forest.user_to_node);
  int32_t *toUser = fill(forest.node_to_user);
  std::fill(levels, levels + forest.num_levels, 0);
  for (int64_t u = 0; u < forest.num_nodes; ++u)
    ++levels[heights[u]];
  sumUp(levels, forest.num_levels);
  levels[forest.num_levels] = static_cast<int32_t>(forest.num_nodes);
  for (int64_t u = forest.num_nodes; u-- > 0;) {
    toNode[u] = --levels[heights[u]];
    toUser[toNode[u]] = static_cast<int32_t>(u);
  }

  int32_t *offsets = fill(forest.child_offsets);
  int32_t edge = 0;
  for (int64_t n = 0; n < forest.num_nodes; ++n) {
    int32_t user = toUser[n];
    offsets[n] = edge;
    for (int32_t e = childOffsets[user]; e < childOffsets[user + 1]; ++e) {
      fill(forest.child_nodes)[edge] = toNode[childNodes[e]];
      fill(forest.edge_parents)[edge] = static_cast<int32_t>(n);
      fill(forest.edge_to_user)[edge] = e;
      ++edge;
    }
  }
  offsets[forest.num_nodes] = edge;
  for (int64_t t = 0; t < forest.num_trees; ++t)
    fill(forest.roots)[t] = toNode[roots[t]];
  linkParents(forest);
  measureLevels(forest);
}

//===----------------------------------------------------------------------===//
// Chains
//===----------------------------------------------------------------------===//

cambium_status_t cambium::runtime::checkRows(const cambium_abi_rows_t &rows,
                                             const char *what) {
  for (int64_t s = 0; s < rows.num_segments; ++s)
    if (rows.offsets[s + 1] <= rows.offsets[s])
      return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                  "%s: expected at least one row in example %lld, but got none",
                  what, static_cast<long long>(s));
  if (rows.num_segments > 0 &&
      (rows.offsets[0] != 0 ||
       rows.offsets[rows.num_segments] != rows.num_rows))
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "%s: the segments do not cover the %lld rows", what,
                static_cast<long long>(rows.num_rows));
  return CAMBIUM_STATUS_OK;
}

/// The level of a row of the segment [begin, end) of a chain.
static int32_t chainLevel(int32_t row, int32_t begin, int32_t end,
                          bool reversed) {
  return reversed ? end - 1 - row : row - begin;
}

int64_t cambium::runtime::longestSegment(const cambium_abi_rows_t &rows) {
  int32_t longest = 0;
  for (int64_t s = 0; s < rows.num_segments; ++s)
    longest = std::max(longest, rows.offsets[s + 1] - rows.offsets[s]);
  return longest;
}

void cambium::runtime::measureChain(cambium_abi_forest_t &forest,
                                    const cambium_abi_rows_t &rows) {
  forest.num_nodes = rows.num_rows;
  forest.num_edges = rows.num_rows - rows.num_segments;
  forest.num_levels = longestSegment(rows);
  forest.num_trees = rows.num_segments;
}

void cambium::runtime::orderChain(cambium_abi_forest_t &forest, int32_t *words,
                                  const cambium_abi_rows_t &rows,
                                  bool reversed) {
  placeForest(forest, words);

  // Level l holds the l-th row of every segment that has one.
  int32_t *levels = fill(forest.level_nodes);
  int32_t *toNode = fill(forest.user_to_node);
  std::fill(levels, levels + forest.num_levels, 0);
  for (int64_t s = 0; s < rows.num_segments; ++s)
    for (int32_t l = 0; l < rows.offsets[s + 1] - rows.offsets[s]; ++l)
      ++levels[l];
  sumUp(levels, forest.num_levels);
  levels[forest.num_levels] = static_cast<int32_t>(forest.num_nodes);
  for (int64_t s = rows.num_segments; s-- > 0;) {
    int32_t begin = rows.offsets[s], end = rows.offsets[s + 1];
    for (int32_t row = begin; row < end; ++row) {
      toNode[row] = --levels[chainLevel(row, begin, end, reversed)];
      fill(forest.node_to_user)[toNode[row]] = row;
    }
    fill(forest.roots)[s] = toNode[reversed ? begin : end - 1];
  }

  // Every node above level 0 has one edge; edges are in the order of the nodes.
  int32_t leaves =
      forest.num_levels > 1 ? levels[1] : static_cast<int32_t>(rows.num_rows);
  for (int64_t n = 0; n <= forest.num_nodes; ++n)
    fill(forest.child_offsets)[n] =
        std::max<int32_t>(0, static_cast<int32_t>(n) - leaves);
  int32_t userEdge = 0;
  for (int64_t s = 0; s < rows.num_segments; ++s) {
    int32_t begin = rows.offsets[s], end = rows.offsets[s + 1];
    for (int32_t row = begin; row < end; ++row) {
      if (chainLevel(row, begin, end, reversed) == 0)
        continue;
      int32_t edge = toNode[row] - leaves;
      fill(forest.child_nodes)[edge] = toNode[reversed ? row + 1 : row - 1];
      fill(forest.edge_parents)[edge] = toNode[row];
      fill(forest.edge_to_user)[edge] = userEdge++;
    }
  }
  linkParents(forest);
  measureLevels(forest);
}
