//===-- runtime/core/ForestApi.cpp - The forests of the C API -------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Forest.h"

#include <new>

using namespace cambium::runtime;

struct cambium_forest {
  TreeList trees;
  Buffer<int32_t> words;
  cambium_abi_forest_t view = {};
  bool built = false;
};

cambium_status_t cambium_forest_create(cambium_forest_t **out_forest) {
  CAMBIUM_CHECK_ARGUMENT(out_forest);
  *out_forest = new (std::nothrow) cambium_forest();
  return *out_forest ? CAMBIUM_STATUS_OK : failOutOfMemory("a forest");
}

void cambium_forest_destroy(cambium_forest_t *forest) { delete forest; }

const struct cambium_abi_forest *
cambium_forest_view(const cambium_forest_t *forest) {
  return forest && forest->built ? &forest->view : nullptr;
}

/// Adds the trees one by one with `append(rules, first, size)`, then orders
/// them.
template <typename Append>
static cambium_status_t
buildForest(cambium_forest_t *forest, const cambium_forest_options_t *options,
            int64_t numTrees, const int32_t *treeOffsets, Append append) {
  TreeRules rules;
  rules.unit = "tree";
  if (options) {
    if (options->name)
      rules.name = options->name;
    rules.maxArity = options->max_arity > 0 ? options->max_arity : -1;
    rules.severalRoots = options->several_roots;
  }
  forest->built = false;
  forest->trees.clear();
  if (numTrees <= 0)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "forest '%s': expected at least one tree, but got %lld",
                rules.name, static_cast<long long>(numTrees));
  if (treeOffsets[0] != 0)
    return fail(CAMBIUM_STATUS_INVALID_ARGUMENT,
                "forest '%s': expected tree offsets that start with 0, but got "
                "%d",
                rules.name, treeOffsets[0]);
  for (int64_t t = 0; t < numTrees; ++t)
    CAMBIUM_TRY(append(rules, treeOffsets[t],
                       int64_t{treeOffsets[t + 1]} - treeOffsets[t]));
  if (!forest->words.resize(forest->trees.numWords()))
    return failOutOfMemory("a forest");
  forest->trees.order(forest->view, forest->words.data());
  forest->built = true;
  return CAMBIUM_STATUS_OK;
}

template <typename Append>
static cambium_status_t
build(cambium_forest_t *forest, const cambium_forest_options_t *options,
      int64_t numTrees, const int32_t *treeOffsets, Append append) {
  return guarded("a forest", [&] {
    return buildForest(forest, options, numTrees, treeOffsets, append);
  });
}

cambium_status_t cambium_forest_build_from_parents(
    cambium_forest_t *forest, const cambium_forest_options_t *options,
    int64_t num_trees, const int32_t *tree_offsets, const int32_t *parents) {
  CAMBIUM_CHECK_ARGUMENT(forest);
  CAMBIUM_CHECK_ARGUMENT(tree_offsets);
  auto append = [&](const TreeRules &rules, int32_t first, int64_t size) {
    return forest->trees.appendParents(rules, size,
                                       parents ? parents + first : nullptr);
  };
  return build(forest, options, num_trees, tree_offsets, append);
}

cambium_status_t cambium_forest_build_from_children(
    cambium_forest_t *forest, const cambium_forest_options_t *options,
    int64_t num_trees, const int32_t *tree_offsets,
    const int32_t *child_offsets, const int32_t *child_nodes) {
  CAMBIUM_CHECK_ARGUMENT(forest);
  CAMBIUM_CHECK_ARGUMENT(tree_offsets);
  CAMBIUM_CHECK_ARGUMENT(child_offsets);
  return build(forest, options, num_trees, tree_offsets,
               [&](const TreeRules &rules, int32_t first, int64_t size) {
                 return forest->trees.appendChildren(
                     rules, size, child_offsets + first, child_nodes);
               });
}
