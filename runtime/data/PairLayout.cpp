//===-- runtime/data/PairLayout.cpp - Columns of pairs --------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairLayout.h"

using namespace cambium::data;
using Role = PairLayout::Role;

namespace {

/// What the name of a column says, in lower case.
struct KnownName {
  std::string_view text;
  Role role;
  bool isTree = false;
};

} // namespace

static const KnownName kKnown[] = {{"sentence_a", Role::kSentenceA},
                                   {"sentence1", Role::kSentenceA},
                                   {"premise", Role::kSentenceA},
                                   {"sentence_b", Role::kSentenceB},
                                   {"sentence2", Role::kSentenceB},
                                   {"hypothesis", Role::kSentenceB},
                                   {"tree_a", Role::kSentenceA, true},
                                   {"tree1", Role::kSentenceA, true},
                                   {"tree_b", Role::kSentenceB, true},
                                   {"tree2", Role::kSentenceB, true},
                                   {"relatedness_score", Role::kScore},
                                   {"score", Role::kScore},
                                   {"entailment_judgment", Role::kLabel},
                                   {"label", Role::kLabel},
                                   {"gold_label", Role::kLabel},
                                   {"pair_id", Role::kId},
                                   {"pairid", Role::kId},
                                   {"id", Role::kId}};

static const KnownName *findName(std::string_view column) {
  const std::string lower = lowerCase(column);
  for (const KnownName &known : kKnown)
    if (lower == known.text)
      return &known;
  return nullptr;
}

bool PairLayout::take(const std::vector<std::string> &columns,
                      std::string &twice, size_t &second) {
  *this = PairLayout();
  names = columns;
  bool isTree[2] = {false, false};
  for (size_t i = 0; i < columns.size(); ++i) {
    const KnownName *known = findName(columns[i]);
    if (!known)
      continue;
    int &at = place[known->role];
    const bool isSentence = known->role <= kSentenceB;
    const bool isOther =
        isSentence && at >= 0 && isTree[known->role] != known->isTree;
    // Beside its tree, a sentence is a further column.
    if (isOther && !known->isTree)
      continue;
    if (at >= 0 && !isOther) {
      second = i;
      twice = quote(columns[i]) + " beside " +
              quote(columns[static_cast<size_t>(at)]);
    }
    at = static_cast<int>(i);
    if (isSentence)
      isTree[known->role] = known->isTree;
    hasRelatedness |= known->text == "relatedness_score";
  }
  hasBrackets = isTree[0] && isTree[1];
  return has(kSentenceA) && has(kSentenceB) && isTree[0] == isTree[1];
}

Status PairLayout::findNames(const Line &line, const std::string &layout,
                             bool &isHeader) {
  std::vector<std::string> columns;
  for (const Column &column : cutColumns(line.text))
    columns.emplace_back(column.text);
  if (columns.front().substr(0, 1) == "%")
    columns.front().erase(0, 1);
  std::string twice;
  size_t second = 0;
  isHeader = take(columns, twice, second);
  constexpr std::string_view kNames =
      "the names of the columns, sentence_A and sentence_B or tree_A and "
      "tree_B among them, in the first line or by --layout";
  if (!isHeader && layout.empty())
    return line.expected(0, kNames, quote(line.text));
  // The user knows better than the names in the file.
  if (!layout.empty())
    twice.clear();
  if (!layout.empty() && !take(cutNames(layout), twice, second))
    return line.expected(0, kNames, "the layout " + quote(layout));
  if (!twice.empty())
    return line.expected(layout.empty() ? cutColumns(line.text)[second].offset
                                        : 0,
                         "one column of that meaning", twice);
  return Status();
}

Status PairLayout::cut(const Line &line, std::vector<Column> &columns) const {
  columns = cutColumns(line.text);
  if (columns.size() != names.size())
    return line.expected(line.text.size(),
                         std::to_string(names.size()) +
                             " columns, as there are names",
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
