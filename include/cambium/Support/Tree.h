//===-- include/cambium/Support/Tree.h - Trees of the interpreter --------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_SUPPORT_TREE_H
#define CAMBIUM_SUPPORT_TREE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <vector>

namespace cambium {

/// A tree, or a graph with one root whose nodes may share children. Nodes are
/// numbered as the user does; edges are grouped by parent in that order, then
/// by place among the children. A tree without nodes is one without a root.
class Tree {
public:
  /// The tree with these children of each node. Fails for an index out of
  /// range, a cycle, or several roots.
  static llvm::Expected<Tree>
  fromChildren(llvm::ArrayRef<std::vector<int64_t>> children);
  /// The tree with this parent of each node, -1 for the root; children are in
  /// the order of their numbers. Fails as `fromChildren`.
  static llvm::Expected<Tree> fromParents(llvm::ArrayRef<int64_t> parents);
  /// The chain of `numNodes` nodes whose root is the last one, or the first one
  /// if `reversed`.
  static Tree chain(int64_t numNodes, bool reversed);
  /// The spans of `numRows` rows, 1 or more, by length, then by their first
  /// row. The children of a span are, for each place to cut it, the span before
  /// and the span behind.
  static Tree chart(int64_t numRows);

  int64_t getNumNodes() const { return offsets.size() - 1; }
  int64_t getNumEdges() const { return targets.size(); }
  /// The children of a node, in order; the number of the edge to the first of
  /// them.
  llvm::ArrayRef<int64_t> getChildren(int64_t node) const {
    return llvm::ArrayRef<int64_t>(targets).slice(
        offsets[node], offsets[node + 1] - offsets[node]);
  }
  int64_t getFirstEdge(int64_t node) const { return offsets[node]; }
  /// The child of every edge.
  llvm::ArrayRef<int64_t> getEdgeTargets() const { return targets; }
  /// All nodes, each after its children.
  llvm::ArrayRef<int64_t> getBottomUpOrder() const { return order; }
  /// The only node without parents, -1 if there are no nodes.
  int64_t getRoot() const { return order.empty() ? -1 : order.back(); }

private:
  /// Fills `order` from the children; iterative.
  llvm::Error sort();

  std::vector<int64_t> offsets{0}, targets, order;
};

} // namespace cambium

#endif // CAMBIUM_SUPPORT_TREE_H
