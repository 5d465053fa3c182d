//===-- runtime/data/Dataset.cpp - Examples with named fields -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Text.h"

#include <algorithm>

using namespace cambium::data;

void Field::cutBack(int64_t examples) {
  // Some fields are filled when all examples are known.
  const size_t kept = std::min<size_t>(offsets.size(), examples + 1);
  offsets.resize(kept);
  childOffsets.resize(kept);
  children.resize(childOffsets.back());
  if (kind == FieldKind::F32)
    floats.resize(offsets.back() * width);
  else
    ints.resize(offsets.back() * width);
}

const Field *Dataset::find(std::string_view name) const {
  for (const Field &field : fields)
    if (field.name == name)
      return &field;
  return nullptr;
}

std::string Dataset::fieldNames() const {
  std::string result;
  for (const Field &field : fields)
    result += (result.empty() ? "" : ", ") + field.name;
  return result;
}

static const Field *findTree(const Dataset &dataset, bool orGraph) {
  for (const Field &field : dataset.fields)
    if (field.kind == FieldKind::Tree ||
        (orGraph && field.kind == FieldKind::Graph))
      return &field;
  return nullptr;
}

int64_t Dataset::sizeOf(int64_t example) const {
  if (const Field *tree = findTree(*this, /*orGraph=*/true))
    return tree->rows(example);
  int64_t longest = 0;
  for (const Field &field : fields)
    longest = std::max(longest, field.rows(example));
  return longest;
}

int64_t Dataset::heightOf(int64_t example) const {
  const Field *tree = findTree(*this, /*orGraph=*/false);
  if (!tree || tree->rows(example) == 0)
    return 0;
  const std::vector<int32_t> heights =
      nodeHeights(tree->intsOf(example), tree->rows(example));
  return *std::max_element(heights.begin(), heights.end());
}

std::string Dataset::where(int64_t example) const {
  return source + ":" + std::to_string(lines[example]);
}

std::vector<int32_t> cambium::data::nodeHeights(const int32_t *parents,
                                                int64_t numNodes) {
  std::vector<int32_t> heights(numNodes, 0), numOpen(numNodes, 0), ready;
  for (int64_t node = 0; node < numNodes; ++node)
    if (parents[node] >= 0)
      ++numOpen[parents[node]];
  for (int64_t node = 0; node < numNodes; ++node)
    if (numOpen[node] == 0)
      ready.push_back(static_cast<int32_t>(node));
  while (!ready.empty()) {
    const int32_t node = ready.back(), parent = parents[node];
    ready.pop_back();
    if (parent < 0)
      continue;
    heights[parent] = std::max(heights[parent], heights[node] + 1);
    if (--numOpen[parent] == 0)
      ready.push_back(parent);
  }
  return heights;
}
