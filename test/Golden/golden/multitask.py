#===-- golden/multitask.py - One encoder, several tasks, in PyTorch -------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/multitask/multitask.mlir."""

import torch
from torch.nn import functional as F

from .cells import below_scope
from .heads import dissent, infersent
from .systems import both, cross_entropy, lstm_states, words_of


def examples(rng):
    words = lambda: [rng.randrange(9) for _ in range(rng.randint(1, 5))]
    return [{"left": words(), "right": words(), "label": rng.randrange(15),
             "words_a": words(), "words_b": words(), "judgment": rng.randrange(3),
             "tokens": words(), "before.in": row, "before.out": row,
             "behind.in": words(), "behind.out": words()}
            for row in (words(), words(), words())]


def encode(p, tokens):
    return both(lstm_states, p, "encoder.", words_of(p, {"tokens": tokens})).max(0).values


def marker(p, e):
    return dissent(below_scope(p, "markers."), encode(p, e["left"]), encode(p, e["right"]))


def entailment(p, e):
    return infersent(below_scope(p, "entailment."), encode(p, e["words_a"]),
                     encode(p, e["words_b"]))


def around(p, e):
    words = e["before.out"] + e["behind.out"]
    scores = encode(p, e["tokens"]) @ p["around.scores"]
    return F.cross_entropy(scores.expand(len(words), -1), torch.tensor(words), reduction="sum",
                           ignore_index=3)


def system(step, output, scores, function, loss, inputs, targets):
    return {"model": "multitask/multitask", "examples": examples, "predict": scores,
            "loss": loss, "step": step, "output": output, "function": function,
            "inputs": {output: inputs, "loss": [*inputs, *targets]}, "clip": 5.0,
            "sizes": {"words": 9, "input": 3, "hidden": 2, "layer": 5},
            "updates": lambda name: name.split(".")[0] in ("words", "encoder", step)}


SYSTEMS = {
    "multitask_markers": system(
        "markers", "predict_marker", marker, "marker_loss",
        lambda p, e: cross_entropy(marker(p, e), e["label"]), ["left", "right"], ["label"]),
    "multitask_entailment": system(
        "entailment", "predict_entailment", entailment, "entailment_loss",
        lambda p, e: cross_entropy(entailment(p, e), e["judgment"]), ["words_a", "words_b"],
        ["judgment"]),
    "multitask_around": system(
        "around", "predict", lambda p, e: encode(p, e["tokens"]), "around_loss", around,
        ["tokens"], ["before.out", "behind.out"])}
