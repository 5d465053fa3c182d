#===-- golden/uplift.py - What a treatment does, in PyTorch ---------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/uplift/meta.mlir (Kunzel et al. 2019, Nie and Wager 2021), as in systems.py."""

import torch
from torch.nn import functional as F

TINY = torch.tensor(1e-6).item()  # The number of f32.


def perceptron(p, scope, example):
    x = torch.tensor(example["x"], dtype=p[scope + ".W"].dtype)
    return (torch.tanh(x @ p[scope + ".W"] + p[scope + ".b"]) @ p[scope + ".v"]
            + p[scope + ".c"]).squeeze(0)


def chance(p, scope, example):
    return torch.sigmoid(perceptron(p, scope, example))


def own(example):
    return "treated" if example["treated"] else "untreated"


def entropy(outcome, chance_of_it):
    return -torch.log((chance_of_it if outcome else 1 - chance_of_it) + TINY)


def outcome_loss(p, example):
    """Each of two models learns of its own people, the third one of all."""
    return sum(entropy(example["outcome"], chance(p, scope, example))
               for scope in (own(example), "all"))


def x_loss(p, example):
    y = example["outcome"]
    effect = (y - chance(p, "untreated", example) if example["treated"]
              else chance(p, "treated", example) - y)
    return (perceptron(p, "x." + own(example), example) - effect).square()


def r_loss(p, example):
    away = example["treated"] - 0.5
    left = example["outcome"] - chance(p, "all", example)
    return F.mse_loss(left, away * perceptron(p, "r", example))


def two_models(p, example):
    return chance(p, "treated", example) - chance(p, "untreated", example)


def people(rng):
    return [{"x": [round(rng.gauss(0, 1), 3) for _ in range(5)], "treated": treated,
             "outcome": outcome} for treated in (0, 1) for outcome in (0, 1)]


def loss(p, example):
    return outcome_loss(p, example) + x_loss(p, example) + r_loss(p, example)


def system(loss_of_step, function, **rest):
    return {"model": "uplift/meta", "sizes": {"features": 5, "hidden": 4}, "examples": people,
            "predict": two_models, "loss": loss_of_step, "function": function,
            "inputs": {"predict": ["x"]}, "vectors": ("x",), **rest}


SYSTEMS = {"uplift": system(loss, "loss", step=None),
           "uplift_x": system(x_loss, "x_loss", step="x", gradients=False,
                              updates=lambda name: name.startswith("x."))}
