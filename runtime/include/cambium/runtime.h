/*===-- cambium/runtime.h - The runtime of compiled models ------*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * What a host program uses to run and to train a compiled model. Plain C11.
 *
 *   module   compiled code with its manifest; immutable, shareable
 *   entry    one function of a module; immutable, shareable
 *   store    values, gradients and optimizer state of the parameters of a
 *            module, and checkpoints; see its banner
 *   batch    the examples of one call; one thread fills it, then immutable
 *   session  workspace memory and threads of calls; one thread at a time
 *   forest   the level-ordered form of a set of trees; as a batch
 *
 * The shortest program (see docs/Embedding.md for complete ones):
 *
 *   const cambium_entry_t *predict;
 *   cambium_module_load("model.so", &module);
 *   cambium_store_create(module, NULL, &store);
 *   cambium_session_create(NULL, &session);
 *   predict = cambium_module_find_entry(module, "predict");
 *   cambium_batch_create(predict, &batch);
 *   cambium_batch_begin_example(batch, 0);
 *   cambium_batch_set_tree_parents(batch, 0, num_nodes, parents);
 *   cambium_batch_set_input(batch, 0, CAMBIUM_TYPE_I32, num_nodes, tokens);
 *   cambium_batch_end_example(batch);
 *   cambium_batch_finish(batch);
 *   cambium_buffer_t result = {out, sizeof out};
 *   cambium_call(session, predict, store, batch, &result, 1);
 *
 * Conventions
 * - Everything that can fail returns a `cambium_status_t`; nothing aborts,
 * throws or exits. On failure `cambium_last_error()` says what, where, and what
 * was expected, and `out_` parameters are left untouched (handles: set to
 * null).
 * - `create`/`load` hand ownership to the caller, who calls the matching
 *   `destroy` once; `destroy(NULL)` does nothing. Pointers that the functions
 *   return otherwise belong to the object that they were asked from, and live
 * as long as it does unless said otherwise.
 * - Stores, batches and sessions keep their module alive: objects may be
 *   destroyed in any order.
 * - Null instead of a handle or of an `out_` parameter that must be there is an
 *   INVALID_ARGUMENT; functions without a status answer it with nothing: null,
 *   an empty text, 0, or -1 for an index or a count that is unknown.
 * - Option structs may be null (defaults). A zeroed struct means the defaults.
 * - Thread-safety is stated at each object. Different objects may always be
 * used from different threads.
 *
 *===----------------------------------------------------------------------===*/
#ifndef CAMBIUM_RUNTIME_H
#define CAMBIUM_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define CAMBIUM_API __attribute__((visibility("default")))
#else
#define CAMBIUM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*
 * Status and errors
 *===----------------------------------------------------------------------===*/

/* The outcome of a function. The numbers are stable: generated code passes them
 * to the `fail` service (cambium/abi.h). */
typedef enum cambium_status {
  CAMBIUM_STATUS_OK = 0,
  /* An argument, or the data of an example, breaks a rule. */
  CAMBIUM_STATUS_INVALID_ARGUMENT = 1,
  /* No entry, input, parameter, file, ... of that name. */
  CAMBIUM_STATUS_NOT_FOUND = 2,
  /* An index or an id is outside its range, or a size overflows. */
  CAMBIUM_STATUS_OUT_OF_RANGE = 3,
  /* The module was made for another ABI version, CPU or runtime. */
  CAMBIUM_STATUS_INCOMPATIBLE = 4,
  /* The memory limit, or the machine's memory, is exhausted. */
  CAMBIUM_STATUS_OUT_OF_MEMORY = 5,
  /* The operating system refused to read or write a file. */
  CAMBIUM_STATUS_IO_ERROR = 6,
  /* A module, manifest or checkpoint is malformed or damaged. */
  CAMBIUM_STATUS_MALFORMED = 7,
  /* A checkpoint does not fit the parameters of the module. */
  CAMBIUM_STATUS_MISMATCH = 8,
  /* The loss is infinite or not a number. */
  CAMBIUM_STATUS_NOT_FINITE = 9,
  /* Functions called in an order that makes no sense. */
  CAMBIUM_STATUS_WRONG_STATE = 10,
  /* Compiled code failed without saying more. */
  CAMBIUM_STATUS_FAILED = 11,
  /* There is no device of that name, or no driver for it. */
  CAMBIUM_STATUS_NO_DEVICE = 12,
  /* A device or its driver failed; the text has the driver's reason. */
  CAMBIUM_STATUS_DEVICE_ERROR = 13
} cambium_status_t;

/* The name of a status, as "out of memory". Never null; static.
 * Thread-safe. */
