#===-- golden/editing.py - Drafts made better, in PyTorch -----------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/correction/post_editor.mlir, as in translation.py."""

import torch
from torch.nn import functional as F

from .translation import attend, embed, encode, feed, norm

SMOOTHING = torch.tensor(0.1).item()  # The number of f32.


def beside(p, scope, x, memory):
    return x + attend(p, scope[:-1], norm(p, scope + "norm", x), memory)


def read(p, e):
    """What was read of the source, and of the draft beside it."""
    source, x = encode(p, e["source"]), embed(p, e["draft"])
    scope = "draft.layer."
    stacked = {n[len(scope):]: v for n, v in p.items() if n.startswith(scope)}
    for number in range(len(stacked["self.query.W"])):
        layer = {n: v[number] for n, v in stacked.items()}
        n = norm(layer, "self.norm", x)
        x = beside(layer, "source.", x + attend(layer, "self", n, n), source)
        x = feed(layer, "", x)
    return source, norm(p, "draft.norm", x)


def layers_of_two(p, scopes, x, first, second):
    """Layers that attend to what is written, then to one memory, then to another."""
    for scope in scopes:
        n = norm(p, scope + "back.norm", x)
        x = x + attend(p, scope + "back", n, n, causal=True)
        x = beside(p, scope + "first.", x, first)
        x = beside(p, scope + "second.", x, second)
        x = feed(p, scope, x)
    return x


def write(p, words, source, draft):
    """Log-probabilities of the word behind each of these."""
    x = layers_of_two(p, ("decoder.0.", "decoder.1."), embed(p, words), draft, source)
    return torch.log_softmax(norm(p, "decoder.norm", x) @ p["words"].T, 1)


def loss(p, e):
    return F.cross_entropy(write(p, e["target.in"], *read(p, e)),
                           torch.tensor(e["target.out"]), label_smoothing=SMOOTHING)


def score(p, e):
    """The logarithm of the probability of the target."""
    rows = write(p, e["target.in"], *read(p, e))
    return sum(row[word] for row, word in zip(rows, e["target.out"]))


def drafts(rng):
    row = lambda n: [rng.randrange(5) for _ in range(n)]
    return [{"source": row(n), "draft": row(k), "target.in": [2] + row(m - 1),
             "target.out": row(m - 1) + [3]} for n, k, m in ((1, 1, 1), (5, 4, 3))]


SYSTEMS = {"post_editor": {
    "model": "correction/post_editor", "examples": drafts, "predict": score, "loss": loss,
    "output": "score", "clip": 1.0,
    "sizes": {"words": 5, "places": 7, "width": 4, "inner": 3, "layers": 1, "dropout": 0.0}}}
