/*===-- test/Runtime/Inputs/FakeModule.c - A module written by hand -------===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * What a compiled module looks like to the runtime, small enough to check by
 * hand. Also compiled into the test program as a static module.
 *
 *===----------------------------------------------------------------------===*/
#define ACCUMULATE_ENTRY "5"
#include "TrainingStep.h"

#include <string.h>

#ifndef FAKE_QUERY
#define FAKE_QUERY cambium_module_query
#endif
#ifndef FAKE_ABI_VERSION
#define FAKE_ABI_VERSION CAMBIUM_ABI_VERSION
#endif
#ifndef FAKE_FEATURES
#define FAKE_FEATURES ""
#endif

static const char manifest[] =
    "{\"abi\": 6,"
    " \"target\": {\"triple\": \"x86_64-unknown-linux-gnu\", \"cpu\": "
    "\"fake\"},"
    " \"params\": ["
    "  {\"name\": \"table\", \"type\": \"f32\", \"shape\": [8, 2],"
    "   \"trainable\": true, \"group\": \"embedding\", \"decay\": false,"
    "   \"row_sparse\": true, \"state_slots\": 1,"
    "   \"init\": {\"kind\": \"uniform\", \"a\": -1, \"b\": 1}},"
    "  {\"name\": \"w\", \"type\": \"f32\", \"shape\": [3],"
    "   \"group\": \"default\", \"state_slots\": 2,"
    "   \"init\": {\"kind\": \"constant\", \"a\": 0.5}},"
    "  {\"name\": \"frozen\", \"type\": \"i64\", \"shape\": [],"
    "   \"trainable\": false, \"init\": {\"kind\": \"constant\", \"a\": 42}}],"
    " \"entries\": ["
    "  {\"name\": \"sum\", \"kind\": \"function\","
    "   \"spaces\": [{\"name\": \"tree\", \"of\": \"nodes\"},"
    "                {\"name\": \"words\", \"of\": \"rows\"}],"
    "   \"forests\": [{\"name\": \"tree\", \"space\": 0, \"arity\": 3,"
    "                  \"single_root\": true}],"
    "   \"inputs\": ["
    "    {\"name\": \"tokens\", \"type\": \"i32\", \"shape\": [],"
    "     \"space\": 0, \"limit\": 8},"
    "    {\"name\": \"vectors\", \"type\": \"f32\", \"shape\": [2],"
    "     \"space\": 1},"
    "    {\"name\": \"weights\", \"type\": \"f64\", \"shape\": [],"
    "     \"space\": 1},"
    "    {\"name\": \"scale\", \"type\": \"f32\", \"shape\": [],"
    "     \"space\": -1},"
    "    {\"name\": \"labels\", \"type\": \"i64\", \"shape\": [],"
    "     \"edges_of\": 0, \"limit\": 100}],"
    "   \"outputs\": ["
    "    {\"name\": \"nodes\", \"type\": \"i32\", \"shape\": [], \"space\": 0},"
    "    {\"name\": \"roots\", \"type\": \"f32\", \"shape\": [], \"space\": "
    "-1},"
    "    {\"name\": \"keys\", \"type\": \"i64\", \"shape\": [], \"space\": -1},"
    "    {\"name\": \"edges\", \"type\": \"i64\", \"shape\": [],"
    "     \"edges_of\": 0},"
    "    {\"name\": \"total\", \"type\": \"f64\", \"shape\": [2],"
    "     \"space\": -2}],"
    "   \"scalars\": [], \"random\": true},"
    "  {\"name\": \"chains\","
    "   \"spaces\": [{\"name\": \"words\", \"of\": \"rows\"}],"
    "   \"inputs\": [{\"name\": \"parents\", \"type\": \"i32\", \"shape\": [],"
    "                 \"space\": 0}],"
    "   \"outputs\": ["
    "    {\"name\": \"forward\", \"type\": \"i32\", \"shape\": [],"
    "     \"space\": 0},"
    "    {\"name\": \"backward\", \"type\": \"i32\", \"shape\": [],"
    "     \"space\": 0},"
    "    {\"name\": \"computed\", \"type\": \"i32\", \"shape\": [],"
    "     \"space\": 0}]},"
    "  {\"name\": \"memory\","
    "   \"inputs\": [{\"name\": \"bytes\", \"type\": \"i64\", \"shape\": [],"
    "                 \"space\": -1}],"
    "   \"outputs\": [{\"name\": \"squares\", \"type\": \"i64\","
    "                  \"shape\": [1000], \"space\": -2}]},"
    "  {\"name\": \"reuse\","
    "   \"inputs\": [{\"name\": \"orders\", \"type\": \"i64\", \"shape\": [],"
    "                 \"space\": -1}], \"outputs\": []},"
    "  {\"name\": \"fail\","
    "   \"inputs\": [{\"name\": \"code\", \"type\": \"i32\", \"shape\": [],"
    "                 \"space\": -1}], \"outputs\": []}," TRAINING_STEP ","
    "  {\"name\": \"iterations\","
    "   \"spaces\": [{\"name\": \"words\", \"of\": \"rows\"}],"
    "   \"inputs\": [{\"name\": \"steps\", \"type\": \"i32\", \"shape\": [],"
    "                 \"space\": 0}],"
    "   \"outputs\": [{\"name\": \"forest\", \"type\": \"i32\","
    "                  \"shape\": [1000], \"space\": -2}]},"
    "  {\"name\": \"group\","
    "   \"spaces\": [{\"name\": \"words\", \"of\": \"rows\"}],"
    "   \"inputs\": [{\"name\": \"chosen\", \"type\": \"i32\", \"shape\": [],"
    "                 \"space\": 0}],"
    "   \"outputs\": [{\"name\": \"sizes\", \"type\": \"i32\", \"shape\": [],"
    "                  \"space\": -1}]}]}";

