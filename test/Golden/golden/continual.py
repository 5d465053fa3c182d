#===-- golden/continual.py - Tasks one after the other in PyTorch --------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""B-CL, whose gradients are changed where they are (hooks), as its paper says it."""

import torch

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


def scores(p, example, s, keep):
    """`keep` says of a layer's scope what its gradient is multiplied with."""
    x, task = torch.tensor(example["x"], dtype=torch.float64), example["task"]

    def layer(scope, y):
        W, b = (changed(p[f"{scope}.{n}"], lambda g, k=k: g * k)
                for n, k in zip("Wb", keep(scope)))
        return y @ W + b

    h = x + layer("known", capsules(p, x, task)) * gate(p, "known", task, s)
    for scope in ("first", "second"):
        h = torch.relu(layer(scope, h)) * gate(p, scope, task, s)
    return linear(p, "classes", x + h).reshape(-1, 3)[task]


def predict(p, example):
    return scores(p, example, GREATEST, lambda scope: (1, 1))


def task_loss(p, example, price=0.75):
    """Ke et al. 2021, with the gradients of Serra et al. 2018."""
    task, s = example["task"], example["s"]
    before = {scope: used(p, scope, task) for scope in ("known", "first", "second")}
    keep = {scope: (1 - now, 1 - now) for scope, now in before.items()}
    keep["second"] = (1 - torch.minimum(before["first"][:, None], before["second"]),
                      1 - before["second"])
    loss = cross_entropy(scores(p, example, s, keep.get), example["label"])
    for scope, now in before.items():
        free = 1 - now
        loss = loss + price * (gate(p, scope, task, s) * free).sum() / free.sum()
    return loss
