/*===-- cambium/abi.h - What generated code and the runtime share -*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The binary interface between a compiled module and the runtime. Hosts use
 * cambium/runtime.h; only the compiler's code generation and the runtime
 * include this file. Plain C11, nothing but fixed-width types.
 *
 * A module exports one symbol, `cambium_module_query` (or, in a static archive,
 * `<prefix>_cambium_module_query`), that returns a constant
 * `cambium_abi_module_t`. Everything else is reached from it.
 *
 * All row indices are 32-bit; all sizes and offsets in bytes are 64-bit.
 *
 *===----------------------------------------------------------------------===*/
#ifndef CAMBIUM_ABI_H
#define CAMBIUM_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever a struct below changes its meaning or layout. */
#define CAMBIUM_ABI_VERSION 6u
#define CAMBIUM_ABI_MAGIC 0x4d424d43u /* "CMBM" */
#define CAMBIUM_ABI_QUERY_SYMBOL "cambium_module_query"

/*===-- Structures of one call
 * ---------------------------------------------===*/

/* A partition of `num_rows` rows into `num_segments` consecutive segments;
 * segment s is the rows [offsets[s], offsets[s + 1]). */
typedef struct cambium_abi_rows {
  int64_t num_segments;
  int64_t num_rows;
  const int32_t *offsets; /* num_segments + 1 */
} cambium_abi_rows_t;

/* All trees of a batch. Nodes are numbered by level: level l holds the nodes
 * [level_nodes[l], level_nodes[l + 1]); level 0 holds exactly the leaves, and a
 * node's level is one more than the highest level among its children. Edges
 * (parent, child) are grouped by parent in that numbering, in the order of the
 * parent's child list, so that the edges of a level are consecutive too. */
typedef struct cambium_abi_forest {
  int64_t num_nodes;
  int64_t num_edges;
  int64_t num_levels;
  int64_t num_trees;
  int64_t max_level_nodes;       /* over all levels */
  int64_t max_level_edges;       /* over all levels */
  const int32_t *level_nodes;    /* num_levels + 1 */
  const int32_t *child_offsets;  /* num_nodes + 1: edges of each node */
  const int32_t *child_nodes;    /* num_edges: the child of each edge */
  const int32_t *edge_parents;   /* num_edges: the parent of each edge */
  const int32_t *parent_offsets; /* num_nodes + 1: into parent_edges */
  const int32_t *parent_edges;   /* num_edges: edges that lead to the node's
                                    parents, ascending */
  const int32_t *node_to_user;   /* num_nodes: user row of each node */
  const int32_t *user_to_node;   /* num_nodes: node of each user row */
  const int32_t *edge_to_user;   /* num_edges: user edge row of each edge; user
                                    edges are grouped by parent in user order */
  const int32_t *roots;          /* num_trees: root node of each tree */
} cambium_abi_forest_t;

/* Gradient of a parameter and the optimizer's state. A row-sparse gradient is a
 * dense array of which only the rows named in `touched` may differ from zero.
 * Of what is kept, memory that calls share, `value` alone is set: its marks are
 * zero where parameters may have changed since the last call. */
typedef struct cambium_abi_param {
  void *value;
  void *gradient;   /* same shape; null outside training */
  void *state[2];   /* optimizer slots; null where unused */
  int32_t *touched; /* row-sparse: rows with a gradient, in first-touch order */
  uint8_t *is_touched; /* row-sparse: one flag per row */
  int64_t num_touched;
  /* The value in panels of the manifest's number of columns: all rows of the
   * first columns, then of the next ones, the last panel filled up with zeros;
   * of each matrix that the last two dimensions are. Or null, and the value is
   * used. With a `panel_format`, rows of a panel are words of 32 bits, and
   * there is always a copy: `bf16` has two elements of a column in each,
   * rounded to nearest even, the first one in the low half; `int8` has four as
   * signed integers, then a row with the scale of each column as f32 (an
   * element is about its integer times the scale), then one with -128 times the
   * sum of its integers. What is missing in the last word is 0. */
  const void *panels;
} cambium_abi_param_t;

/* A part of a parallel loop: rows [begin, end) of the loop's range. */
typedef void (*cambium_abi_task_fn)(void *task, int64_t begin, int64_t end);

typedef struct cambium_abi_call cambium_abi_call_t;

/* The graphs that a sequence of n rows gives. */
typedef enum cambium_abi_sequence {
  /* A unary tree: the last row is the root, or the first one. */
  CAMBIUM_ABI_CHAIN = 0,
  CAMBIUM_ABI_REVERSED_CHAIN = 1,
  /* A node for each span of rows, by length, then by first row. The children of
   * a span of l rows are, for each of the l - 1 places to cut it, the span
   * before and the span behind. The last node is the root. */
  CAMBIUM_ABI_CHART = 2
} cambium_abi_sequence_t;

