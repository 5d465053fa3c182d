#===-- golden/intents.py - Intents told by contrast, in PyTorch ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/intents, as in systems.py."""

import torch
from torch.nn import functional as F

from .system_examples import sentences
from .systems import both, cross_entropy, linear, lstm_states, words_of


def ends(p, x):
    h = both(lstm_states, p, "lstm.", x)
    return torch.cat([h[0], h[-1]])


def intents(p, example):
    return linear(p, "classes", ends(p, words_of(p, example)))


def moved(p, x, loss, epsilon=1.0):
    """The words against the loss of the class, of whose direction nothing is learned."""
    g, = torch.autograd.grad(loss, x, retain_graph=True)
    return x + epsilon * (g / g.norm()).detach()


def contrast(p, example, tau=0.1):
    """The loss of the classes, and NT-Xent over all sentences and those that were moved."""
    there, back, losses = [], [], []
    for tokens, label in zip(example["tokens"], example["label"]):
        x = words_of(p, {"tokens": tokens})
        z = ends(p, x)
        losses.append(cross_entropy(linear(p, "classes", z), label))
        there.append(z)
        back.append(ends(p, moved(p, x, losses[-1])))
    z = F.normalize(torch.stack(there + back), dim=1)
    s = (z @ z.T / tau).fill_diagonal_(-torch.inf)
    partner = torch.arange(len(z)).roll(len(there))
    return sum(losses) / len(losses) + F.cross_entropy(s, partner)


SYSTEMS = {"intents": {
    "model": "intents/bilstm", "examples": sentences, "predict": intents,
    "sizes": {"words": 9, "input": 3, "hidden": 2, "classes": 5, "dropout": 0.0},
    "loss": lambda p, e: cross_entropy(intents(p, e), e["label"]), "clip": 5.0,
    "gradients": False}}
