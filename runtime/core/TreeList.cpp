//===-- runtime/core/TreeList.cpp - Collecting and checking trees ---------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Forest.h"

#include <algorithm>

using namespace cambium::runtime;

std::string TreeList::where(const TreeRules &rules) const {
  return format("%s %lld, tree '%s'", rules.unit,
                static_cast<long long>(numTrees()), rules.name);
}

cambium_status_t TreeList::failNull(const TreeRules &rules,
                                    const char *argument) const {
  return fail(CAMBIUM_STATUS_INVALID_ARGUMENT, "%s: argument '%s' is null",
              where(rules).c_str(), argument);
}

cambium_status_t TreeList::checkSize(const TreeRules &rules, int64_t nodes,
                                     int64_t edges) const {
  if (nodes <= 0)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "%s: expected at least one node, but got %lld",
                where(rules).c_str(), static_cast<long long>(nodes));
  if (nodes > kMaxRows - numNodes() || edges > kMaxRows - numEdges())
    return fail(CAMBIUM_STATUS_OUT_OF_RANGE,
                "%s: expected at most %lld nodes and edges in a batch, but got "
                "more",
                where(rules).c_str(), static_cast<long long>(kMaxRows));
  return CAMBIUM_STATUS_OK;
}

bool TreeList::reserveTree(int64_t nodes, int64_t edges) {
  // `treeNodes` last: it says that all have begun.
  for (Buffer<int32_t> *offsets : {&childOffsets, &treeEdges, &treeNodes})
    if (offsets->size() == 0 && !offsets->push(0))
      return false;
  return treeNodes.reserve(treeNodes.size() + 1) &&
         treeEdges.reserve(treeEdges.size() + 1) &&
         roots.reserve(roots.size() + 1) &&
         childOffsets.reserve(childOffsets.size() + nodes) &&
         childNodes.reserve(childNodes.size() + edges) &&
         heights.reserve(heights.size() + nodes) && pending.reserve(nodes) &&
         queue.reserve(nodes);
}

void TreeList::truncate(int64_t numTrees) {
  if (treeNodes.size() == 0)
    return;
  treeNodes.truncate(numTrees + 1);
  treeEdges.truncate(numTrees + 1);
  roots.truncate(numTrees);
  heights.truncate(treeNodes.back());
  childOffsets.truncate(treeNodes.back() + int64_t{1});
  childNodes.truncate(treeEdges.back());
}

cambium_status_t TreeList::appendParents(const TreeRules &rules, int64_t nodes,
                                         const int32_t *parents) {
  CAMBIUM_TRY(checkSize(rules, nodes, nodes));
  if (!parents)
    return failNull(rules, "parents");
  int64_t edges = 0;
  for (int64_t i = 0; i < nodes; ++i) {
    if (parents[i] < -1 || parents[i] >= nodes)
      return fail(CAMBIUM_STATUS_OUT_OF_RANGE,
                  "%s: the parent of node %lld is %d, expected -1 or a node in "
                  "[0, %lld)",
                  where(rules).c_str(), static_cast<long long>(i), parents[i],
                  static_cast<long long>(nodes));
    edges += parents[i] >= 0;
  }
  if (!reserveTree(nodes, edges))
    return failOutOfMemory("trees");

  // Child lists in index order: count, sum up, fill from the back.
  int32_t firstNode = treeNodes.back();
  (void)childOffsets.resize(childOffsets.size() + nodes);
  (void)childNodes.resize(childNodes.size() + edges);
  int32_t *offsets = childOffsets.data() + firstNode;
  int32_t firstEdge = treeEdges.back();
  std::fill(offsets, offsets + nodes + 1, 0);
  for (int64_t i = 0; i < nodes; ++i)
    if (parents[i] >= 0)
      ++offsets[parents[i]];
  int32_t end = firstEdge;
  for (int64_t i = 0; i < nodes; ++i)
    offsets[i] = end += offsets[i];
  offsets[nodes] = end;
  for (int64_t i = nodes; i-- > 0;)
    if (parents[i] >= 0)
      childNodes[--offsets[parents[i]]] = static_cast<int32_t>(firstNode + i);

  return complete(rules, nodes, [&](int32_t node, auto visit) {
    if (parents[node] >= 0)
      visit(parents[node]);
  });
}

cambium_status_t TreeList::appendChildren(const TreeRules &rules, int64_t nodes,
                                          const int32_t *offsets,
                                          const int32_t *children) {
  CAMBIUM_TRY(checkSize(rules, nodes, 0));
  if (!offsets)
    return failNull(rules, "child_offsets");
  for (int64_t i = 0; i < nodes; ++i)
    if (offsets[i + 1] < offsets[i])
      return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                  "%s: child offset %lld is %d, expected at least %d, the one "
                  "before",
                  where(rules).c_str(), static_cast<long long>(i + 1),
                  offsets[i + 1], offsets[i]);
  int64_t edges = int64_t{offsets[nodes]} - offsets[0];
  CAMBIUM_TRY(checkSize(rules, nodes, edges));
  if (!children && edges > 0)
    return failNull(rules, "child_nodes");
  if (children)
    children += offsets[0];
  for (int64_t e = 0; e < edges; ++e)
    if (children[e] < 0 || children[e] >= nodes)
      return fail(CAMBIUM_STATUS_OUT_OF_RANGE,
                  "%s: child %lld in the lists is node %d, expected a node in "
                  "[0, %lld)",
                  where(rules).c_str(), static_cast<long long>(e), children[e],
                  static_cast<long long>(nodes));
  if (!reserveTree(nodes, edges))
    return failOutOfMemory("trees");

  int32_t firstNode = treeNodes.back(), firstEdge = treeEdges.back();
  for (int64_t i = 0; i < nodes; ++i)
    (void)childOffsets.push(firstEdge + (offsets[i + 1] - offsets[0]));
  for (int64_t e = 0; e < edges; ++e)
    (void)childNodes.push(firstNode + children[e]);
  if (!collectParents(nodes)) {
    truncate(numTrees());
    return failOutOfMemory("trees");
  }
  return complete(rules, nodes, [&](int32_t node, auto visit) {
    for (int32_t i = parentOffsets[node]; i < parentOffsets[node + 1]; ++i)
      visit(parentNodes[i]);
  });
}

