/*===-- test/Runtime/Inputs/TrainingStep.h - A step written by hand --------===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * The step `train` of modules written by hand: of a table with rows of 2, whose
 * gradient is that of rows, and a vector v of 3,
 *   loss_i = 0.5 (v . 1 + table[row_i] . 1 - target_i)^2.
 * Updates are gradient descent; state 0 counts those of every element.
 *
 *===----------------------------------------------------------------------===*/
#ifndef CAMBIUM_TEST_RUNTIME_INPUTS_TRAININGSTEP_H
#define CAMBIUM_TEST_RUNTIME_INPUTS_TRAININGSTEP_H

#include "cambium/abi.h"

/* Both entries in the manifest, of which the first has the number
 * ACCUMULATE_ENTRY, a text. */
#define TRAINING_STEP                                                          \
  "{\"name\": \"train.accumulate\", \"kind\": \"accumulate\","                 \
  " \"step\": \"train\","                                                      \
  " \"inputs\": [{\"name\": \"row\", \"type\": \"i32\", \"shape\": [],"        \
  "               \"space\": -1, \"limit\": 8},"                               \
  "              {\"name\": \"target\", \"type\": \"f32\", \"shape\": [],"     \
  "               \"space\": -1}],"                                            \
  " \"outputs\": [{\"name\": \"loss\", \"type\": \"f32\", \"shape\": [],"      \
  "                \"space\": -2},"                                            \
  "               {\"name\": \"losses\", \"type\": \"f32\", \"shape\": [],"    \
  "                \"space\": -1}]},"                                          \
  "{\"name\": \"train.apply\", \"kind\": \"apply\", \"step\": \"train\","      \
  " \"accumulate\": " ACCUMULATE_ENTRY ","                                     \
  " \"scalars\": [\"lr.embedding\", \"lr.default\", \"gradient_scale\"]}"

static int32_t addGradients(cambium_abi_call_t *call,
                            cambium_abi_param_t *table,
                            cambium_abi_param_t *vector) {
  const int32_t *rows = (const int32_t *)call->inputs[0];
  const float *targets = (const float *)call->inputs[1];
  float *loss = (float *)call->outputs[0], *losses = (float *)call->outputs[1];
  float mean = 0, count = (float)call->num_examples;
  for (int64_t i = 0; i < call->num_examples; ++i) {
    const float *row = (const float *)table->value + 2 * rows[i];
    const float *value = (const float *)vector->value;
    float error = value[0] + value[1] + value[2] + row[0] + row[1] - targets[i];
    losses[i] = 0.5f * error * error;
    mean += losses[i] / count;
    for (int k = 0; k < 3; ++k)
      ((float *)vector->gradient)[k] += error / count;
    for (int k = 0; k < 2; ++k)
      ((float *)table->gradient)[2 * rows[i] + k] += error / count;
    if (!table->is_touched[rows[i]]) {
      table->is_touched[rows[i]] = 1;
      table->touched[table->num_touched++] = rows[i];
    }
  }
  *loss = mean;
  return 0;
}

static void descend(cambium_abi_param_t *param, int64_t first, int64_t count,
                    double rate) {
  float *value = (float *)param->value + first;
  float *gradient = (float *)param->gradient + first;
  float *state = (float *)param->state[0] + first;
  for (int64_t i = 0; i < count; ++i) {
    value[i] -= (float)rate * gradient[i];
    state[i] += 1;
    gradient[i] = 0;
  }
}

/* State 1 of the vector has the number of the update. */
static void update(cambium_abi_call_t *call, cambium_abi_param_t *table,
                   cambium_abi_param_t *vector) {
  double scale = call->scalars[2];
  for (int64_t t = 0; t < table->num_touched; ++t) {
    descend(table, 2 * table->touched[t], 2, call->scalars[0] * scale);
    table->is_touched[table->touched[t]] = 0;
  }
  table->num_touched = 0;
  descend(vector, 0, 3, call->scalars[1] * scale);
  for (int k = 0; k < 3; ++k)
    ((float *)vector->state[1])[k] = (float)call->step;
}

#endif /* CAMBIUM_TEST_RUNTIME_INPUTS_TRAININGSTEP_H */
