/*===-- test/Runtime/cuda/Kernels.c - Kernels written by hand --------------===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The kernels of DeviceModule.c. Kernels.ptx.inc is what clang makes of them
 * (make-ptx); the fake driver runs them as they are, with one thread.
 *
 *===----------------------------------------------------------------------===*/
#include "cambium/device_abi.h"

#ifdef __NVPTX__
#define KERNEL __attribute__((nvptx_kernel)) void
static int thread(void) {
  return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
}
static int threads(void) {
  return __nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_ntid_x();
}
/* Barrier k of a launch. */
__attribute__((convergent)) static void
barrier(const cambium_abi_device_call_t *call, int launch, int k) {
  __nvvm_bar_sync(0);
  if (__nvvm_read_ptx_sreg_tid_x() == 0) {
    uint32_t *arrived = &call->barriers[launch].arrived, seen;
    uint32_t goal = (k + 1) * __nvvm_read_ptx_sreg_nctaid_x();
    __asm__ volatile("fence.acq_rel.gpu;" ::: "memory");
    __asm__ volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 1;"
                     : "=r"(seen)
                     : "l"(arrived)
                     : "memory");
    do
      __asm__ volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                       : "=r"(seen)
                       : "l"(arrived)
                       : "memory");
    while ((int32_t)(seen - goal) < 0);
  }
  __nvvm_bar_sync(0);
}
#else
#define KERNEL void
static int thread(void) { return 0; }
static int threads(void) { return 1; }
static void barrier(const cambium_abi_device_call_t *call, int launch, int k) {
  call->barriers[launch].arrived = (uint32_t)k + 1;
}
#endif

#define EACH(i, count)                                                         \
  for (int64_t i = thread(); i < (int64_t)(count); i += threads())

KERNEL affine(const cambium_abi_device_call_t *device) {
  const cambium_abi_call_t *call = &device->call;
  const float *x = (const float *)call->inputs[0];
  const float *w = (const float *)call->params[1].value;
  const float *b = (const float *)call->params[2].value;
  float *y = (float *)call->outputs[0], *copy = (float *)device->workspace;
  int64_t rows = call->spaces[0].num_rows;
  EACH(i, 2 * rows) copy[i] = x[i];
  barrier(device, 0, 0);
  EACH(i, 3 * rows) {
    float sum = b[i % 3];
    for (int k = 0; k < 2; ++k)
      sum += w[i % 3 * 2 + k] * copy[i / 3 * 2 + k];
    y[i] = sum;
  }
  barrier(device, 0, 1);
  EACH(i, 1)((float *)call->outputs[1])[0] = y[3 * rows - 1];
}

/* A node is its token plus its children; rows of words are told their place in
 * their chain. */
KERNEL tree(const cambium_abi_device_call_t *device) {
  const cambium_abi_call_t *call = &device->call;
  const cambium_abi_forest_t *forest = call->forests[0];
  const cambium_abi_forest_t *chain = call->forests[1];
  const int32_t *tokens = (const int32_t *)call->inputs[0];
  int32_t *nodes = (int32_t *)call->outputs[0];
  for (int64_t l = 0; l < forest->num_levels; ++l) {
    EACH(i, forest->level_nodes[l + 1] - forest->level_nodes[l]) {
      int64_t n = forest->level_nodes[l] + i;
      int32_t value = tokens[forest->node_to_user[n]];
      for (int32_t e = forest->child_offsets[n];
           e < forest->child_offsets[n + 1]; ++e)
        value += nodes[forest->node_to_user[forest->child_nodes[e]]];
      nodes[forest->node_to_user[n]] = value;
    }
    barrier(device, 0, (int)l);
  }
  EACH(i, call->num_examples) {
    ((int32_t *)call->outputs[1])[i] =
        nodes[forest->node_to_user[forest->roots[i]]];
    ((uint64_t *)call->outputs[3])[i] = call->example_keys[i];
  }
  EACH(n, chain->num_nodes) {
    int32_t level = 0;
    while (chain->level_nodes[level + 1] <= n)
      ++level;
    ((int32_t *)call->outputs[2])[chain->node_to_user[n]] = level;
  }
}

