#===-- golden/distillation.py - A teacher beside a student, in PyTorch ----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/translation/self_distillation.mlir, as in translation.py."""

import torch
from torch.nn import functional as F

from .dropout import RANDOM_IDS, mix
from .translation import encode, entropy, scores

NEAREST = 10
KD, SMOOTHING = (torch.tensor(x).item() for x in (0.6, 0.1))  # Numbers of f32.
NOISE = 0.5
# Draws of the file: the teacher's words, then the student's.
DRAWS = {"teacher.": 0, "": 2}


def draw(key, row, number):
    return mix(mix(mix(key, row), RANDOM_IDS + number), 0)


def replaced(p, words, key, number):
    """Words become one of the nearest ones, but the first, where a draw says so."""
    found = []
    for row, word in enumerate(words):
        near = (p["words"] @ p["words"][word]).sort(descending=True, stable=True).indices
        place = 1 + (NEAREST * (draw(key, row, number) >> 32) >> 32)
        go = (draw(key, row, number + 1) >> 40) / 2**24 < NOISE
        found.append(near[place].item() if go else word)
    return found


def student(p):
    return {n: v for n, v in p.items() if not n.startswith("teacher.")}


def teacher(p):
    return {n[len("teacher."):]: v.detach() for n, v in p.items() if n.startswith("teacher.")}


def logs(p, scope, e):
    source = e["source"]
    if "key" in e:
        source = replaced(p, source, e["key"], DRAWS[scope])
    return torch.log_softmax(scores(p, e["target.in"], encode(p, source)), 1)


def loss(p, e):
    """Liu et al. 2021: (1 - kd) of the target's loss, kd of the divergence from the teacher."""
    t, s = logs(teacher(p), "teacher.", e), logs(student(p), "", e)
    kl = (t.exp() * (t - s)).sum(1).mean()
    target = F.cross_entropy(s, torch.tensor(e["target.out"]), label_smoothing=SMOOTHING)
    return (1 - KD) * target + KD * kl


def clean_loss(p, e):
    own = student(p)
    return entropy(scores(own, e["target.in"], encode(own, e["source"])), e["target.out"])


def read(rng, noisy):
    row = lambda n: [rng.randrange(12) for _ in range(n)]
    return [{"source": row(n), "target.in": [2] + row(m - 1), "target.out": row(m - 1) + [3],
             **({"key": rng.getrandbits(63)} if noisy else {})}
            for n, m in ((1, 1), (9, 3))]


def system(noise=0.0, **rest):
    sizes = {"words": 12, "places": 9, "width": 4, "inner": 3, "dropout": 0.0,
             "noise": noise}
    known = ["source", "target.in", "target.out"]
    return {"model": "translation/self_distillation", "sizes": sizes,
            "examples": lambda rng: read(rng, noise > 0), "predict": clean_loss,
            "output": "clean_loss", "loss": loss, "clip": 5.0,
            "inputs": {"clean_loss": known, "loss": known + ["key"] * (noise > 0)},
            "updates": lambda name: not name.startswith("teacher."), **rest}


SYSTEMS = {"self_distillation": system(),
           "noisy_self_distillation": system(NOISE, draws=True, gradients=False)}