CAMBIUM_API const char *cambium_status_name(cambium_status_t status);

/* The text of the last failure of a function of this library *on the calling
 * thread*: "input 'tokens' of example 3 has 7 rows, expected 9 as 'tree'".
 * Empty when nothing has failed yet; successes do not clear it. Never null;
 * valid until the next call into the library on this thread. Thread-safe. */
CAMBIUM_API const char *cambium_last_error(void);

/* The version of this library ("1.0.0") and of the ABI that modules must have.
 * Thread-safe. */
CAMBIUM_API const char *cambium_version(void);
CAMBIUM_API uint32_t cambium_abi_version(void);

/*===----------------------------------------------------------------------===*
 * Logging
 *===----------------------------------------------------------------------===*/

typedef enum cambium_log_level {
  CAMBIUM_LOG_DEBUG = 0,   /* workspace growth, sizes */
  CAMBIUM_LOG_INFO = 1,    /* a module or checkpoint was loaded or saved */
  CAMBIUM_LOG_WARNING = 2, /* a checkpoint without a checksum, ... */
  CAMBIUM_LOG_ERROR = 3    /* the text of every failure */
} cambium_log_level_t;

/* Receives one message, without a line end. May be called from any thread, also
 * from several at once; must not call back into this library. */
typedef void (*cambium_log_fn)(void *user, cambium_log_level_t level,
                               const char *message);

/* Sends messages of `level` and above to `fn`; null turns logging off, which is
 * the default. One setting per process. Thread-safe. */
CAMBIUM_API void cambium_set_logger(cambium_log_fn fn, void *user,
                                    cambium_log_level_t level);

/*===----------------------------------------------------------------------===*
 * Types of elements
 *===----------------------------------------------------------------------===*/

typedef enum cambium_type {
  CAMBIUM_TYPE_F32 = 0,
  CAMBIUM_TYPE_F64 = 1,
  CAMBIUM_TYPE_I32 = 2,
  CAMBIUM_TYPE_I64 = 3,
  CAMBIUM_TYPE_I8 = 4,
  CAMBIUM_TYPE_I1 = 5 /* one byte, 0 or 1 */
} cambium_type_t;

/* The size of an element in bytes (0 for an unknown type) and the name of a
 * type as in the manifest ("f32"). Thread-safe. */
CAMBIUM_API int64_t cambium_type_size(cambium_type_t type);
CAMBIUM_API const char *cambium_type_name(cambium_type_t type);

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
  CAMBIUM_SPACE_CALL = -2     /* one value per call (outputs only) */
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
 * rows [offsets[i], offsets[i + 1]), num_examples + 1 numbers. Valid until the
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

/*===----------------------------------------------------------------------===*
 * cambium_store_t: parameters, gradients, optimizer state
 *===----------------------------------------------------------------------===*
 *
 * Intended use: create with a seed, or create and load a checkpoint; share
 * among sessions. Parameters are named by their index in the module. Memory of
 * gradients and optimizer state is allocated by the first
 * cambium_step_accumulate or by loading a checkpoint that has the state.
 *
 * Thread-safety: reading (cambium_call of FUNCTION entries, values, save) may
 * happen from several threads at once as long as no thread changes the store
 * (step_accumulate, step_apply, load, set_..., writes through pointers).
 */

typedef struct cambium_store cambium_store_t;

typedef struct cambium_store_options {
  /* Seed of the initializers. The same seed gives the same bits, whatever the
   * number of threads, the other parameters or their order. */
  uint64_t seed;
  /* The folder that paths of FILE initializers are relative to; null: the
   * working directory. */
  const char *data_dir;
  /* Threads that initialize; 0: one. */
  int32_t num_threads;
  /* Most memory in bytes that the store may take; 0: that of the machine. */
  int64_t memory_limit;
  /* Leave all values zero, to be loaded or written: no file is read. */
  bool skip_initializers;
} cambium_store_options_t;

/* Allocates the parameters of `module` (64-byte aligned) and initializes them.
 * The caller owns `*out_store`. */
CAMBIUM_API cambium_status_t cambium_store_create(
    const cambium_module_t *module, const cambium_store_options_t *options,
    cambium_store_t **out_store);
CAMBIUM_API void cambium_store_destroy(cambium_store_t *store);

/* The module that the store was made for. */
CAMBIUM_API const cambium_module_t *
cambium_store_module(const cambium_store_t *store);

/* The elements of a parameter, of its gradient, and of its optimizer state
 * `slot` (0 or 1), all of the parameter's shape and type. Null when the index
 * is out of range or the array is not allocated (yet). A row-sparse gradient is
 * zero outside of the touched rows. */
