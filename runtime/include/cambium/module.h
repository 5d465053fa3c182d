/*===-- cambium/module.h - Modules and their entries ---------------*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 * Part of cambium/runtime.h.
 *===----------------------------------------------------------------------===*/
#ifndef CAMBIUM_MODULE_H
#define CAMBIUM_MODULE_H

#include "cambium/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*
 * cambium_module_t: compiled code and what it can do
 *===----------------------------------------------------------------------===*
 *
 * Intended use: load once at start-up; ask for entries and parameters by name;
 * share among all threads. A module is code: load it only from where you would
 * run a program from. Loading runs no code of it except its query function, and
 * that only after the checks below. Thread-safe: immutable after loading; every
 * function may be called from any thread.
 */

typedef struct cambium_module cambium_module_t;
typedef struct cambium_entry cambium_entry_t;
struct cambium_abi_module; /* cambium/abi.h */

/* Loads a shared object made by cambium-compile. `path` is a file, absolute or
 * relative to the working directory; library search paths are not used.
 * Before any code of it can run: reads the file once into sealed memory, which
 * is what will be loaded; verifies its checksum; checks that it is an ELF
 * object for this machine, without constructors, dependencies, thread-local
 * variables and text relocations, that shows its query functions alone. Then
 * checks the magic number, the ABI version, the CPU features that it was
 * compiled for, and the manifest. A loaded module holds one file descriptor.
 * The caller owns
 * `*out_module`. */
CAMBIUM_API cambium_status_t cambium_module_load(const char *path,
                                                 cambium_module_t **out_module);

/* The same for a module that is linked into the program: `query` is the
 * `<prefix>_cambium_module_query` function of a static archive. It has no
 * checksum: it is a part of the program, linked as its other objects are. */
CAMBIUM_API cambium_status_t
cambium_module_from_query(const struct cambium_abi_module *(*query)(void),
                          cambium_module_t **out_module);

/* Gives the handle back. The code is unloaded when the last store, batch and
 * session call that uses it is gone. */
CAMBIUM_API void cambium_module_destroy(cambium_module_t *module);

/* The manifest: JSON as in docs/Manifest.md. */
CAMBIUM_API const char *cambium_module_manifest(const cambium_module_t *module);

/* The CPU (as given to --mcpu) and the features that the module needs. */
CAMBIUM_API const char *cambium_module_cpu(const cambium_module_t *module);
CAMBIUM_API const char *
cambium_module_cpu_features(const cambium_module_t *module);

/* The entries, in the order of the manifest. Entries belong to the module. Null
 * when the index is out of range, or when there is no entry of that name. */
CAMBIUM_API int64_t cambium_module_num_entries(const cambium_module_t *module);
CAMBIUM_API const cambium_entry_t *
cambium_module_entry(const cambium_module_t *module, int64_t index);
CAMBIUM_API const cambium_entry_t *
cambium_module_find_entry(const cambium_module_t *module, const char *name);

/* The two halves of the training step `name`; null as name: the only step of
 * the module (an error if there are several). */
CAMBIUM_API cambium_status_t cambium_module_find_step(
    const cambium_module_t *module, const char *name,
    const cambium_entry_t **out_accumulate, const cambium_entry_t **out_apply);

/* How the elements of a new parameter are drawn; `a` and `b` as in
 * docs/Manifest.md. */
typedef enum cambium_init_kind {
  CAMBIUM_INIT_ZEROS = 0,
  CAMBIUM_INIT_CONSTANT = 1,         /* a */
  CAMBIUM_INIT_UNIFORM = 2,          /* a = low, b = high */
  CAMBIUM_INIT_NORMAL = 3,           /* a = mean, b = deviation */
  CAMBIUM_INIT_TRUNCATED_NORMAL = 4, /* the same, cut at two deviations */
  CAMBIUM_INIT_XAVIER_UNIFORM = 5,   /* a = gain */
  CAMBIUM_INIT_XAVIER_NORMAL = 6,    /* a = gain */
  CAMBIUM_INIT_ORTHOGONAL = 7,       /* a = gain */
  CAMBIUM_INIT_FILE = 8,             /* a tensor of a safetensors file */
  CAMBIUM_INIT_SINUSOIDAL = 9        /* a = gain; nothing is drawn */
} cambium_init_kind_t;

typedef struct cambium_init {
  cambium_init_kind_t kind;
  double a, b;
  const char *path;   /* FILE: relative to the store's `data_dir` */
  const char *tensor; /* FILE: the name of the tensor */
} cambium_init_t;

/* One parameter of a module. Belongs to the module. */
typedef struct cambium_parameter_info {
  const char *name;
  cambium_type_t type;
  int32_t rank;
  const int64_t *shape; /* `rank` sizes */
  int32_t slices; /* leading dimensions that number layers, drawn one by one */
  int64_t num_elements;
  bool trainable;
  bool decay;      /* takes part in weight decay */
  bool row_sparse; /* its gradient is kept for touched rows only */
  const char *group;
  int32_t state_slots; /* arrays of optimizer state, 0 to 2 */
  cambium_init_t init;
} cambium_parameter_info_t;

