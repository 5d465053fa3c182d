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

from .systems import linear


def norm(p, name, x):
    return F.layer_norm(x, x.shape[-1:], p[name + ".scale"], p[name + ".shift"], 1e-5)


def transformed(p, z, x):
    q, k, v = (linear(p, "layer." + name, z) for name in ("query", "key", "value"))
    a = torch.softmax(q @ k.T / q.shape[1]**0.5, 1) @ v
    y = norm(p, "layer.attention_norm", x + linear(p, "layer.output", a))
    inner = F.gelu(linear(p, "layer.inner", y))
    return norm(p, "layer.feed_norm", y + linear(p, "layer.outer", inner))


def equilibrium(p, example, iterations=100):
    tokens = torch.tensor(example["tokens"])
    x = p["words"][tokens] + p["places"][:len(tokens)]
    z = torch.zeros_like(x)
    for _ in range(iterations):
        z = transformed(p, z, x)
    return linear(p, "classes", z.mean(0))