CAMBIUM_API void *cambium_store_value(const cambium_store_t *store,
                                      int64_t parameter);
CAMBIUM_API void *cambium_store_gradient(const cambium_store_t *store,
                                         int64_t parameter);
CAMBIUM_API void *cambium_store_state(const cambium_store_t *store,
                                      int64_t parameter, int32_t slot);

/* The rows of a row-sparse parameter that have a gradient, in the order of
 * their first use. The number of rows; 0 for other parameters. */
CAMBIUM_API int64_t cambium_store_touched_rows(const cambium_store_t *store,
                                               int64_t parameter,
                                               const int32_t **out_rows);

/* Allocates gradients and optimizer state now instead of at the first step. */
CAMBIUM_API cambium_status_t
cambium_store_prepare_training(cambium_store_t *store);

/* Sets all gradients to zero, as after an update. For hosts that throw away
 * what was accumulated. */
CAMBIUM_API void cambium_store_clear_gradients(cambium_store_t *store);

/* The number of updates that the step `name` has done (null: the only step of
 * the module). Kept in checkpoints. -1 / NOT_FOUND when there is no such step.
 */
CAMBIUM_API int64_t cambium_store_step_count(const cambium_store_t *store,
                                             const char *name);
CAMBIUM_API cambium_status_t cambium_store_set_step_count(
    cambium_store_t *store, const char *name, int64_t count);

/* Texts that are kept with the store and in its checkpoints (epoch, best score,
 * vocabulary file, ...). Setting a null value removes the key; keys that start
 * with "cambium." are reserved. A value is null when there is no such key. Keys
 * are in alphabetical order; null when the index is out of range. */
CAMBIUM_API cambium_status_t cambium_store_set_metadata(cambium_store_t *store,
                                                        const char *key,
                                                        const char *value);
CAMBIUM_API const char *cambium_store_metadata(const cambium_store_t *store,
                                               const char *key);
CAMBIUM_API int64_t cambium_store_num_metadata(const cambium_store_t *store);
CAMBIUM_API const char *cambium_store_metadata_key(const cambium_store_t *store,
                                                   int64_t index);

/* Flags of save and load. */
enum {
  /* Parameters only: do not save, or do not load, optimizer state and step
   * counts. */
  CAMBIUM_CHECKPOINT_PARAMETERS_ONLY = 1,
  /* Load: parameters that the file lacks keep their values. */
  CAMBIUM_CHECKPOINT_ALLOW_MISSING = 2,
  /* Load: ignore tensors that the module does not have. */
  CAMBIUM_CHECKPOINT_ALLOW_EXTRA = 4
};

/* Writes a safetensors file: every parameter under its name, optimizer state as
 * "name#state0" and "name#state1" (where allocated), step counts, metadata and
 * a checksum as metadata. The file appears whole or not at all: it is written
 * to a temporary file beside `path`, flushed to the disk, then renamed. When it
 * fails, a file that was there before is untouched. */
CAMBIUM_API cambium_status_t cambium_store_save(const cambium_store_t *store,
                                                const char *path,
                                                uint32_t flags);

/* Reads such a file, or one made elsewhere (then without checksum). Everything
 * is checked first: a failure names *all* mismatches and leaves the store as it
 * was, except where reading itself fails half-way (IO_ERROR). Replaces
 * metadata. Optimizer state that the file lacks is set to zero. */
CAMBIUM_API cambium_status_t cambium_store_load(cambium_store_t *store,
                                                const char *path,
                                                uint32_t flags);

/* Draws a tensor exactly as cambium_store_create does for a parameter `name`,
 * for hosts without a module. FILE is refused. Thread-safe. */
CAMBIUM_API cambium_status_t cambium_initialize(
    const cambium_init_t *init, uint64_t seed, const char *name,
    cambium_type_t type, int32_t rank, const int64_t *shape, void *out_data);

/*===----------------------------------------------------------------------===*
 * cambium_session_t: workspace and threads of calls
 *===----------------------------------------------------------------------===*
 *
 * Intended use: one per thread that calls. The workspace grows to what the
 * largest call needs and is kept, so that warm calls allocate nothing. A
 * session may serve different entries, modules, stores and batches.
 * Thread-safety: one call at a time, from any thread.
 */

typedef struct cambium_session cambium_session_t;

/* A part of a parallel loop: to be run for rows [begin, end). */
typedef void (*cambium_task_fn)(void *task, int64_t begin, int64_t end);

/* A parallel loop of the host: calls fn(task, begin, end) for pieces that cover
 * [0, count) without overlap, on any threads, and returns when all are done.
 * Every `begin` is a multiple of `grain`, and so is every `end` but the last.
 */
