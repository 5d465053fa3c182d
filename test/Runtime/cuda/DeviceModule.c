/*===-- test/Runtime/cuda/DeviceModule.c - A module for two targets --------===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * What a compiled module with code for devices looks like to the runtime: every
 * entry as a function of the CPU and as a kernel, which are compared. Also
 * compiled into the test program as a static module.
 *
 *===----------------------------------------------------------------------===*/
#define ACCUMULATE_ENTRY "6"
#include "../Inputs/TrainingStep.h"
#include "cambium/device_abi.h"

#include <string.h>

/* In the test program beside other modules. */
#ifdef DEVICE_STATIC
#define DEVICE_PREFIX(name) device_##name
#else
#define DEVICE_PREFIX(name) name
#endif

static const char manifest[] =
    "{\"abi\": 6,"
    " \"target\": {\"triple\": \"x86_64-unknown-linux-gnu\", \"cpu\": "
    "\"fake\"},"
    " \"params\": ["
    "  {\"name\": \"table\", \"type\": \"f32\", \"shape\": [8, 2],"
    "   \"group\": \"embedding\", \"row_sparse\": true, \"state_slots\": 1,"
    "   \"init\": {\"kind\": \"uniform\", \"a\": -1, \"b\": 1}},"
    "  {\"name\": \"w\", \"type\": \"f32\", \"shape\": [3, 2],"
    "   \"group\": \"default\", \"state_slots\": 1,"
    "   \"init\": {\"kind\": \"uniform\", \"a\": -1, \"b\": 1}},"
    "  {\"name\": \"b\", \"type\": \"f32\", \"shape\": [3],"
    "   \"group\": \"default\", \"state_slots\": 2,"
    "   \"init\": {\"kind\": \"constant\", \"a\": 0.5}},"
    "  {\"name\": \"frozen\", \"type\": \"i64\", \"shape\": [],"
    "   \"trainable\": false, \"init\": {\"kind\": \"constant\", \"a\": 42}}],"
    " \"entries\": ["
    "  {\"name\": \"affine\","
    "   \"spaces\": [{\"name\": \"rows\", \"of\": \"rows\"}],"
    "   \"inputs\": [{\"name\": \"x\", \"type\": \"f32\", \"shape\": [2],"
    "                 \"space\": 0}],"
    "   \"outputs\": ["
    "    {\"name\": \"y\", \"type\": \"f32\", \"shape\": [3], \"space\": 0},"
    "    {\"name\": \"last\", \"type\": \"f32\", \"shape\": [], \"space\": "
    "-2}]},"
    "  {\"name\": \"tree\", \"random\": true,"
    "   \"spaces\": [{\"name\": \"tree\", \"of\": \"nodes\"},"
    "                {\"name\": \"words\", \"of\": \"rows\"}],"
    "   \"forests\": [{\"name\": \"tree\", \"space\": 0, \"arity\": 3,"
    "                  \"single_root\": true}],"
    "   \"inputs\": ["
    "    {\"name\": \"tokens\", \"type\": \"i32\", \"shape\": [],"
    "     \"space\": 0},"
    "    {\"name\": \"words\", \"type\": \"i32\", \"shape\": [],"
    "     \"space\": 1}],"
    "   \"outputs\": ["
    "    {\"name\": \"nodes\", \"type\": \"i32\", \"shape\": [], \"space\": 0},"
    "    {\"name\": \"roots\", \"type\": \"i32\", \"shape\": [], \"space\": "
    "-1},"
    "    {\"name\": \"places\", \"type\": \"i32\", \"shape\": [],"
    "     \"space\": 1},"
    "    {\"name\": \"keys\", \"type\": \"i64\", \"shape\": [], \"space\": "
    "-1}]},"
    "  {\"name\": \"report\","
    "   \"inputs\": [{\"name\": \"code\", \"type\": \"i32\", \"shape\": [],"
    "                 \"space\": -1}], \"outputs\": []},"
    "  {\"name\": \"memory\","
    "   \"inputs\": [{\"name\": \"bytes\", \"type\": \"i64\", \"shape\": [],"
    "                 \"space\": -1}],"
    "   \"outputs\": [{\"name\": \"total\", \"type\": \"i64\", \"shape\": [],"
    "                  \"space\": -2}]},"
    "  {\"name\": \"twice\","
    "   \"inputs\": [{\"name\": \"value\", \"type\": \"i32\", \"shape\": [],"
    "                 \"space\": -1}],"
    "   \"outputs\": [{\"name\": \"seen\", \"type\": \"i32\", \"shape\": [],"
    "                  \"space\": -2}]},"
    "  {\"name\": \"here\", \"inputs\": [], \"outputs\": []}," TRAINING_STEP
    "]}";

