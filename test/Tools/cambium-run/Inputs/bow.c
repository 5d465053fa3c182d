/*===-- test/Tools/cambium-run/Inputs/bow.c - A module written by hand
 * ------===*
 *
 * Part of the Cambium project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A bag of words with a linear classifier, and its training step with dropout
 * of words and Adam: a complete model, so that the tests of cambium-run need no
 * compiler. To be compiled with
 *
 *   VOCAB, CLASSES   sizes
 *   TARGET           name of the input of classes ("label", "value")
 *   NO_NUMBER        the first example of a call has a score that is none
 *   PAUSE            milliseconds that a training step sleeps (default: none)
 *   FROZEN           if defined, updates change nothing: the loss does not move
 *   BAD_LOSS         if defined, the loss of data that is not trained on is no
 * number
 *   NODES            if defined, classifies every node of a tree by its own
 * word instead (inputs tree, words, labels)
 *   EDGES            with NODES: predict also returns the word of its child for
 * every edge
 *
 *===----------------------------------------------------------------------===*/
#include "cambium/abi.h"

#include <math.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#ifdef NODES
#define INPUT "words"
#define TARGET "labels"
#define ROWS "tree", "of" : "nodes"
#define FORESTS                                                                \
  {"name" : "tree", "space" : 0, "arity" : 2, "single_root" : true}
#define TARGET_SPACE 0
#else
#define INPUT "tokens"
#define ROWS "tokens", "of" : "rows"
#define FORESTS
#define TARGET_SPACE -1
#endif

#ifdef EDGES
#define LINKS , {"name" : "link", "type" : "f32", "shape" : [], "edges_of" : 0}
#else
#define LINKS
#endif

/* JSON as a text, with the macros above replaced. */
#define JSON_(...) #__VA_ARGS__
#define JSON(...) JSON_(__VA_ARGS__)

/* clang-format off */
#define EXAMPLES "spaces": [{"name": ROWS}], "forests": [FORESTS]
#define WORDS {"name": INPUT, "type": "i32", "shape": [], "space": 0, "limit": VOCAB}
#define LABELS {"name": TARGET, "type": "i32", "shape": [], "space": TARGET_SPACE, \
                "limit": CLASSES}

static const char manifest[] = JSON({
  "abi": 6,
  "target": {"triple": "x86_64-unknown-linux-gnu", "cpu": "generic", "features": []},
  "params": [
    {"name": "weights", "type": "f32", "shape": [VOCAB, CLASSES], "trainable": true,
     "group": "default", "decay": true, "row_sparse": true, "state_slots": 2,
     "init": {"kind": "normal", "a": 0, "b": 0.01}},
    {"name": "bias", "type": "f32", "shape": [CLASSES], "trainable": true,
     "group": "bias", "decay": false, "row_sparse": false, "state_slots": 2,
     "init": {"kind": "zeros"}}],
  "entries": [
    {"name": "predict", "kind": "function", EXAMPLES, "inputs": [WORDS],
     "outputs": [{"name": "scores", "type": "f32", "shape": [CLASSES],
                  "space": TARGET_SPACE} LINKS],
     "scalars": [], "random": false},
    {"name": "loss", "kind": "function", EXAMPLES, "inputs": [WORDS, LABELS],
     "outputs": [{"name": "loss", "type": "f32", "shape": [], "space": -1}],
     "scalars": [], "random": false},
    {"name": "train.accumulate", "kind": "accumulate", "step": "train", EXAMPLES,
     "inputs": [WORDS, LABELS],
     "outputs": [{"name": "loss", "type": "f32", "shape": [], "space": -2}],
     "scalars": [], "random": true},
    {"name": "train.apply", "kind": "apply", "step": "train", "accumulate": 2,
     "spaces": [], "forests": [], "inputs": [], "outputs": [],
     "scalars": ["lr.default", "lr.bias", "gradient_scale"], "random": false,
     "optimizers": {"default": {"kind": "adam"}, "bias": {"kind": "adam"}}}]
});
/* clang-format on */

