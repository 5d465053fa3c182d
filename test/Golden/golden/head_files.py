#===-- golden/head_files.py - Golden files of the heads ------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Scores, losses and gradients of every head on small sizes."""

import os
import random
import re

import torch

from . import heads
from .cell_files import draw, parameter_shapes

SIZES = {"hidden": 4, "layer": 7, "similarity": 6}
NAMES = tuple(heads.LOSSES)
# The ends and an even score among them: where one element of the target is 1.
SCORES = (1, 5, 3, 4.3, 1.75)


def small_sizes(path):
    with open(path) as file:
        names = re.findall(r'(\w+)"? = \d', file.read())
    return {name: value for name, value in SIZES.items() if name in names}


def make_examples(name, rng):
    examples = []
    for number in range(5):
        example = {"left": draw([SIZES["hidden"]], rng),
                   "right": draw([SIZES["hidden"]], rng)}
        if name == "sick_relatedness":
            example["score"] = SCORES[number]
        else:
            example["label"] = rng.randrange(15 if name == "dissent" else 3)
        examples.append(example)
    return examples


def make(name, models, seed):
    """The golden file of one head."""
    rng = random.Random(seed)
    path = os.path.join(models, os.pardir, "heads", name + ".mlir")
    sizes = small_sizes(path)
    params = {n: draw(shape, rng) for n, shape in parameter_shapes(path, sizes).items()}
    examples = make_examples(name, rng)
    p = {n: torch.tensor(v, dtype=torch.float64, requires_grad=True)
         for n, v in params.items()}
    vectors = [[torch.tensor(e[side], dtype=torch.float64) for side in ("left", "right")]
               for e in examples]
    scores = [getattr(heads, name)(p, *pair) for pair in vectors]
    losses = [heads.LOSSES[name](s, e) for s, e in zip(scores, examples)]
    gradients = torch.autograd.grad(sum(losses) / len(losses), list(p.values()))
    return {
        "model": f"models/heads/{name}.mlir", "sizes": sizes, "output": "scores",
        "params": params, "examples": examples,
        "scores": [s.tolist() for s in scores], "loss": [l.item() for l in losses],
        "gradients": {n: g.tolist() for n, g in zip(p, gradients)},
    }