/* The parameters, in the order of the manifest, and the index of one by name
 * (-1 if there is none). The info is null when the index is out of range. */
CAMBIUM_API int64_t
cambium_module_num_parameters(const cambium_module_t *module);
CAMBIUM_API const cambium_parameter_info_t *
cambium_module_parameter(const cambium_module_t *module, int64_t index);
CAMBIUM_API int64_t
cambium_module_find_parameter(const cambium_module_t *module, const char *name);

/*===----------------------------------------------------------------------===*
 * cambium_entry_t: one function of a module
 *===----------------------------------------------------------------------===*
 *
 * Intended use: ask once for indices of inputs, trees and outputs, then use the
 * indices. Entries and all infos belong to the module. Thread-safe: immutable.
 */

typedef enum cambium_entry_kind {
  CAMBIUM_ENTRY_FUNCTION = 0,   /* results from inputs: cambium_call */
  CAMBIUM_ENTRY_ACCUMULATE = 1, /* adds gradients: cambium_step_accumulate */
  CAMBIUM_ENTRY_APPLY = 2       /* updates parameters: cambium_step_apply */
} cambium_entry_kind_t;

/* Values of `space` that name no row space. */
enum {
  CAMBIUM_SPACE_EXAMPLE = -1, /* one row per example */
  CAMBIUM_SPACE_CALL = -2     /* one value per call: every example gives it */
};

/* A tensor input or output. In memory the rows of all examples stand one after
 * the other; a row has the shape `shape`, row-major. */
typedef struct cambium_tensor_info {
  const char *name;
  cambium_type_t type;
  int32_t rank;
  const int64_t *shape; /* of one row: `rank` sizes */
  int64_t row_bytes;
  int32_t space;    /* index of the row space, or CAMBIUM_SPACE_... */
  int32_t edges_of; /* the rows are the edges of this tree input; else -1 */
  int64_t limit; /* values are ids in [0, limit); 0 where there is no limit */
} cambium_tensor_info_t;

/* A tree input. */
typedef struct cambium_tree_info {
  const char *name;
  int32_t space;    /* the row space of its nodes */
  int64_t arity;    /* most children of a node, -1 for any number */
  bool single_root; /* whether a tree must have exactly one root */
} cambium_tree_info_t;

/* A row space: how many rows each example has. */
typedef struct cambium_space_info {
  const char *name;
  bool of_nodes; /* the rows are the nodes of a tree input */
} cambium_space_info_t;

typedef struct cambium_entry_info {
  const char *name;
  cambium_entry_kind_t kind;
  const char *step; /* of ACCUMULATE and APPLY: the step's name; else "" */
  bool random;      /* whether results depend on the keys of the examples */
  int64_t num_spaces, num_trees, num_inputs, num_outputs, num_scalars;
} cambium_entry_info_t;

/* Never null for an entry of a module. */
CAMBIUM_API const cambium_entry_info_t *
cambium_entry_info(const cambium_entry_t *entry);
CAMBIUM_API const cambium_module_t *
cambium_entry_module(const cambium_entry_t *entry);

/* Null when the index is out of range. */
CAMBIUM_API const cambium_space_info_t *
cambium_entry_space(const cambium_entry_t *entry, int64_t index);
/* The space whose rows have the rows of this one, as sentences have words;
 * CAMBIUM_SPACE_EXAMPLE where examples have them, or the index is out of range.
 */
CAMBIUM_API int32_t cambium_entry_space_in(const cambium_entry_t *entry,
                                           int64_t index);
CAMBIUM_API const cambium_tree_info_t *
cambium_entry_tree(const cambium_entry_t *entry, int64_t index);
CAMBIUM_API const cambium_tensor_info_t *
cambium_entry_input(const cambium_entry_t *entry, int64_t index);
CAMBIUM_API const cambium_tensor_info_t *
cambium_entry_output(const cambium_entry_t *entry, int64_t index);
/* The name of a scalar ("lr.default", "gradient_scale"). */
CAMBIUM_API const char *cambium_entry_scalar(const cambium_entry_t *entry,
                                             int64_t index);

/* The index of a tree input, tensor input or output by name; -1 if there is
 * none. */
CAMBIUM_API int64_t cambium_entry_find_tree(const cambium_entry_t *entry,
                                            const char *name);
CAMBIUM_API int64_t cambium_entry_find_input(const cambium_entry_t *entry,
                                             const char *name);
CAMBIUM_API int64_t cambium_entry_find_output(const cambium_entry_t *entry,
                                              const char *name);

#ifdef __cplusplus
}
#endif

#endif /* CAMBIUM_MODULE_H */
