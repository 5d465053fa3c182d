//===-- BindSets.cpp - Sets of lines as examples of an entry --------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where an example is a set of lines, what a line has one of is a row of the
/// set, and what a line has rows of are rows of that row.
///
//===----------------------------------------------------------------------===//

#include "Binding.h"

#include <algorithm>
#include <numeric>

using namespace cambium;
using namespace cambium::train;
using data::Field;

/// The space whose rows are the lines of a set.
static bool isOfSet(const EntrySpec &entry, int32_t space) {
  return space >= 0 && entry.outerSpaces[space] == CAMBIUM_SPACE_EXAMPLE;
}

bool Binding::wantsRows(const TensorSpec &spec) const {
  return spec.space >= 0 && !(takesSets && isOfSet(*entry, spec.space));
}

/// An entry takes sets if an input has rows of rows, or if its rows are fed by
/// what a line has one of.
Status Binding::findSets(const Feeds &feeds) {
  auto inner =
      std::find_if(entry->outerSpaces.begin(), entry->outerSpaces.end(),
                   [](int32_t in) { return in >= 0; });
  takesSets = inner != entry->outerSpaces.end();
  if (takesSets && !feeds.sets.areGiven())
    return Status::error("expected --set N or --set-by COLUMN, because '" +
                         entry->name + "' takes sets: its rows '" +
                         entry->spaces[static_cast<size_t>(*inner)] +
                         "' have rows");
  for (const TensorSpec &input : entry->inputs) {
    const Field *field = fieldOf(*dataset, feeds, input.name);
    takesSets |=
        feeds.sets.areGiven() && input.space >= 0 && field && !field->perRow;
  }
  if (takesSets && !entry->trees.empty())
    return Status::error("expected a set as rows of '" + entry->name +
                         "', but got the tree '" + entry->trees[0].name +
                         "' (tree.from_parents makes trees of heads)");
  return takesSets ? Sets::create(*dataset, feeds.sets, sets) : Status();
}

/// How many rows each line of the set has.
Status Binding::countRows(Batch &batch, const int32_t *lines, int64_t count) {
  for (size_t space = 0; space < entry->outerSpaces.size(); ++space) {
    if (entry->outerSpaces[space] < 0)
      continue;
    const Field *first = nullptr;
    std::vector<int32_t> counts;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Field *field = inputs[i].field;
      if (!field || entry->inputs[i].space != static_cast<int32_t>(space))
        continue;
      for (int64_t line = 0; line < count; ++line) {
        const int64_t rows = field->rows(lines[line]);
        if (!first)
          counts.push_back(static_cast<int32_t>(rows));
        else if (rows != counts[line])
          return Status::error("expected as many values in '" + field->name +
                               "' as in '" + first->name + "' of line " +
                               std::to_string(line + 1) + " of the set, " +
                               std::to_string(counts[line]) + ", but got " +
                               std::to_string(rows));
      }
      if (!first)
        first = field;
    }
    if (Status status = batch.setRowCounts(space, counts); !status.ok())
      return status;
  }
  return Status();
}

Status Binding::addSet(Batch &batch, const int32_t *lines, int64_t count) {
  Status status = batch.begin(static_cast<uint64_t>(lines[0]));
  if (status.ok())
    status = countRows(batch, lines, count);
  for (size_t i = 0; i < inputs.size() && status.ok(); ++i) {
    const auto &[field, value, formula] = inputs[i];
    const TensorSpec &spec = entry->inputs[i];
    if (!field) {
      status = batch.setInput(i, 1, value.data());
      continue;
    }
    int64_t rows = 0;
    members.clear();
    for (int64_t line = 0; line < count; ++line) {
      const int64_t own = field->rows(lines[line]);
      const char *data =
          static_cast<const char *>(convert(*field, lines[line], spec.type));
      members.insert(members.end(), data,
                     data + own * field->width * cambium_type_size(spec.type));
      rows += own;
    }
    status = batch.setInput(i, rows, members.data());
  }
  return status.ok() ? batch.end() : status;
}

std::vector<int32_t> Binding::linesInOrder() const {
  std::vector<int32_t> lines(dataset->size());
  std::iota(lines.begin(), lines.end(), 0);
  if (!takesSets)
    return lines;
  std::vector<int32_t> ordered;
  for (const std::vector<int32_t> &set : sets.of(lines))
    ordered.insert(ordered.end(), set.begin(), set.end());
  return ordered;
}

int64_t Binding::countFrom(const std::vector<int32_t> &lines, int64_t first,
                           int64_t wanted) const {
  const auto all = static_cast<int64_t>(lines.size());
  int64_t end = std::min(first + wanted, all);
  if (!takesSets)
    return end - first;
  end = first;
  while (end < all && end - first < wanted)
    end = sets.endOf(lines.data(), all, end);
  return end - first;
}