/*===-- The CPU -----------------------------------------------------------===*/

static int32_t affine(cambium_abi_call_t *call) {
  const float *x = (const float *)call->inputs[0];
  const float *w = (const float *)call->params[1].value;
  const float *b = (const float *)call->params[2].value;
  float *y = (float *)call->outputs[0];
  int64_t rows = call->spaces[0].num_rows;
  for (int64_t r = 0; r < rows; ++r)
    for (int o = 0; o < 3; ++o) {
      float sum = b[o];
      for (int k = 0; k < 2; ++k)
        sum += w[2 * o + k] * x[2 * r + k];
      y[3 * r + o] = sum;
    }
  ((float *)call->outputs[1])[0] = y[3 * rows - 1];
  return 0;
}

static int32_t tree(cambium_abi_call_t *call) {
  const cambium_abi_forest_t *forest = call->forests[0];
  const int32_t *tokens = (const int32_t *)call->inputs[0];
  const cambium_abi_rows_t *words = &call->spaces[1];
  int32_t *nodes = (int32_t *)call->outputs[0];
  for (int64_t n = 0; n < forest->num_nodes; ++n) {
    int32_t value = tokens[forest->node_to_user[n]];
    for (int32_t e = forest->child_offsets[n]; e < forest->child_offsets[n + 1];
         ++e)
      value += nodes[forest->node_to_user[forest->child_nodes[e]]];
    nodes[forest->node_to_user[n]] = value;
  }
  for (int64_t i = 0; i < call->num_examples; ++i) {
    ((int32_t *)call->outputs[1])[i] =
        nodes[forest->node_to_user[forest->roots[i]]];
    ((uint64_t *)call->outputs[3])[i] = call->example_keys[i];
    /* Of a reversed chain: the last word is the leaf. */
    for (int32_t r = words->offsets[i]; r < words->offsets[i + 1]; ++r)
      ((int32_t *)call->outputs[2])[r] = words->offsets[i + 1] - 1 - r;
  }
  return 0;
}

static int32_t report(cambium_abi_call_t *call) {
  const int32_t *codes = (const int32_t *)call->inputs[0];
  for (int64_t i = 0; i < call->num_examples; ++i)
    if (codes[i] > 0)
      call->services->fail(call, 1, "the CPU has other texts");
  return 0;
}

static int32_t memory(cambium_abi_call_t *call) {
  const int64_t *bytes = (const int64_t *)call->inputs[0];
  int64_t *total = (int64_t *)call->outputs[0];
  *total = 0;
  for (int64_t i = 0; i < call->num_examples; ++i)
    *total += bytes[i];
  return 0;
}

static int32_t twice(cambium_abi_call_t *call) {
  ((int32_t *)call->outputs[0])[0] =
      2 * (((const int32_t *)call->inputs[0])[0] + 1);
  return 0;
}

static int32_t here(cambium_abi_call_t *call) {
  (void)call;
  return 0;
}

static int32_t accumulate(cambium_abi_call_t *call) {
  return addGradients(call, &call->params[0], &call->params[2]);
}

static int32_t apply(cambium_abi_call_t *call) {
  descend(&call->params[1], 0, 6, call->scalars[1] * call->scalars[2]);
  update(call, &call->params[0], &call->params[2]);
  return 0;
}

