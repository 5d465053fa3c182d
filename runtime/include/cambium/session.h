/*===-- cambium/session.h - Calls of modules -----------------------*- C -*-===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 * Part of cambium/runtime.h.
 *===----------------------------------------------------------------------===*/
#ifndef CAMBIUM_SESSION_H
#define CAMBIUM_SESSION_H

#include "cambium/batch.h"
#include "cambium/store.h"

#ifdef __cplusplus
extern "C" {
#endif

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
  /* Threads at most, including the calling one; 0: any number. Never more than
   * processors that this process may use (affinity, control groups) when the
   * session is made. 1: no pool. Not used with `parallel_for`. */
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

#ifdef __cplusplus
}
#endif

#endif /* CAMBIUM_SESSION_H */
