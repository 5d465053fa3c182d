//===-- Sets.cpp - Examples that are sets of lines ------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sets.h"
#include "Names.h"

#include <limits>
#include <map>

using namespace cambium;
using namespace cambium::train;

Status Sets::create(const data::Dataset &dataset, const SetOptions &options,
                    Sets &result) {
  result.size =
      options.size > 0 ? options.size : std::numeric_limits<int64_t>::max();
  result.field = nullptr;
  if (options.by.empty())
    return Status();
  const data::Field *field = dataset.find(options.by);
  if (!field)
    return Status::error("expected --set-by with a field of " + dataset.source +
                         ", one of " + dataset.fieldNames() + ", but got '" +
                         options.by + "'" +
                         didYouMean(options.by, data::namesOf(dataset)));
  if (field->kind != data::FieldKind::I32 || field->perRow || field->width != 1)
    return Status::error("expected --set-by with a number or a class per line, "
                         "but the field '" +
                         options.by + "' is none");
  result.field = field;
  return Status();
}

std::vector<std::vector<int32_t>>
Sets::of(const std::vector<int32_t> &order) const {
  std::vector<std::vector<int32_t>> sets;
  // The set that lines with a number are put into.
  std::map<int32_t, size_t> open;
  for (int32_t line : order) {
    auto [place, isNew] =
        open.try_emplace(field ? *field->intsOf(line) : 0, sets.size());
    if (!isNew && static_cast<int64_t>(sets[place->second].size()) >= size)
      place->second = sets.size();
    if (place->second == sets.size())
      sets.emplace_back();
    sets[place->second].push_back(line);
  }
  return sets;
}

/// Lines of a set by a field ascend, and only the last set of a number has
/// fewer lines than `size`: what follows it does not go on with it.
int64_t Sets::endOf(const int32_t *lines, int64_t count, int64_t first) const {
  int64_t end = first + 1;
  while (
      end < count && end - first < size &&
      (!field || (*field->intsOf(lines[end]) == *field->intsOf(lines[first]) &&
                  lines[end] > lines[end - 1])))
    ++end;
  return end;
}
