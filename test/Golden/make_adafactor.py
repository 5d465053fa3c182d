#!/usr/bin/python3
#===-- test/Golden/make_adafactor.py - Adafactor, once more --------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Writes Inputs/adafactor.json: a small model, its gradients by the chain rule, and 20 steps of
Adafactor as Shazeer and Stern (2018) write it: algorithm 4 with sums over rows and columns (of a
matrix), algorithm 5 (of a vector).

usage: test/Golden/make_adafactor.py        (needs python3-numpy)
"""

import json
import os

import numpy

STEPS, RATE, DECAY = 20, 5.0, 0.01
HERE = os.path.dirname(os.path.realpath(__file__))
WORDS = [0, 2, 2, 5, 6]  # Rows 1, 3 and 4 of the table are never read.
SCORES = [0.5, -1.0, -0.75, 2.0, 0.25]


def predict(p, word):
    x = p["words"][word]
    h = numpy.tanh(x @ p["stack"].reshape(6, 4) + p["bias"])
    return x, h, (h @ p["out"])[0]


def gradients(p):
    """Of the mean of the squared errors."""
    g = {name: numpy.zeros_like(value) for name, value in p.items()}
    for word, score in zip(WORDS, SCORES):
        x, h, y = predict(p, word)
        dy = 2 * (y - score) / len(WORDS)
        da = dy * p["out"][:, 0] * (1 - h * h)
        g["out"][:, 0] += dy * h
        g["bias"] += da
        g["stack"] += numpy.outer(x, da).reshape(2, 3, 4)
        g["words"][word] += p["stack"].reshape(6, 4) @ da
    return g


def loss(p):
    return [float((predict(p, w)[2] - s) ** 2) for w, s in zip(WORDS, SCORES)]


def rms(x):
    return numpy.sqrt(numpy.mean(x * x))


class Adafactor:
    """Of one matrix or vector; the paper's names."""

    def __init__(self, shape):
        self.R, self.C, self.V = (numpy.zeros(n) for n in (shape[0], shape[-1], shape[0]))

    def squares(self, G, beta, rows):
        S = G * G + 1e-30
        if G.ndim == 1:
            self.V = beta * self.V + (1 - beta) * S
            return self.V
        R = beta * self.R[rows] + (1 - beta) * S.sum(1)
        self.R[rows] = R
        # The number of rows is that of the rows at hand: columns are kept as means over them.
        self.C = beta * self.C + (1 - beta) * S.sum(0) / len(R)
        return numpy.outer(R, self.C * len(R)) / R.sum()

    def step(self, X, G, t, decay, rows):
        beta = 1 - t ** -0.8
        U = G / numpy.sqrt(self.squares(G, beta, rows))
        U = U / max(1.0, rms(U))
        rate = RATE * max(1e-3, rms(X)) * min(1e-2, 1 / numpy.sqrt(t))
        return X - rate * (U + decay * X)


def parts(p):
    """The tensors that are updated on their own, as views, with the rows that a batch reads."""
    every = lambda x: numpy.arange(len(x))
    read = numpy.array(sorted(set(WORDS)))
    return [("words", (), read), ("stack", (0,), numpy.arange(3)), ("stack", (1,), numpy.arange(3)),
            ("bias", (), every(p["bias"])), ("out", (), every(p["out"]))]


def train(p):
    """The mean loss in front of each step."""
    p = {name: value.copy() for name, value in p.items()}
    states, losses = {}, []
    for t in range(1, STEPS + 1):
        losses.append(float(numpy.mean(loss(p))))
        g = gradients(p)
        for name, place, rows in parts(p):
            X, G = p[name][place], g[name][place]
            state = states.setdefault((name, place), Adafactor(X.shape))
            X[rows] = state.step(X[rows], G[rows], t, 0 if name == "bias" else DECAY, rows)
    return losses


def main():
    rng = numpy.random.default_rng(20261123)
    shapes = {"words": (7, 6), "stack": (2, 3, 4), "bias": (4,), "out": (4, 1)}
    p = {name: rng.normal(0, 0.5, shape).round(3) for name, shape in shapes.items()}
    tensors = lambda of: {name: value.tolist() for name, value in of.items()}
    data = {
        "model": "test/Golden/Inputs/adafactor.mlir", "sizes": {}, "output": "predict",
        "params": tensors(p),
        "examples": [{"word": w, "score": s} for w, s in zip(WORDS, SCORES)],
        "predict": [float(predict(p, word)[2]) for word in WORDS], "loss": loss(p),
        "gradients": tensors(gradients(p)),
        "training": {"step": "train", "rate": RATE, "losses": train(p)}}
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items()]
    with open(os.path.join(HERE, "Inputs", "adafactor.json"), "w") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