/* What generated code may call. Functions that return a pointer return null
 * (and record the error in the call) on failure. */
typedef struct cambium_abi_services {
  /* Workspace memory, 64-byte aligned, alive until it is released or the entry
   * returns. */
  void *(*allocate)(cambium_abi_call_t *call, int64_t bytes);
  /* Runs fn over [0, count) in chunks whose bounds are multiples of `grain`. */
  void (*parallel_for)(cambium_abi_call_t *call, cambium_abi_task_fn fn,
                       void *task, int64_t count, int64_t grain);
  /* The forest of a graph over every segment of `rows`: a
   * `cambium_abi_sequence_t`. */
  const cambium_abi_forest_t *(*sequence)(cambium_abi_call_t *call,
                                          const cambium_abi_rows_t *rows,
                                          int32_t kind);
  /* The forest of per-segment parent indices (-1: root). A node with more than
   * `max_arity` children is an error; negative: any number. */
  const cambium_abi_forest_t *(*from_parents)(cambium_abi_call_t *call,
                                              const cambium_abi_rows_t *rows,
                                              const int32_t *parents,
                                              int32_t max_arity);
  /* Records an error, which the call returns when the entry is done. */
  void (*fail)(cambium_abi_call_t *call, int32_t status, const char *message);
  /* How the rows named by `ids`, ascending, fall into the segments of `rows`:
   * a partition of `count` rows with as many segments. */
  const cambium_abi_rows_t *(*group)(cambium_abi_call_t *call,
                                     const cambium_abi_rows_t *rows,
                                     const int32_t *ids, int64_t count);
  /* The forest of `count` chains: that of row r has an initial node and
   * `steps[r]` >= 1 nodes above it, one per iteration of the row.
   * `node_to_user` is the row of each node, `roots` each row's last node. */
  const cambium_abi_forest_t *(*iterations)(cambium_abi_call_t *call,
                                            const int32_t *steps,
                                            int64_t count);
  /* Ends the life of what `allocate` gave for as many bytes. Later allocations
   * of the call may take it. */
  void (*release)(cambium_abi_call_t *call, void *memory, int64_t bytes);
} cambium_abi_services_t;

/* The argument of every entry. Arrays are indexed as in the entry's manifest.
 */
struct cambium_abi_call {
  const cambium_abi_services_t *services;
  void *host; /* the runtime's own */
  int64_t num_examples;
  const cambium_abi_rows_t *spaces;           /* row spaces of the examples */
  const cambium_abi_forest_t *const *forests; /* tree inputs */
  const void *const *inputs;                  /* tensor inputs, flattened */
  void *const *outputs;                       /* tensor results, flattened */
  cambium_abi_param_t *params;  /* all parameters of the module, then what is
                                   kept, for a FUNCTION */
  const double *scalars;        /* entry scalars (learning rates) */
  const uint64_t *example_keys; /* one random key per example */
  int64_t step;                 /* optimizer steps done before */
};

/* An entry: 0 on success, else the status passed to `fail`. */
typedef int32_t (*cambium_abi_entry_fn)(cambium_abi_call_t *call);

/*===-- The module
 * ----------------------------------------------------------===*/

typedef struct cambium_abi_entry {
  const char *name;
  cambium_abi_entry_fn fn;
} cambium_abi_entry_t;

typedef struct cambium_abi_module {
  uint32_t magic;
  uint32_t abi_version;
  const char *cpu;          /* as given to --mcpu, for messages */
  const char *cpu_features; /* comma-separated names as in /proc/cpuinfo */
  const char *manifest;     /* JSON, see docs/Manifest.md */
  const cambium_abi_entry_t *entries;
  int64_t num_entries;
} cambium_abi_module_t;

typedef const cambium_abi_module_t *(*cambium_abi_query_fn)(void);

#ifdef __cplusplus
}
#endif

/* Layout is part of the contract: offsets are used by code generation. */
#if defined(__cplusplus)
#define CAMBIUM_ABI_ASSERT(cond) static_assert(cond, #cond)
#else
#define CAMBIUM_ABI_ASSERT(cond) _Static_assert(cond, #cond)
#endif
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_rows_t) == 24);
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_forest_t) == 128);
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_param_t) == 64);
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_services_t) == 64);
CAMBIUM_ABI_ASSERT(sizeof(struct cambium_abi_call) == 88);
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_entry_t) == 16);
CAMBIUM_ABI_ASSERT(sizeof(cambium_abi_module_t) == 48);

#endif /* CAMBIUM_ABI_H */