/* Positive numbers are reported, with their row where they are odd. */
KERNEL report(const cambium_abi_device_call_t *device) {
  const int32_t *codes = (const int32_t *)device->call.inputs[0];
  cambium_abi_device_state_t *state = device->state;
  if (thread() != 0)
    return;
  for (int64_t i = 0; i < device->call.num_examples; ++i)
    if (codes[i] > 0 && state->code == 0) {
      state->code = codes[i];
      state->has_row = codes[i] & 1;
      state->row = i;
    }
}

/* Uses all of the workspace, and says how much that is. */
KERNEL memory(const cambium_abi_device_call_t *device) {
  int64_t words = device->workspace_bytes / 8;
  int64_t *at = (int64_t *)device->workspace;
  EACH(i, words) at[i] = i;
  EACH(i, 1)((int64_t *)device->call.outputs[0])[0] = device->workspace_bytes;
}

/* One kernel leaves something for the next. */
/* Says that a stage ended once more. */
static void tell(const cambium_abi_device_call_t *device, int stage) {
  EACH(i, 1) {
    device->times[stage].count += 1;
    device->times[stage].nanoseconds += 1000 * (stage + 1);
    device->times[stage].waited += 10;
  }
}

KERNEL first(const cambium_abi_device_call_t *device) {
  tell(device, 0);
  const int32_t *values = (const int32_t *)device->call.inputs[0];
  EACH(i, 1)((int32_t *)device->workspace)[0] = values[0] + 1;
  barrier(device, 0, 0);
}

KERNEL second(const cambium_abi_device_call_t *device) {
  tell(device, 1);
  tell(device, 1);
  barrier(device, 1, 0);
  EACH(i, 1)((int32_t *)device->call.outputs[0])[0] =
      ((const int32_t *)device->workspace)[0] * 2;
}

/* loss_i = 0.5 (b . 1 + table[row] . 1 - target)^2, in the order of the CPU. */
KERNEL accumulate(const cambium_abi_device_call_t *device) {
  const cambium_abi_call_t *call = &device->call;
  if (thread() != 0)
    return;
  const int32_t *rows = (const int32_t *)call->inputs[0];
  const float *targets = (const float *)call->inputs[1];
  cambium_abi_param_t *table = &call->params[0], *b = &call->params[2];
  float mean = 0, count = (float)call->num_examples;
  for (int64_t i = 0; i < call->num_examples; ++i) {
    const float *row = (const float *)table->value + 2 * rows[i];
    const float *value = (const float *)b->value;
    float error = value[0] + value[1] + value[2] + row[0] + row[1] - targets[i];
    ((float *)call->outputs[1])[i] = 0.5f * error * error;
    mean += ((float *)call->outputs[1])[i] / count;
    for (int k = 0; k < 3; ++k)
      ((float *)b->gradient)[k] += error / count;
    for (int k = 0; k < 2; ++k)
      ((float *)table->gradient)[2 * rows[i] + k] += error / count;
    if (!table->is_touched[rows[i]]) {
      table->is_touched[rows[i]] = 1;
      table->touched[table->num_touched++] = rows[i];
    }
  }
  ((float *)call->outputs[0])[0] = mean;
}

static void descend(cambium_abi_param_t *param, int64_t element, double rate) {
  float *gradient = (float *)param->gradient + element;
  ((float *)param->value)[element] -= (float)rate * *gradient;
  ((float *)param->state[0])[element] += 1;
  *gradient = 0;
}

KERNEL apply(const cambium_abi_device_call_t *device) {
  const cambium_abi_call_t *call = &device->call;
  cambium_abi_param_t *table = &call->params[0];
  double scale = call->scalars[2];
  EACH(i, 2 * table->num_touched)
  descend(table, 2 * table->touched[i / 2] + i % 2, call->scalars[0] * scale);
  EACH(i, 6) descend(&call->params[1], i, call->scalars[1] * scale);
  EACH(i, 3) descend(&call->params[2], i, call->scalars[1] * scale);
  EACH(i, 3)((float *)call->params[2].state[1])[i] = (float)call->step;
  barrier(device, 0, 0);
  if (thread() != 0)
    return;
  for (int64_t t = 0; t < table->num_touched; ++t)
    table->is_touched[table->touched[t]] = 0;
  table->num_touched = 0;
}
