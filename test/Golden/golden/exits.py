#===-- golden/exits.py - A decoder with exits, in PyTorch -----------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/translation/exits.mlir, as in translation.py."""

import torch

from .translation import attend, embed, encode, entropy, feed, find, norm

SCOPES = tuple(f"decoder.{k}." for k in range(4))


def layer(p, scope, x, memory):
    n = norm(p, scope + "back.norm", x)
    x = x + attend(p, scope + "back", n, n, causal=True)
    x = x + attend(p, scope + "aside", norm(p, scope + "aside.norm", x), memory)
    return feed(p, scope, x)


def logs(p, scope, x):
    return torch.log_softmax(norm(p, scope + "exit", x) @ p["words"].T, 1)


def told(p, e, words, memory):
    """Log-probabilities behind the exits, and the number of layers of each word. A word that
    has left keeps its state, of which the layers above make keys and values."""
    x = embed(p, words)
    on = torch.ones(len(words), dtype=torch.bool)
    rows = torch.zeros(len(words), len(p["words"]))
    counts = torch.zeros(len(words), dtype=torch.long)
    for scope in SCOPES:
        x = torch.where(on[:, None], layer(p, scope, x, memory), x)
        rows = torch.where(on[:, None], logs(p, scope, x), rows)
        counts += on
        on = on & (rows.max(1).values.exp() < e["threshold"])
    return rows, counts


def search(p, e):
    memory = encode(p, e["source"])
    return find(lambda words: told(p, e, words, memory)[0][-1], 60)


def layers(p, e):
    return told(p, e, e["target.in"], encode(p, e["source"]))[1].to(p["words"].dtype).mean()


def loss(p, e):
    """Elbayad et al. 2020, aligned training: each layer is asked."""
    memory, x, losses = encode(p, e["source"]), embed(p, e["target.in"]), []
    for scope in SCOPES:
        x = layer(p, scope, x, memory)
        losses.append(entropy(logs(p, scope, x), e["target.out"]))
    return sum(losses) / len(losses)


def read(rng):
    """Of the first text no word leaves early, of the last one every word."""
    row = lambda n: [rng.randrange(9) for _ in range(n)]
    return [{"source": row(n), "target.in": [2] + row(m - 1), "target.out": row(m - 1) + [3],
             "threshold": threshold}
            for n, m, threshold in ((1, 1, 2.0), (5, 7, 0.4), (3, 4, 0.5), (2, 3, 0.0))]


def system(output, predict, fields, **rest):
    return {"model": "translation/exits", "output": output, "predict": predict, "loss": loss,
            "examples": read, "clip": 5.0,
            "inputs": {output: fields, "loss": ["source", "target.in", "target.out"]},
            "sizes": {"words": 9, "places": 64, "width": 8, "inner": 6, "layers": 1,
                      "dropout": 0.0}, **rest}


SYSTEMS = {"exits": system("predict", search, ["source", "threshold"]),
           "exits_layers": system("layers", layers, ["source", "target.in", "threshold"],
                                  step=None, gradients=False)}
