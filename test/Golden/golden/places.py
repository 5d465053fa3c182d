#===-- golden/places.py - Where words of a translation stand --------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/translation/places.mlir, as in translation.py: angles (APE, and SHAPE, which is the same
outside of trainings) and distances (Shaw et al. 2018, equations 3 and 4)."""

import torch

from . import translation
from .system_examples import translated
from .systems import linear
from .translation import HEADS, feed, norm

FAR = 2  # Longer distances are this one.


#===-- Angles ---------------------------------------------------------------===#

def angles_of(p, offset=0):
    return {**p, "places": p["angles"][offset:]}


def states(p, example):
    return translation.encode(angles_of(p, int(example["offset"])), example["source"])


def ape_loss(p, example):
    return translation.loss(angles_of(p), example)


#===-- Distances ------------------------------------------------------------===#

def look_near(p, x, causal=False):
    split = lambda y: y.unflatten(1, (HEADS, -1)).transpose(0, 1)
    q, k, v = (split(linear(p, part, x)) for part in ("query", "key", "value"))
    at = torch.arange(len(x))
    distance = (at[None, :] - at[:, None]).clamp(-FAR, FAR) + FAR
    keys, values = p["relative.keys"][distance], p["relative.values"][distance]
    scores = (q @ k.transpose(1, 2) + torch.einsum("hic,ijc->hij", q, keys)) / q.shape[-1] ** 0.5
    if causal:
        scores = scores.masked_fill(at[None, :] > at[:, None], -torch.inf)
    a = torch.softmax(scores, -1)
    seen = a @ v + torch.einsum("hij,ijc->hic", a, values)
    return linear(p, "output", seen.transpose(0, 1).flatten(1))


def below(p, scope):
    return {n[len(scope):]: v for n, v in p.items() if n.startswith(scope)}


def read(p, words):
    return p["words"][torch.tensor(words)] * p["words"].shape[1] ** 0.5


def near_encoder(p, words):
    x, stacked = read(p, words), below(p, "encoder.layer.")
    for number in range(len(stacked["self.query.W"])):
        layer = {n: v[number] for n, v in stacked.items()}
        n = norm(layer, "self.norm", x)
        x = feed(layer, "", x + look_near(below(layer, "self."), n))
    return norm(p, "encoder.norm", x)


def rpe_loss(p, example):
    memory, x = near_encoder(p, example["source"]), read(p, example["target.in"])
    for scope in ("decoder.0.", "decoder.1."):
        n = norm(p, scope + "back.norm", x)
        x = x + look_near(below(p, scope + "back."), n, causal=True)
        n = norm(p, scope + "aside.norm", x)
        x = feed(p, scope, x + translation.attend(p, scope + "aside", n, memory))
    rows = norm(p, "decoder.norm", x) @ p["words"].T
    return translation.entropy(rows, example["target.out"])


#===-- Golden files ----------------------------------------------------------===#

def with_offsets(rng):
    return [{**e, "offset": float(k)} for e, k in zip(translated(rng), (0, 3, 17))]


def system(output, function, examples, predict, loss, **rest):
    return {"model": "translation/places", "examples": examples, "predict": predict, "loss": loss,
            "sizes": {"words": 9, "places": 64, "width": 8, "inner": 6, "columns": 2,
                      "distances": 2 * FAR + 1, "dropout": 0.0},
            "output": output, "function": function, "frozen": ("angles",), "clip": 1.0,
            "gradients": False, **rest}


WORDS = ["source", "target.in", "target.out"]
SYSTEMS = {
    "places_angles": system("states", "loss", with_offsets, states, ape_loss, step=None,
                            inputs={"states": ["source", "offset"], "loss": WORDS}),
    "places_distances": system("rpe_loss", "rpe_loss", translated, rpe_loss, rpe_loss, step="rpe",
                               inputs={"rpe_loss": WORDS}),
}
