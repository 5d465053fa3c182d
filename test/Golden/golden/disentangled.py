#===-- golden/disentangled.py - What tasks have in common, in PyTorch -----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/continual/idbr.mlir (Huang et al. 2021), as in systems.py."""

import torch
from torch.nn import functional as F

from .intents import ends
from .systems import cross_entropy, linear, vectors


def parts(p, tokens):
    """g and s: what is common to tasks, and what is special."""
    r = ends(p, vectors(p, tokens))
    return [torch.tanh(linear(p, scope, r)) for scope in ("common", "special")]


def scores(p, g, s):
    return linear(p, "classes", torch.cat([g, s]))


def predict(p, example):
    return scores(p, *parts(p, example["tokens"]))


def order_loss(p, example):
    g, _ = parts(p, example["pair"])
    return cross_entropy(linear(p, "order", g), example["follows"])


def far(p, example):
    """How far both parts have moved."""
    return sum(F.mse_loss(now, torch.tensor(example[name], dtype=now.dtype))
               for now, name in zip(parts(p, example["tokens"]), ("old.g", "old.s")))


def replay_loss(p, example):
    """That of a later task, with another price, and which task it is of."""
    _, s = parts(p, example["tokens"])
    return (cross_entropy(predict(p, example), example["label"]) + order_loss(p, example)
            + 5.0 * far(p, example) + cross_entropy(linear(p, "tasks", s), example["task"]))


def of_tasks(rng):
    row = lambda n: [rng.randrange(9) for _ in range(n)]
    old = lambda: [round(rng.uniform(-1, 1), 3) for _ in range(4)]
    return [{"tokens": row(n), "label": rng.randrange(5), "task": rng.randrange(3),
             "pair": row(n + 1), "follows": rng.randrange(2), "old.g": old(), "old.s": old()}
            for n in (1, 5, 3)]


SYSTEMS = {"idbr": {
    "model": "continual/idbr", "examples": of_tasks, "predict": predict, "loss": replay_loss,
    "sizes": {"words": 9, "input": 3, "hidden": 2, "part": 4, "classes": 5, "tasks": 3,
              "dropout": 0.0},
    "function": "replay_loss", "step": "replay", "inputs": {"predict": ["tokens"]},
    "vectors": ("old.g", "old.s"), "clip": 5.0, "gradients": False}}
