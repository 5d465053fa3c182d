#===-- golden/one_stack.py - One Transformer that goes on, in PyTorch -----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/translation/unilm.mlir and models/language/gpt.mlir, as in translation.py: what stands in
front and behind is one text, and the mask is a square of it."""

import torch

from .language import drawn
from .systems import cross_entropy, linear
from .translation import attend, embed, entropy, feed, find, norm


def mask(front, count):
    """Which words see which: in front all in front, behind all in front and those before."""
    seen = torch.ones(count, count, dtype=torch.bool).tril()
    seen[:front, :front] = True
    return seen


def states(p, x, seen):
    for scope in ("layer.0.", "layer.1."):
        n = norm(p, scope + "self.norm", x)
        x = feed(p, scope, x + attend(p, scope + "self", n, n, seen=seen))
    return norm(p, "norm", x)


def scores(p, source, words):
    """Of each word behind each of these, which stand behind a source."""
    x = torch.cat([embed(p, source) + p["source"], embed(p, words)])
    return states(p, x, mask(len(source), len(x)))[len(source):] @ p["words"].T


def loss(p, e):
    return entropy(scores(p, e["source"], e["target.in"]), e["target.out"])


def search(p, e):
    return find(lambda words: torch.log_softmax(scores(p, e["source"], words)[-1], 0), 60)


def read(rng):
    """A source of one word, a longer one, and none."""
    row = lambda n: [rng.randrange(7) for _ in range(n)]
    return [{"source": row(n), "target.in": [2] + row(m - 1), "target.out": row(m - 1) + [3]}
            for n, m in ((1, 2), (4, 3), (0, 1))]


#===-- A language model -----------------------------------------------------===#

def behind(p, words):
    """What is known behind each word, which sees those before it."""
    return states(p, embed(p, words), mask(0, len(words)))


def surprise(p, e):
    return entropy(behind(p, e["text.in"]) @ p["words"].T, e["text.out"])


def answer(p, e):
    logs = torch.log_softmax(behind(p, e["text.in"]) @ p["words"].T, 1)
    right = logs[range(len(logs)), e["text.out"]]
    marks = torch.tensor(e["marks"], dtype=right.dtype)
    return (right * marks).sum() / marks.sum()


def classes(p, e):
    return linear(p, "classes", behind(p, e["text.in"])[-1])


def going_on(count, longest, number, among):
    def texts(p, e):
        front = e["text.in"] + e["prompt"][:1]
        write = lambda words: torch.log_softmax(behind(p, front + words)[-1] @ p["words"].T, 0)
        return drawn(write, e["key"], count, longest, number, among)
    return texts


def asked(*names):
    """Examples with some of these fields."""
    def examples(rng):
        row = lambda n: [rng.randrange(7) for _ in range(n)]
        known = [{"text.in": row(n), "text.out": row(n), "label": rng.randrange(2),
                  "marks": [1.0] + [0.0] * (n > 1) + [1.0] * (n - 2), "prompt": row(1),
                  "key": rng.getrandbits(63)} for n in (1, 2, 5)]
        return [{name: e[name] for name in names} for e in known]
    return examples


SYSTEMS = {"unilm": {
    "model": "translation/unilm", "examples": read, "predict": search, "loss": loss, "clip": 5.0,
    "inputs": {"predict": ["source"]},
    "sizes": {"words": 7, "places": 60, "columns": 2, "inner": 3, "dropout": 0.0}}}
TEXT = ["text.in", "text.out"]
GPT = {"model": "language/gpt", "clip": 5.0, "loss": surprise,
       "sizes": {"words": 7, "places": 60, "columns": 1, "inner": 3, "classes": 2, "dropout": 0.0}}
WRITERS = {
    "gpt": {**GPT, "examples": asked(*TEXT, "marks"), "predict": answer, "output": "answer",
            "inputs": {"answer": TEXT + ["marks"], "loss": TEXT}},
    "gpt_classes": {**GPT, "examples": asked("text.in", "label"), "predict": classes,
                    "output": "classes", "function": "class_loss", "step": None,
                    "loss": lambda p, e: cross_entropy(classes(p, e), e["label"]),
                    "inputs": {"classes": ["text.in"], "loss": ["text.in", "label"]}},
    "gpt_summary": {**GPT, "examples": asked(*TEXT, "prompt", "key"), "output": "summary",
                    "predict": going_on(1, 100, 0, 2), "step": None, "gradients": False,
                    "inputs": {"summary": ["text.in", "prompt", "key"], "loss": TEXT}}}
