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
/// line, in any order; or without names sentence, sentence, score, label. Where
/// the sentences of the first pair are trees in brackets, all are; without
/// names the columns are then label, tree, tree, and, if the next one is a
/// number, score, id.
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

  /// Learns the names from the first line of a file. `isHeader` tells whether
  /// it has any.
  Status findNames(const Line &line, bool &isHeader);
  /// Learns from the columns of the first pair whether there are trees.
  void findTrees(const std::vector<Column> &columns);
  /// The columns of a line: as many as there are names, or both sentences at
  /// least.
  Status cut(const Line &line, std::vector<Column> &columns) const;
  /// The column of a line that plays a role; null if it has none.
  const Column *at(Role role, const std::vector<Column> &columns) const;
  bool has(Role role) const { return place[role] >= 0; }
  /// The names of all columns; empty if the file does not name them.
  const std::vector<std::string> &columnNames() const { return names; }
  /// The score is SICK's, from 1 to 5.
  bool isRelatedness() const { return hasRelatedness; }
  /// The sentences are trees in brackets.
  bool isBracketed() const { return hasBrackets; }

private:
  int place[kNumRoles] = {0, 1, 2, 3, -1}; ///< -1: none.
  std::vector<std::string> names;
  bool hasRelatedness = false, hasBrackets = false;
};

/// The class of a label: a number, or contradiction, neutral, entailment; -1 if
/// it is none.
int32_t classOfPair(std::string_view label);

} // namespace cambium::data

#endif // CAMBIUM_DATA_PAIRLAYOUT_H
