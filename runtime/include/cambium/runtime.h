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

#include "cambium/batch.h"
#include "cambium/forest.h"
#include "cambium/module.h"
#include "cambium/session.h"
#include "cambium/status.h"
#include "cambium/store.h"

#endif /* CAMBIUM_RUNTIME_H */
