//===-- runtime/data/Names.cpp - Mistyped names --------------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"

#include <algorithm>
#include <cstdint>

using namespace cambium;

/// Insertions, removals, changes and swaps of neighbours that make b of a.
static size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1,
                                        std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1,
                             cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

std::string data::closestName(std::string_view name,
                              const std::vector<std::string> &names) {
  constexpr size_t kLongest = 64;
  std::string best;
  size_t least = std::min<size_t>(3, (name.size() + 2) / 3) + 1;
  auto isPlain = [](unsigned char c) { return c >= 0x20 && c != 0x7F; };
  for (const std::string &each : names)
    if (name.size() <= kLongest && each.size() <= kLongest &&
        std::all_of(each.begin(), each.end(), isPlain))
      if (const size_t far = distance(name, each); far < least) {
        least = far;
        best = each;
      }
  return best;
}

std::string data::didYouMean(std::string_view name,
                             const std::vector<std::string> &names) {
  const std::string closest = closestName(name, names);
  return closest.empty() ? "" : ": did you mean '" + closest + "'?";
}

std::vector<std::string> data::namesOf(const Dataset &dataset) {
  std::vector<std::string> names;
  for (const Field &field : dataset.fields)
    names.push_back(field.name);
  return names;
}
