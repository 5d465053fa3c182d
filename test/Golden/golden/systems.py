#===-- golden/systems.py - Published systems in PyTorch ------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Systems of models/, written once more from the equations of their papers.

Of each a function gives the scores of an example, a second one its loss, from the
parameters by name (`p`). One example after the other; no batching.
"""

import copy
import itertools

import torch
from torch.nn import functional as F


def linear(p, name, x):
    return x @ p[name + ".W"] + p[name + ".b"]


def cross_entropy(scores, label):
    return F.cross_entropy(scores.unsqueeze(0), torch.tensor([label]))


def words_of(p, example):
    """Vectors of the words; word 0 is padding."""
    tokens = torch.tensor(example["tokens"])
    return p["words"][tokens] * (tokens != 0).unsqueeze(1)


#===-- Cells ----------------------------------------------------------------===#

def gru(p, scope, x, h):
    gate = lambda name: linear(p, f"{scope}{name}.x", x) + linear(p, f"{scope}{name}.h", h)
    r, z = torch.sigmoid(gate("r")), torch.sigmoid(gate("z"))
    n = torch.tanh(linear(p, f"{scope}n.x", x) + r * linear(p, f"{scope}n.h", h))
    return (1 - z) * n + z * h


def lstm(p, scope, x, state):
    h, c = state
    i, f, o, u = (x @ p[f"{scope}{g}.W"] + h @ p[f"{scope}{g}.U"] + p[f"{scope}{g}.b"]
                  for g in "ifou")
    c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(f) * c
    return torch.sigmoid(o) * torch.tanh(c), c


def gru_states(p, scope, rows, width):
    states, h = [], torch.zeros(width, dtype=rows[0].dtype)
    for x in rows:
        h = gru(p, scope, x, h)
        states.append(h)
    return states


def lstm_run(p, scope, rows, state=None):
    """Pairs of the state and the cell behind each row."""
    states = []
    state = state or (torch.zeros_like(p[scope + "i.b"]),) * 2
    for x in rows:
        state = lstm(p, scope, x, state)
        states.append(state)
    return states


def lstm_states(p, scope, rows):
    return [h for h, _ in lstm_run(p, scope, rows)]


def both(states_of, p, scope, rows, *rest):
    """The states of both directions side by side."""
    there = states_of(p, scope + "forward.", list(rows), *rest)
    back = states_of(p, scope + "backward.", list(rows)[::-1], *rest)[::-1]
    return torch.stack([torch.cat(pair) for pair in zip(there, back)])


#===-- Classes of sentences -------------------------------------------------===#

def gru_words(p, example):
    width = p["gru.forward.r.h.b"].shape[0]
    return both(gru_states, p, "gru.", words_of(p, example), width)


def answer(p, features):
    return linear(p, "classes", torch.tanh(linear(p, "layer", features)))


def heads(p, example):
    h = gru_words(p, example)
    a = torch.softmax(torch.tanh(h @ p["first"]) @ p["second"], 0)
    return a.T @ h


def self_attentive(p, example):
    return answer(p, heads(p, example).flatten())


def mean_pool(p, example):
    return answer(p, gru_words(p, example).mean(0).repeat(8))


def bottleneck(p, example):
    return answer(p, torch.sigmoid(linear(p, "bottleneck", heads(p, example))).flatten())


def normalized(p, example, length=4.0):
    x = words_of(p, example)
    return length * x / x.norm(dim=1, keepdim=True).clamp(min=1e-8)


def lstm_scores(p, x):
    h = lstm_states(p, "lstm.", list(x))[-1]
    return linear(p, "classes", torch.relu(linear(p, "layer", h)))


def lstm_classes(p, example):
    return lstm_scores(p, normalized(p, example))


def adversarial_loss(p, example, epsilon=1.0):
    """Miyato et al. 2017, equations 2 and 5."""
    x = normalized(p, example)
    clean = cross_entropy(lstm_scores(p, x), example["label"])
    still = x.detach().requires_grad_()
    loss = cross_entropy(lstm_scores(p, still), example["label"])
    g, = torch.autograd.grad(loss, still)
    moved = x + epsilon * (g / g.norm()).detach()
    return clean + cross_entropy(lstm_scores(p, moved), example["label"])


def surprise_of_text(p, example):
    """The mean over the words of -log p, by the state in front of each."""
    x = normalized(p, {"tokens": example["text.in"]})
    scores = linear(p, "next", torch.stack(lstm_states(p, "lstm.", list(x))))
    return F.cross_entropy(scores, torch.tensor(example["text.out"]))


#===-- Sets of sentences ----------------------------------------------------===#

def last_state(p, scope, tokens):
    x = p[scope + "words"][torch.tensor(tokens)] * (torch.tensor(tokens) != 0).unsqueeze(1)
    return gru_states(p, scope + "gru.", list(x), p[scope + "gru.r.h.b"].shape[0])[-1]


def both_vectors(p, example):
    return torch.cat([last_state(p, scope, example["tokens"]) for scope in ("f.", "g.")])


def quick_thought(p, example):
    """Logeswaran and Lee 2018: the neighbours of each sentence among those of the set."""
    return neighbours_loss(*(torch.stack([last_state(p, scope, s) for s in example["tokens"]])
                             for scope in ("f.", "g.")))


def neighbours_loss(f, g):
    n = len(f)
    scores = (f @ g.T).masked_fill(torch.eye(n, dtype=torch.bool), -1e9)
    log = torch.log(torch.softmax(scores, 1) + 1e-9)
    pairs = [log[i, j] for i in range(n) for j in (i - 1, i + 1) if 0 <= j < n]
    return -sum(pairs, torch.zeros((), dtype=f.dtype)) / n


#===-- Sentences that are written again -------------------------------------===#

def vectors(p, tokens):
    return words_of(p, {"tokens": tokens})


def surprise(p, states, words):
    """-sum log P(w_t), by the state in front of each word."""
    return F.cross_entropy(torch.stack(states) @ p["scores"], torch.tensor(words),
                           reduction="sum")


def thought(p, example):
    x = vectors(p, example["tokens"])
    return gru_states(p, "encoder.", list(x), p["encoder.r.h.b"].shape[0])[-1]


def skip_thought(p, example):
    """Kiros et al. 2015: both neighbours, by decoders that see the sentence at each word."""
    h, loss = thought(p, example), 0.0
    for side in ("before", "behind"):
        rows = [torch.cat([x, h]) for x in vectors(p, example[side + ".in"])]
        states = gru_states(p, side + ".", rows, len(h))
        loss = loss + surprise(p, states, example[side + ".out"])
    return loss


def fast_sent(p, example):
    return words_of(p, example).sum(0)


def fast_sent_loss(*names):
    """Hill et al. 2016: the words of other sentences, whatever their order."""
    def loss(p, example):
        scores, words = fast_sent(p, example) @ p["scores"], sum((example[n] for n in names), [])
        return F.cross_entropy(scores.expand(len(words), -1), torch.tensor(words),
                               reduction="sum", ignore_index=3)
    return loss


def document(p, example):
    return p["documents"][example["document"]]


def dbow_loss(p, example):
    """Le and Mikolov 2014: a document tells all of its words."""
    scores, words = document(p, example) @ p["scores"], torch.tensor(example["tokens"])
    return F.cross_entropy(scores.expand(len(words), -1), words, reduction="sum")


def dm_loss(p, example):
    """The same: with two words on both sides it tells the one between them."""
    x, words = words_of(p, example), torch.tensor(example["tokens"])
    near = lambda t: [x[k] for k in range(max(t - 2, 0), min(t + 3, len(x))) if k != t]
    h = torch.stack([sum(near(t), document(p, example)) for t in range(len(x))])
    fifth = torch.tensor(0.2).item()  # The number of f32.
    return F.cross_entropy(fifth * h @ p["scores"], words, reduction="sum")


def what_is_left(p, example):
    return lstm_run(p, "encoder.", list(vectors(p, example["tokens"])))[-1]


def sdae(p, example):
    """Hill et al. 2016: the decoder begins with what the encoder has left."""
    rows = list(vectors(p, example["clean.in"]))
    states = lstm_run(p, "decoder.", rows, what_is_left(p, example))
    return surprise(p, [h for h, _ in states], example["clean.out"])


#===-- Labels of words ------------------------------------------------------===#

def crf_score(p, e, labels):
    T = p["crf.transitions"]
    return (sum(e[i, y] for i, y in enumerate(labels))
            + sum(T[a, b] for a, b in zip(labels, labels[1:])))


def all_labels(e):
    return itertools.product(range(e.shape[1]), repeat=len(e))


def crf_loss(p, e, labels):
    """-log p(labels), by the sum over all lists of labels."""
    scores = torch.stack([crf_score(p, e, list(ys)) for ys in all_labels(e)])
    return torch.logsumexp(scores, 0) - crf_score(p, e, labels)


def crf_labels(p, e):
    """The best of all lists of labels, as rows of zeros and ones."""
    best = max(all_labels(e), key=lambda ys: crf_score(p, e, list(ys)).item())
    return F.one_hot(torch.tensor(best), e.shape[1]).to(e.dtype)


def neighbours(words):
    return [words, words[:1] + words[:-1], words[1:] + words[-1:]]


def crf_emissions(p, example):
    words = neighbours(example["words"])
    ids = dict(zip(("word", "before", "after"), words),
               prefix=example["prefixes"], suffix=example["suffixes"])
    return sum(p[name + ".W"][torch.tensor(rows)] for name, rows in ids.items())


def bilstm_emissions(p, example):
    x = torch.cat([p[name][torch.tensor(example[name])]
                   for name in ("words", "prefixes", "suffixes")], 1)
    return linear(p, "labels", both(lstm_states, p, "lstm.", x))


def tag_loss(p, example):
    return F.cross_entropy(bilstm_emissions(p, example), torch.tensor(example["labels"]),
                           reduction="sum")


#===-- Heads of words -------------------------------------------------------===#

def parser_states(p, example):
    x = torch.cat([p[name][torch.tensor(example[name])]
                   for name in ("words", "prefixes", "suffixes")], 1)
    return both(lstm_states, p, "above.", both(lstm_states, p, "lstm.", x))


def arc_scores(p, h):
    """Dozat and Manning 2017, equation 5; of a word for itself, that of being the root."""
    d, k = (torch.relu(linear(p, "arc." + end, h)) for end in ("dependent", "head"))
    scores = (d @ p["arc.U"] + p["arc.u"]) @ k.T
    root = (d @ p["root.w"] + p["root.b"]).squeeze(1)
    return torch.where(torch.eye(len(h), dtype=torch.bool), root, scores)


def relation_scores(p, h, heads):
    d, k = (torch.relu(linear(p, "relation." + end, h)) for end in ("dependent", "head"))
    k = k[[i if j < 0 else j for i, j in enumerate(heads)]]
    U = p["relation.U"].reshape(d.shape[1], -1, k.shape[1])
    return (torch.einsum("nd,drk,nk->nr", d, U, k) + linear(p, "relation.of_dependent", d)
            + linear(p, "relation.of_head", k))


def reaches_root(heads, word):
    for _ in heads:
        word = heads[word] if word >= 0 else -1
    return word < 0


def best_heads(scores):
    """Of all trees with one root, that of the greatest sum of scores."""
    n = len(scores)
    trees = (h for h in itertools.product(range(-1, n), repeat=n)
             if h.count(-1) == 1 and all(reaches_root(h, i) for i in range(n)))
    return max(trees, key=lambda h: sum(scores[i, i if j < 0 else j].item()
                                        for i, j in enumerate(h)))


def parser_relations(p, example):
    h = parser_states(p, example)
    return relation_scores(p, h, best_heads(arc_scores(p, h)))


def parser_loss(p, example):
    h, heads = parser_states(p, example), example["heads"]
    own = torch.tensor([i if j < 0 else j for i, j in enumerate(heads)])
    return (F.cross_entropy(arc_scores(p, h), own, reduction="sum")
            + F.cross_entropy(relation_scores(p, h, heads),
                              torch.tensor(example["relations"]), reduction="sum"))


#===-- The origin of words --------------------------------------------------===#

def read(p, letter, language):
    return linear(p, "read", torch.cat([p["letters"][letter], p["languages"][language]]))


class Origin:
    """Ab Antiquo as Y. M. Kim et al. trained it again, for one set of words."""

    LATIN, MARK = 11, 12

    def __init__(self, p, example):
        self.p, width = p, p["encoder.r.h.b"].shape[0]
        x = torch.stack([read(p, c, l)
                         for c, l in zip(example["letters"], example["languages"])])
        self.keys = torch.stack(gru_states(p, "encoder.", list(x), width))
        self.values = self.keys @ p["attention.key"] + x @ p["attention.letter"]
        self.seen = self.keys[-1]
        start = torch.cat([read(p, example["start"][0], self.MARK), self.seen])
        self.state = gru(p, "decoder.", start, torch.zeros_like(self.seen))

    def scores(self):
        h = torch.relu(linear(self.p, "first", self.state + self.seen))
        return torch.relu(linear(self.p, "second", h)) @ self.p["third.W"]

    def write(self, letter):
        a = torch.softmax(self.keys @ (self.state @ self.p["attention.query"]), 0)
        self.seen = a @ self.values
        x = torch.cat([read(self.p, letter, self.LATIN), self.seen])
        self.state = gru(self.p, "decoder.", x, self.state)


def origin_loss(p, example):
    origin, losses = Origin(p, example), []
    for letter in example["word"]:
        losses.append(cross_entropy(origin.scores(), letter))
        origin.write(letter)
    return sum(losses) / len(losses)


def origin_words(p, example, beam=5, length=30, end=3):
    """The words with the greatest sums of log-probabilities of their letters."""
    best = [(0.0, [], Origin(p, example))]
    for _ in range(length):
        longer = [b for b in best if end in b[1]]
        for score, word, origin in best:
            if end in word:
                continue
            more = torch.log_softmax(origin.scores(), 0)
            longer += [(score + more[c].item(), word + [c], origin) for c in range(len(more))]
        best = sorted(longer, key=lambda b: -b[0])[:beam]
        for i, (score, word, origin) in enumerate(best):
            if word[-1] != end:
                best[i] = (score, word, copy.copy(origin))
                best[i][2].write(word[-1])
    return torch.tensor([word + [end] * (length - len(word)) for _, word, _ in best])