/*===-- The model --===*/

static uint64_t mix(uint64_t key, uint64_t index) {
  uint64_t z = key + (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static int is_kept(const cambium_abi_call_t *call, int64_t example,
                   int64_t row) {
  if (!call->example_keys)
    return 1;
  return mix(call->example_keys[example], (uint64_t)row) >> 40 >=
         (1u << 24) / 10; /* One word in ten is dropped. */
}

/* Scores of the words [begin, end): their mean rows of weights, plus the bias.
 */
static void score(const cambium_abi_call_t *call, int64_t example,
                  int64_t begin, int64_t end, int drop, float *scores) {
  const int32_t *words = call->inputs[0];
  const float *weights = call->params[0].value;
  const float *bias = call->params[1].value;
  memcpy(scores, bias, CLASSES * sizeof(float));
  for (int64_t row = begin; row < end; ++row) {
    if (drop && !is_kept(call, example, row - begin))
      continue;
    const float *line = weights + (int64_t)words[row] * CLASSES;
    for (int c = 0; c < CLASSES; ++c)
      scores[c] += line[c] / (float)(end - begin);
  }
}

/* Turns scores into probabilities; the cross-entropy of the target. */
static float softmax(float *scores, int32_t target) {
  float highest = scores[0], sum = 0;
  for (int c = 1; c < CLASSES; ++c)
    highest = scores[c] > highest ? scores[c] : highest;
  float of_target = scores[target] - highest;
  for (int c = 0; c < CLASSES; ++c)
    sum += scores[c] = expf(scores[c] - highest);
  for (int c = 0; c < CLASSES; ++c)
    scores[c] /= sum;
  return logf(sum) - of_target;
}

static void touch(cambium_abi_param_t *param, int32_t row) {
  if (param->is_touched[row])
    return;
  param->is_touched[row] = 1;
  param->touched[param->num_touched++] = row;
}

static void add_gradient(cambium_abi_call_t *call, int64_t example,
                         int64_t begin, int64_t end, const float *delta) {
  const int32_t *words = call->inputs[0];
  float *weights = call->params[0].gradient, *bias = call->params[1].gradient;
  for (int c = 0; c < CLASSES; ++c)
    bias[c] += delta[c];
  for (int64_t row = begin; row < end; ++row) {
    if (!is_kept(call, example, row - begin))
      continue;
    touch(&call->params[0], words[row]);
    float *line = weights + (int64_t)words[row] * CLASSES;
    for (int c = 0; c < CLASSES; ++c)
      line[c] += delta[c] / (float)(end - begin);
  }
}

/* Calls per example or, with NODES, per node: bags of words and their targets.
 */
#ifdef NODES
#define FOR_EACH_BAG(example, begin, end, target)                              \
  for (int64_t begin = call->spaces[0].offsets[example], end = begin + 1,      \
               target = begin;                                                 \
       begin < call->spaces[0].offsets[example + 1];                           \
       begin = end++, target = begin)
#else
#define FOR_EACH_BAG(example, begin, end, target)                              \
  for (int64_t begin = call->spaces[0].offsets[example],                       \
               end = call->spaces[0].offsets[example + 1], target = example,   \
               once = 1;                                                       \
       once; once = 0)
#endif

static int32_t predict(cambium_abi_call_t *call) {
  float *scores = call->outputs[0];
  for (int64_t example = 0; example < call->num_examples; ++example)
    FOR_EACH_BAG(example, begin, end, target)
  score(call, example, begin, end, 0, scores + target * CLASSES);
#ifdef NO_NUMBER
  scores[1] = NAN;
#endif
#ifdef EDGES
  const cambium_abi_forest_t *trees = call->forests[0];
  const int32_t *words = call->inputs[0];
  float *links = call->outputs[1];
  for (int64_t edge = 0; edge < trees->num_edges; ++edge)
    links[trees->edge_to_user[edge]] =
        (float)words[trees->node_to_user[trees->child_nodes[edge]]];
#endif
  return 0;
}

static int32_t loss(cambium_abi_call_t *call) {
  const int32_t *targets = call->inputs[1];
  float *losses = call->outputs[0], scores[CLASSES];
  for (int64_t example = 0; example < call->num_examples; ++example) {
    float sum = 0;
    int64_t bags = 0;
    FOR_EACH_BAG(example, begin, end, target) {
      score(call, example, begin, end, 0, scores);
      sum += softmax(scores, targets[target]);
      ++bags;
    }
    losses[example] = sum / (float)bags;
#ifdef BAD_LOSS
    losses[example] = NAN;
#endif
  }
  return 0;
}

static int32_t accumulate(cambium_abi_call_t *call) {
  const int32_t *targets = call->inputs[1];
  float scores[CLASSES], sum = 0;
#ifdef PAUSE
  /* Signals do not shorten it. */
  struct timespec pause = {PAUSE / 1000, PAUSE % 1000 * 1000000L};
  while (thrd_sleep(&pause, &pause) == -1)
    continue;
#endif
  for (int64_t example = 0; example < call->num_examples; ++example) {
    int64_t bags = 0;
    FOR_EACH_BAG(example, first, last, unused) {
      (void)first, (void)last, (void)unused;
      ++bags;
    }
    float weight = 1 / (float)(bags * call->num_examples);
    FOR_EACH_BAG(example, begin, end, target) {
      score(call, example, begin, end, 1, scores);
      sum += softmax(scores, targets[target]) * weight;
      scores[targets[target]] -= 1;
      for (int c = 0; c < CLASSES; ++c)
        scores[c] *= weight;
      add_gradient(call, example, begin, end, scores);
    }
  }
  *(float *)call->outputs[0] = sum;
  return 0;
}

/* Adam on the elements [begin, end) of a parameter; clears the gradient. */
static void adam(const cambium_abi_call_t *call, cambium_abi_param_t *param,
                 double rate, double scale, int64_t begin, int64_t end) {
  float *value = param->value, *gradient = param->gradient;
  float *mean = param->state[0], *square = param->state[1];
  double t = (double)call->step + 1;
  float correction =
      (float)(rate * sqrt(1 - pow(0.999, t)) / (1 - pow(0.9, t)));
  for (int64_t i = begin; i < end; ++i) {
    float g = gradient[i] * (float)scale;
    mean[i] = 0.9f * mean[i] + 0.1f * g;
    square[i] = 0.999f * square[i] + 0.001f * g * g;
#ifndef FROZEN
    value[i] -= correction * mean[i] / (sqrtf(square[i]) + 1e-8f);
#endif
    gradient[i] = 0;
  }
}

static int32_t apply(cambium_abi_call_t *call) {
  cambium_abi_param_t *weights = &call->params[0];
  for (int64_t i = 0; i < weights->num_touched; ++i) {
    int64_t row = weights->touched[i];
    adam(call, weights, call->scalars[0], call->scalars[2], row * CLASSES,
         (row + 1) * CLASSES);
    weights->is_touched[row] = 0;
  }
  weights->num_touched = 0;
  adam(call, &call->params[1], call->scalars[1], call->scalars[2], 0, CLASSES);
  return 0;
}

/*===-- The module --===*/

static const cambium_abi_entry_t entries[] = {{"predict", predict},
                                              {"loss", loss},
                                              {"train.accumulate", accumulate},
                                              {"train.apply", apply}};

static const cambium_abi_module_t module = {CAMBIUM_ABI_MAGIC,
                                            CAMBIUM_ABI_VERSION,
                                            "generic",
                                            "",
                                            manifest,
                                            entries,
                                            4};

__attribute__((visibility("default"))) const cambium_abi_module_t *
cambium_module_query(void);
const cambium_abi_module_t *cambium_module_query(void) { return &module; }