/* Node sums: a node is its token plus its children. Reads every input. */
static int32_t sum(cambium_abi_call_t *call) {
  const cambium_abi_forest_t *forest = call->forests[0];
  const int32_t *tokens = (const int32_t *)call->inputs[0];
  const float *vectors = (const float *)call->inputs[1];
  const double *weights = (const double *)call->inputs[2];
  const float *scale = (const float *)call->inputs[3];
  const int64_t *labels = (const int64_t *)call->inputs[4];
  const float *w = (const float *)call->params[1].value;
  int32_t *nodes = (int32_t *)call->outputs[0];
  float *roots = (float *)call->outputs[1];
  int64_t *keys = (int64_t *)call->outputs[2];
  int64_t *edges = (int64_t *)call->outputs[3];
  double *total = (double *)call->outputs[4];
  for (int64_t n = 0; n < forest->num_nodes; ++n) {
    int32_t value = tokens[forest->node_to_user[n]];
    for (int32_t e = forest->child_offsets[n]; e < forest->child_offsets[n + 1];
         ++e)
      value += nodes[forest->node_to_user[forest->child_nodes[e]]];
    nodes[forest->node_to_user[n]] = value;
  }
  for (int64_t i = 0; i < call->num_examples; ++i) {
    int32_t root = forest->node_to_user[forest->roots[i]];
    roots[i] = (float)nodes[root] * scale[i] * w[0];
    memcpy(&keys[i], &call->example_keys[i], sizeof(keys[i]));
  }
  for (int64_t e = 0; e < forest->num_edges; ++e) {
    int32_t user = forest->edge_to_user[e];
    edges[user] = labels[user] * 1000 +
                  tokens[forest->node_to_user[forest->child_nodes[e]]];
  }
  total[0] = total[1] = 0;
  for (int64_t r = 0; r < call->spaces[1].num_rows; ++r) {
    total[0] += (double)vectors[2 * r] * weights[r];
    total[1] += (double)vectors[2 * r + 1] * weights[r];
  }
  return 0;
}

/* The level of every row in the forests that the runtime makes. */
static void levels(const cambium_abi_forest_t *forest, int32_t *out) {
  for (int64_t l = 0; l < forest->num_levels; ++l)
    for (int32_t n = forest->level_nodes[l]; n < forest->level_nodes[l + 1];
         ++n)
      out[forest->node_to_user[n]] = (int32_t)l;
}

