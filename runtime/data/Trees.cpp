//===-- runtime/data/Trees.cpp - Trees as parent arrays -------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trees.h"

#include <algorithm>

using namespace cambium::data;

/// The first node that is its own ancestor, or -1.
static int64_t findCycle(const std::vector<int32_t> &parents) {
  // The node from which a node was reached first; nodes that lead to the root
  // are never walked twice.
  std::vector<int64_t> reachedFrom(parents.size(), -1);
  for (size_t start = 0; start < parents.size(); ++start)
    for (int64_t node = start; node >= 0; node = parents[node]) {
      if (reachedFrom[node] == static_cast<int64_t>(start))
        return node;
      if (reachedFrom[node] >= 0)
        break;
      reachedFrom[node] = start;
    }
  return -1;
}

Status cambium::data::readParents(const Line &line,
                                  const std::vector<Column> &columns,
                                  const char *what,
                                  std::vector<int32_t> &parents) {
  const std::string range = "the number of a " + std::string(what) +
                            " from 1 to " + std::to_string(columns.size()) +
                            ", or 0 at the root";
  parents.clear();
  int64_t root = -1;
  for (const Column &column : columns) {
    int32_t parent = 0;
    const int32_t node = static_cast<int32_t>(parents.size());
    if (!parseInt(column.text, parent) || parent < 0 ||
        parent > static_cast<int64_t>(columns.size()))
      return line.expected(column.offset, range, quote(column.text));
    if (parent == node + 1)
      return line.expected(column.offset, "another node as parent",
                           std::string(what) + " " + std::to_string(parent) +
                               " itself");
    if (parent == 0 && root >= 0)
      return line.expected(column.offset, "one root",
                           std::string(what) + " " + std::to_string(node + 1) +
                               " beside " + std::to_string(root + 1));
    if (parent == 0)
      root = node;
    parents.push_back(parent - 1);
  }
  if (root < 0)
    return line.expected(line.text.size(), "a root, which has the parent 0",
                         "none");
  if (int64_t node = findCycle(parents); node >= 0)
    return line.expected(columns[node].offset, "a tree",
                         std::string(what) + " " + std::to_string(node + 1) +
                             " that is its own ancestor");
  return Status();
}

bool cambium::data::orderByLeaves(const std::vector<int32_t> &parents,
                                  size_t numLeaves, LeafTree &result) {
  const size_t count = parents.size();
  std::vector<std::vector<int32_t>> children(count);
  std::vector<bool> isSeen(count, false);
  int32_t root = 0;
  // Climbing from each word in turn meets the children of every node in the
  // order of their words.
  for (size_t leaf = 0; leaf < numLeaves; ++leaf)
    for (int32_t node = static_cast<int32_t>(leaf); !isSeen[node];) {
      isSeen[node] = true;
      if (parents[node] < 0) {
        root = node;
        break;
      }
      children[parents[node]].push_back(node);
      node = parents[node];
    }
  for (size_t node = 0; node < count; ++node)
    if (!isSeen[node] || children[node].empty() != (node < numLeaves))
      return false;
  result.parents.clear();
  result.leaves.clear();
  std::vector<std::pair<int32_t, int32_t>> open{{root, -1}}; // Node, parent.
  while (!open.empty()) {
    auto [node, parent] = open.back();
    open.pop_back();
    const int32_t index = static_cast<int32_t>(result.parents.size());
    result.parents.push_back(parent);
    result.leaves.push_back(node < static_cast<int64_t>(numLeaves) ? node : -1);
    for (size_t i = children[node].size(); i-- > 0;)
      open.emplace_back(children[node][i], index);
  }
  return true;
}
