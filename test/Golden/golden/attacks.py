#===-- golden/attacks.py - Models that attacks ask, in PyTorch -----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/attacks, and the masked language model of models/language."""

import torch
from torch.nn import functional as F

from .systems import linear, lstm_states


def grams(rng):
    return [{"grams": [rng.randrange(9) for _ in range(n)],
             "weights": [rng.random() + 0.5 for _ in range(n)], "label": rng.randrange(2)}
            for n in (1, 2, 6)]


def ngrams(p, example):
    """Logistic regression on a text of the length 1."""
    x = F.normalize(torch.tensor(example["weights"], dtype=torch.float64), dim=0)
    return x @ p["W"][torch.tensor(example["grams"])] + p["b"]


def masked_texts(rng):
    found = []
    for n in (1, 2, 6):
        found.append({"text": [rng.randrange(9) for _ in range(n)],
                      "own": [float(rng.randrange(2)) for _ in range(n)],
                      "place": rng.randrange(n),
                      "keep": [float(rng.randrange(2)) for _ in range(3)]})
    return found


def words_and_contexts(p, example):
    """Melamud et al. 2016: what is read up to a word from both sides, without the word."""
    tokens = torch.tensor(example["text"])
    x = p["words"][tokens] * (tokens != 0).unsqueeze(1)
    nothing = torch.zeros_like(p["forward.i.b"])
    before = [nothing, *lstm_states(p, "forward.", list(x))[:-1]]
    behind = [nothing, *lstm_states(p, "backward.", list(x)[::-1])[:-1]][::-1]
    h = torch.stack([torch.cat(pair) for pair in zip(before, behind)])
    return x, linear(p, "context", torch.relu(linear(p, "inner", h)))


def masked_loss(p, example):
    x, c = words_and_contexts(p, example)
    own = torch.tensor(example["own"], dtype=x.dtype).unsqueeze(1)
    scores = (c + own * (x @ p["own"])) @ p["words"].T + p["frequency"]
    return F.cross_entropy(scores, torch.tensor(example["text"]))


def substitutes(p, example):
    """Zhou et al. 2019: by the place, and what dropout leaves of the word."""
    x, c = words_and_contexts(p, example)
    place, keep = example["place"], torch.tensor(example["keep"], dtype=torch.float64)
    vector = c[place] + (x[place] * keep) @ p["own"]
    return torch.log_softmax(vector @ p["words"].T + p["frequency"], 0)
