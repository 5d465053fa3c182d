#===-- golden/semisupervised.py - Learning without classes in PyTorch ----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Virtual adversarial training, imitators and their mixture, as in systems.py."""

import math

import torch
from torch.nn import functional as F

from .dropout import RANDOM_IDS, mix
from .system_examples import keyed
from .systems import cross_entropy, lstm_classes, lstm_scores, normalized


#===-- Virtual adversarial words --------------------------------------------===#

def upper(key):
    return (key >> 40) / 2**24


def normal(key, number, row, column):
    """What `nn.random normal(0.0, 1.0)` number `number` of a module draws."""
    own = mix(mix(mix(key, row), RANDOM_IDS + number), column)
    v = (own >> 40 | 1) / 2**24
    return math.sqrt(-2 * math.log(v)) * math.cos(2 * math.pi * upper(mix(own, 0)))


def divergence(scores, moved):
    """KL(p || q), of which p is held constant."""
    p = torch.softmax(scores, 0).detach()
    return torch.sum(p * (torch.log(p) - torch.log_softmax(moved, 0)))


def farthest(p, example, x, scores, number=0, epsilon=1.0, xi=0.1):
    """How far the scores go where words are moved against them (Miyato et al. 2017, equations 2,
    6 and 7), with one step of power iteration."""
    d = torch.tensor([[normal(example["key"], number, i, c) for c in range(x.shape[1])]
                      for i in range(x.shape[0])], dtype=x.dtype)
    d = (xi * d / d.norm()).requires_grad_()
    g, = torch.autograd.grad(divergence(scores, lstm_scores(p, x.detach() + d)), d)
    return divergence(scores, lstm_scores(p, x + epsilon * (g / g.norm()).detach()))


def virtual_loss(p, example):
    x = normalized(p, example)
    scores = lstm_scores(p, x)
    return cross_entropy(scores, example["label"]) + farthest(p, example, x, scores)


def consistency_loss(p, example):
    """The same of a text without a class; the second op of the module that draws."""
    x = normalized(p, example)
    return farthest(p, example, x, lstm_scores(p, x), number=1)


def to_neighbours(p, example, near=3):
    """Vectors of length 1 from each word to the nearest ones by cosine."""
    unit = F.normalize(p["words"].detach(), dim=1, eps=1e-8)
    here = unit[torch.tensor(example["tokens"])]
    there = unit[(here @ unit.T).topk(near + 1, dim=1).indices[:, 1:]]
    return F.normalize(there - here.unsqueeze(1), dim=2, eps=1e-8)


def interpretable_loss(p, example, epsilon=3.0):
    """Sato et al. 2018: words move towards their neighbours."""
    x, d = normalized(p, example), to_neighbours(p, example)
    scores = lstm_scores(p, x)
    a = torch.full(d.shape[:2], torch.tensor(0.1).item(), dtype=x.dtype, requires_grad=True)
    combined = lambda weights: torch.einsum("nk,nkd->nd", weights, d)
    g, = torch.autograd.grad(divergence(scores, lstm_scores(p, x.detach() + combined(a))), a)
    moved = lstm_scores(p, x + combined(epsilon * (g / g.norm()).detach()))
    return cross_entropy(scores, example["label"]) + divergence(scores, moved)


#===-- Imitators of an expert -----------------------------------------------===#

def imitators(p, example):
    """The logarithms of what each of them says at each place: a convolution with zeros
    on both sides."""
    ids = torch.tensor(example["pieces"])
    e = p["pieces"][ids] * (ids != 0).unsqueeze(1)
    said = []
    for c in range(1, 5):
        scope = f"imitator.{c}."
        K = p[scope + "K"].reshape(2 * c + 1, e.shape[1], -1).permute(2, 1, 0)
        o = F.leaky_relu(F.conv1d(e.T[None], K, p[scope + "b"], padding=c)[0].T, 0.01)
        said.append(torch.log_softmax(o @ p[scope + "W"] + p[scope + "d"], 1))
    return said


def imitation_loss(p, example):
    """Kiyono et al. 2019, equations 11 and 12."""
    log = torch.log_softmax(lstm_classes(p, example), 0).detach()
    return sum(torch.sum(torch.exp(log) * (log - own)) for own in imitators(p, example))


def opinions(p, example):
    """Equation 7."""
    return [torch.log(torch.exp(own).mean(0)).detach() for own in imitators(p, example)]


def mixture(p, example):
    """Equation 6."""
    scores = lstm_classes(p, example)
    for c, alpha in enumerate(opinions(p, example), 1):
        scores = scores + torch.sigmoid(p[f"mixture.{c}.lambda"]) * alpha
    return scores


def without_classes(rng):
    return [{"tokens": e["tokens"], "key": e["key"]} for e in keyed(rng)]


SYSTEMS = {"consistency": dict(
    model="sentences/lstm",
    sizes={"words": 9, "classes": 2, "dropout": 0.0, "input": 3, "hidden": 4, "layer": 5},
    examples=without_classes, predict=lstm_classes, loss=consistency_loss, step="consistency",
    function="consistency_loss", draws=True)}
