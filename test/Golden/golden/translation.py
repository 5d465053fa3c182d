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

from .dropout import RANDOM_IDS, mix
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
    x = p["words"][torch.tensor(tokens, dtype=torch.long)] * p["words"].shape[1] ** 0.5
    return x + p["places"][torch.arange(len(tokens)).clamp(max=len(p["places"]) - 1)]


def layers(p, scope, x, seen=None):
    stacked = {n[len(scope):]: v for n, v in p.items() if n.startswith(scope)}
    for number in range(len(stacked["self.query.W"])):
        layer = {n: v[number] for n, v in stacked.items()}
        n = norm(layer, "self.norm", x)
        x = feed(layer, "", x + attend(layer, "self", n, n, seen=seen))
    return x


def encode(p, tokens):
    return norm(p, "encoder.norm", layers(p, "encoder.layer.", embed(p, tokens)))


def decoded(p, words, memory):
    """States of the decoder behind each of these."""
    x = embed(p, words)
    for scope in ("decoder.0.", "decoder.1."):
        n = norm(p, scope + "back.norm", x)
        x = x + attend(p, scope + "back", n, n, causal=True)
        x = x + attend(p, scope + "aside", norm(p, scope + "aside.norm", x), memory)
        x = feed(p, scope, x)
    return norm(p, "decoder.norm", x)


def scores(p, words, memory):
    """Of each word behind each of these."""
    return decoded(p, words, memory) @ p["words"].T


def entropy(rows, words):
    losses = [cross_entropy(row, word) for row, word in zip(rows, words)]
    return sum(losses) / len(losses)


def loss(p, example):
    rows = scores(p, example["target.in"], encode(p, example["source"]))
    return entropy(rows, example["target.out"])


def writer(p, memory):
    """Log-probabilities of the next word behind some."""
    return lambda words: torch.log_softmax(scores(p, words, memory)[-1], 0)


def of_source(p, example):
    return writer(p, encode(p, example["source"]))


def find(write, longest, rank=lambda score, words: score, noise=lambda t, row: 0.0, beam=5,
         begin=2, end=3):
    """The words that rank highest by the sums of their log-probabilities."""
    best = [(0.0, [])]
    for t in range(longest):
        longer, row = [b for b in best if end in b[1]], 0
        for score, words in best:
            if end not in words:
                more = write([begin] + words) + noise(t, row)
                longer += [(score + m.item(), words + [w]) for w, m in enumerate(more)]
                row += 1
        best = sorted(longer, key=lambda b: -rank(*b))[:beam]
        if all(end in words for _, words in best):
            break
    return torch.tensor([words + [end] * (longest - len(words)) for _, words in best])


def search(p, example):
    return find(of_source(p, example), 60)


#===-- Corrections ----------------------------------------------------------===#

def per_word(score, words):
    return score / max(len(words), 1)


def corrections(p, example):
    return find(of_source(p, example), 80, per_word)


def noisy_corrections(p, example, beta=6.0):
    """Each hypothesis gets a number up to beta in each step (Xie et al. 2018)."""
    def noise(t, row):
        key = mix(mix(mix(example["key"], t), row), RANDOM_IDS)
        return beta * (mix(key, 0) >> 40) / 2**24
    return find(of_source(p, example), 80, per_word, noise)


def smoothed_loss(p, example):
    rows = scores(p, example["target.in"], encode(p, example["source"]))
    smoothing = torch.tensor(0.1).item()  # The number of f32.
    return F.cross_entropy(rows, torch.tensor(example["target.out"]), label_smoothing=smoothing)


def members(p):
    return [{n[len(scope) + 1:]: v for n, v in p.items() if n.startswith(scope + ".")}
            for scope in ("one", "two", "three", "four")]


def mean(logs):
    return torch.log(torch.exp(torch.stack(logs)).mean(0))


def corrections_together(p, example):
    write = [of_source(own, example) for own in members(p)]
    return find(lambda words: mean([w(words) for w in write]), 80, per_word)


def score_together(p, example):
    """The logarithm of the probability of the target."""
    rows = mean([torch.log_softmax(scores(own, example["target.in"],
                                          encode(own, example["source"])), 1)
                 for own in members(p)])
    return sum(row[word] for row, word in zip(rows, example["target.out"]))
