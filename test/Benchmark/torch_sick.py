#!/usr/bin/python3
#===-- test/Benchmark/torch_sick.py - The Child-Sum Tree-LSTM in PyTorch --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The model of models/sick/child_sum_tree_lstm.mlir in PyTorch: how related two sentences
are, with Adagrad, weight decay and a clipped gradient as in its training step.

usage: torch_sick.py PARSES SCORES VOCABULARY WEIGHTS

PARSES is a folder of a.toks, a.parents, b.toks and b.parents, SCORES a file of a number
per pair. Reads one command per line and answers each with one line of JSON:
  info                 versions
  loss, masked_loss    the mean over the pairs of the loss of a pair
  time SIZE PASSES     seconds of each pass over the pairs in batches of SIZE, forward and
                       training, after two passes that warm up: a level is the nodes of the
                       same height of all trees of a batch, the gates that depend on words
                       alone are one product before, children are gathered by their index
  masked SIZE PASSES   as time, as it is often written: sentences padded to the longest,
                       every level computes all nodes, a mask keeps those of its height

Batches and their indices are made before the clock starts.
"""

import pathlib
import sys

import numpy
import torch
from torch.nn import functional

import trees
from torch_passes import info, passes, serve


class Tree:
    """Words and heads (-1: none); the height of a word over its lowest one."""

    def __init__(self, words, heads):
        self.words, self.heads = words, heads
        self.heights = [0] * len(words)
        for node in range(len(words)):
            height = 0
            while node >= 0 and self.heights[node] <= height:
                self.heights[node] = height
                node, height = heads[node], height + 1


def read_trees(folder, side, ids):
    def lines(ending):
        return pathlib.Path(folder, f"{side}.{ending}").read_text("utf-8").splitlines()

    return [Tree([ids.get(word, 1) for word in words.split()],
                 [int(head) - 1 for head in heads.split()])
            for words, heads in zip(lines("toks"), lines("parents"), strict=True)]


def merged_parameters(weights):
    def cat(name):
        return numpy.concatenate([weights[f"{gate}.{name}"] for gate in "iouf"], axis=-1)

    hidden = weights["i.b"].shape[0]
    found = {"W": cat("W"), "b": cat("b"), "U_iou": cat("U")[:, : 3 * hidden],
             "U_f": weights["f.U"],
             **{name: weights[f"relatedness.{name}"]
                for name in ("W_mul", "W_abs", "b_s", "p.W", "p.b") if name != "b_s"},
             "b_s": weights["relatedness.b"]}
    result = {name: torch.tensor(value).requires_grad_() for name, value in found.items()}
    return dict(result, words=torch.tensor(weights["words"]))


class Batch:
    """Nodes of the trees of both sentences, by height; edges by the height of the head."""

    def __init__(self, pairs, scores):
        all_trees = [tree for side in (0, 1) for tree in (pair[side] for pair in pairs)]
        self.scores = torch.tensor(scores)
        nodes = sorted((height, number, node) for number, tree in enumerate(all_trees)
                       for node, height in enumerate(tree.heights))
        row = {(number, node): i for i, (_, number, node) in enumerate(nodes)}
        self.words = torch.tensor([all_trees[number].words[node] for _, number, node in nodes])
        self.sizes = numpy.bincount([height for height, _, _ in nodes]).tolist()
        begins = numpy.cumsum([0, *self.sizes])
        edges = [[] for _ in self.sizes]
        for height, number, node in nodes:
            head = all_trees[number].heads[node]
            if head >= 0:
                edges[all_trees[number].heights[head]].append(
                    (row[number, head], row[number, node]))
        # Heads as numbers within their level.
        self.levels = [
            (begin, size, *(torch.tensor([edge[i] - (0 if i else begin) for edge in level])
                            for i in (0, 1)))
            for begin, size, level in zip(begins.tolist(), self.sizes, edges)]
        self.roots = torch.tensor([row[number, tree.heads.index(-1)]
                                   for number, tree in enumerate(all_trees)])
        self.pad(all_trees)

    def pad(self, all_trees):
        longest = max(len(tree.words) for tree in all_trees)
        shape = len(all_trees), longest
        self.padded = torch.zeros(shape, dtype=torch.long)
        self.heights = torch.full(shape, -1)
        self.heads = torch.zeros(shape, dtype=torch.long)
        self.children = torch.zeros(*shape, longest)  # of each head its children
        self.padded_roots = torch.tensor([tree.heads.index(-1) for tree in all_trees])
        for number, tree in enumerate(all_trees):
            count = len(tree.words)
            self.padded[number, :count] = torch.tensor(tree.words)
            self.heights[number, :count] = torch.tensor(tree.heights)
            for node, head in enumerate(tree.heads):
                self.heads[number, node] = max(head, 0)
                if head >= 0:
                    self.children[number, head, node] = 1


def update(gates, kept):
    """States of nodes of the gates i, o, u and what is kept of their children."""
    hidden = kept.shape[-1]
    i, o = torch.sigmoid(gates[..., : 2 * hidden]).split(hidden, -1)
    c = i * torch.tanh(gates[..., 2 * hidden :]) + kept
    return o * torch.tanh(c), c


def encode(p, batch):
    """The states of the roots, level by level."""
    hidden = p["U_f"].shape[0]
    x = torch.addmm(p["b"], functional.embedding(batch.words, p["words"]), p["W"])
    of_words, of_forgets = x.split([3 * hidden, hidden], 1)
    h, c = update(of_words[: batch.sizes[0]], x.new_zeros(batch.sizes[0], hidden))
    states, cells = [h], [c]
    for begin, size, heads, children in batch.levels[1:]:
        hk = torch.cat(states).index_select(0, children)
        ck = torch.cat(cells).index_select(0, children)
        summed = hk.new_zeros(size, hidden).index_add(0, heads, hk)
        level = of_forgets[begin : begin + size].index_select(0, heads)
        forget = torch.sigmoid(torch.addmm(level, hk, p["U_f"]))
        kept = hk.new_zeros(size, hidden).index_add(0, heads, forget * ck)
        gates = torch.addmm(of_words[begin : begin + size], summed, p["U_iou"])
        h, c = update(gates, kept)
        states.append(h)
        cells.append(c)
    return torch.cat(states).index_select(0, batch.roots)


def encode_masked(p, batch):
    """The same: every level computes all nodes of all sentences."""
    hidden = p["U_f"].shape[0]
    x = functional.embedding(batch.padded, p["words"]) @ p["W"] + p["b"]
    of_words, of_forgets = x.split([3 * hidden, hidden], 2)
    heads = batch.heads[..., None].expand(-1, -1, hidden)
    of_heads = of_forgets.gather(1, heads)
    h = c = x.new_zeros(*batch.padded.shape, hidden)
    for height in range(len(batch.sizes)):
        forget = torch.sigmoid(of_heads + h @ p["U_f"])
        kept = batch.children @ (forget * c)
        new_h, new_c = update(of_words + (batch.children @ h) @ p["U_iou"], kept)
        here = (batch.heights == height)[..., None]
        h, c = torch.where(here, new_h, h), torch.where(here, new_c, c)
    return h[torch.arange(len(h)), batch.padded_roots]


def loss(p, batch, states):
    """The mean of KL(p || p^)."""
    left, right = states(p, batch).chunk(2)
    s = torch.sigmoid(left * right @ p["W_mul"] + (left - right).abs() @ p["W_abs"] + p["b_s"])
    log_scores = functional.log_softmax(s @ p["p.W"] + p["p.b"], 1)
    ranks = torch.arange(1.0, 6.0)
    target = functional.relu(1 - (batch.scores[:, None] - ranks).abs())
    return functional.kl_div(log_scores, target, reduction="sum") / len(batch.scores)


def make_step(p, states):
    trained = [value for value in p.values() if value.requires_grad]
    optimizer = torch.optim.Adagrad(trained, lr=0.05, weight_decay=2e-4, foreach=True)

    def step(batch):
        optimizer.zero_grad()
        loss(p, batch, states).backward()
        torch.nn.utils.clip_grad_norm_(trained, 5.0)
        optimizer.step()
    return step


def answer(command, weights, pairs, scores):
    ways = {"loss": encode, "masked_loss": encode_masked, "time": encode,
            "masked": encode_masked}
    if command[0] == "info":
        return info()
    if command[0] not in ways:
        return {"error": "expected info, loss, masked_loss, or one of time and masked with SIZE "
                         "PASSES, but got " + repr(" ".join(command))}
    p, states = merged_parameters(weights), ways[command[0]]
    if len(command) == 1:
        with torch.inference_mode():
            return {"loss": loss(p, Batch(pairs, scores), states).item()}
    size, count = map(int, command[1:])
    batches = [Batch(pairs[i : i + size], scores[i : i + size])
               for i in range(0, len(pairs), size)]

    def forward(batch):
        with torch.inference_mode():
            loss(p, batch, states)

    return {"forward": passes(forward, batches, count, "cpu"),
            "training": passes(make_step(p, states), batches, count, "cpu")}


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    ids = trees.read_vocabulary(sys.argv[3])
    pairs = list(zip(*(read_trees(sys.argv[1], side, ids) for side in "ab"), strict=True))
    with open(sys.argv[2], encoding="utf-8") as file:
        scores = [float(line) for line in file]
    weights = trees.read_safetensors(sys.argv[4])
    serve(lambda command: answer(command, weights, pairs, scores))


if __name__ == "__main__":
    main()
