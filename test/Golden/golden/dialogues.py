#===-- golden/dialogues.py - Responses in dialogues, in PyTorch ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/dialogue (Santra et al. 2021): masks are written out, a square of each dialogue."""

import torch

from .editing import layers_of_two
from .system_examples import dialogues_with, read_words, written_words
from .systems import linear
from .translation import decoded, embed, entropy, find, layers, norm, scores, writer


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


#===-- Marco ---------------------------------------------------------------===#

def act_states(p, e, memory):
    """Of the decoder of acts, behind each act that is given."""
    return decoded(own_decoder(p, "acts", 0.0), e["action.in"], memory)


def response(p, words, acts, memory):
    """Scores of words by layers that attend to acts, then to the dialogue."""
    x = layers_of_two(p, ("response.0.", "response.1."), embed(p, words), acts, memory)
    return norm(p, "response.norm", x) @ p["words"].T


def co_generated(p, e):
    m = hier(p, e)
    h = act_states(p, e, m)
    return find(lambda words: torch.log_softmax(response(p, words, h, m)[-1], 0), 60)


def co_generation_loss(p, e):
    """Wang et al. 2020, each loss by the uncertainty of its task (Kendall et al. 2018)."""
    m = hier(p, e)
    h = act_states(p, e, m)
    losses = {"acts": entropy(h @ p["words"].T, e["action.out"]),
              "response": entropy(response(p, e["target.in"], h, m), e["target.out"])}
    weights = {name: p[name + ".weight"][0] for name in losses}
    return sum((torch.exp(-weights[name]) * losses[name] + weights[name]) / 2 for name in losses)


def found_acts(p, e):
    return find(writer(own_decoder(p, "acts", 0.0), hier(p, e)), 60)


def read(rng):
    words = {"action.in": read_words, "action.out": written_words}
    return dialogues_with(**words)(rng)


TALKER = {"words": 9, "places": 64, "width": 8, "inner": 6, "layers": 1, "dropout": 0.0}
MARCO = {"model": "dialogue/marco", "examples": read, "loss": co_generation_loss,
         "sizes": {**TALKER, "places": 60, "width": 4, "inner": 3}}
SYSTEMS = {
    "marco": {**MARCO, "predict": co_generated, "clip": 5.0,
              "inputs": {"predict": ["context", "turns", "within", "action.in"]}},
    "marco_acts": {**MARCO, "predict": found_acts, "step": None, "output": "acts",
                   "gradients": False, "inputs": {"acts": ["context", "turns", "within"]}}}
