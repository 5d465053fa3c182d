#===-- golden/zoo.py - Expressions and sentiment in PyTorch ---------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/coba, models/sst and models/listops, whose cells are those of cells.py."""

import torch
import torch.nn.functional as F
from torch import sigmoid, tanh

from . import trees
from .cells import below_scope, fold, lstm_state, nary_tree_lstm
from .more_systems import norm
from .systems import cross_entropy, linear, lstm_states, words_of


def examples(reads, labels, shapes=None):
    """Fields with numbers below a bound for each token, and a label below another one: of the
    whole, or of each node."""
    def made(rng):
        found = []
        for tree in shapes(rng) if shapes else [[[]] * n for n in (1, 2, 6)]:
            row = lambda most: [rng.randrange(most) for _ in tree]
            label = row(labels[1]) if labels[0] == "labels" else rng.randrange(labels[1])
            found.append({**({"tree": {"children": tree}} if shapes else {}),
                          **{name: row(most) for name, most in reads.items()}, labels[0]: label})
        return found
    return made


def strictly_binary(rng):
    """Words stand at the leaves, and a phrase has two parts."""
    return [trees.renumber(tree, rng) for tree in
            ([[]], trees.comb(3, True), trees.comb(3, False), trees.random_binary(5, rng))]


def looked_up(p, name, ids):
    ids = torch.tensor(ids)
    return p[name][ids] * (ids != 0).unsqueeze(1)


def nodes_cross_entropy(scores):
    return lambda p, e: F.cross_entropy(scores(p, e), torch.tensor(e["labels"]), reduction="sum")


#===-- Arithmetic (CobA) ----------------------------------------------------===#

def tokens(p, e):
    return looked_up(p, "dice", e["numbers"]) + looked_up(p, "operators", e["operators"])


def classified(p, s):
    return linear(p, "values", torch.relu(linear(p, "hidden", s)))


def both_ends(p, e, x):
    return torch.cat([lstm_states(p, "forward.", list(x))[-1],
                      lstm_states(p, "backward.", list(x)[::-1])[-1]])


def expression_tree(p, e):
    named = dict(p) | {"embedding": tokens(p, e)}
    # nary_tree_lstm leaves out word 0, which is padding: here each node has a vector of its own.
    padded = torch.cat([torch.zeros_like(named["embedding"][:1]), named["embedding"]])
    count = len(e["numbers"])
    return nary_tree_lstm(named | {"embedding": padded}, e["tree"]["children"],
                          torch.arange(1, count + 1))


def attend_joined(p, x, heads):
    q, k, v = (part.unflatten(1, (heads, -1)).transpose(0, 1)
               for part in linear(p, "qkv", x).chunk(3, 1))
    a = torch.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, -1)
    return linear(p, "output", (a @ v).transpose(0, 1).flatten(1))


def joined_layer(p, x, heads=2, eps=1e-5):
    y = norm(p, "attention_norm", x + attend_joined(p, x, heads), eps)
    return norm(p, "feed_norm", y + linear(p, "outer", F.gelu(linear(p, "inner", y))), eps)


def marked(p, e):
    count = len(e["marked_numbers"])
    x = (looked_up(p, "dice", e["marked_numbers"]) + looked_up(p, "marked", e["marked_operators"])
         + p["places"][:count])
    return norm(p, "norm", x, 1e-5)


def bert(p, e, layers=2):
    x, stacked = marked(p, e), below_scope(p, "layer.")
    for number in range(layers):
        x = joined_layer({n: v[number] for n, v in stacked.items()}, x)
    return classified(p, x[0])


def ponder(p, e, layers=3, epsilon=0.01):
    """The states, how often each was computed, and what was left of its last iteration."""
    x, layer = marked(p, e), below_scope(p, "layer.")
    total, left = torch.zeros(len(x), dtype=x.dtype), torch.zeros(len(x), dtype=x.dtype)
    steps, active = torch.zeros(len(x), dtype=x.dtype), torch.ones(len(x), dtype=torch.bool)
    for _ in range(layers):
        y = joined_layer(layer, x)
        chance = sigmoid(linear(p, "halting", y)).squeeze(1)
        goes_on = total + chance < 1 - epsilon
        weight = torch.where(goes_on, chance, 1 - total)
        left = torch.where(active & ~goes_on, 1 - total, left)
        x = torch.where(active.unsqueeze(1), torch.lerp(x, y, weight.unsqueeze(1)), x)
        total, steps = torch.where(active, total + chance, total), steps + active
        active = active & goes_on
    return x, steps, left


def adaptive(p, e):
    return classified(p, ponder(p, e)[0][0])


def adaptive_loss(p, e):
    _, steps, left = ponder(p, e)
    tau = torch.tensor(0.001, dtype=torch.float32).item()
    return cross_entropy(adaptive(p, e), e["value"]) + tau * (steps + left).sum()


#===-- Sentiment (SST), ListOps ---------------------------------------------===#

