#===-- golden/cleaning.py - Which pairs are clean, in PyTorch ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/filtering/svm: the primal form of a linear support vector machine."""

import torch


def pairs(rng):
    return [{"x": [rng.gauss(0.0, 2.0) for _ in range(4)], "target": float(rng.randrange(2))}
            for _ in range(5)]


def distance(p, example):
    return torch.tensor(example["x"], dtype=torch.float64) @ p["w"] + p["b"][0]


def hinge(p, example):
    y = 2.0 * example["target"] - 1.0
    return torch.relu(1.0 - y * distance(p, example)) + 0.5 * p["w"].square().sum()


SYSTEMS = {"svm": {
    "model": "filtering/svm", "sizes": {"regularization": 0.5}, "examples": pairs,
    "predict": distance, "loss": hinge, "inputs": {"predict": ["x"]}, "vectors": ("x",)}}
