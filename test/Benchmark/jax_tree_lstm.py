#!/usr/bin/python3
#===-- test/Benchmark/jax_tree_lstm.py - The Tree-LSTM in JAX ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The model of tree_lstm.mlir in JAX: one compiled function, scans over levels.

usage: jax_tree_lstm.py TREES VOCABULARY WEIGHTS

Reads one command per line and answers each with one line of JSON:
  info                 versions
  loss                 the mean over the trees of the loss of a tree
  time SIZE PASSES     seconds of each pass over the trees in batches of SIZE,
                       forward and forward+backward, after two passes that warm up

Shapes of a compiled function are fixed. A level is a set of nodes of the same height,
and a higher one is never wider: levels of the same width, rounded up to a power of two,
are one scan. Levels of two nodes are filled up to a multiple of four, leaves to one of
16, so that fewer functions are compiled, all of them while passes warm up. What fills up
has no loss. The gradient of the embedding is that of the rows that are read. Batches
and their indices are made before the clock starts. One thread.
"""

import collections
import functools
import json
import os
import sys
import time

# Before JAX is there: one thread, and no look for other devices.
os.environ["XLA_FLAGS"] = ("--xla_cpu_multi_thread_eigen=false "
                           "intra_op_parallelism_threads=1")
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy  # noqa: E402
from jax import lax  # noqa: E402

import trees  # noqa: E402

LEVELS, WIDTH, LEAVES = 4, 2, 16


def merged_parameters(weights):
    """The tensors by which the model computes, of those of the description."""

    def cat(*names):
        return jnp.asarray(numpy.concatenate([weights[name] for name in names], axis=-1))

    return {
        "words": jnp.asarray(weights["words"]),
        "W": cat("W_i", "W_o", "W_u"),
        "U": cat("U_i", "U_o", "U_f1", "U_f2", "U_u"),
        "b": cat("b_i", "b_o", "b_f", "b_u"),
        "V": jnp.asarray(weights["V"]),
        "c": jnp.asarray(weights["c"]),
    }


def up_to(count, step):
    return -(-count // step) * step


class Batch:
    """The indices of a batch. Rows: the leaves, then the levels, the lowest first."""

    def __init__(self, batch_trees, ids):
        self.size = len(batch_trees)
        levels = collections.defaultdict(list)
        for tree in batch_trees:
            heights = [0] * len(tree.labels)
            for node in reversed(range(len(tree.labels))):  # Children stand behind.
                heights[node] = max((heights[child] + 1 for child in tree.children[node]),
                                    default=0)
                levels[heights[node]].append((tree, node))
        words = numpy.zeros(up_to(len(levels[0]), LEAVES), numpy.int32)
        labels = numpy.full(len(words), -1, numpy.int32)
        rows = {}
        for row, (tree, node) in enumerate(levels.pop(0)):
            words[row] = ids.get(tree.words[node], 1)
            labels[row] = tree.labels[node]
            rows[id(tree), node] = row
        by_width = collections.defaultdict(list)
        for _, nodes in sorted(levels.items()):
            by_width[max(WIDTH, 1 << (len(nodes) - 1).bit_length())].append(nodes)
        self.scans, all_labels, first = [], [labels], len(words)
        for width, group in sorted(by_width.items(), reverse=True):
            count = up_to(len(group), LEVELS if width == WIDTH else 1)
            children = numpy.zeros((count, width, 2), numpy.int32)
            labels = numpy.full((count, width), -1, numpy.int32)
            for i, nodes in enumerate(group):
                for j, (tree, node) in enumerate(nodes):
                    children[i, j] = [rows[id(tree), child] for child in tree.children[node]]
                    labels[i, j] = tree.labels[node]
                    rows[id(tree), node] = first + i * width + j
            starts = first + width * numpy.arange(count, dtype=numpy.int32)
            self.scans.append((jnp.asarray(children), jnp.asarray(starts)))
            all_labels.append(labels.ravel())
            first += count * width
        self.words = jnp.asarray(words)
        self.labels = jnp.asarray(numpy.concatenate(all_labels))

    def arrays(self):
        return self.words, self.scans, self.labels


def cell(p, states, level):
    """The states of all nodes, with those of a level, from those of its children."""
    children, start = level
    H = p["W"].shape[0]  # noqa: N806 - as in the description
    h, c = states
    b_i_o, b_f, b_u = jnp.split(p["b"], [2 * H, 3 * H])
    gates = h[children].reshape(-1, 2 * H) @ p["U"] + jnp.concatenate([b_i_o, b_f, b_f, b_u])
    sigmoids = jax.nn.sigmoid(gates[:, : 4 * H])
    kept = sigmoids[:, 2 * H :] * c[children].reshape(-1, 2 * H)
    new_c = sigmoids[:, :H] * jnp.tanh(gates[:, 4 * H :]) + kept[:, :H] + kept[:, H:]
    new_h = sigmoids[:, H : 2 * H] * jnp.tanh(new_c)
    return (lax.dynamic_update_slice(h, new_h, (start, 0)),
            lax.dynamic_update_slice(c, new_c, (start, 0))), None


def scores(p, x, scans):
    H = p["W"].shape[0]  # noqa: N806 - as in the description
    b_i_o, _, b_u = jnp.split(p["b"], [2 * H, 3 * H])
    gates = x @ p["W"] + jnp.concatenate([b_i_o, b_u])
    i, o = jnp.split(jax.nn.sigmoid(gates[:, : 2 * H]), 2, axis=1)
    c = i * jnp.tanh(gates[:, 2 * H :])
    rows = sum(children.shape[0] * children.shape[1] for children, _ in scans)
    states = tuple(jnp.pad(x, ((0, rows), (0, 0))) for x in (o * jnp.tanh(c), c))
    for levels in scans:
        states, _ = lax.scan(functools.partial(cell, p), states, levels)
    return states[0] @ p["V"] + p["c"]


def forward(p, words, scans):
    return scores(p, p["words"][words], scans)


def loss(p, x, scans, labels):
    """The sum of the losses of the batch, of the vectors of its words."""
    chances = jax.nn.log_softmax(scores(p, x, scans))
    chosen = jnp.take_along_axis(chances, jnp.maximum(labels, 0)[:, None], axis=1)[:, 0]
    return -jnp.where(labels >= 0, chosen, 0).sum()


def value(p, words, scans, labels):
    return loss(p, p["words"][words], scans, labels)


def gradient(p, words, scans, labels):
    others = {name: tensor for name, tensor in p.items() if name != "words"}
    return jax.value_and_grad(loss, (0, 1))(others, p["words"][words], scans, labels)


FUNCTIONS = jax.jit(forward), jax.jit(value), jax.jit(gradient)


def passes(run, batches, count):
    """Wall and processor seconds of each of `count` passes; a call ends before the next
    one begins, as where each result is needed."""
    result = []
    for i in range(-2, count):
        wall, cpu = time.perf_counter(), time.process_time()
        for batch in batches:
            jax.block_until_ready(run(batch))
        if i >= 0:
            result.append({"seconds": time.perf_counter() - wall,
                           "cpu_seconds": time.process_time() - cpu})
    return result


def answer(command, p, all_trees, ids):
    of_scores, of_loss, of_gradient = FUNCTIONS

    def batches(size):
        return [Batch(all_trees[i : i + size], ids) for i in range(0, len(all_trees), size)]

    if command[0] == "info":
        return {"jax": jax.__version__, "python": sys.version.split()[0]}
    if command[0] == "loss":
        batch = Batch(all_trees, ids)
        return {"loss": float(of_loss(p, *batch.arrays())) / batch.size}
    if command[0] == "time" and len(command) == 3:
        made, count = batches(int(command[1])), int(command[2])
        return {"forward": passes(lambda b: of_scores(p, b.words, b.scans), made, count),
                "forward_backward": passes(lambda b: of_gradient(p, *b.arrays()), made,
                                           count)}
    return {"error": "expected info, loss, or time SIZE PASSES, but got "
                     + repr(" ".join(command))}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    all_trees = trees.read(sys.argv[1])
    ids = trees.read_vocabulary(sys.argv[2])
    p = merged_parameters(trees.read_safetensors(sys.argv[3]))
    for line in sys.stdin:
        print(json.dumps(answer(line.split(), p, all_trees, ids)), flush=True)


if __name__ == "__main__":
    main()
