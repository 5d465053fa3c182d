#===-- golden/fusion.py - Adapters of several tasks in PyTorch ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/adapters/fusion.mlir (Pfeiffer et al. 2021, section 3.2), as in systems.py."""

import torch

from .encoders import encoded
from .system_examples import pieces
from .systems import cross_entropy, linear


def adapter(p, scope, x):
    return x + linear(p, scope + ".up", torch.relu(linear(p, scope + ".down", x)))


def fuse(p, h):
    """Each word takes of what stands behind the adapters what it needs."""
    z = torch.stack([adapter(p, f"fusion.{n}", h) for n in (1, 2, 3)], 1)
    weights = torch.softmax((linear(p, "fusion.query", h)[:, None]
                             * linear(p, "fusion.key", z)).sum(2), 1)
    return (weights[:, :, None] * (z + z @ p["fusion.value.W"])).sum(1)


def predict(p, example):
    return linear(p, "classes", encoded(p, example, fuse)[-1].mean(0))


def is_learned(name):
    """The encoder and the adapters stay as they are."""
    return "classes" in name or any(part in name for part in ("query", "key", "value")) \
        and "fusion" in name


SYSTEMS = {"fusion": {
    "model": "adapters/fusion", "examples": pieces, "predict": predict,
    "sizes": {"words": 9, "width": 4, "bottleneck": 3, "heads": 2, "inner": 6, "places": 8,
              "layers": 2},
    "loss": lambda p, e: cross_entropy(predict(p, e), e["label"]), "updates": is_learned,
    "gradients": False}}