static int32_t chains(cambium_abi_call_t *call) {
  const cambium_abi_services_t *services = call->services;
  const cambium_abi_forest_t *forests[3];
  forests[0] = services->sequence(call, &call->spaces[0], CAMBIUM_ABI_CHAIN);
  forests[1] =
      services->sequence(call, &call->spaces[0], CAMBIUM_ABI_REVERSED_CHAIN);
  forests[2] = services->from_parents(call, &call->spaces[0],
                                      (const int32_t *)call->inputs[0], 2);
  for (int i = 0; i < 3; ++i) {
    if (!forests[i])
      return 1;
    levels(forests[i], (int32_t *)call->outputs[i]);
  }
  return 0;
}

static void square(void *task, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    ((int64_t *)task)[i] += i * i;
}

/* Allocates what the example says, twice, and counts with a parallel loop. */
static int32_t memory(cambium_abi_call_t *call) {
  int64_t *squares = (int64_t *)call->outputs[0];
  for (int64_t i = 0; i < call->num_examples; ++i) {
    int64_t bytes = ((const int64_t *)call->inputs[0])[i];
    char *first = (char *)call->services->allocate(call, bytes);
    char *second = first ? (char *)call->services->allocate(call, bytes) : 0;
    if (!second)
      return 5;
    if ((uintptr_t)first % 64 || (uintptr_t)second % 64)
      call->services->fail(call, 1, "memory is not aligned");
    memset(first, 1, (size_t)bytes);
    memset(second, 2, (size_t)bytes);
    if (bytes && (first[0] != 1 || first[bytes - 1] != 1))
      call->services->fail(call, 1, "allocations overlap");
  }
  memset(squares, 0, 1000 * sizeof(squares[0]));
  call->services->parallel_for(call, square, squares, 1000, 16);
  return 0;
}

/* Whether memory still holds what was written to its ends. */
static int holds(const char *memory, int64_t bytes, char number) {
  return memory[0] == number && memory[bytes - 1] == number;
}

/* Allocates as many bytes as an order says; one below 0 releases what order
 * -1 - order gave. What is alive must stay as it is. */
static int32_t reuse(cambium_abi_call_t *call) {
  enum { most = 200 };
  const int64_t *orders = (const int64_t *)call->inputs[0];
  char *memory[most] = {0};
  for (int64_t i = 0; i < call->num_examples && i < most; ++i) {
    int64_t from = -1 - orders[i];
    if (orders[i] > 0) {
      memory[i] = (char *)call->services->allocate(call, orders[i]);
      if (!memory[i])
        return 5;
      memset(memory[i], (char)i, (size_t)orders[i]);
    } else {
      if (!holds(memory[from], orders[from], (char)from))
        call->services->fail(call, 1, "memory was given twice");
      call->services->release(call, memory[from], orders[from]);
      memory[from] = 0;
    }
  }
  for (int64_t i = 0; i < call->num_examples && i < most; ++i)
    if (memory[i] && !holds(memory[i], orders[i], (char)i))
      call->services->fail(call, 1, "memory was given twice");
  return 0;
}

/* Writes numbers one after the other, as many as there is room for. */
static int32_t *put(int32_t *out, const int32_t *end, const int32_t *numbers,
                    int64_t count) {
  for (int64_t i = 0; i < count && out < end; ++i)
    *out++ = numbers[i];
  return out;
}

