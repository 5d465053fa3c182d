#===-- golden/reranking.py - The best of a list, in PyTorch ---------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/reranking/network.mlir."""

import torch

from .systems import cross_entropy, linear


def candidates(p, e):
    x = torch.tensor(e["x"], dtype=torch.float64)
    return linear(p, "score", torch.tanh(linear(p, "inner", x - x.mean(0))))[:, 0]


def lists(rng):
    return [{"x": [[round(rng.gauss(0, 1), 3) for _ in range(3)] for _ in range(n)],
             "best": rng.randrange(n)} for n in (1, 4, 2)]


SYSTEMS = {"reranking_network": {
    "model": "reranking/network", "examples": lists, "predict": candidates,
    "loss": lambda p, e: cross_entropy(candidates(p, e), e["best"]),
    "inputs": {"predict": ["x"]}, "sizes": {"features": 3, "hidden": 4}}}
