#===-- golden/heads.py - The heads over pairs of sentences in PyTorch ----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""What each model of models/heads computes from two sentence vectors, with its loss.

Written from the equations: a function returns the scores, a second one the loss.
"""

import math

import torch
from torch.nn import functional as F


def infersent(p, left, right):
    f = torch.cat([left * right, (left - right).abs(), left, right])
    h = f @ p["first.W"] + p["first.b"]
    h = h @ p["second.W"] + p["second.b"]
    return h @ p["p.W"] + p["p.b"]


def dissent(p, left, right):
    f = torch.cat([left, right, (left + right) / 2, left - right, left * right])
    h = torch.relu((f @ p["first.W"] + p["first.b"]) @ p["second.W"] + p["second.b"])
    return h @ p["p.W"] + p["p.b"]


def snli(p, left, right):
    f = torch.cat([left * right, (left - right).abs(), left, right])
    h = torch.relu(f @ p["first.W"] + p["first.b"])
    h = torch.relu(h @ p["second.W"] + p["second.b"])
    return h @ p["p.W"] + p["p.b"]


def sick_relatedness(p, left, right):
    h = torch.sigmoid((left * right) @ p["W_mul"] + (left - right).abs() @ p["W_abs"]
                      + p["b"])
    return torch.log_softmax(h @ p["p.W"] + p["p.b"], 0)


sick_entailment = sick_relatedness


def cross_entropy(scores, example):
    return F.cross_entropy(scores.unsqueeze(0), torch.tensor([example["label"]]))


def relatedness_loss(log_p, example):
    """KL(p || p^) with the target of the equation, case by case."""
    score = example["score"]
    target = torch.zeros(5, dtype=log_p.dtype)
    floor = math.floor(score)
    target[floor - 1] = floor - score + 1
    if floor < 5:
        target[floor] = score - floor
    return F.kl_div(log_p, target, reduction="sum")


def entailment_loss(log_p, example):
    target = F.one_hot(torch.tensor(example["label"]), 3).to(log_p.dtype)
    return F.kl_div(log_p, target, reduction="sum")


LOSSES = {"infersent": cross_entropy, "dissent": cross_entropy, "snli": cross_entropy,
          "sick_relatedness": relatedness_loss, "sick_entailment": entailment_loss}
