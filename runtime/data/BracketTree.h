//===-- runtime/data/BracketTree.h - Trees in brackets ----------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The trees that readers parse from brackets, and their binarization.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DATA_BRACKETTREE_H
#define CAMBIUM_DATA_BRACKETTREE_H

#include "Text.h"

namespace cambium::data {

/// A tree as it was written: nodes in preorder.
struct BracketTree {
  std::vector<int32_t> parents; ///< -1 at the root.
  std::vector<std::string_view> labels;
  std::vector<std::string_view> words; ///< Empty at inner nodes.

  int64_t size() const { return static_cast<int64_t>(parents.size()); }
  void clear();
  /// Appends a node and returns its index.
  int32_t add(int32_t parent, std::string_view label, std::string_view word);
};

/// What stands between brackets.
enum class BracketStyle {
  /// tree = "(" label ( word | tree+ ) ")".
  Labelled,
  /// The same, where any label may be missing.
  MaybeLabelled,
  /// tree = word | "(" tree+ ")".
  Plain
};

/// Parses the tree that is in `line` from byte `begin` to byte `end`, without
/// recursion. Only spaces and tabs separate words: any other character belongs
/// to them, U+00A0 included.
Status parseBrackets(const Line &line, size_t begin, size_t end,
                     BracketStyle style, BracketTree &tree);

/// Parses an expression "[MAX 2 [MIN 4 7 ] 0 ]": words between spaces; one that
/// begins with '[' is an operator, a node whose children stand before its "]".
Status parseOperators(const Line &line, size_t begin, size_t end,
                      BracketTree &tree);

/// Applies `collapseUnary`, then `binarize` (see ReaderOptions).
void reshapeTree(const ReaderOptions &options, BracketTree &tree);

/// Describes a tree for a picture: its words are the title, and what stands
/// below each node is written in brackets, in the style that it was parsed in.
/// False if the tree is too large for a picture.
bool describeTree(const BracketTree &tree, BracketStyle style,
                  TreeText &result);

} // namespace cambium::data

#endif // CAMBIUM_DATA_BRACKETTREE_H
