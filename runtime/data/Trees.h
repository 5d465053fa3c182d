//===-- runtime/data/Trees.h - Trees as parent arrays -----------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Trees that files give as the number of each node's parent: numbers from 1, 0
/// at the root.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DATA_TREES_H
#define CAMBIUM_DATA_TREES_H

#include "Text.h"

namespace cambium::data {

/// Reads parent numbers that stand at `columns` of a line, one per node, as
/// indices, -1 at the root. Anything but one tree is an error: a number out of
/// range, no root or a second one, a cycle. `what` names the nodes in messages
/// ("word", "node").
Status readParents(const Line &line, const std::vector<Column> &columns,
                   const char *what, std::vector<int32_t> &parents);

/// A tree whose words stand at its leaves.
struct LeafTree {
  std::vector<int32_t> parents;
  std::vector<int32_t> leaves; ///< The number of the word; -1 at inner nodes.
};

/// Puts a tree whose first `numLeaves` nodes are its leaves, in the order of
/// the words, into preorder with children in the order of their words: which
/// the numbers of inner nodes do not follow. False if another node is a leaf,
/// or one of the leaves is not.
bool orderByLeaves(const std::vector<int32_t> &parents, size_t numLeaves,
                   LeafTree &result);

} // namespace cambium::data

#endif // CAMBIUM_DATA_TREES_H
