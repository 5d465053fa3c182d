/*===-- test/lib/cambium-million - A compiled model on extreme trees ------===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * usage: cambium-million MODULE NODES chain|star
 *
 * Runs the entry `predict` and the training step of a module over one tree of
 * that many nodes: a chain whose last node is the deepest, or a star whose root
 * is node 0. Prints the output of the root, the loss, the gradient of the
 * parameter, and the parameter after an update with the learning rate 1.
 *
 *===----------------------------------------------------------------------===*/
#include "cambium/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(cambium_status_t status) {
  if (!status)
    return;
  fprintf(stderr, "error: %s\n", cambium_last_error());
  exit(1);
}

/* A batch of one example: the tree, and the token 0 at every node. */
static cambium_batch_t *fill(const cambium_entry_t *entry, int32_t nodes,
                             int isChain) {
  size_t bytes = (size_t)nodes * sizeof(int32_t);
  int32_t *parents = malloc(bytes), *tokens = calloc((size_t)nodes, 4);
  if (!parents || !tokens)
    exit(1);
  for (int32_t i = 0; i < nodes; ++i)
    parents[i] = isChain || i == 0 ? i - 1 : 0;
  cambium_batch_t *batch = NULL;
  check(cambium_batch_create(entry, &batch));
  check(cambium_batch_begin_example(batch, 0));
  check(cambium_batch_set_tree_parents(batch, 0, nodes, parents));
  check(cambium_batch_set_input(batch, 0, CAMBIUM_TYPE_I32, nodes, tokens));
  check(cambium_batch_end_example(batch));
  check(cambium_batch_finish(batch));
  free(parents);
  free(tokens);
  return batch;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: %s MODULE NODES chain|star\n", argv[0]);
    return 2;
  }
  int32_t nodes = (int32_t)strtol(argv[2], NULL, 10);
  int isChain = strcmp(argv[3], "chain") == 0;
  cambium_module_t *module = NULL;
  cambium_store_t *store = NULL;
  cambium_session_t *session = NULL;
  check(cambium_module_load(argv[1], &module));
  check(cambium_store_create(module, NULL, &store));
  check(cambium_session_create(NULL, &session));

  const cambium_entry_t *predict = cambium_module_find_entry(module, "predict");
  cambium_batch_t *batch = fill(predict, nodes, isChain);
  float root = 0;
  cambium_buffer_t output = {&root, sizeof root};
  check(cambium_call(session, predict, store, batch, &output, 1));
  cambium_batch_destroy(batch);

  const cambium_entry_t *accumulate = NULL, *apply = NULL;
  check(cambium_module_find_step(module, NULL, &accumulate, &apply));
  batch = fill(accumulate, nodes, isChain);
  double loss = 0;
  check(cambium_step_accumulate(session, accumulate, store, batch, NULL, 0,
                                &loss));
  float gradient = *(float *)cambium_store_gradient(store, 0);
  cambium_learning_rate_t rate = {NULL, 1};
  check(cambium_step_apply(session, apply, store, &rate, 1, 1));
  float value = *(const float *)cambium_store_value(store, 0);
  printf("root %.9g loss %.9g gradient %.9g updated %.9g\n", (double)root, loss,
         (double)gradient, (double)value);
  cambium_batch_destroy(batch);
  cambium_session_destroy(session);
  cambium_store_destroy(store);
  cambium_module_destroy(module);
  return 0;
}
