#===-- golden/charts.py - Models of all spans in PyTorch -----------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Systems of models/ that weigh all trees over a sentence, or choose one, as in
systems.py."""

import torch

from .heads import sick_relatedness
from .more_systems import merge
from .systems import cross_entropy, linear, lstm_states, vectors, words_of


def word_state(p, scope, x):
    gate = lambda name: x @ p[f"{scope}W_{name}"] + p[f"{scope}b_{name}"]
    c = torch.sigmoid(gate("i")) * torch.tanh(gate("u"))
    return torch.sigmoid(gate("o")) * torch.tanh(c), c


def merged(p, scope, left, right):
    hh = torch.cat([left[0], right[0]])
    gate = lambda name, bias: hh @ p[f"{scope}U_{name}"] + p[f"{scope}b_{bias}"]
    f1, f2 = (torch.sigmoid(gate(name, "f")) for name in ("f1", "f2"))
    c = torch.sigmoid(gate("i", "i")) * torch.tanh(gate("u", "u")) + f1 * left[1] + f2 * right[1]
    return torch.sigmoid(gate("o", "o")) * torch.tanh(c), c


def chart_tree_lstm(p, scope, x):
    """Maillard et al. 2017: the state of the span of all rows, by memoization."""
    known = {}

    def state(i, j):
        if (i, j) not in known:
            known[i, j] = word_state(p, scope, x[i]) if i == j else mixed(i, j)
        return known[i, j]

    def mixed(i, j):
        parts = [merged(p, scope, state(i, k), state(k + 1, j)) for k in range(i, j)]
        q = p[scope + "query"]
        cosines = [h @ q / (h.norm() * q.norm()) for h, _ in parts]
        weights = torch.softmax(torch.stack(cosines), 0)
        return tuple(weights @ torch.stack(part) for part in zip(*parts))

    return state(0, len(x) - 1)[0]


def listops(p, example):
    s = chart_tree_lstm(p, "chart.", words_of(p, example))
    return linear(p, "values", torch.relu(linear(p, "inner", s)))


def relatedness(p, example):
    """log p^ of the scores 1 to 5 of two sentences."""
    left, right = (chart_tree_lstm(p, "chart.", vectors(p, example[name]))
                   for name in ("words_a", "words_b"))
    head = {name.removeprefix("relatedness."): value for name, value in p.items()}
    return sick_relatedness(head, left, right)


def expected_score(p, example):
    scores = torch.arange(1, 6, dtype=torch.float64)
    return relatedness(p, example).exp() @ scores


#===-- Structured alignment -------------------------------------------------===#

def trees(first, last):
    """The spans of every binary tree over some words."""
    if first == last:
        return [[(first, last)]]
    return [[(first, last), *left, *right] for cut in range(first, last)
            for left in trees(first, cut) for right in trees(cut + 1, last)]


def spans_of(n):
    return [(i, i + length - 1) for length in range(1, n + 1) for i in range(n - length + 1)]


def probabilities(score):
    """How probable each span is when a tree is drawn by the sum of its scores: over all
    trees, which are enumerated."""
    spans = list(score)
    n = 1 + max(j for _, j in spans)
    every = trees(0, n - 1)
    weights = torch.softmax(torch.stack([sum(score[s] for s in tree) for tree in every]), 0)
    return torch.stack([sum(w for w, tree in zip(weights, every) if span in tree)
                        for span in spans])


def span_vectors(p, x):
    f = lstm_states(p, "forward.", list(x))
    b = lstm_states(p, "backward.", list(x)[::-1])[::-1]
    zero = torch.zeros_like(f[0])
    before, behind = [zero, *f], [*b, zero]
    return {(i, j): torch.cat([f[j] - before[i], b[i] - behind[j + 1]])
            for i, j in spans_of(len(x))}


def parsed(p, x):
    s = span_vectors(p, x)
    score = {span: torch.relu(linear(p, "score.inner", v)) @ p["score"] for span, v in s.items()}
    return torch.stack(list(s.values())), probabilities(score)


def compared(p, s, ps, t, pt):
    attended = lambda v: torch.relu(linear(p, "attend", v))
    weights = torch.exp(attended(s) @ attended(t).T) * pt
    aligned = weights @ t / weights.sum(1, keepdim=True)
    return ps @ torch.relu(linear(p, "compare", torch.cat([s, aligned], 1)))


def alignment(p, example):
    """Liu et al. 2018, for two sentences."""
    a, b = (parsed(p, vectors(p, example[name])) for name in ("words_a", "words_b"))
    v = torch.cat([compared(p, *a, *b), compared(p, *b, *a)])
    return linear(p, "classes", torch.relu(linear(p, "inner", v)))


#===-- Recursive autoencoders -----------------------------------------------===#

def rebuilt(p, left, right):
    """What two parts become, of how many words, and the error of rebuilding them."""
    (c1, n1), (c2, n2) = left, right
    parent = torch.tanh(linear(p, "encode", torch.cat([c1, c2])))
    parent = parent / parent.norm()
    first, second = (linear(p, "rebuild." + name, parent) for name in ("first", "second"))
    error = n1 * (c1 - first).square().sum() + n2 * (c2 - second).square().sum()
    return (parent, n1 + n2), error / (n1 + n2)


def autoencoder(p, example):
    """Socher et al. 2011: the scores of the classes, and the sum of the errors."""
    rows, total = [(x, 1) for x in words_of(p, example)], 0.0
    while len(rows) > 1:
        pairs = [rebuilt(p, *pair) for pair in zip(rows, rows[1:])]
        best = min(range(len(pairs)), key=lambda k: pairs[k][1].item())
        total = total + pairs[best][1]
        rows[best:best + 2] = [pairs[best][0]]
    return linear(p, "values", rows[0][0]), total


def autoencoder_loss(p, example):
    scores, error = autoencoder(p, example)
    return 0.25 * error + 0.75 * cross_entropy(scores, example["label"])


#===-- Shift and reduce -----------------------------------------------------===#

def shift_reduce(p, example, given=None):
    """Bowman et al. 2016 by given steps (0 shift, 1 reduce) or the best ones: the scores
    of the classes, and -log P of the steps."""
    x = words_of(p, example)
    words = list(zip(linear(p, "leaf.h", x), linear(p, "leaf.c", x)))
    stack, read, cost = [], 0, 0.0
    while read < len(words) or len(stack) > 1:
        # Where there is none, the nearest of the places: of the stack what it began with.
        places = [*stack, *words[len(stack):]]
        near = lambda rows, place: rows[min(max(place, 0), len(rows) - 1)][0]
        seen = torch.cat([near(places, len(stack) - 2), near(places, len(stack) - 1),
                          near(words, read)])
        scores = linear(p, "steps", seen)
        allowed = [read < len(words), len(stack) > 1]
        scores = scores + torch.tensor([0.0 if a else -1e9 for a in allowed])
        step = scores.argmax().item() if given is None else given[2 * read - len(stack)]
        cost = cost + cross_entropy(scores, step)
        if step:
            stack[-2:] = [merge(p, *stack[-2:])]
        else:
            stack, read = [*stack, words[read]], read + 1
    inner = torch.relu(linear(p, "inner", stack[0][0]))
    return linear(p, "values", inner), cost


def given_steps_loss(p, example):
    scores, cost = shift_reduce(p, example, example["steps"])
    return cross_entropy(scores, example["label"]) + cost


def reinforce_loss(p, example):
    """Yogatama et al. 2017 with steps that are not drawn, but the best."""
    scores, cost = shift_reduce(p, example)
    loss = cross_entropy(scores, example["label"])
    miss = loss.detach() - p["baseline"][0]
    return loss - miss.detach() * cost + miss.square()
