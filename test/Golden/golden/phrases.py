#===-- golden/phrases.py - A parser of phrases in PyTorch ----------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/parser/span_parser: Kitaev and Klein 2018, whose best tree is the best of all, by
enumeration."""

import torch
from torch.nn import functional as F

from .charts import spans_of, trees
from .systems import linear
from .tagging import norm, spelled

HEADS = 4


def sentences(rng):
    """Words, and a label for each span, which need not be those of a tree."""
    found = []
    for n in (1, 2, 5):
        row = lambda n, most: [rng.randrange(most) for _ in range(n)]
        size = n * (n + 1) // 2
        found.append({"words": row(n, 9), "prefixes": row(n, 5), "suffixes": row(n, 5),
                      "spans": [0] * size, "phrases": row(size, 4)})
    return found


def layer(p, c, x):
    """Queries, keys and values of content and place apart, scores of heads together."""
    halves = ("content", c), ("place", x)
    split = lambda name: torch.cat([linear(p, f"{name}.{side}", h).unflatten(1, (HEADS, -1))
                                    for side, h in halves], 2).transpose(0, 1)
    q, k, v = (split(name) for name in ("query", "key", "value"))
    a = torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, -1) @ v
    both = a.transpose(0, 1).chunk(2, 2)
    found = []
    for (side, h), part in zip(halves, both):
        y = norm(p, side + ".norm", h + linear(p, "output." + side, part.flatten(1)))
        fed = linear(p, side + ".feed.outer", torch.relu(linear(p, side + ".feed.inner", y)))
        found.append(norm(p, side + ".feed_norm", y + fed))
    return found


def scores(p, example):
    """A row for each span: 0, and the scores of the labels from 1."""
    s = spelled(p, example)
    c = norm(p, "content.norm", linear(p, "content", s))
    x = norm(p, "place.norm", p["places"][:len(s)])
    for number in range(2):
        scope = f"layer{number}."
        c, x = layer({n.removeprefix(scope): v for n, v in p.items()}, c, x)
    y = torch.cat([c, x], 1)
    f, b, zero = y[:, 0::2], y[:, 1::2], torch.zeros(1, len(p["places"][0]), dtype=y.dtype)
    before, behind = torch.cat([zero, f]), torch.cat([b, zero])
    v = torch.stack([torch.cat([f[j] - before[i], b[i] - behind[j + 1]])
                     for i, j in spans_of(len(s))])
    inner = torch.relu(norm(p, "span.norm", linear(p, "span.inner", v)))
    return F.pad(linear(p, "span.phrases", inner), (1, 0))


def best_tree(scores_of_spans):
    """The spans of the tree with the greatest sum, as places in the chart, and the sum."""
    spans = spans_of(int((2 * len(scores_of_spans)) ** 0.5))
    place = {span: k for k, span in enumerate(spans)}
    found = [[place[span] for span in tree] for tree in trees(*spans[-1])]
    return max(((tree, scores_of_spans[tree].sum()) for tree in found), key=lambda pair: pair[1])


def labels(p, example):
    best, label = scores(p, example).max(1)
    tree, _ = best_tree(best)
    return torch.tensor([label[k].item() if k in tree else 0 for k in range(len(label))])


def margin(p, example):
    s, right = scores(p, example), torch.tensor(example["phrases"])
    more = s + 1.0 - F.one_hot(right, s.shape[1])
    return best_tree(more.max(1)[0])[1] - s.gather(1, right[:, None]).sum()


def local(p, example):
    return F.cross_entropy(scores(p, example), torch.tensor(example["phrases"]), reduction="sum")


PARSER = {
    "model": "parser/span_parser", "examples": sentences, "predict": labels,
    "sizes": {"words": 9, "ends": 5, "word": 4, "end": 2, "part": 1, "inner": 7,
              "score": 6, "phrases": 3, "places": 8, "dropout": 0.0},
    "inputs": {"predict": ["words", "prefixes", "suffixes", "spans"],
               "loss": ["words", "prefixes", "suffixes", "phrases"]}}
SYSTEMS = {"span_parser": {**PARSER, "loss": margin}}
LOCAL = {"span_parser_local": {**PARSER, "loss": local, "function": "local_loss",
                               "step": "local"}}
