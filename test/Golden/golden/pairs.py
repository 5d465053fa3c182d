#===-- golden/pairs.py - Encoders of pairs in PyTorch ---------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/dual_encoder, as in systems.py."""

import torch
from torch.nn import functional as F

from . import encoders, systems

NUMBERS = {name: torch.tensor(value).item()  # The numbers of f32.
           for name, value in (("scale", 20.0), ("margin", 0.3))}


def bag(p, tokens):
    return F.normalize(systems.vectors(p, tokens).mean(0), dim=0)


def bilstm(p, tokens):
    states = systems.both(systems.lstm_states, p, "", systems.vectors(p, tokens))
    return F.normalize(states.mean(0), dim=0)


def minilm(p, tokens):
    states = encoders.layers(p, {"tokens": tokens, "segments": [0] * len(tokens)})[-1]
    return F.normalize(states.mean(0), dim=0)


def cosine(encode):
    return lambda p, e: encode(p, e["a"]) @ encode(p, e["b"])


def rows(encode, p, sentences):
    return torch.stack([encode(p, tokens) for tokens in sentences])


def partners(a, candidates, margin=0.0):
    """Row i of a tells candidate i, whose cosine is less by the margin (Feng et al. 2022)."""
    own = torch.eye(len(a), len(candidates), dtype=a.dtype)
    scores = NUMBERS["scale"] * (a @ candidates.T - margin * own)
    return F.cross_entropy(scores, torch.arange(len(a)))


def in_batch(encode):
    def loss(p, e):
        candidates = torch.cat([rows(encode, p, e[name])
                                for name in ("b", "negative") if name in e])
        return partners(rows(encode, p, e["a"]), candidates)
    return loss


def with_margin(p, e):
    a, b = (rows(bilstm, p, e[name]) for name in "ab")
    return partners(a, b, NUMBERS["margin"]) + partners(b, a, NUMBERS["margin"])


#===-- Golden files ----------------------------------------------------------===#

def sets_of(*names):
    """Sets of pairs: sentences under each of these names."""
    def examples(rng):
        row = lambda: [rng.randrange(9) for _ in range(rng.randrange(1, 5))]
        return [{name: [row() for _ in range(n)] for name in names} for n in (3, 1, 2)]
    return examples


def system(model, sizes, encode, **rest):
    # A pair alone has no gradient but what rounding makes, and Adam steps of it: small ones.
    return {"model": "dual_encoder/" + model, "sizes": sizes, "predict": cosine(encode),
            "sets": True, "inputs": {"predict": ["a", "b"]}, "rate": 1e-4, **rest}


LSTM = {"words": 9, "input": 3, "hidden": 4}
SYSTEMS = {
    "dual_encoder_bag": system("bag", {"words": 9, "input": 3}, bag, examples=sets_of("a", "b"),
                               loss=in_batch(bag), step="in_batch"),
    "dual_encoder_bilstm": system("bilstm", LSTM, bilstm, examples=sets_of("a", "b"),
                                  loss=in_batch(bilstm), step="in_batch"),
    "dual_encoder_negatives": system("bilstm", LSTM, bilstm, loss=in_batch(bilstm),
                                     examples=sets_of("a", "b", "negative"), step="negatives",
                                     function="negatives_loss"),
    "dual_encoder_margin": system("bilstm", LSTM, bilstm, examples=sets_of("a", "b"),
                                  loss=with_margin, step="margin", function="margin_loss"),
}
TUNED = {"dual_encoder_minilm": system(
    "minilm", {"words": 9, "width": 4, "heads": 2, "inner": 6, "places": 8, "layers": 2}, minilm,
    examples=sets_of("a", "b"), loss=in_batch(minilm), step="in_batch", clip=1.0,
    gradients=False)}
