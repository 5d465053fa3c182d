#===-- golden/filters.py - Filters over windows in PyTorch ----------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Text-CNN (Kim 2014)."""

import torch
from torch.nn import functional as F

from .systems import linear, words_of


def filtered(p, x, longest=1.5):
    """Filters over all windows that see a row, where zeros stand around them."""
    found = []
    for width, name in ((3, "three"), (4, "four"), (5, "five")):
        padded = F.pad(x, (0, 0, 4, width - 1))
        windows = torch.stack([padded[i:i + width].flatten() for i in range(len(x) + 4)])
        found.append(torch.relu(linear(p, "windows." + name, windows)).max(0).values)
    W = p["vote.W"].flatten(0, 1)
    return torch.cat(found) @ (W * (longest / W.norm(dim=0)).clamp(max=1.0)) + p["vote.b"]


def text_cnn(p, example):
    return filtered(p, words_of(p, example), longest=1.0)