typedef void (*cambium_parallel_for_fn)(void *user, cambium_task_fn fn,
                                        void *task, int64_t count,
                                        int64_t grain);

typedef struct cambium_session_options {
  /* Threads, including the calling one. 1: no pool; 0: one per processor that
   * this process may use, by its affinity and the quotas of its control groups
   * (at least 1). Ignored when `parallel_for` is set. */
  int32_t num_threads;
  /* Runs parallel loops instead of the default pool. */
  cambium_parallel_for_fn parallel_for;
  void *parallel_for_user;
  /* Most workspace memory in bytes; a call that needs more fails with
   * OUT_OF_MEMORY. 0: no limit. What a loop may record in training counts for
   * all its iterations, whether they are executed or not. */
  int64_t memory_limit;
  /* Report an infinite or undefined loss as NOT_FINITE. Gradients then contain
   * it: call cambium_store_clear_gradients. */
  bool check_loss;
} cambium_session_options_t;

/* The caller owns `*out_session`. */
CAMBIUM_API cambium_status_t cambium_session_create(
    const cambium_session_options_t *options, cambium_session_t **out_session);
CAMBIUM_API void cambium_session_destroy(cambium_session_t *session);

/* The number of threads; 0 when the host runs the loops. */
CAMBIUM_API int32_t
cambium_session_num_threads(const cambium_session_t *session);

/* Workspace memory: bytes held now, and most bytes used by a call so far. The
 * pages of large arrays count whole, but take memory only when written. */
CAMBIUM_API int64_t
cambium_session_memory_held(const cambium_session_t *session);
CAMBIUM_API int64_t
cambium_session_memory_peak(const cambium_session_t *session);

/* Gives the workspace memory back to the system. */
CAMBIUM_API void cambium_session_trim(cambium_session_t *session);

/*===----------------------------------------------------------------------===*
 * Calls
 *===----------------------------------------------------------------------===*/

/* Memory for an output. Data null: the output is not wanted. `size` may be
 * larger than needed. Any alignment that suits the element type. */
typedef struct cambium_buffer {
  void *data;
  int64_t size; /* in bytes */
} cambium_buffer_t;

/* Runs a FUNCTION entry over a finished batch. `outputs` has one buffer per
 * output of the entry (see cambium_batch_output_bytes); with num_outputs less
 * than that, the rest is not wanted. Outputs are undefined on failure. `batch`
 * may have been made for another entry with the same inputs. */
CAMBIUM_API cambium_status_t cambium_call(cambium_session_t *session,
                                          const cambium_entry_t *entry,
                                          const cambium_store_t *store,
                                          const cambium_batch_t *batch,
                                          const cambium_buffer_t *outputs,
                                          int64_t num_outputs);

/* Runs an ACCUMULATE entry: adds the gradient of the mean loss over the
 * examples of the batch to the gradients in the store. `out_loss` (or null)
 * receives that mean; `outputs` as in cambium_call, where output 0 is the loss.
 */
CAMBIUM_API cambium_status_t cambium_step_accumulate(
    cambium_session_t *session, const cambium_entry_t *entry,
    cambium_store_t *store, const cambium_batch_t *batch,
    const cambium_buffer_t *outputs, int64_t num_outputs, double *out_loss);

/* A learning rate, finite also in f32. A null group stands for all groups that
 * are not named. */
typedef struct cambium_learning_rate {
  const char *group;
  double value;
} cambium_learning_rate_t;

/* Runs an APPLY entry: multiplies the gradients by `gradient_scale` (1 divided
 * by the number of accumulated batches), updates the parameters, clears the
 * gradients and adds 1 to the step count. Every parameter group of the step
 * needs a rate; `gradient_scale` is finite, also in f32. Nothing accumulated
 * yet is a WRONG_STATE. */
CAMBIUM_API cambium_status_t
cambium_step_apply(cambium_session_t *session, const cambium_entry_t *entry,
                   cambium_store_t *store, const cambium_learning_rate_t *rates,
                   int64_t num_rates, double gradient_scale);

/* One whole training step with one batch: accumulate, then apply with gradient
 * scale 1. `batch` was made for the ACCUMULATE entry. With check_loss, a loss
 * that is not finite leaves parameters and step count unchanged and clears the
 * gradients. */
CAMBIUM_API cambium_status_t cambium_step(cambium_session_t *session,
                                          cambium_store_t *store,
                                          const cambium_batch_t *batch,
                                          const cambium_learning_rate_t *rates,
                                          int64_t num_rates, double *out_loss);

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

#endif /* CAMBIUM_RUNTIME_H */
