#===-- golden/encoders.py - Layers of an encoder in PyTorch --------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""SBERT-WK by the QR factorization of its authors, classes behind an encoder, words."""

import torch
from torch.nn import functional as F

from .more_systems import attend, norm
from .filters import filtered
from .system_examples import pieces
from .systems import cross_entropy, linear


def encoded(p, example, change=lambda layer, fed: fed, heads=2):
    """What goes into the first layer of BERT, and what comes out of each, where `change` stands
    behind what a layer feeds."""
    tokens, segments = (torch.tensor(example[name]) for name in ("tokens", "segments"))
    found = [norm(p, "embeddings.norm", p["embeddings.words"][tokens]
                  + p["embeddings.places"][:len(tokens)] + p["embeddings.segments"][segments])]
    stacked = {n[len("layer."):]: v for n, v in p.items() if n.startswith("layer.")}
    for number in range(len(stacked["query.W"])):
        layer = {n: v[number] for n, v in stacked.items()}
        y = norm(layer, "attention_norm", found[-1] + attend(layer, found[-1], heads))
        fed = linear(layer, "outer", F.gelu(linear(layer, "inner", y)))
        found.append(norm(layer, "feed_norm", y + change(layer, fed)))
    return found


def layers(p, example):
    return encoded(p, example)


def layer_weights(h):
    """Of the layers of one word: the upper triangle's last column says how the layer lies to
    those around it; in front of the third one there are none, in the authors' code."""
    alignment, novelty = [], []
    for k in range(len(h)):
        around = torch.cat([h[k - 2:k] if k >= 2 else h[:0], h[k + 1:k + 3]])
        r = torch.linalg.qr(torch.cat([around, h[k:k + 1]]).T).R
        known = r[:-1, -1]
        along = F.normalize(r[:-1, :-1], dim=0).mean(1) @ known / known.norm()
        alignment.append(1 / (2 * (len(around) + 1) * along))
        novelty.append(r[-1, -1].abs() / r[:, -1].norm())
    a, n = torch.stack(alignment), torch.stack(novelty)
    return (a / a.sum() + n / n.sum()) / 2


def last_layers(p, example):
    return torch.stack(layers(p, example)[-5:], 1)


def weighted_words(h):
    return torch.stack([layer_weights(word) @ word for word in h])


def words_alike(p, example):
    return weighted_words(last_layers(p, example)).mean(0)


def all_alike(p, example):
    return last_layers(p, example).mean((0, 1))


def sbert_wk(p, example):
    h = last_layers(p, example)
    words = weighted_words(h)
    v = F.cosine_similarity(h[:, :-1], h[:, 1:], dim=2).var(1)[:-1]
    return v / v.sum() @ words[:-1]


def tuned(p, example):
    return linear(p, "classes", layers(p, example)[-1].mean(0))


def contextual_cnn(p, example):
    return filtered(p, layers(p, example)[-1])


def adadelta(parameters, rate):
    return torch.optim.Adadelta(parameters, lr=rate, rho=0.95, eps=1e-6)


def system(name, scores, sizes, **rest):
    return {"model": "bert/" + name, "examples": pieces, "predict": scores,
            "sizes": {"words": 9, "width": 4, "classes": 2, "dropout": 0.0, "heads": 2,
                      "inner": 6, "places": 8, **sizes},
            "loss": lambda p, e: cross_entropy(scores(p, e), e["label"]), **rest}


def projected(p, e):
    """A linear classifier behind a matrix that stays as it was drawn."""
    return torch.tensor(e["x"], dtype=torch.float64) @ p["projection"] @ p["W"] + p["b"]


def rows_of_numbers(rng):
    return [{"x": [round(rng.gauss(0, 1), 3) for _ in range(5)], "label": rng.randrange(3)}
            for _ in range(4)]


#===-- Words of several pieces ----------------------------------------------===#

def words(p, example):
    """Of each word the mean of the last states of its pieces."""
    states, word = layers(p, example)[-1], torch.tensor(example["word"])
    return torch.stack([states[word == number].mean(0) for number in example["number"]])


def words_in_pieces(rng):
    pieces = lambda *word: {"tokens": [rng.randrange(9) for _ in word],
                            "segments": [0] * len(word), "word": list(word),
                            "number": list(range(max(word) + 1))}
    return [pieces(-1, 0, -1), pieces(-1, 0, 1, 1, 1, 2, -1), pieces(-1, 0, 0, 1, -1)]


SYSTEMS = {
    "tuned": system("tuned", tuned, {"layers": 2}, clip=1.0),
    "contextual_cnn": system(
        "contextual_cnn", contextual_cnn, {"filters": 3}, optimizer=adadelta,
        updates=lambda name: name.startswith(("windows", "vote"))),
    "minilm_words": {
        "model": "bert/minilm_words", "examples": words_in_pieces, "predict": words, "loss": words,
        "sizes": {"words": 9, "width": 8, "heads": 2, "inner": 6, "places": 7, "most": 4},
        "step": None, "function": "predict", "gradients": False}}
PROJECTED = {
    "projected_probe": {
        "model": "bert/projected_probe", "examples": rows_of_numbers, "predict": projected,
        "loss": lambda p, e: cross_entropy(projected(p, e), e["label"]), "vectors": ("x",),
        "sizes": {"width": 5, "projected": 7, "classes": 3}, "frozen": ("projection",)}}