/// The parents of each node of the tree at hand, in scratch.
bool TreeList::collectParents(int64_t nodes) {
  int32_t firstNode = treeNodes.back(), firstEdge = treeEdges.back();
  int64_t edges = childNodes.size() - firstEdge;
  if (!parentOffsets.assign(nodes + 1, 0) || !parentNodes.resize(edges))
    return false;
  const int32_t *children = childNodes.data() + firstEdge;
  for (int64_t e = 0; e < edges; ++e)
    ++parentOffsets[children[e] - firstNode];
  int32_t end = 0;
  for (int64_t i = 0; i < nodes; ++i)
    parentOffsets[i] = end += parentOffsets[i];
  parentOffsets[nodes] = end;
  const int32_t *offsets = childOffsets.data() + firstNode;
  for (int64_t i = nodes; i-- > 0;)
    for (int32_t e = offsets[i]; e < offsets[i + 1]; ++e)
      parentNodes[--parentOffsets[childNodes[e] - firstNode]] =
          static_cast<int32_t>(i);
  return true;
}

/// Heights and root of the tree whose child lists were appended last. A node is
/// taken when its last child is, so that each is taken once, after its
/// children.
template <typename ForEachParent>
cambium_status_t TreeList::complete(const TreeRules &rules, int64_t nodes,
                                    ForEachParent forEachParent) {
  int32_t firstNode = treeNodes.back();
  const int32_t *offsets = childOffsets.data() + firstNode;
  (void)heights.resize(heights.size() + nodes);
  int32_t *height = heights.data() + firstNode;
  (void)pending.resize(nodes);
  queue.clear();
  for (int64_t i = 0; i < nodes; ++i) {
    height[i] = 0;
    pending[i] = offsets[i + 1] - offsets[i];
    if (pending[i] == 0)
      (void)queue.push(static_cast<int32_t>(i));
  }
  for (int64_t head = 0; head < queue.size(); ++head) {
    int32_t node = queue[head];
    forEachParent(node, [&](int32_t parent) {
      height[parent] = std::max(height[parent], height[node] + 1);
      if (--pending[parent] == 0)
        (void)queue.push(parent);
    });
  }
  cambium_status_t status = CAMBIUM_STATUS_OK;
  if (queue.size() < nodes)
    status = failCycle(rules);
  if (!status)
    status = checkArity(rules, nodes);
  if (!status)
    status = findRoot(rules, nodes);
  if (status) {
    truncate(numTrees());
    return status;
  }
  (void)treeNodes.push(static_cast<int32_t>(heights.size()));
  (void)treeEdges.push(static_cast<int32_t>(childNodes.size()));
  return CAMBIUM_STATUS_OK;
}

cambium_status_t TreeList::checkArity(const TreeRules &rules,
                                      int64_t nodes) const {
  if (rules.maxArity < 0)
    return CAMBIUM_STATUS_OK;
  const int32_t *offsets = childOffsets.data() + treeNodes.back();
  for (int64_t i = 0; i < nodes; ++i)
    if (offsets[i + 1] - offsets[i] > rules.maxArity)
      return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                  "%s: node %lld has %d children, expected at most %lld",
                  where(rules).c_str(), static_cast<long long>(i),
                  offsets[i + 1] - offsets[i],
                  static_cast<long long>(rules.maxArity));
  return CAMBIUM_STATUS_OK;
}

/// Appends the root of the tree at hand, which has no cycle and so has a root.
cambium_status_t TreeList::findRoot(const TreeRules &rules, int64_t nodes) {
  int32_t firstNode = treeNodes.back();
  for (int64_t i = 0; i < nodes; ++i)
    pending[i] = 0; // whether the node is a child
  for (int64_t e = treeEdges.back(); e < childNodes.size(); ++e)
    pending[childNodes[e] - firstNode] = 1;
  int64_t first = -1, second = -1, count = 0;
  for (int64_t i = 0; i < nodes; ++i) {
    if (pending[i])
      continue;
    if (count == 0)
      first = i;
    else if (count == 1)
      second = i;
    ++count;
  }
  if (count > 1 && !rules.severalRoots)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "%s: expected one root, but got %lld (the first are nodes %lld "
                "and %lld)",
                where(rules).c_str(), static_cast<long long>(count),
                static_cast<long long>(first), static_cast<long long>(second));
  (void)roots.push(static_cast<int32_t>(firstNode + first));
  return CAMBIUM_STATUS_OK;
}
