/*===-- cambium/forest.h - Forests, random numbers -----------------*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 * Part of cambium/runtime.h.
 *===----------------------------------------------------------------------===*/
#ifndef CAMBIUM_FOREST_H
#define CAMBIUM_FOREST_H

#include "cambium/batch.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*
 * cambium_forest_t: level-ordered trees
 *===----------------------------------------------------------------------===*
 *
 * Batches build their forests themselves; these functions are for hosts and
 * tests that want the form itself. Time and memory are proportional to the
 * number of nodes and edges; nothing is recursive. Thread-safety: as a batch.
 */

typedef struct cambium_forest cambium_forest_t;
struct cambium_abi_forest; /* cambium/abi.h */

typedef struct cambium_forest_options {
  const char *name;   /* for messages; null: "tree" */
  int64_t max_arity;  /* most children of a node; 0 or -1: any number */
  bool several_roots; /* accept trees with several roots; then the first one (in
                         the order of the nodes) stands in `roots` */
} cambium_forest_options_t;

/* An empty forest. The caller owns `*out_forest`. */
CAMBIUM_API cambium_status_t
cambium_forest_create(cambium_forest_t **out_forest);
CAMBIUM_API void cambium_forest_destroy(cambium_forest_t *forest);

/* Builds the forest of `num_trees` trees, replacing what was there and reusing
 * its memory. Tree t has the nodes [tree_offsets[t], tree_offsets[t + 1]);
 * indices in `parents` and `child_nodes` are relative to the tree. As in
 * cambium_batch_set_tree_parents and ..._children, with `child_offsets` running
 * over the nodes and edges of all trees (tree_offsets[num_trees] + 1 numbers).
 * The arrays are not kept. */
CAMBIUM_API cambium_status_t cambium_forest_build_from_parents(
    cambium_forest_t *forest, const cambium_forest_options_t *options,
    int64_t num_trees, const int32_t *tree_offsets, const int32_t *parents);
CAMBIUM_API cambium_status_t cambium_forest_build_from_children(
    cambium_forest_t *forest, const cambium_forest_options_t *options,
    int64_t num_trees, const int32_t *tree_offsets,
    const int32_t *child_offsets, const int32_t *child_nodes);

/* The level-ordered form (cambium/abi.h); null before the first successful
 * build. Valid until the next build. */
CAMBIUM_API const struct cambium_abi_forest *
cambium_forest_view(const cambium_forest_t *forest);

/* The forest that a finished batch has built for a tree input; null when the
 * index is out of range or the batch is not finished. Valid until `clear`. */
CAMBIUM_API const struct cambium_abi_forest *
cambium_batch_forest(const cambium_batch_t *batch, int64_t tree);

/*===----------------------------------------------------------------------===*
 * Random numbers
 *===----------------------------------------------------------------------===*/

/* The counter-based generator of models and initializers: the key of element
 * `index` in the context `key` (docs/Design.md). Thread-safe. */
CAMBIUM_API uint64_t cambium_mix(uint64_t key, uint64_t index);

/* A number in [0, 1) from the upper 24 bits of a key. Thread-safe. */
CAMBIUM_API float cambium_uniform(uint64_t key);

#ifdef __cplusplus
}
#endif

#endif /* CAMBIUM_FOREST_H */
