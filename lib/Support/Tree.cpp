//===-- lib/Support/Tree.cpp - Trees of the interpreter ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cambium/Support/Tree.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cambium;

template <typename... Args>
static llvm::Error treeError(const char *format, Args &&...args) {
  return llvm::createStringError(
      llvm::formatv(format, std::forward<Args>(args)...).str());
}

llvm::Expected<Tree>
Tree::fromChildren(llvm::ArrayRef<std::vector<int64_t>> children) {
  Tree tree;
  int64_t numNodes = children.size();
  for (int64_t node = 0; node < numNodes; ++node) {
    for (int64_t child : children[node]) {
      if (child < 0 || child >= numNodes)
        // [TREE-STRUCTURE-C1]
        return treeError(
            "expected the children of node {0} in [0, {1}), but got {2}", node,
            numNodes, child);
      tree.targets.push_back(child);
    }
    tree.offsets.push_back(tree.targets.size());
  }
  if (llvm::Error error = tree.sort())
    return error;
  return tree;
}

llvm::Expected<Tree> Tree::fromParents(llvm::ArrayRef<int64_t> parents) {
  int64_t numNodes = parents.size();
  std::vector<std::vector<int64_t>> children(numNodes);
  for (int64_t node = 0; node < numNodes; ++node) {
    int64_t parent = parents[node];
    if (parent < -1 || parent >= numNodes)
      // [TREE-STRUCTURE-C4]
      return treeError(
          "expected the parent of node {0} in [-1, {1}), but got {2}", node,
          numNodes, parent);
    if (parent >= 0)
      children[parent].push_back(node);
  }
  return fromChildren(children);
}

Tree Tree::chain(int64_t numNodes, bool reversed) {
  Tree tree;
  for (int64_t node = 0; node < numNodes; ++node) {
    int64_t child = reversed ? node + 1 : node - 1;
    if (child >= 0 && child < numNodes)
      tree.targets.push_back(child);
    tree.offsets.push_back(tree.targets.size());
    tree.order.push_back(reversed ? numNodes - 1 - node : node);
  }
  return tree;
}

Tree Tree::chart(int64_t numRows) {
  Tree tree;
  auto spanAt = [&](int64_t first, int64_t length) {
    int64_t span = first;
    for (int64_t shorter = 1; shorter < length; ++shorter)
      span += numRows - shorter + 1;
    return span;
  };
  for (int64_t length = 1; length <= numRows; ++length)
    for (int64_t first = 0; first + length <= numRows; ++first) {
      for (int64_t before = 1; before < length; ++before) {
        tree.targets.push_back(spanAt(first, before));
        tree.targets.push_back(spanAt(first + before, length - before));
      }
      tree.offsets.push_back(tree.targets.size());
      tree.order.push_back(tree.order.size());
    }
  return tree;
}

llvm::Error Tree::sort() {
  int64_t numNodes = getNumNodes();
  std::vector<int64_t> numParents(numNodes, 0);
  for (int64_t child : targets)
    ++numParents[child];
  int64_t root = -1;
  for (int64_t node = 0; node < numNodes; ++node) {
    if (numParents[node])
      continue;
    if (root >= 0)
      // [TREE-STRUCTURE-C2]
      return treeError(
          "expected one root, but nodes {0} and {1} have no parent", root,
          node);
    root = node;
  }
  // Parents first, a node once all its parents are there; then turned round.
  if (root >= 0)
    order.push_back(root);
  for (size_t next = 0; next < order.size(); ++next)
    for (int64_t child : getChildren(order[next]))
      if (--numParents[child] == 0)
        order.push_back(child);
  if (static_cast<int64_t>(order.size()) != numNodes) {
    for (int64_t node = 0; node < numNodes; ++node)
      if (numParents[node])
        // [TREE-STRUCTURE-C3]
        return treeError("expected no cycle, but node {0} is on or below one",
                         node);
  }
  std::reverse(order.begin(), order.end());
  return llvm::Error::success();
}