def tree_states(p, e):
    """The binary Tree-LSTM whose words stand at the leaves (3.22-3.27)."""
    x = looked_up(p, "words", e["words"])

    def cell(node, below):
        if not below:
            i, o, u = (x[node] @ p["W_" + g] + p["b_" + g] for g in "iou")
            return lstm_state(sigmoid(i), sigmoid(o), tanh(u), 0)
        h = torch.cat([h_k for h_k, _ in below])
        i, o, u = (h @ p["U_" + g] + p["b_" + g] for g in "iou")
        kept = sum(sigmoid(h @ p[f"U_f{k}"] + p["b_f"]) * c for k, (_, c) in enumerate(below, 1))
        return lstm_state(sigmoid(i), sigmoid(o), tanh(u), kept)

    return torch.stack([h for h, _ in fold(e["tree"]["children"], cell)])


def phrases(p, e):
    return linear(p, "classes", tree_states(p, e))


def weighted_phrases(p, e):
    losses = F.cross_entropy(phrases(p, e), torch.tensor(e["labels"]), reduction="none")
    return losses @ torch.tensor(e["weights"], dtype=losses.dtype)


def with_weights(rng):
    return [{**e, "weights": [float(rng.randrange(2)) for _ in e["labels"]]}
            for e in examples({"words": 9}, ("labels", 2), strictly_binary)(rng)]


def recursive(p, e):
    x = looked_up(p, "words", e["words"])
    cell = lambda node, below: (tanh(linear_one(p, torch.cat(below))) if below else x[node])
    return linear(p, "classes", torch.stack(fold(e["tree"]["children"], cell)))


def linear_one(p, x):
    return x @ p["W"] + p["b"]


def matrix_vector(p, e):
    n = p["words"].shape[1]
    x = looked_up(p, "words", e["words"])
    matrices = looked_up(p, "matrices", e["words"]).reshape(-1, n, n)
    one = torch.eye(n, dtype=x.dtype)

    def cell(node, below):
        if not below:
            return x[node], matrices[node]
        (a, A), (b, B) = below
        return (tanh(linear_one(p, torch.cat([(one + B) @ a, (one + A) @ b]))),
                p["W_M"] @ torch.cat([A, B]))

    return linear(p, "classes", torch.stack([v for v, _ in fold(e["tree"]["children"], cell)]))


def sentiment(p, e):
    return linear(p, "classes", both_ends(p, e, words_of(p, e)))


def value_of(p, s):
    return linear(p, "values", torch.relu(linear(p, "inner", s)))


def listops_tree(p, e):
    return value_of(p, tree_states(p, e)[trees.root(e["tree"]["children"])])


def listops_lstm(p, e):
    return value_of(p, lstm_states(p, "", list(words_of(p, e)))[-1])


#===-- The systems ----------------------------------------------------------===#

EXPRESSION = {"numbers": 103, "operators": 3}
MARKED = {"marked_numbers": 103, "marked_operators": 5}
CODER = {"width": 4, "classes": 5, "heads": 2, "inner": 6}
PHRASES = {"words": 9, "input": 3, "hidden": 4}


def system(model, sizes, reads, labels, scores, loss=None, shapes=None, **rest):
    return {"model": model, "sizes": sizes, "examples": examples(reads, labels, shapes),
            "predict": scores, "step": None,
            "loss": loss or (lambda p, e: cross_entropy(scores(p, e), e[labels[0]])),
            "inputs": {"predict": [*(["tree"] if shapes else []), *reads]}, **rest}


def coba(model, reads, scores, sizes, loss=None, shapes=None):
    return system("coba/" + model, sizes, reads, ("value", 5), scores, loss, shapes,
                  frozen=("dice",), gradients=model == "bow")


def sst(model, sizes, scores):
    return system("sst/" + model, sizes, {"words": 9}, ("labels", 5), scores,
                  nodes_cross_entropy(scores), strictly_binary)


SYSTEMS = {
    "coba_bow": coba("bow", EXPRESSION, lambda p, e: classified(p, tokens(p, e).mean(0)),
                     {"hidden": 4, "classes": 5}),
    "coba_bilstm": coba("bilstm", EXPRESSION,
                        lambda p, e: classified(p, both_ends(p, e, tokens(p, e))),
                        {"hidden": 4, "classes": 5}),
    "coba_tree_lstm": coba("tree_lstm", EXPRESSION,
                           lambda p, e: classified(p, expression_tree(p, e)),
                           {"hidden": 4, "classes": 5}, shapes=strictly_binary),
    "coba_bert": coba("bert", MARKED, bert, {**CODER, "layers": 2}),
    "coba_adaptive": coba("adaptive_albert", MARKED, adaptive, {**CODER, "layers": 3},
                          adaptive_loss),
    "sst_tree_lstm_two": {**system("sst/tree_lstm_two", PHRASES, {"words": 9}, ("labels", 2),
                                   phrases, weighted_phrases, strictly_binary),
                          "examples": with_weights},
    "sst_tree_rnn": sst("tree_rnn", {"words": 9, "hidden": 4}, recursive),
    "sst_mv_rnn": sst("mv_rnn", {"words": 9, "hidden": 3}, matrix_vector),
    "sst_bilstm": system("sst/bilstm", PHRASES, {"tokens": 9}, ("label", 5), sentiment),
    "listops_lstm": system("listops/lstm", {"words": 9, "hidden": 4},
                           {"tokens": 9}, ("label", 10), listops_lstm),
    "listops_tree_lstm": system("listops/tree_lstm", {"words": 9, "hidden": 4},
                                {"words": 9}, ("label", 10), listops_tree,
                                shapes=strictly_binary),
}
