#===-- golden/translation.py - A Transformer that translates, in PyTorch -===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/translation: every step of a search computes the whole prefix again."""

import torch
from torch.nn import functional as F

from .systems import cross_entropy, linear

HEADS = 4


def norm(p, name, x):
    return F.layer_norm(x, x.shape[-1:], p[name + ".scale"], p[name + ".shift"], 1e-6)


def attend(p, name, x, memory, causal=False, seen=None):
    split = lambda y: y.unflatten(1, (HEADS, -1)).transpose(0, 1)
    q, k, v = (split(linear(p, f"{name}.{part}", of))
               for part, of in (("query", x), ("key", memory), ("value", memory)))
    scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
    if causal:
        later = torch.ones(scores.shape[1:], dtype=torch.bool).triu(1)
        scores = scores.masked_fill(later, -torch.inf)
    if seen is not None:
        scores = scores.masked_fill(~seen, -torch.inf)
    return linear(p, name + ".output", (torch.softmax(scores, -1) @ v).transpose(0, 1).flatten(1))


def feed(p, scope, x):
    h = torch.relu(linear(p, scope + "feed.inner", norm(p, scope + "feed.norm", x)))
    return x + linear(p, scope + "feed.outer", h)


def embed(p, tokens):
    x = p["words"][torch.tensor(tokens)] * p["words"].shape[1] ** 0.5
    return x + p["places"][:len(tokens)]


def layers(p, scope, x, seen=None):
    stacked = {n[len(scope):]: v for n, v in p.items() if n.startswith(scope)}
    for number in range(len(stacked["self.query.W"])):
        layer = {n: v[number] for n, v in stacked.items()}
        n = norm(layer, "self.norm", x)
        x = feed(layer, "", x + attend(layer, "self", n, n, seen=seen))
    return x


def encode(p, tokens):
    return norm(p, "encoder.norm", layers(p, "encoder.layer.", embed(p, tokens)))


def scores(p, words, memory):
    """Of each word behind each of these."""
    x = embed(p, words)
    for scope in ("decoder.0.", "decoder.1."):
        n = norm(p, scope + "back.norm", x)
        x = x + attend(p, scope + "back", n, n, causal=True)
        x = x + attend(p, scope + "aside", norm(p, scope + "aside.norm", x), memory)
        x = feed(p, scope, x)
    return norm(p, "decoder.norm", x) @ p["words"].T


def entropy(rows, words):
    losses = [cross_entropy(row, word) for row, word in zip(rows, words)]
    return sum(losses) / len(losses)


def loss(p, example):
    rows = scores(p, example["target.in"], encode(p, example["source"]))
    return entropy(rows, example["target.out"])


def search(p, example):
    return search_behind(p, encode(p, example["source"]))


def search_behind(p, memory, beam=5, longest=60, begin=2, end=3):
    """The words with the greatest sums of log-probabilities."""
    best = [(0.0, [])]
    for _ in range(longest):
        longer = [b for b in best if end in b[1]]
        for score, words in best:
            if end not in words:
                more = torch.log_softmax(scores(p, [begin] + words, memory)[-1], 0)
                longer += [(score + m.item(), words + [w]) for w, m in enumerate(more)]
        best = sorted(longer, key=lambda b: -b[0])[:beam]
        if all(end in words for _, words in best):
            break
    return torch.tensor([words + [end] * (longest - len(words)) for _, words in best])


#===-- Dialogues ------------------------------------------------------------===#

def remember(p, example):
    """Santra et al. 2021 (HIER): a mask by utterances, then one by which the last sees all."""
    turns, words = torch.tensor(example["turns"]), torch.tensor(example["context"])
    own = turns[:, None] == turns[None, :]
    x = p["words"][words] * p["words"].shape[1] ** 0.5
    x = layers(p, "utterance.", x + p["places"][torch.tensor(example["within"])], own)
    x = layers(p, "dialogue.", x + p["places"][:len(words)], own | (turns == turns[-1])[:, None])
    return norm(p, "norm", x)


def respond(p, example):
    return search_behind(p, remember(p, example))


def response_loss(p, example):
    return entropy(scores(p, example["target.in"], remember(p, example)),
                   example["target.out"])
