#===-- golden/dialogues.py - Responses in dialogues, in PyTorch ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/dialogue (Santra et al. 2021): masks are written out, a square of each dialogue."""

import torch

from .systems import linear
from .translation import entropy, find, layers, norm, scores, writer


def masks(example):
    """Which words see the words of their utterance, and which see all besides: the last."""
    turns = torch.tensor(example["turns"])
    own = turns[:, None] == turns[None, :]
    return own, own | (turns == turns[-1])[:, None]


def vectors(p, words, places):
    x = p["words"][torch.tensor(words)] * p["words"].shape[1] ** 0.5
    return x + p["places"][torch.tensor(places)]


def hier(p, example):
    own, last = masks(example)
    x = layers(p, "utterance.", vectors(p, example["context"], example["within"]), own)
    return norm(p, "norm", layers(p, "dialogue.", x + p["places"][:len(x)], last))


def hier_cls(p, example):
    x = vectors(p, example["context"], example["within"])
    first = layers(p, "utterance.", x, masks(example)[0])[torch.tensor(example["starts"])]
    return norm(p, "norm", layers(p, "dialogue.", first + p["places"][:len(first)]))


def alone(p, example):
    own, _ = masks(example)
    x = vectors(p, example["context"], example["within"])
    x = layers(p, "first.utterance.", x, own)
    return norm(p, "norm", layers(p, "second.utterance.", x + p["places"][:len(x)], own))


def around(p, example):
    words = example["context"]
    x = vectors(p, words, range(len(words)))
    return norm(p, "norm", layers(p, "dialogue.", x, masks(example)[1]))


def with_vector(p, a):
    """Parameters in which a vector is added to those of all words that are written."""
    return p | {"places": p["places"] + a}


def responding(memory, prepare=lambda p, e: p):
    return lambda p, e: find(writer(prepare(p, e), memory(p, e)), 60)


def losing(memory, prepare=lambda p, e: p):
    return lambda p, e: entropy(scores(prepare(p, e), e["target.in"], memory(p, e)),
                                e["target.out"])


def with_acts(p, example):
    return with_vector(p, linear(p, "acts", torch.tensor(example["acts"], dtype=torch.float64)))


def mean_of(p, words):
    kept = [word for word in words if word != 3]
    return p["words"][kept].sum(0) / max(len(kept), 1)


def own_decoder(p, name, a):
    """The decoder of that name, whose words have the vector a besides."""
    scope = name + "."
    return with_vector(p | {n[len(scope):]: v for n, v in p.items() if n.startswith(scope)}, a)


def joint_loss(p, example):
    m = hier(p, example)
    b, a = (mean_of(p, example[name + ".out"]) for name in ("belief", "action"))
    parts = (("belief", "belief", 0.0), ("action", "action", b), ("response", "target", b + a))
    return sum(entropy(scores(own_decoder(p, name, added), example[words + ".in"], m),
                       example[words + ".out"]) for name, words, added in parts)


def joint_responses(p, example):
    m, added, found = hier(p, example), 0.0, None
    for name in ("belief", "action", "response"):
        found = find(writer(own_decoder(p, name, added), m), 60)
        added = added + mean_of(p, found[0].tolist())
    return found
