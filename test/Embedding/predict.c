/*===-- test/Embedding/predict.c - A C program that runs a model ----------===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * usage: predict MODULE CHECKPOINT
 * Prints what two trees are worth. The program of docs/Embedding.md.
 *
 *===----------------------------------------------------------------------===*/
#include "cambium/runtime.h"

#include <stdio.h>

/* Everything that the program holds, so that one place gives it back. */
typedef struct {
  cambium_module_t *module;
  cambium_store_t *store;
  cambium_session_t *session;
  cambium_batch_t *batch;
} host_t;

/* Loads the model and its parameters. */
static cambium_status_t open_model(host_t *host, const char *module,
                                   const char *checkpoint) {
  cambium_status_t status = cambium_module_load(module, &host->module);
  if (status)
    return status;
  /* The values come from the checkpoint: nothing needs to be drawn. For calls
   * alone, weights that functions read in copies have no value beside. */
  cambium_store_options_t store = {.skip_initializers = true};
  status = cambium_store_create_for_calls(host->module, &store, &host->store);
  if (status)
    return status;
  status = cambium_store_load(host->store, checkpoint,
                              CAMBIUM_CHECKPOINT_PARAMETERS_ONLY);
  if (status)
    return status;
  cambium_session_options_t session = {.num_threads = 1};
  return cambium_session_create(&session, &host->session);
}

/* Adds one tree with a token at every node. */
static cambium_status_t add_tree(cambium_batch_t *batch, int64_t num_nodes,
                                 const int32_t *parents,
                                 const int32_t *tokens) {
  const cambium_entry_t *entry = cambium_batch_entry(batch);
  cambium_status_t status = cambium_batch_begin_example(batch, 0);
  if (!status)
    status = cambium_batch_set_tree_parents(
        batch, cambium_entry_find_tree(entry, "tree"), num_nodes, parents);
  if (!status)
    status = cambium_batch_set_input(batch,
                                     cambium_entry_find_input(entry, "tokens"),
                                     CAMBIUM_TYPE_I32, num_nodes, tokens);
  if (!status)
    status = cambium_batch_end_example(batch);
  return status;
}

static cambium_status_t predict(host_t *host) {
  const cambium_entry_t *entry =
      cambium_module_find_entry(host->module, "predict");
  cambium_status_t status = cambium_batch_create(entry, &host->batch);
  if (status)
    return status;

  /* A node of three, and a chain of four whose root is node 0. */
  const int32_t parents0[] = {2, 2, -1}, tokens0[] = {4, 5, 0};
  const int32_t parents1[] = {-1, 0, 1, 2}, tokens1[] = {1, 2, 3, 9};
  status = add_tree(host->batch, 3, parents0, tokens0);
  if (!status)
    status = add_tree(host->batch, 4, parents1, tokens1);
  if (!status)
    status = cambium_batch_finish(host->batch);
  if (status)
    return status;

  float worth[2];
  cambium_buffer_t output = {worth, sizeof worth};
  status =
      cambium_call(host->session, entry, host->store, host->batch, &output, 1);
  if (!status)
    printf("%.2f\n%.2f\n", (double)worth[0], (double)worth[1]);
  return status;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: predict MODULE CHECKPOINT\n");
    return 2;
  }
  host_t host = {0};
  cambium_status_t status = open_model(&host, argv[1], argv[2]);
  if (!status)
    status = predict(&host);
  if (status)
    fprintf(stderr, "predict: error: %s\n", cambium_last_error());
  /* In any order; null handles are fine. */
  cambium_batch_destroy(host.batch);
  cambium_session_destroy(host.session);
  cambium_store_destroy(host.store);
  cambium_module_destroy(host.module);
  return status ? 1 : 0;
}
