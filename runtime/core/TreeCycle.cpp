//===-- runtime/core/TreeCycle.cpp - Trees that are none ------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Forest.h"

#include <algorithm>

using namespace cambium::runtime;

/// Every node that is still pending has a pending child: going down must meet a
/// node again.
cambium_status_t TreeList::failCycle(const TreeRules &rules) {
  int32_t firstNode = treeNodes.back();
  const int32_t *offsets = childOffsets.data() + firstNode;
  auto pendingChild = [&](int64_t node) -> int64_t {
    for (int32_t e = offsets[node]; e < offsets[node + 1]; ++e)
      if (pending[childNodes[e] - firstNode] != 0)
        return childNodes[e] - firstNode;
    return -1;
  };
  int64_t node = 0;
  while (pending[node] == 0)
    ++node;
  while (pending[node] > 0) {
    pending[node] = -1; // seen
    node = pendingChild(node);
  }
  int64_t start = node, length = 0;
  for (int64_t next = pendingChild(node);; next = pendingChild(next)) {
    ++length;
    if (next == node)
      break;
    start = std::min(start, next);
  }
  constexpr int64_t shown = 8;
  std::string text = std::to_string(start);
  int64_t next = pendingChild(start);
  for (int64_t i = 1; i <= std::min(length, shown); ++i) {
    text += " -> " + std::to_string(next);
    next = pendingChild(next);
  }
  if (length > shown)
    text += " -> ... (" + std::to_string(length) + " nodes)";
  return fail(CAMBIUM_STATUS_INVALID_ARGUMENT, "%s: nodes %s form a cycle",
              where(rules).c_str(), text.c_str());
}
