#===-- golden/multilingual.py - One vector for many languages, in PyTorch -===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/multilingual, as in systems.py."""

import torch

from . import systems, translation
from .translation import entropy


def encode(p, e):
    states = systems.both(systems.lstm_states, p, "encoder.", systems.vectors(p, e["source"]))
    return states.max(0).values


def loss(p, e):
    """Artetxe and Schwenk 2019: the vector and the language stand beside each letter."""
    z = encode(p, e)
    first = tuple(systems.linear(p, "first." + name, z) for name in ("state", "cell"))
    beside = torch.cat([z, p["languages"][e["language"]]])
    rows = [torch.cat([x, beside]) for x in systems.vectors(p, e["target.in"])]
    states = [h for h, _ in systems.lstm_run(p, "decoder.", rows, first)]
    return entropy(systems.linear(p, "scores", torch.stack(states)), e["target.out"])


def read(rng):
    """A letter, letters with padding among them, letters that come again."""
    row = lambda n: [rng.randrange(9) for _ in range(n)]
    return [{"source": source, "language": language, "target.in": [2] + row(m - 1),
             "target.out": row(m - 1) + [3]}
            for source, language, m in ((row(1), 0, 1), ([4, 0, 7, 5], 1, 3), ([6, 6, 8], 0, 5))]


def student(p, e):
    return systems.linear(p, "vector", translation.encode(p, e["a"]).max(0).values)


def distance(p, e):
    """Heffernan et al. 2022: the vector of a translation is the teacher's."""
    scope = "teacher."
    own = {n[len(scope):]: v.detach() for n, v in p.items() if n.startswith(scope)}
    return 1 - torch.cosine_similarity(student(p, e), encode(own, {"source": e["b"]}), 0)


def pairs(rng):
    row = lambda n: [rng.randrange(9) for _ in range(n)]
    return [{"a": a, "b": b} for a, b in ((row(1), row(1)), (row(5), [4, 0, 7]))]


SYSTEMS = {"laser": {
    "model": "multilingual/laser", "examples": read, "predict": encode, "loss": loss,
    "clip": 5.0, "inputs": {"predict": ["source"]},
    "sizes": {"words": 9, "input": 3, "hidden": 4, "language": 2, "dropout": 0.0}}}
STUDENT = {"laser_student": {
    "model": "multilingual/student", "examples": pairs, "predict": student, "loss": distance,
    "clip": 5.0, "inputs": {"predict": ["a"]},
    "updates": lambda name: not name.startswith("teacher."),
    "sizes": {"words": 9, "input": 3, "hidden": 5, "places": 6, "width": 4, "inner": 7,
              "layers": 1, "dropout": 0.0}}}