static const cambium_abi_entry_t entries[] = {{"affine", affine},
                                              {"tree", tree},
                                              {"report", report},
                                              {"memory", memory},
                                              {"twice", twice},
                                              {"here", here},
                                              {"train.accumulate", accumulate},
                                              {"train.apply", apply}};

static const cambium_abi_module_t module = {
    CAMBIUM_ABI_MAGIC, CAMBIUM_ABI_VERSION, "fake", "", manifest, entries, 8};

/*===-- The device --------------------------------------------------------===*/

static const char ptx[] =
#include "Kernels.ptx.inc"
    ;
/* Taken before the PTX of the same architecture; no driver takes it. */
static const char cubin[] = "not a cubin";

static const cambium_abi_image_t images[] = {
    {"sm_80", CAMBIUM_ABI_IMAGE_PTX, 0, ptx, sizeof(ptx) - 1},
    {"sm_80", CAMBIUM_ABI_IMAGE_CUBIN, 0, cubin, sizeof(cubin) - 1}};

static int64_t affine_workspace(const cambium_abi_call_t *call) {
  return call->spaces[0].num_rows * 8;
}
static int64_t memory_workspace(const cambium_abi_call_t *call) {
  int64_t total = 0;
  for (int64_t i = 0; i < call->num_examples; ++i)
    total += ((const int64_t *)call->inputs[0])[i];
  return total;
}
static int64_t twice_workspace(const cambium_abi_call_t *call) {
  (void)call;
  return 4;
}

#define ONE_LAUNCH(name)                                                       \
  static const cambium_abi_launch_t name##_launch[] = {                        \
      {#name, 64, 0, 1, 3, CAMBIUM_ABI_LAUNCH_COOPERATIVE, 0}};
ONE_LAUNCH(affine)
ONE_LAUNCH(tree)
ONE_LAUNCH(report)
ONE_LAUNCH(memory)
ONE_LAUNCH(accumulate)
ONE_LAUNCH(apply)
static const cambium_abi_launch_t twice_launch[] = {
    {"first", 32, 0, 1, 2, CAMBIUM_ABI_LAUNCH_COOPERATIVE, 0},
    {"second", 96, 256, 1, 0, CAMBIUM_ABI_LAUNCH_COOPERATIVE, 0}};

static const cambium_abi_chain_t chains[] = {{1, 1}};
static const cambium_abi_message_t messages[] = {
    {3, 0, "expected a code below one"},
    {9, 0, "expected no code at all"},
    {99, 0, "a status of another release"}};

static const char *const stages[] = {"the sum", "the product"};

static const cambium_abi_device_entry_t device_entries[] = {
    {"twice", twice_workspace, twice_launch, 2, 0, 0, 0, 0, stages, 2},
    {"affine", affine_workspace, affine_launch, 1, 0, 0, 0, 0, 0, 0},
    {"tree", 0, tree_launch, 1, chains, 1, 0, 0, 0, 0},
    {"report", 0, report_launch, 1, 0, 0, messages, 3, 0, 0},
    {"memory", memory_workspace, memory_launch, 1, 0, 0, 0, 0, 0, 0},
    {"train.accumulate", 0, accumulate_launch, 1, 0, 0, 0, 0, 0, 0},
    {"train.apply", 0, apply_launch, 1, 0, 0, 0, 0, 0, 0}};

static const cambium_abi_device_module_t device_module = {
    CAMBIUM_ABI_DEVICE_MAGIC,
    CAMBIUM_DEVICE_ABI_VERSION,
    images,
    2,
    device_entries,
    7};

#define SHOWN __attribute__((visibility("default")))
SHOWN const cambium_abi_module_t *DEVICE_PREFIX(cambium_module_query)(void);
const cambium_abi_module_t *DEVICE_PREFIX(cambium_module_query)(void) {
  return &module;
}
SHOWN const cambium_abi_device_module_t *
    DEVICE_PREFIX(cambium_device_query)(void);
const cambium_abi_device_module_t *DEVICE_PREFIX(cambium_device_query)(void) {
  return &device_module;
}
