//===-- runtime/core/Iterations.cpp - Rows that iterate -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Iterations.h"
#include "Forest.h"

#include <algorithm>
#include <cstdint>

using namespace cambium::runtime;

cambium_status_t
cambium::runtime::measureIterations(cambium_abi_forest_t &forest,
                                    const int32_t *steps, int64_t rows) {
  int64_t edges = 0;
  int32_t deepest = 0;
  for (int64_t r = 0; r < rows; ++r) {
    if (steps[r] < 0)
      return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                  "iterations: expected no negative number of iterations, but "
                  "row %lld has %d",
                  static_cast<long long>(r), steps[r]);
    edges += steps[r];
    deepest = std::max(deepest, steps[r]);
  }
  if (edges + rows > INT32_MAX)
    return fail(CAMBIUM_STATUS_OUT_OF_RANGE,
                "iterations: expected at most %lld iterations of all %lld "
                "rows together, but got %lld",
                static_cast<long long>(INT32_MAX - rows),
                static_cast<long long>(rows), static_cast<long long>(edges));
  forest.num_nodes = rows + edges;
  forest.num_edges = edges;
  forest.num_levels = rows > 0 ? int64_t{deepest} + 1 : 0;
  forest.num_trees = rows;
  forest.max_level_nodes = forest.max_level_edges = rows;
  return CAMBIUM_STATUS_OK;
}

/// The nodes of a level are the rows of the level before that go on; a row's
/// chain has its initial node below.
static void orderLevels(cambium_abi_forest_t &forest, const int32_t *steps) {
  int32_t *levels = fill(forest.level_nodes);
  int32_t *rowOf = fill(forest.node_to_user);
  int32_t *children = fill(forest.child_nodes);
  auto rows = static_cast<int32_t>(forest.num_trees);
  int32_t node = 0, edge = 0;
  levels[0] = 0;
  for (int32_t r = 0; r < rows; ++r)
    rowOf[node++] = r;
  for (int64_t l = 1; l < forest.num_levels; ++l) {
    int32_t begin = levels[l - 1];
    levels[l] = node;
    for (int32_t below = begin, end = levels[l]; below < end; ++below) {
      if (steps[rowOf[below]] < l)
        continue;
      children[edge++] = below;
      rowOf[node++] = rowOf[below];
    }
  }
  levels[forest.num_levels] = node;
}

void cambium::runtime::orderIterations(cambium_abi_forest_t &forest,
                                       int32_t *words, const int32_t *steps) {
  placeForest(forest, words);
  orderLevels(forest, steps);
  auto rows = static_cast<int32_t>(forest.num_trees);
  auto edges = static_cast<int32_t>(forest.num_edges);
  std::fill_n(fill(forest.child_offsets), rows, 0);
  for (int32_t e = 0; e < edges; ++e) {
    fill(forest.child_offsets)[rows + e] = e;
    fill(forest.edge_parents)[e] = rows + e;
    fill(forest.edge_to_user)[e] = e;
  }
  fill(forest.child_offsets)[rows + edges] = edges;
  linkParents(forest);
  for (int64_t n = 0; n < forest.num_nodes; ++n)
    fill(forest.roots)[forest.node_to_user[n]] = static_cast<int32_t>(n);
  std::fill_n(fill(forest.user_to_node), forest.num_nodes, 0);
  std::copy_n(forest.roots, rows, fill(forest.user_to_node));
}

void cambium::runtime::groupRows(int32_t *offsets,
                                 const cambium_abi_rows_t &rows,
                                 const int32_t *ids, int64_t count) {
  int32_t at = 0;
  offsets[0] = 0;
  for (int64_t s = 0; s < rows.num_segments; ++s) {
    while (at < count && ids[at] < rows.offsets[s + 1])
      ++at;
    offsets[s + 1] = at;
  }
}
