/*===-- cambium/store.h - Parameters and checkpoints ---------------*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 * Part of cambium/runtime.h.
 *===----------------------------------------------------------------------===*/
#ifndef CAMBIUM_STORE_H
#define CAMBIUM_STORE_H

#include "cambium/module.h"

#ifdef __cplusplus
extern "C" {
#endif

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
 * (step_accumulate, step_apply, load, set_..., writing gradients).
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
/* The same for cambium_call on this machine's processors, with less memory:
 * what all functions read in a copy alone, as products need it (in panels, of
 * bf16 or of 8 bits), has only this copy. cambium_store_value is null there,
 * and cambium_store_save is refused (WRONG_STATE), as are training steps,
 * cambium_store_prepare_training and devices. Checkpoints and values that are
 * set are copied at once, optimizer state is not loaded. */
CAMBIUM_API cambium_status_t cambium_store_create_for_calls(
    const cambium_module_t *module, const cambium_store_options_t *options,
    cambium_store_t **out_store);
CAMBIUM_API void cambium_store_destroy(cambium_store_t *store);

/* The module that the store was made for. */
CAMBIUM_API const cambium_module_t *
cambium_store_module(const cambium_store_t *store);

/* The elements of a parameter, of its gradient, and of its optimizer state
 * `slot` (0 or 1), all of the parameter's shape and type; but an optimizer that
 * keeps a number per row and per column of a matrix (Adafactor) has the rows in
 * slot 0 and the columns in slot 1. Null when the index is out of range or the
 * array is not allocated (yet, or in a store for calls). A row-sparse gradient
 * is zero outside of the touched rows. A value is only read through its
 * pointer: the store keeps copies of it, as products need them and on devices.
 */
CAMBIUM_API const void *cambium_store_value(const cambium_store_t *store,
                                            int64_t parameter);
CAMBIUM_API void *cambium_store_gradient(const cambium_store_t *store,
                                         int64_t parameter);
CAMBIUM_API void *cambium_store_state(const cambium_store_t *store,
                                      int64_t parameter, int32_t slot);

/* The elements that slot 0 or 1 of a parameter's optimizer state has when it is
 * allocated; 0 where there is no such slot. */
CAMBIUM_API int64_t cambium_store_state_elements(const cambium_store_t *store,
                                                 int64_t parameter,
                                                 int32_t slot);

/* Replaces all elements of a parameter, for calls on any device from the next
 * one on. INVALID_ARGUMENT when type or number are not those of the parameter;
 * nothing changes then. Of no elements the pointer may be null. */
CAMBIUM_API cambium_status_t cambium_store_set_value(cambium_store_t *store,
                                                     int64_t parameter,
                                                     cambium_type_t type,
                                                     int64_t num_elements,
                                                     const void *elements);

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

#ifdef __cplusplus
}
#endif

#endif /* CAMBIUM_STORE_H */