/* All of a forest: its counts, then its arrays in the order of the ABI. */
static int32_t iterations(cambium_abi_call_t *call) {
  const cambium_abi_forest_t *f = call->services->iterations(
      call, (const int32_t *)call->inputs[0], call->spaces[0].num_rows);
  if (!f)
    return 1;
  int32_t *out = (int32_t *)call->outputs[0];
  const int32_t *end = out + 1000;
  const int32_t counts[] = {
      (int32_t)f->num_nodes,       (int32_t)f->num_edges,
      (int32_t)f->num_levels,      (int32_t)f->num_trees,
      (int32_t)f->max_level_nodes, (int32_t)f->max_level_edges};
  memset(out, -1, 1000 * sizeof(out[0]));
  out = put(out, end, counts, 6);
  out = put(out, end, f->level_nodes, f->num_levels + 1);
  out = put(out, end, f->child_offsets, f->num_nodes + 1);
  out = put(out, end, f->child_nodes, f->num_edges);
  out = put(out, end, f->edge_parents, f->num_edges);
  out = put(out, end, f->parent_offsets, f->num_nodes + 1);
  out = put(out, end, f->parent_edges, f->num_edges);
  out = put(out, end, f->node_to_user, f->num_nodes);
  out = put(out, end, f->edge_to_user, f->num_edges);
  put(out, end, f->roots, f->num_trees);
  return 0;
}

/* How many of the rows with a number other than zero each example has. */
static int32_t group(cambium_abi_call_t *call) {
  const int32_t *chosen = (const int32_t *)call->inputs[0];
  int64_t rows = call->spaces[0].num_rows, count = 0;
  int32_t *ids =
      (int32_t *)call->services->allocate(call, rows * (int64_t)sizeof(*ids));
  if (!ids)
    return 1;
  for (int64_t r = 0; r < rows; ++r)
    if (chosen[r])
      ids[count++] = (int32_t)r;
  const cambium_abi_rows_t *grouped =
      call->services->group(call, &call->spaces[0], ids, count);
  if (!grouped)
    return 1;
  if (grouped->num_segments != call->num_examples || grouped->num_rows != count)
    call->services->fail(call, 1, "not the rows that were asked for");
  for (int64_t i = 0; i < call->num_examples; ++i)
    ((int32_t *)call->outputs[0])[i] =
        grouped->offsets[i + 1] - grouped->offsets[i];
  return 0;
}

/* Positive codes are reported, negative ones only returned. */
static int32_t fails(cambium_abi_call_t *call) {
  int32_t code = ((const int32_t *)call->inputs[0])[0];
  if (code > 0) {
    call->services->fail(call, code, "the example asked for it");
    call->services->fail(call, 1, "a second error, which does not count");
  }
  return code;
}

static int32_t accumulate(cambium_abi_call_t *call) {
  return addGradients(call, &call->params[0], &call->params[1]);
}

static int32_t apply(cambium_abi_call_t *call) {
  update(call, &call->params[0], &call->params[1]);
  return 0;
}

static const cambium_abi_entry_t entries[] = {
    {"sum", sum},           {"chains", chains},
    {"memory", memory},     {"reuse", reuse},
    {"fail", fails},        {"train.accumulate", accumulate},
    {"train.apply", apply}, {"iterations", iterations},
    {"group", group}};

static const cambium_abi_module_t module = {
    CAMBIUM_ABI_MAGIC, FAKE_ABI_VERSION, "fake", FAKE_FEATURES,
    manifest,          entries,          9};

#define FAKE_SHOWN __attribute__((visibility("default")))
FAKE_SHOWN const cambium_abi_module_t *FAKE_QUERY(void);
const cambium_abi_module_t *FAKE_QUERY(void) { return &module; }

/* What modules may not hold. */
#if defined(FAKE_CONSTRUCTOR)
__attribute__((constructor)) static void begin(void) { __builtin_trap(); }
#elif defined(FAKE_DESTRUCTOR)
__attribute__((destructor)) static void end(void) { __builtin_trap(); }
#elif defined(FAKE_INDIRECT)
static void *resolve(void) { __builtin_trap(); }
int indirect(void) __attribute__((ifunc("resolve"), visibility("hidden")));
int (*const volatile indirect_address)(void) __attribute__((used)) = indirect;
#elif defined(FAKE_THREAD_LOCAL)
static _Thread_local volatile int of_thread __attribute__((used)) = 3;
#elif defined(FAKE_SECOND_SYMBOL)
FAKE_SHOWN const int second_symbol = 2;
#elif defined(FAKE_DEVICE_DATA)
FAKE_SHOWN const int cambium_device_query = 2;
#endif
