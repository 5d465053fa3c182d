#===-- golden/round_trips.py - Texts there and back, in PyTorch -----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/round_trip/round_trip.mlir."""

import torch

from .systems import both, cross_entropy, linear, lstm_states


def texts(rng):
    words = lambda: [rng.randrange(1, 9) for _ in range(rng.randint(1, 5))]
    return [{"text": words(), "back1": words(), "back2": words(),
             "x": [round(rng.random(), 3) for _ in range(7)], "label": rng.randrange(2)}
            for _ in range(4)]


def read(p, tokens):
    h = both(lstm_states, p, "reader.lstm.", p["words"][torch.tensor(tokens)])
    return torch.cat([h[0], h[-1]])


def similar(p, e):
    x = torch.tensor(e["x"], dtype=torch.float64)
    return linear(p, "similar.classes", torch.tanh(linear(p, "similar.inner", x)))


def compared(p, e):
    z, found = read(p, e["text"]), 0
    for side, words in (("first", "back1"), ("second", "back2")):
        b = read(p, e[words])
        found = found + torch.tanh(linear(p, f"comparison.{side}",
                                          torch.cat([z, b, (z - b).abs(), z * b])))
    return linear(p, "compared.classes", found)


def alone(p, e):
    return linear(p, "alone.classes", read(p, e["text"]))


def system(scores, step, output, function, fields):
    return {"model": "round_trip/round_trip", "examples": texts, "predict": scores,
            "loss": lambda p, e: cross_entropy(scores(p, e), e["label"]), "step": step,
            "output": output, "function": function,
            "inputs": {output: fields, "loss": [*fields, "label"]}, "vectors": ("x",),
            "updates": lambda name: name.split(".")[0] in UPDATED[step],
            "clip": float("inf") if step == "similar" else 5.0,
            "sizes": {"words": 9, "input": 3, "hidden": 2, "inner": 5, "similarities": 7,
                      "dropout": 0.0}}


READER = ["words", "reader"]
UPDATED = {"similar": ["similar"], "compared": [*READER, "comparison", "compared"],
           "alone": [*READER, "alone"]}
SYSTEMS = {
    "round_trip": system(similar, "similar", "predict", "loss", ["x"]),
    "round_trip_compared": system(compared, "compared", "predict_compared", "compared_loss",
                                  ["text", "back1", "back2"]),
    "round_trip_alone": system(alone, "alone", "predict_alone", "alone_loss", ["text"])}
