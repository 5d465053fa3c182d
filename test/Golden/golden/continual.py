#===-- golden/continual.py - Tasks one after the other in PyTorch --------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""B-CL, whose gradients are changed where they are (hooks), as its paper says it."""

import torch

from torch.nn import functional as F

from .more_systems import attend, norm
from .systems import cross_entropy, linear

GREATEST = 3.0  # s_max; that of the paper makes gates of zeros and ones.


def changed(value, change):
    """The same value, whose gradient goes through `change`."""
    copy = value.clone()
    if copy.requires_grad:
        copy.register_hook(change)
    return copy


def gate(p, scope, task, s):
    def compensate(g):
        return g * GREATEST / s * (torch.cosh(s * still) + 1) / (torch.cosh(still) + 1)
    e = p[scope + ".tasks"][task]
    still = e.detach()
    return torch.sigmoid(s * changed(e, compensate))


def used(p, scope, task):
    gates = torch.sigmoid(GREATEST * p[scope + ".tasks"].detach()[:task])
    return gates.max(0).values if task else torch.zeros(gates.shape[1], dtype=gates.dtype)


def squash(v):
    square = (v * v).sum(1, keepdim=True)
    return square / (1 + square) * v / square.sqrt()


def capsules(p, x, task):
    """Three iterations of routing, of the tasks up to this one alone."""
    own = squash(linear(p, "capsules.own", x).reshape(-1, 3))[:task + 1]
    u = torch.einsum("tc,tcr->tr", own, p["capsules.route"][:task + 1]).reshape(task + 1, 4, 3)
    b = torch.zeros(task + 1, 4, dtype=x.dtype)
    for _ in range(3):
        vote = torch.einsum("ts,tsc->sc", torch.softmax(b, 0), u)
        b = b + torch.einsum("tsc,sc->ts", u, squash(vote))
    return vote.flatten()


def adapter(p, x, task, s, keep):
    """`keep` says of a layer's scope what its gradient is multiplied with."""
    def layer(scope, y):
        W, b = (changed(p[f"{scope}.{n}"], lambda g, k=k: g * k)
                for n, k in zip("Wb", keep(scope)))
        return y @ W + b

    h = x + layer("known", capsules(p, x, task)) * gate(p, "known", task, s)
    for scope in ("first", "second"):
        h = torch.relu(layer(scope, h)) * gate(p, scope, task, s)
    return x + h


def free(scope):
    return 1, 1


def guard(p, task):
    """What the gradient of each layer is multiplied with."""
    before = {scope: used(p, scope, task) for scope in ("known", "first", "second")}
    keep = {scope: (1 - now, 1 - now) for scope, now in before.items()}
    keep["second"] = (1 - torch.minimum(before["first"][:, None], before["second"]),
                      1 - before["second"])
    return keep


def taken(p, task, s, price=0.75):
    """What the units of a task cost: a part of those that are free."""
    left = {scope: 1 - used(p, scope, task) for scope in ("known", "first", "second")}
    return price * sum((gate(p, scope, task, s) * now).sum() / now.sum()
                       for scope, now in left.items())


#===-- Behind an encoder ----------------------------------------------------===#

def scores(p, x, task):
    return linear(p, "classes", x).reshape(-1, 3)[task]


def vector(example):
    return torch.tensor(example["x"], dtype=torch.float64)


def predict(p, example):
    task = example["task"]
    return scores(p, adapter(p, vector(example), task, GREATEST, free), task)


def task_loss(p, example):
    """Ke et al. 2021, with the gradients of Serra et al. 2018."""
    task, s = example["task"], example["s"]
    y = adapter(p, vector(example), task, s, guard(p, task).get)
    return cross_entropy(scores(p, y, task), example["label"]) + taken(p, task, s)


#===-- Within an encoder ----------------------------------------------------===#

def below(p, prefix):
    return {n[len(prefix):]: v for n, v in p.items() if n.startswith(prefix)}


def encoded(p, example, adapt):
    """The mean of the last states, where `adapt` changes what a layer's parts give."""
    tokens, segments = (torch.tensor(example[name]) for name in ("tokens", "segments"))
    x = norm(p, "embeddings.norm", p["embeddings.words"][tokens]
             + p["embeddings.places"][:len(tokens)] + p["embeddings.segments"][segments])
    stacked = below(p, "layer.")
    for number in range(len(stacked["query.W"])):
        layer = {n: v[number] for n, v in stacked.items()}
        y = norm(layer, "attention_norm",
                 x + adapt(below(layer, "attention_adapter."), attend(layer, x, 2)))
        fed = linear(layer, "outer", F.gelu(linear(layer, "inner", y)))
        x = norm(layer, "feed_norm", y + adapt(below(layer, "feed_adapter."), fed))
    return x.mean(0)


def predict_within(p, example):
    task = example["task"]
    words = lambda q, xs: torch.stack([adapter(q, x, task, GREATEST, free) for x in xs])
    return scores(p, encoded(p, example, words), task)


def loss_within(p, example):
    task, s, prices = example["task"], example["s"], []

    def words(q, xs):
        prices.append(taken(q, task, s))
        keep = guard(q, task).get
        return torch.stack([adapter(q, x, task, s, keep) for x in xs])

    y = encoded(p, example, words)
    return cross_entropy(scores(p, y, task), example["label"]) + sum(prices)
