/*===-- test/Tools/cambium-compile/Inputs/static.c - A model in an archive
 * ------===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/
#include "mean.h"
#include <cambium/abi.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(cambium_abi_call_t *call, int64_t bytes) {
  (void)call;
  return aligned_alloc(64, (size_t)(bytes + 63) / 64 * 64);
}

static void release(cambium_abi_call_t *call, void *memory, int64_t bytes) {
  (void)call;
  (void)bytes;
  free(memory);
}

static void parallel_for(cambium_abi_call_t *call, cambium_abi_task_fn fn,
                         void *task, int64_t count, int64_t grain) {
  (void)call;
  (void)grain;
  fn(task, 0, count);
}

/* Two examples, of words 1, 3 and of word 2; the vector of word w is w
 * everywhere. */
int main(void) {
  const cambium_abi_module_t *module = mean_cambium_module_query();
  if (module->magic != CAMBIUM_ABI_MAGIC ||
      module->abi_version != CAMBIUM_ABI_VERSION)
    return 1;
  float E[9][4], W[4][2], y[2][2] = {{0}};
  for (int w = 0; w < 9; ++w)
    for (int i = 0; i < 4; ++i)
      E[w][i] = (float)w;
  for (int i = 0; i < 4; ++i) {
    W[i][0] = 1;
    W[i][1] = -2;
  }
  cambium_abi_param_t params[2] = {{.value = E}, {.value = W}};
  int32_t offsets[3] = {0, 2, 3}, words[3] = {1, 3, 2};
  cambium_abi_rows_t space = {2, 3, offsets};
  const void *inputs[1] = {words};
  void *outputs[1] = {y};
  cambium_abi_services_t services = {
      .allocate = allocate, .parallel_for = parallel_for, .release = release};
  cambium_abi_call_t call = {.services = &services,
                             .num_examples = 2,
                             .spaces = &space,
                             .inputs = inputs,
                             .outputs = outputs,
                             .params = params};
  for (int64_t i = 0; i < module->num_entries; ++i)
    if (strcmp(module->entries[i].name, "predict") == 0)
      if (module->entries[i].fn(&call) != 0)
        return 2;
  /* Both means are 2, so that the sums of 4 products are 8 and -16. */
  return y[0][0] == 8 && y[0][1] == -16 && y[1][0] == 8 && y[1][1] == -16 ? 0
                                                                          : 3;
}
