#===-- golden/tagging.py - Classes of tokens, in PyTorch -----------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/tagging: a Transformer that marks words, and classes that words refuse."""

import torch
from torch.nn import functional as F

from .systems import both, crf_labels, crf_loss, linear, lstm_states

HEADS = 6
ACCEPTS = [[1, 1, 0], [0, 1, 1], [1, 1, 1], [0, 0, 1]]


def kinds_of_words(rng):
    """Words of kinds, each with a class that accepts it."""
    found = []
    for n in (1, 2, 5):
        row = lambda most: [rng.randrange(most) for _ in range(n)]
        kinds = row(len(ACCEPTS))
        found.append({"words": row(9), "prefixes": row(5), "suffixes": row(5), "kinds": kinds,
                      "labels": [rng.choice([y for y, one in enumerate(ACCEPTS[k]) if one])
                                 for k in kinds]})
    return found


def spelled(p, example):
    return torch.cat([p[name][torch.tensor(example[name])]
                      for name in ("words", "prefixes", "suffixes")], 1)


def encoded_emissions(p, example):
    x = torch.cat([spelled(p, example), p["words"].new_tensor(example["states"])], 1)
    return linear(p, "labels", both(lstm_states, p, "lstm.", x))


def norm(p, name, x):
    return F.layer_norm(x, x.shape[-1:], p[name + ".scale"], p[name + ".shift"], 1e-12)


def layer(p, x):
    """Of BERT, with the norms behind the sums."""
    q, k, v = (linear(p, name, x).unflatten(1, (HEADS, -1)).transpose(0, 1)
               for name in ("query", "key", "value"))
    a = torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, -1) @ v
    y = norm(p, "attention_norm", x + linear(p, "output", a.transpose(0, 1).flatten(1)))
    return norm(p, "feed_norm", y + linear(p, "outer", F.gelu(linear(p, "inner", y))))


def emissions(p, x):
    x = norm(p, "norm", linear(p, "read", x) + p["places"][:len(x)])
    stacked = {n[len("layer."):]: v for n, v in p.items() if n.startswith("layer.")}
    for number in range(len(stacked["query.W"])):
        x = layer({n: v[number] for n, v in stacked.items()}, x)
    return linear(p, "labels", x)


def tags(p, example):
    return emissions(p, spelled(p, example))


def with_accepted(p, example):
    accepted = p["accepts"][torch.tensor(example["kinds"])]
    return spelled(p, example) + linear(p, "accepted", accepted)


def refuse(p, example, e):
    """Scores of refused classes are minus infinity."""
    refused = p["accepts"][torch.tensor(example["kinds"])] < 0.5
    return e.masked_fill(refused, -torch.inf)


def classes(p, example):
    return refuse(p, example, emissions(p, with_accepted(p, example)))


def crf_emissions(p, example):
    h = both(lstm_states, p, "lstm.", with_accepted(p, example))
    return refuse(p, example, linear(p, "labels", h))


def classes_together(p, example):
    return crf_labels(p, crf_emissions(p, example))


def together_loss(p, example):
    return crf_loss(p, crf_emissions(p, example), example["labels"])


def entropy(scores):
    return lambda p, e: F.cross_entropy(scores(p, e), torch.tensor(e["labels"]),
                                        reduction="sum")
