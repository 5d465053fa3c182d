#===-- golden/more_systems.py - Trees, stances, encoders in PyTorch ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""More systems of models/, as in systems.py."""

import torch
from torch.nn import functional as F

from .cells import attentive_child_sum, below_scope
from .systems import (cross_entropy, last_state, linear, lstm_run, neighbours_loss, vectors,
                      words_of)


#===-- Stances --------------------------------------------------------------===#

class Stance:
    """Allaway et al. 2021 (TOAD), for one text and one topic."""

    def __init__(self, p, example):
        self.p, self.example = p, example
        self.xt, self.xd = (vectors(p, example[name]) for name in ("topic", "text"))
        there, back = (lstm_run(p, f"topic.{side}.", rows) for side, rows in self.sides(self.xt))
        self.T = self.together(there, back)
        self.q = torch.cat([there[-1][0], back[-1][0]])
        ends = {"forward": there[-1], "backward": back[-1]}
        self.D = self.together(*(lstm_run(p, f"text.{side}.", rows, ends[side])
                                 for side, rows in self.sides(self.xd)))
        a = torch.softmax(self.D @ self.q / (2 * len(self.q)) ** 0.5, 0)
        self.z = (a @ self.D) @ (p["invariance"] + torch.eye(len(self.q), dtype=a.dtype))

    @staticmethod
    def sides(x):
        return ("forward", list(x)), ("backward", list(x)[::-1])

    @staticmethod
    def together(there, back):
        return torch.stack([torch.cat([f[0], b[0]]) for f, b in zip(there, back[::-1])])

    def scores(self, scope, last, x):
        inner = torch.relu(linear(self.p, scope + ".inner", x))
        return linear(self.p, f"{scope}.{last}", inner)

    def stances(self):
        return self.scores("stance", "classes", torch.cat([self.z, self.q]))

    def topic_loss(self):
        return cross_entropy(self.scores("critic", "topics", self.z), self.example["which"])

    def rebuilt(self, name, h, x):
        y = torch.tanh(linear(self.p, "rebuilt." + name, h))
        return (torch.tanh(x) - y).square().sum(1).mean()

    def loss(self):
        return (self.rebuilt("text", self.D, self.xd) + self.rebuilt("topic", self.T, self.xt)
                + 10.0 * self.p["invariance"].square().sum()
                + cross_entropy(self.stances(), self.example["label"])
                - self.example["rho"] * self.topic_loss())


#===-- Trees that the model chooses -----------------------------------------===#

def merge(p, left, right):
    hh = torch.cat([left[0], right[0]])
    i, f1, f2, o = (torch.sigmoid(linear(p, "merge." + g, hh)) for g in ("i", "f1", "f2", "o"))
    c = i * torch.tanh(linear(p, "merge.u", hh)) + f1 * left[1] + f2 * right[1]
    return o * torch.tanh(c), c


def st_gumbel(p, example):
    """Choi et al. 2018 without noise: the best pair is merged, its softmax has the gradient."""
    x = words_of(p, example)
    rows = list(zip(linear(p, "leaf.h", x), linear(p, "leaf.c", x)))
    while len(rows) > 1:
        pairs = [merge(p, *pair) for pair in zip(rows, rows[1:])]
        scores = torch.stack([h @ p["merge.query"] for h, _ in pairs])
        soft, best = torch.softmax(scores, 0), scores.tolist().index(scores.max().item())
        hard = F.one_hot(torch.tensor(best), len(pairs)).to(soft.dtype)
        y = hard - soft.detach() + soft
        # At each place what stays, is merged there, or moves on, and y of what would be merged.
        rows = [tuple((l if k < best else r if k > best else 0.0) + y[k] * m
                      for l, m, r in zip(rows[k], pairs[k], rows[k + 1]))
                for k in range(len(pairs))]
    inner = torch.relu(linear(p, "inner", rows[0][0]))
    return linear(p, "values", inner)


#===-- Encoders -------------------------------------------------------------===#

def norm(p, name, x, eps=1e-12):
    return F.layer_norm(x, x.shape[-1:], p[name + ".scale"], p[name + ".shift"], eps)


def attend(p, x, heads):
    split = lambda y: y.unflatten(1, (heads, -1)).transpose(0, 1)
    q, k, v = (split(linear(p, name, x)) for name in ("query", "key", "value"))
    a = torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, -1)
    return linear(p, "output", (a @ v).transpose(0, 1).flatten(1))


def adapter(p, x):
    return x + linear(p, "adapter.up", torch.relu(linear(p, "adapter.down", x)))


def adapted_class(p, example, heads=2):
    """A layer of BERT after the other, with an adapter behind what it feeds (Pfeiffer)."""
    tokens, segments = (torch.tensor(example[name]) for name in ("tokens", "segments"))
    x = norm(p, "embeddings.norm", p["embeddings.words"][tokens]
             + p["embeddings.places"][:len(tokens)] + p["embeddings.segments"][segments])
    stacked = {n[len("layer."):]: v for n, v in p.items() if n.startswith("layer.")}
    for number in range(len(stacked["query.W"])):
        layer = {n: v[number] for n, v in stacked.items()}
        y = norm(layer, "attention_norm", x + attend(layer, x, heads))
        fed = linear(layer, "outer", F.gelu(linear(layer, "inner", y)))
        x = norm(layer, "feed_norm", y + adapter(layer, fed))
    return linear(p, "classes", x.mean(0))


#===-- Two views of a sentence ----------------------------------------------===#

def by_tree(p, scope, tokens, heads):
    tokens = torch.tensor(tokens)
    x = p[scope + "words"][tokens] * (tokens != 0).unsqueeze(1)
    tree = [[child for child, head in enumerate(heads) if head == node]
            for node in range(len(heads))]
    return attentive_child_sum(below_scope(p, scope + "tree."), tree, x)


def both_views(p, example):
    return torch.cat([last_state(p, "f.", example["tokens"]),
                      by_tree(p, "g.", example["tokens"], example["heads"])])


def multi_view(p, example):
    """A. Simoulin's thesis, chapter 4: a GRU beside a Tree-LSTM, and a critic f W g."""
    f = torch.stack([last_state(p, "f.", tokens) for tokens in example["tokens"]])
    g = torch.stack([by_tree(p, "g.", *pair)
                     for pair in zip(example["tokens"], example["heads"])])
    return neighbours_loss(f @ p["critic"], g)
