#===-- golden/sick.py - Both views of a sentence on SICK, in PyTorch ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/sick/gru.mlir, attentive_tree_lstm.mlir and infersent.mlir, as in systems.py."""

import torch

from .cells import attentive_child_sum, below_scope
from .heads import cross_entropy, infersent, relatedness_loss, sick_relatedness
from .systems import both, gru_states, lstm_states, vectors


def sequence(p, e, side):
    return gru_states(p, "", list(vectors(p, e["words_" + side])), p["r.h.b"].shape[0])[-1]


def dependencies(p, e, side):
    return attentive_child_sum(p, e["tree_" + side]["children"],
                               vectors(p, e["words_" + side]))


def relatedness(encode, p, e):
    """log p^ of the scores 1 to 5 of two sentences."""
    return sick_relatedness(below_scope(p, "relatedness."), encode(p, e, "a"), encode(p, e, "b"))


def entailment(p, e):
    """The scores of InferSent, of the greatest states of two LSTMs."""
    side = lambda name: both(lstm_states, p, "", vectors(p, e[name])).max(0).values
    return infersent(p, side("words_a"), side("words_b"))


def entailed(rng):
    return [{"words_a": e["words_a"], "words_b": e["words_b"], "label": n}
            for n, e in enumerate(related(rng))]


def related(rng):
    def side(name, count):
        head = [rng.randrange(i) if i else -1 for i in range(count)]
        return {"words_" + name: [rng.randrange(9) for _ in range(count)],
                "tree_" + name: {"children": [[c for c, h in enumerate(head) if h == node]
                                              for node in range(count)]}}
    return [{**side("a", n), **side("b", m), "score": score}
            for n, m, score in ((1, 1, 1.5), (5, 2, 3.7), (3, 6, 4.25))]


def system(encode, model, parts, sizes):
    fields = [f"{part}_{side}" for side in "ab" for part in parts]
    scores = torch.arange(1, 6, dtype=torch.float64)
    return {"model": "sick/" + model, "examples": related, "step": None,
            "sizes": {"words": 9, "input": 3, "hidden": 4, "similarity": 6, **sizes},
            "predict": lambda p, e: relatedness(encode, p, e).exp() @ scores,
            "loss": lambda p, e: relatedness_loss(relatedness(encode, p, e), e),
            "inputs": {"predict": fields, "loss": [*fields, "score"]}, "frozen": ("words",)}


SYSTEMS = {"sick_gru": system(sequence, "gru", ["words"], {}),
           "sick_attentive": system(dependencies, "attentive_tree_lstm", ["tree", "words"],
                                    {"query": 2}),
           "sick_infersent": {
               "model": "sick/infersent", "examples": entailed, "predict": entailment,
               "sizes": {"words": 9, "input": 3, "hidden": 4, "layer": 5},
               "loss": lambda p, e: cross_entropy(entailment(p, e), e), "frozen": ("words",)}}
