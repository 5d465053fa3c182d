/*===-- test/Embedding/TreeSumModule.c - model.mlir, by hand ---------------===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The module of model.mlir written in C, so that the programs of the guide are
 * tested where there is no compiler (the runtime built alone).
 *
 *===----------------------------------------------------------------------===*/
#include "cambium/abi.h"

#define EXAMPLE_INPUTS                                                         \
  "\"spaces\": [{\"name\": \"tree\", \"of\": \"nodes\"}],"                     \
  "\"forests\": [{\"name\": \"tree\", \"space\": 0, \"arity\": -1,"            \
  " \"single_root\": true}],"                                                  \
  "\"inputs\": [{\"name\": \"tokens\", \"type\": \"i32\", \"shape\": [],"      \
  " \"space\": 0, \"limit\": 10}"

static const char manifest[] =
    "{\"abi\": 6, \"params\": [{\"name\": \"value\", \"type\": \"f32\","
    " \"shape\": [10, 1], \"trainable\": true, \"row_sparse\": true,"
    " \"init\": {\"kind\": \"zeros\"}}],"
    "\"entries\": [{\"name\": \"predict\", \"kind\": "
    "\"function\"," EXAMPLE_INPUTS
    "], \"outputs\": [{\"name\": \"out0\", \"type\": \"f32\", \"shape\": [1],"
    " \"space\": -1}]},"
    "{\"name\": \"train.accumulate\", \"kind\": \"accumulate\","
    " \"step\": \"train\"," EXAMPLE_INPUTS
    ", {\"name\": \"target\", \"type\": \"f32\", \"shape\": [1],"
    " \"space\": -1}],"
    "\"outputs\": [{\"name\": \"out0\", \"type\": \"f32\", \"shape\": [],"
    " \"space\": -2}]},"
    "{\"name\": \"train.apply\", \"kind\": \"apply\", \"step\": \"train\","
    " \"accumulate\": 1, \"scalars\": [\"lr.default\", \"gradient_scale\"]}]}";

/* The sum over the nodes of every example, level by level. */
static float *fold(cambium_abi_call_t *call) {
  const cambium_abi_forest_t *forest = call->forests[0];
  const int32_t *tokens = (const int32_t *)call->inputs[0];
  const float *value = (const float *)call->params[0].value;
  float *sums = (float *)call->services->allocate(
      call, forest->num_nodes * (int64_t)sizeof(float));
  for (int64_t n = 0; sums && n < forest->num_nodes; ++n) {
    sums[n] = value[tokens[forest->node_to_user[n]]];
    for (int32_t e = forest->child_offsets[n]; e < forest->child_offsets[n + 1];
         ++e)
      sums[n] += sums[forest->child_nodes[e]];
  }
  return sums;
}

static int32_t predict(cambium_abi_call_t *call) {
  float *sums = fold(call);
  for (int64_t i = 0; sums && i < call->num_examples; ++i)
    ((float *)call->outputs[0])[i] = sums[call->forests[0]->roots[i]];
  return sums ? 0 : 1;
}

static int32_t accumulate(cambium_abi_call_t *call) {
  const int32_t *tokens = (const int32_t *)call->inputs[0];
  const float *targets = (const float *)call->inputs[1];
  const int32_t *offsets = call->spaces[0].offsets;
  cambium_abi_param_t *param = &call->params[0];
  float *sums = fold(call), count = (float)call->num_examples, loss = 0;
  for (int64_t i = 0; sums && i < call->num_examples; ++i) {
    float error = sums[call->forests[0]->roots[i]] - targets[i];
    loss += error * error / count;
    for (int32_t u = offsets[i]; u < offsets[i + 1]; ++u) {
      ((float *)param->gradient)[tokens[u]] += 2 * error / count;
      if (!param->is_touched[tokens[u]]) {
        param->is_touched[tokens[u]] = 1;
        param->touched[param->num_touched++] = tokens[u];
      }
    }
  }
  ((float *)call->outputs[0])[0] = loss;
  return sums ? 0 : 1;
}

static int32_t apply(cambium_abi_call_t *call) {
  cambium_abi_param_t *param = &call->params[0];
  double rate = call->scalars[0] * call->scalars[1];
  for (int64_t t = 0; t < param->num_touched; ++t) {
    int32_t row = param->touched[t];
    ((float *)param->value)[row] -=
        (float)rate * ((float *)param->gradient)[row];
    ((float *)param->gradient)[row] = 0;
    param->is_touched[row] = 0;
  }
  param->num_touched = 0;
  return 0;
}

static const cambium_abi_entry_t entries[] = {{"predict", predict},
                                              {"train.accumulate", accumulate},
                                              {"train.apply", apply}};

static const cambium_abi_module_t module = {CAMBIUM_ABI_MAGIC,
                                            CAMBIUM_ABI_VERSION,
                                            "generic",
                                            "",
                                            manifest,
                                            entries,
                                            3};

__attribute__((visibility("default"))) const cambium_abi_module_t *
cambium_module_query(void);
const cambium_abi_module_t *cambium_module_query(void) { return &module; }
