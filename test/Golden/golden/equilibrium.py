#===-- golden/equilibrium.py - A layer without end in PyTorch ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""DEQ, by iterations that PyTorch differentiates, all of them."""

import torch
from torch.nn import functional as F

from .semisupervised import normal
from .system_examples import keyed
from .systems import cross_entropy, linear

STEP = torch.tensor(0.01).item()  # As the model has it.


def norm(p, name, x):
    return F.layer_norm(x, x.shape[-1:], p[name + ".scale"], p[name + ".shift"], 1e-5)


def transformed(p, z, x):
    q, k, v = (linear(p, "layer." + name, z) for name in ("query", "key", "value"))
    a = torch.softmax(q @ k.T / q.shape[1]**0.5, 1) @ v
    y = norm(p, "layer.attention_norm", x + linear(p, "layer.output", a))
    inner = F.gelu(linear(p, "layer.inner", y))
    return norm(p, "layer.feed_norm", y + linear(p, "layer.outer", inner))


def embedded(p, example):
    tokens = torch.tensor(example["tokens"])
    return p["words"][tokens] + p["places"][:len(tokens)]


def iterated(p, x, iterations=100):
    z = torch.zeros_like(x)
    for _ in range(iterations):
        z = transformed(p, z, x)
    return z


def equilibrium(p, example):
    return linear(p, "classes", iterated(p, embedded(p, example)).mean(0))


def regularized(p, example):
    """The cross entropy, and gamma |J e|^2 / d for a row e of noise (Bai et al. 2021)."""
    x = embedded(p, example)
    z = iterated(p, x)
    e = torch.tensor([[normal(example["key"], 0, i, c) for c in range(x.shape[1])]
                      for i in range(x.shape[0])], dtype=x.dtype)
    je = (transformed(p, z + STEP * e, x) - transformed(p, z, x)) / STEP
    return (cross_entropy(linear(p, "classes", z.mean(0)), example["label"])
            + SIZES["gamma"] * (je * je).mean())


SIZES = {"words": 9, "width": 4, "classes": 2, "heads": 1, "inner": 5, "places": 8,
         "part": 1e-13, "most": 100, "gamma": 2.0}
SYSTEMS = {"deq_jacobian": {
    "model": "equilibrium/deq", "sizes": SIZES, "examples": keyed, "predict": equilibrium,
    "loss": regularized, "inputs": {"predict": ["tokens"]}, "draws": True, "gradients": False,
    "tolerance": {"f64": 1e-7}}}  # Noise has the precision of f32.
