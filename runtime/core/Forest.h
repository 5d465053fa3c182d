//===-- runtime/core/Forest.h - Level-ordered trees -------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Trees are collected in the user's numbering (`TreeList`), one by one and
/// checked, then put in level order all together. Both steps are linear in the
/// number of nodes and edges and use no recursion.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_FOREST_H
#define CAMBIUM_RUNTIME_CORE_FOREST_H

#include "Support.h"
#include "cambium/abi.h"

namespace cambium::runtime {

/// What a tree must satisfy, and how messages name it.
struct TreeRules {
  const char *name = "tree";
  /// What one tree belongs to: "example", "tree", "segment".
  const char *unit = "example";
  /// Most children of a node; negative: any number.
  int64_t maxArity = -1;
  bool severalRoots = false;
};

/// Checked trees in the user's numbering, with the height of every node. After
/// a failure the list is as it was before the call.
class TreeList {
public:
  /// Adds a tree given by parent indices (-1: root).
  cambium_status_t appendParents(const TreeRules &rules, int64_t numNodes,
                                 const int32_t *parents);
  /// Adds a graph given by child lists: the children of node i are
  /// childNodes[childOffsets[i] ... childOffsets[i + 1]).
  cambium_status_t appendChildren(const TreeRules &rules, int64_t numNodes,
                                  const int32_t *childOffsets,
                                  const int32_t *childNodes);
  /// Drops the trees from `numTrees` on.
  void truncate(int64_t numTrees);
  void clear() { truncate(0); }

  int64_t numTrees() const { return roots.size(); }
  int64_t numNodes() const { return heights.size(); }
  int64_t numEdges() const { return childNodes.size(); }
  /// numTrees + 1 numbers; null when nothing was ever added.
  const int32_t *nodeOffsets() const { return treeNodes.data(); }
  const int32_t *edgeOffsets() const { return treeEdges.data(); }
  int64_t numLevels() const;

  /// The number of 32-bit words that `order` needs for its arrays.
  int64_t numWords() const;
  /// Fills `forest`; its arrays are placed in `words`.
  void order(cambium_abi_forest_t &forest, int32_t *words) const;

private:
  bool reserveTree(int64_t nodes, int64_t edges);
  cambium_status_t checkSize(const TreeRules &rules, int64_t nodes,
                             int64_t edges) const;
  template <typename ForEachParent>
  cambium_status_t complete(const TreeRules &rules, int64_t nodes,
                            ForEachParent forEachParent);
  cambium_status_t checkArity(const TreeRules &rules, int64_t nodes) const;
  cambium_status_t findRoot(const TreeRules &rules, int64_t nodes);
  cambium_status_t failCycle(const TreeRules &rules);
  bool collectParents(int64_t nodes);
  cambium_status_t failNull(const TreeRules &rules, const char *argument) const;
  std::string where(const TreeRules &rules) const;

  Buffer<int32_t> treeNodes;    // numTrees + 1: first node of each tree
  Buffer<int32_t> treeEdges;    // numTrees + 1: first edge of each tree
  Buffer<int32_t> childOffsets; // numNodes + 1
  Buffer<int32_t> childNodes;   // numEdges, indices over all trees
  Buffer<int32_t> heights;      // numNodes
  Buffer<int32_t> roots;        // numTrees, indices over all trees

  // Scratch of the tree at hand, indexed within the tree.
  Buffer<int32_t> pending;
  Buffer<int32_t> queue;
  Buffer<int32_t> parentOffsets;
  Buffer<int32_t> parentNodes;
};

/// The forest in which every segment of `rows` is a unary tree, in two steps:
/// its counts, then its arrays, placed in `words`.
void measureChain(cambium_abi_forest_t &forest, const cambium_abi_rows_t &rows);
void orderChain(cambium_abi_forest_t &forest, int32_t *words,
                const cambium_abi_rows_t &rows, bool reversed);

/// Whether the partition makes sense; else an error.
cambium_status_t checkRows(const cambium_abi_rows_t &rows, const char *what);

/// Places the arrays of a forest, whose counts are set, in `words`.
void placeForest(cambium_abi_forest_t &forest, int32_t *words);
int64_t forestWords(int64_t nodes, int64_t edges, int64_t levels,
                    int64_t trees);
inline int64_t forestWords(const cambium_abi_forest_t &forest) {
  return forestWords(forest.num_nodes, forest.num_edges, forest.num_levels,
                     forest.num_trees);
}

/// The rows of the longest segment.
int64_t longestSegment(const cambium_abi_rows_t &rows);

/// The arrays are ours to fill; the ABI shows them as constant.
inline int32_t *fill(const int32_t *array) {
  return const_cast<int32_t *>(array);
}

/// Fills parent_offsets and parent_edges from child_nodes.
void linkParents(cambium_abi_forest_t &forest);
/// Counts the nodes and edges of the widest levels.
void measureLevels(cambium_abi_forest_t &forest);

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_FOREST_H
