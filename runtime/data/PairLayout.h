//===-- runtime/data/PairLayout.h - Columns of pairs ------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which column of a file of sentence pairs is which: by the names in its first
/// line, or by those of ReaderOptions::layout, which win, in any order. Nothing
/// is guessed from the contents: sentences are in the columns sentence_A and
/// sentence_B, or as trees in brackets in tree_A and tree_B.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_DATA_PAIRLAYOUT_H
#define CAMBIUM_DATA_PAIRLAYOUT_H

#include "Text.h"

namespace cambium::data {

class PairLayout {
public:
  /// What a column may hold.
  enum Role { kSentenceA, kSentenceB, kScore, kLabel, kId, kNumRoles };

  /// Learns the names from the first line of a file, or from `layout` if that
  /// is not empty. `isHeader` tells whether the line has names.
  Status findNames(const Line &line, const std::string &layout, bool &isHeader);
  /// The columns of a line: as many as there are names.
  Status cut(const Line &line, std::vector<Column> &columns) const;
  /// The column of a line that plays a role; null if it has none.
  const Column *at(Role role, const std::vector<Column> &columns) const;
  bool has(Role role) const { return place[role] >= 0; }
  /// The names of all columns.
  const std::vector<std::string> &columnNames() const { return names; }
  /// The score is SICK's, from 0 to 5.
  bool isRelatedness() const { return hasRelatedness; }
  /// The sentences are trees in brackets.
  bool isBracketed() const { return hasBrackets; }

private:
  /// Whether the columns name both sentences. `twice` becomes the names of two
  /// columns of the same meaning, and `second` the place of the second one.
  bool take(const std::vector<std::string> &columns, std::string &twice,
            size_t &second);

  int place[kNumRoles] = {-1, -1, -1, -1, -1}; ///< -1: none.
  std::vector<std::string> names;
  bool hasRelatedness = false, hasBrackets = false;
};

} // namespace cambium::data

#endif // CAMBIUM_DATA_PAIRLAYOUT_H
