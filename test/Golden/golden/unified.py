#===-- golden/unified.py - A parser below a Tree-LSTM, in PyTorch --------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/parser/unified_tree_lstm.mlir: A. Simoulin's thesis, chapter 5."""

import torch
from torch.nn import functional as F

from .cells import below_scope, child_sum_states
from .heads import sick_relatedness
from .systems import best_heads, both, gru_states, linear, vectors


def arc_scores(p, x):
    """Of word j as the head of word k (5.1-5.4)."""
    p = below_scope(p, "parser.")
    h = both(gru_states, p, "gru.", x, p["gru.forward.r.h.b"].shape[0])
    d, k = linear(p, "dependent", h), linear(p, "head", h)
    W = torch.cat([p["arc.dependent"][:, 0], p["arc.head"]])
    pairs = torch.cat([d.unsqueeze(1).expand(-1, len(k), -1), k.expand(len(d), -1, -1)], 2)
    return torch.einsum("kd,de,je->kj", d, p["arc.U"], k) + pairs @ W + p["arc.b"]


def weighted_tree(p, x, s):
    """The state at the root of the best tree of these scores, which weigh it (5.5-5.12)."""
    heads = best_heads(s)
    tree = [[k for k, head in enumerate(heads) if head == j] for j in range(len(heads))]

    def weigh(node, states):
        return sum(p["tau"] * s[k, node] * h for k, h in zip(tree[node], states))
    return child_sum_states(below_scope(p, "tree."), tree, x, weigh)[heads.index(-1)][0]


def encode(p, words):
    x = vectors(p, words)
    return weighted_tree(p, x, arc_scores(p, x))


def relatedness(p, example):
    """log p^ of the scores 1 to 5 of two sentences."""
    return sick_relatedness(below_scope(p, "relatedness."),
                            *(encode(p, example[name]) for name in ("words_a", "words_b")))


def expected_score(p, example):
    return relatedness(p, example).exp() @ torch.arange(1, 6, dtype=torch.float64)


def treebank_loss(p, example):
    own = [k if head < 0 else head for k, head in enumerate(example["heads"])]
    return F.cross_entropy(arc_scores(p, vectors(p, example["words"])), torch.tensor(own))
