#===-- golden/attention.py - A head of an encoder as parser, in PyTorch ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/parser/attention_tree_lstm.mlir: A. Simoulin's thesis, section 5.4.2."""

import torch

from .cells import below_scope
from .encoders import layers
from .heads import relatedness_loss, sick_relatedness
from .systems import linear, vectors
from .unified import weighted_tree


def head_scores(p, pieces, first):
    """Of word j as the head of word k (5.18), the attention of k's first piece to those of words."""
    p = below_scope(p, "parser.")
    x = layers(p, {"tokens": pieces, "segments": [0] * len(pieces)})[-1][torch.tensor(first)]
    q, k = linear(p, "query", x), linear(p, "key", x)
    return torch.softmax(q @ k.T / q.shape[1] ** 0.5, 1)


def relatedness(p, e):
    """log p^ of the scores 1 to 5 of two sentences."""
    encoded = [weighted_tree(p, vectors(p, e["words_" + side]),
                             head_scores(p, e["pieces_" + side], e["first_" + side]))
               for side in "ab"]
    return sick_relatedness(below_scope(p, "relatedness."), *encoded)


def examples(rng):
    """Words of one piece and of two or three, between two marks."""
    def side(name, counts):
        places = [1 + sum(counts[:i]) for i in range(len(counts))]
        return {f"words_{name}": [rng.randrange(9) for _ in counts],
                f"pieces_{name}": [rng.randrange(11) for _ in range(sum(counts) + 2)],
                f"first_{name}": places}
    return [{**side("a", a), **side("b", b), "target": score}
            for a, b, score in (([1], [2], 1.5), ([1, 2, 1], [1, 1], 3.7),
                                ([3, 1], [1, 1, 1, 2], 4.25))]


FIELDS = [f"{part}_{side}" for side in "ab" for part in ("words", "pieces", "first")]
TUNED = {
    "model": "parser/attention_tree_lstm", "examples": examples, "step": "relatedness",
    "sizes": {"words": 9, "input": 3, "hidden": 4, "similarity": 6, "pieces": 11, "state": 8,
              "key": 5, "layers": 2, "heads": 2, "inner": 7, "places": 12, "scale": 1.0},
    "predict": lambda p, e: relatedness(p, e).exp() @ torch.arange(1, 6, dtype=torch.float64),
    "loss": lambda p, e: relatedness_loss(relatedness(p, e), {"score": e["target"]}),
    "inputs": {"predict": FIELDS, "loss": [*FIELDS, "target"]}, "frozen": ("words",),
    "optimizer": lambda parameters, rate: torch.optim.Adagrad(parameters, lr=rate,
                                                              weight_decay=2e-4),
    "rate": 1e-3}
SYSTEMS = {"attention_tree_lstm": TUNED, "attention_composition": {
    **TUNED, "step": "composition", "updates": lambda name: not name.startswith("parser."),
    "gradients": False}}
