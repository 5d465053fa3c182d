#===-- golden/language.py - A language model that writes, in PyTorch ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/language: every word is found by the whole text again."""

import math

import torch
from torch.nn import functional as F

from .dropout import mix
from .systems import linear, lstm_run, lstm_states, normalized, surprise_of_text
from .translation import find

SAMPLES, LONGEST, END = 3, 40, 3
SEARCH_IDS = 3 << 32  # What the first search of a file draws.


def next_words(p, words):
    """The logarithms of the probabilities of the words behind some."""
    x = normalized(p, {"tokens": words})
    h = lstm_states(p, "lstm.", list(x))[-1]
    return torch.log_softmax(linear(p, "next", h), 0)


def greedy(p, e):
    *before, last = e["text.in"]
    return find(lambda words: next_words(p, before + words), LONGEST, beam=1, begin=last)


def gumbel(key, number, place):
    u = (mix(mix(key, SEARCH_IDS + number), place) >> 40 | 1) / 2**24
    return -math.log(-math.log(u))


def drawn(next_words, key, count, longest, number, among):
    """Each text takes the word of the greatest sum of log-probability and draw, of the first
    ones; NUMBER is that of the search in its file."""
    texts = [[] for _ in range(count)]
    for t in range(longest):
        alive = [words for words in texts if END not in words]
        for row, words in enumerate(alive):
            own = mix(mix(key, t), row)
            logs, ids = next_words(words).sort(descending=True)
            sums = [log.item() + gumbel(own, number, place)
                    for place, log in enumerate(logs[:among])]
            words.append(ids[sums.index(max(sums))].item())
    return torch.tensor([words + [END] * (longest - len(words)) for words in texts])


def sample(p, e):
    return drawn(lambda words: next_words(p, e["text.in"] + words), e["key"], SAMPLES, LONGEST, 1,
                 50)


def begun(rng):
    return [{"text.in": [rng.randrange(9) for _ in range(n)], "key": rng.getrandbits(63),
             "text.out": [rng.randrange(9) for _ in range(n)]} for n in (1, 2, 6)]


def system(output, function, *inputs):
    return {"model": "language/language_model", "examples": begun, "predict": function,
            "sizes": {"words": 9, "dropout": 0.0, "input": 3, "hidden": 4}, "output": output,
            "inputs": {output: ["text.in", *inputs], "loss": ["text.in", "text.out"]},
            "loss": surprise_of_text, "step": None, "gradients": False}


SYSTEMS = {"language_greedy": system("greedy", greedy),
           "language_sample": system("sample", sample, "key")}


#===-- Texts that go on from line to line ------------------------------------===#

def surprise_behind(p, e):
    """The same behind the state that the line before has left."""
    x = normalized(p, {"tokens": e["text.in"]})
    state = tuple(torch.tensor(e["before." + name], dtype=x.dtype) for name in "hc")
    h = torch.stack([h for h, _ in lstm_run(p, "lstm.", list(x), state)])
    return F.cross_entropy(linear(p, "next", h), torch.tensor(e["text.out"]))


def lines(rng):
    row = lambda n: [rng.randrange(9) for _ in range(n)]
    state = lambda: [round(rng.uniform(-1, 1), 3) for _ in range(4)]
    return [{"text.in": row(n), "text.out": row(n), "before.h": state(), "before.c": state()}
            for n in (1, 2, 6)]


LINES = {"long_language_model": {
    "model": "language/long_language_model", "examples": lines, "predict": surprise_behind,
    "sizes": {"words": 9, "dropout": 0.0, "input": 3, "hidden": 4}, "loss": surprise_behind,
    "vectors": ("before.h", "before.c"), "clip": 5.0, "gradients": False}}
