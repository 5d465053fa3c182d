#!/usr/bin/python3
#===-- test/Benchmark/torch_tree_lstm.py - The Tree-LSTM in PyTorch ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The model of tree_lstm.mlir in PyTorch, level-batched, as fast as plain code gets.

usage: torch_tree_lstm.py TREES VOCABULARY WEIGHTS [DEVICE]

DEVICE is cpu or cuda.

Reads one command per line and answers each with one line of JSON:
  info                 versions
  loss                 the mean over the trees of the loss of a tree
  time SIZE PASSES     seconds of each pass over the trees in batches of SIZE,
                       forward and forward+backward, after two passes that warm up
  graphs SIZE PASSES   the same forward, as one CUDA graph a batch, captured before
  compiled SIZE PASSES as time, a level by torch.compile, for any number of nodes

What makes it fast: all nodes of the same depth of all trees of a batch are one set
of operations; children stand side by side in the order of their parents, so that a
level reads them as a view, and only the mixing of leaves and phrases of one depth is
an index_select; all leaves of all depths are one product; the gates of a cell are
one product; the gradient of the embedding is sparse. Batches and their indices are
made before the clock starts. One thread of the processor.
"""

import sys

import numpy
import torch
from torch.nn import functional

import trees
from torch_passes import info, passes, serve


def merged_parameters(weights, device):
    """The tensors by which the model computes, of those of the description."""

    def cat(*names):
        return numpy.concatenate([weights[name] for name in names], axis=-1)

    merged = {
        "words": weights["words"],
        "W": cat("W_i", "W_o", "W_u"),
        "U": cat("U_i", "U_o", "U_f1", "U_f2", "U_u"),
        "b": cat("b_i", "b_o", "b_f", "b_u"),
        "V": weights["V"],
        "c": weights["c"],
    }
    return {name: torch.tensor(value, device=device).requires_grad_()
            for name, value in merged.items()}


class Batch:
    """The indices of a batch: levels by depth, the root's first."""

    def __init__(self, batch_trees, ids, device):
        self.size = len(batch_trees)
        level = [(tree, 0) for tree in batch_trees]
        leaf_words, leaf_labels, inner_labels = [], [], []
        self.leaves, self.inner, self.orders = [], [], []
        while level:
            inner = [i for i, (tree, node) in enumerate(level) if tree.children[node]]
            leaves = [i for i, (tree, node) in enumerate(level) if not tree.children[node]]
            order = numpy.empty(len(level), numpy.int64)
            order[inner + leaves] = numpy.arange(len(level))
            self.orders.append(torch.from_numpy(order).to(device))
            self.inner.append(len(inner))
            self.leaves.append(len(leaves))
            for i in leaves:
                tree, node = level[i]
                leaf_words.append(ids.get(tree.words[node], 1))
                leaf_labels.append(tree.labels[node])
            inner_labels.append([level[i][0].labels[level[i][1]] for i in inner])
            level = [(level[i][0], child) for i in inner
                     for child in level[i][0].children[level[i][1]]]
        self.words = torch.tensor(leaf_words, device=device)
        # Rows of scores: the leaves, then the phrases, the deepest ones first.
        self.labels = torch.tensor(sum(reversed(inner_labels), leaf_labels), device=device)


def cell(h, c, weights, bias):
    """The states of the phrases of a level, from those of its children."""
    H = c.shape[1]  # noqa: N806 - as in the description
    gates = torch.addmm(bias, h.view(-1, 2 * H), weights)
    sigmoids = torch.sigmoid(gates[:, : 4 * H])
    kept = sigmoids[:, 2 * H :] * c.view(-1, 2 * H)
    c = sigmoids[:, :H] * torch.tanh(gates[:, 4 * H :]) + kept[:, :H] + kept[:, H:]
    return sigmoids[:, H : 2 * H] * torch.tanh(c), c


def states(p, batch, level=cell):
    """The hidden states of all nodes: the leaves, then the phrases, deepest first."""
    H = p["W"].shape[0]  # noqa: N806 - as in the description
    b_i_o, b_f, b_u = p["b"].split([2 * H, H, H])
    x = functional.embedding(batch.words, p["words"], sparse=True)
    gates = torch.addmm(torch.cat([b_i_o, b_u]), x, p["W"])
    i, o = torch.sigmoid(gates[:, : 2 * H]).split(H, 1)
    c = i * torch.tanh(gates[:, 2 * H :])
    h = o * torch.tanh(c)
    rows = [h]
    leaf_h, leaf_c = h.split(batch.leaves), c.split(batch.leaves)
    bias = torch.cat([b_i_o, b_f, b_f, b_u])
    last = len(batch.inner) - 1
    h, c = leaf_h[last], leaf_c[last]
    for depth in range(last - 1, -1, -1):
        h, c = level(h, c, p["U"], bias)
        rows.append(h)
        if depth and batch.leaves[depth]:
            order = batch.orders[depth]
            h = torch.cat([h, leaf_h[depth]]).index_select(0, order)
            c = torch.cat([c, leaf_c[depth]]).index_select(0, order)
    return torch.cat(rows)


def scores(p, batch, level=cell):
    return torch.addmm(p["c"], states(p, batch, level), p["V"])


def loss(p, batch, level=cell):
    return functional.cross_entropy(scores(p, batch, level), batch.labels,
                                    reduction="sum") / batch.size


def forward(p, batch, level=cell):
    with torch.inference_mode():
        return scores(p, batch, level)


def forward_backward(p, batch, level=cell):
    for tensor in p.values():
        tensor.grad = None
    loss(p, batch, level).backward()


def captured(p, batch):
    """The scores of a batch as a CUDA graph."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        forward(p, batch)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        forward(p, batch)
    return graph


def answer(command, p, all_trees, ids, device):
    def batches(size):
        return [Batch(all_trees[i : i + size], ids, device)
                for i in range(0, len(all_trees), size)]

    if command[0] == "info":
        return info()
    if command[0] == "loss":
        with torch.inference_mode():
            return {"loss": loss(p, Batch(all_trees, ids, device)).item()}
    if command[0] in ("time", "compiled") and len(command) == 3:
        made, count = batches(int(command[1])), int(command[2])
        level = torch.compile(cell, dynamic=True) if command[0] == "compiled" else cell
        try:
            return {"forward": passes(lambda batch: forward(p, batch, level), made, count,
                                      device),
                    "forward_backward": passes(lambda batch: forward_backward(p, batch, level),
                                               made, count, device)}
        except RuntimeError as failure:
            if level is cell:
                raise
            # It needs a compiler, which the machine may lack.
            return {"error": str(failure).strip().splitlines()[0]}
    if command[0] == "graphs" and len(command) == 3 and device != "cpu":
        graphs = [captured(p, batch) for batch in batches(int(command[1]))]
        return {"forward": passes(lambda graph: graph.replay(), graphs, int(command[2]), device)}
    return {"error": "expected info, loss, or one of time, graphs and compiled with SIZE "
                     "PASSES, but got "
                     + repr(" ".join(command))}


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    device = sys.argv[4] if len(sys.argv) == 5 else "cpu"
    all_trees = trees.read(sys.argv[1])
    ids = trees.read_vocabulary(sys.argv[2])
    p = merged_parameters(trees.read_safetensors(sys.argv[3]), device)
    serve(lambda command: answer(command, p, all_trees, ids, device))


if __name__ == "__main__":
    main()
