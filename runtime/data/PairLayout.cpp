//===-- runtime/data/PairLayout.cpp - Columns of pairs --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairLayout.h"

#include <algorithm>

using namespace cambium::data;
using Role = PairLayout::Role;

/// The role of a column by its name, in lower case; kNumRoles if it has none.
static Role roleOf(std::string_view name) {
  static const std::pair<std::string_view, Role> known[] = {
      {"sentence_a", Role::kSentenceA},
      {"sentence1", Role::kSentenceA},
      {"sentence_b", Role::kSentenceB},
      {"sentence2", Role::kSentenceB},
      {"premise", Role::kSentenceA},
      {"hypothesis", Role::kSentenceB},
      {"relatedness_score", Role::kScore},
      {"score", Role::kScore},
      {"entailment_judgment", Role::kLabel},
      {"label", Role::kLabel},
      {"gold_label", Role::kLabel},
      {"pair_id", Role::kId},
      {"pairid", Role::kId},
      {"id", Role::kId}};
  for (const auto &[text, role] : known)
    if (text == name)
      return role;
  return Role::kNumRoles;
}

int32_t cambium::data::classOfPair(std::string_view label) {
  const std::string lower = lowerCase(label);
  const char *names[] = {"contradiction", "neutral", "entailment"};
  for (int32_t i = 0; i < 3; ++i)
    if (lower == names[i])
      return i;
  int32_t number = -1;
  return parseInt(label, number) && number >= 0 ? number : -1;
}

Status PairLayout::findNames(const Line &line, bool &isHeader) {
  PairLayout named;
  std::fill(std::begin(named.place), std::end(named.place), -1);
  const std::vector<Column> columns = cutColumns(line.text);
  Status status;
  for (const Column &column : columns) {
    std::string_view name = column.text;
    if (column.offset == 0 && name.substr(0, 1) == "%")
      name.remove_prefix(1);
    const std::string lower = lowerCase(name);
    if (Role role = roleOf(lower); role != kNumRoles) {
      if (named.has(role) && status.ok())
        status = line.expected(column.offset, "one column of that meaning",
                               quote(name) + " beside " +
                                   quote(named.names[named.place[role]]));
      named.place[role] = static_cast<int>(named.names.size());
    }
    named.hasRelatedness |= lower == "relatedness_score";
    named.names.emplace_back(name);
  }
  isHeader = named.has(kSentenceA) && named.has(kSentenceB);
  *this = isHeader ? std::move(named) : PairLayout();
  return isHeader ? status : Status();
}

/// Whether a column is in brackets, but for spaces around them.
static bool isTree(const Column &column) {
  const size_t first = column.text.find_first_not_of(" \t");
  const size_t last = column.text.find_last_not_of(" \t");
  return first != std::string_view::npos && column.text[first] == '(' &&
         column.text[last] == ')';
}

void PairLayout::findTrees(const std::vector<Column> &columns) {
  const size_t a = names.empty() ? 1 : place[kSentenceA];
  const size_t b = names.empty() ? 2 : place[kSentenceB];
  hasBrackets = std::max(a, b) < columns.size() && isTree(columns[a]) &&
                isTree(columns[b]) &&
                (!names.empty() || classOfPair(columns[0].text) >= 0);
  if (!hasBrackets || !names.empty())
    return;
  float score;
  const bool hasScore =
      columns.size() > 3 && parseFloat(columns[3].text, score);
  const int trees[kNumRoles] = {1, 2, hasScore ? 3 : -1, 0, hasScore ? 4 : -1};
  std::copy(std::begin(trees), std::end(trees), place);
}

Status PairLayout::cut(const Line &line, std::vector<Column> &columns) const {
  columns = cutColumns(line.text);
  const bool isNamed = !names.empty();
  const size_t least = isNamed ? names.size() : hasBrackets ? 3 : 2;
  if (columns.size() < least || (isNamed && columns.size() > least))
    return line.expected(line.text.size(),
                         std::to_string(least) + " columns" +
                             (isNamed ? "" : " at least"),
                         std::to_string(columns.size()));
  return Status();
}

const Column *PairLayout::at(Role role,
                             const std::vector<Column> &columns) const {
  const int index = place[role];
  return index >= 0 && index < static_cast<int>(columns.size())
             ? &columns[index]
             : nullptr;
}
