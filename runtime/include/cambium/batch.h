/*===-- cambium/batch.h - The examples of a call -------------------*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 * Part of cambium/runtime.h.
 *===----------------------------------------------------------------------===*/
#ifndef CAMBIUM_BATCH_H
#define CAMBIUM_BATCH_H

#include "cambium/module.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*
 * cambium_batch_t: the examples of one call
 *===----------------------------------------------------------------------===*
 *
 * Intended use: create one per entry (or a few, to prepare the next on another
 * thread while the current one computes), then again and again: clear, add
 * examples, finish, call. A refilled batch allocates nothing once it has seen
 * its largest contents. All data is copied; the caller's arrays may go at once.
 *
 *   for each example: begin_example, one set_... per tree and tensor input in
 * any order, end_example; then finish.
 *
 * An example that breaks a rule makes `set_...` or `end_example` fail; it is
 * then dropped as a whole and the batch is as before its `begin_example`.
 *
 * Thread-safety: one thread at a time, any thread. After `finish` a batch is
 * immutable until `clear`, and may serve several calls at once.
 */

typedef struct cambium_batch cambium_batch_t;

/* An empty batch for calls of `entry`. The caller owns `*out_batch`. */
CAMBIUM_API cambium_status_t cambium_batch_create(const cambium_entry_t *entry,
                                                  cambium_batch_t **out_batch);
CAMBIUM_API void cambium_batch_destroy(cambium_batch_t *batch);

/* Removes all examples; keeps the memory and the key seed. */
CAMBIUM_API void cambium_batch_clear(cambium_batch_t *batch);

/* The seed of the random keys of the examples that begin from now on: the key
 * of an example is cambium_mix(seed, ordinal). 0 at first. To draw new dropout
 * masks in every epoch, use e.g. cambium_mix(seed, epoch). Survives `clear`. */
CAMBIUM_API void cambium_batch_set_key_seed(cambium_batch_t *batch,
                                            uint64_t seed);

/* Starts an example. `ordinal` is any number that names it among all examples
 * (its index in the data set): random numbers depend on it and not on its place
 * in the batch. Error messages name examples by their place in the batch. */
CAMBIUM_API cambium_status_t cambium_batch_begin_example(cambium_batch_t *batch,
                                                         uint64_t ordinal);

/* Sets the random key of the example at hand itself. */
CAMBIUM_API cambium_status_t
cambium_batch_set_example_key(cambium_batch_t *batch, uint64_t key);

/* Gives the tree input `tree` as parent indices: parents[i] is the parent of
 * node i, -1 for a root. The children of a node are in the order of their
 * indices. Nodes may be in any order. */
CAMBIUM_API cambium_status_t
cambium_batch_set_tree_parents(cambium_batch_t *batch, int64_t tree,
                               int64_t num_nodes, const int32_t *parents);

/* Gives the tree input `tree` as child lists: the children of node i, in order,
 * are child_nodes[child_offsets[i]] up to child_nodes[child_offsets[i + 1] -
 * 1]; child_offsets has num_nodes + 1 elements and starts with 0. A node may be
 * a child of several nodes. */
CAMBIUM_API cambium_status_t cambium_batch_set_tree_children(
    cambium_batch_t *batch, int64_t tree, int64_t num_nodes,
    const int32_t *child_offsets, const int32_t *child_nodes);

/* Gives the rows of the tensor input `input` of this example: `num_rows` rows
 * (exactly 1 for an input with one row per example), row-major. Rows of nodes
 * stand in the order of the caller's node numbers; rows of edges are grouped by
 * parent in the order of the caller's node numbers, within a parent in the
 * order of its children. `type` must be the type of the input. `data` may be
 * null only when the rows take no memory. */
CAMBIUM_API cambium_status_t cambium_batch_set_input(cambium_batch_t *batch,
                                                     int64_t input,
                                                     cambium_type_t type,
                                                     int64_t num_rows,
                                                     const void *data);

/* Of a space with rows of rows (cambium_entry_space_in): how many rows
 * each of the `num_rows` rows of the example at hand has. Inputs in that space
 * then give all of them, one row after the other. */
CAMBIUM_API cambium_status_t
cambium_batch_set_row_counts(cambium_batch_t *batch, int64_t space,
                             int64_t num_rows, const int32_t *counts);

/* Checks the example at hand (everything given, row counts agree) and adds it.
 */
CAMBIUM_API cambium_status_t cambium_batch_end_example(cambium_batch_t *batch);

/* Drops the example at hand, if any. */
CAMBIUM_API void cambium_batch_abandon_example(cambium_batch_t *batch);

/* Orders the trees by level and makes the batch ready for calls. An empty batch
 * is an error. */
CAMBIUM_API cambium_status_t cambium_batch_finish(cambium_batch_t *batch);

/* The entry that the batch was made for. */
CAMBIUM_API const cambium_entry_t *
cambium_batch_entry(const cambium_batch_t *batch);

/* The number of complete examples. */
CAMBIUM_API int64_t cambium_batch_num_examples(const cambium_batch_t *batch);

/* How the rows of a space are divided among the examples: example i has the
 * rows [offsets[i], offsets[i + 1]), num_examples + 1 numbers; rows of rows
 * among the rows of all examples in the same way. Valid until the
 * next change of the batch; null when the index is out of range. Use it to cut
 * outputs into examples. */
CAMBIUM_API const int32_t *
cambium_batch_space_offsets(const cambium_batch_t *batch, int64_t space);

/* The same for the edges of a tree input. */
CAMBIUM_API const int32_t *
cambium_batch_edge_offsets(const cambium_batch_t *batch, int64_t tree);

/* The number of rows, and the size in bytes, of an output of a call with this
 * batch; -1 when the index is out of range. Any output of one value per example
 * has num_examples rows; one per call, 1. */
CAMBIUM_API int64_t cambium_batch_output_rows(const cambium_batch_t *batch,
                                              int64_t output);
CAMBIUM_API int64_t cambium_batch_output_bytes(const cambium_batch_t *batch,
                                               int64_t output);

#ifdef __cplusplus
}
#endif

#endif /* CAMBIUM_BATCH_H */
