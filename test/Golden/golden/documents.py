#===-- golden/documents.py - Systems of whole documents in PyTorch -------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Systems of models/ whose examples are documents, as in systems.py."""

import torch

from .systems import both, linear, lstm_states

FEATURES = ("kind", "polarity", "modality", "genericity", "tense")


#===-- Mentions of events ---------------------------------------------------===#

def feed(p, scope, x):
    return linear(p, scope + ".outer", torch.relu(linear(p, scope + ".inner", x)))


def compared(a, b):
    return torch.cat([a, b, a * b])


def gated(p, scope, t, a, b):
    """Lai et al. 2021: parts of h along t and across it, by a gate."""
    h = feed(p, scope + ".pair", compared(a, b))
    g = torch.sigmoid(feed(p, scope + ".gate", torch.cat([t, h])))
    along = (h @ t) / (t @ t) * t
    return g * (h - along) + (1 - g) * along


class Mentions:
    """Scores of pairs of the mentions of a document."""

    def __init__(self, p, document):
        self.p, self.document = p, document
        tokens = torch.tensor(document["tokens"])
        h = both(lstm_states, p, "lstm.", p["words"][tokens] * (tokens != 0).unsqueeze(1))
        self.triggers = [h[first:last + 1].mean(0)
                         for first, last in zip(document["first"], document["last"])]
        self.features = [[p[f"of.{f}.values"][value] for f, value in zip(FEATURES, values)]
                         for values in zip(*(document[f] for f in FEATURES))]

    def score(self, i, j):
        t = feed(self.p, "pair.triggers", compared(self.triggers[i], self.triggers[j]))
        h = [gated(self.p, "pair." + f, t, a, b)
             for f, a, b in zip(FEATURES, self.features[i], self.features[j])]
        return feed(self.p, "pair.score", torch.cat([t, *h]))[0]

    def scores(self, i):
        """For the mentions before i and, behind them, for none."""
        return torch.stack([*(self.score(i, j) for j in range(i)),
                            torch.zeros((), dtype=self.triggers[0].dtype)])


def best_scores(p, document):
    """Of each mention, 0 where none before it has a score above that."""
    mentions = Mentions(p, document)
    return torch.stack([mentions.scores(i).max() for i in range(len(document["event"]))])


def links_loss(p, document):
    mentions, events, losses = Mentions(p, document), document["event"], []
    for i, event in enumerate(events):
        log = torch.log_softmax(mentions.scores(i), 0)
        right = [j for j in range(i) if events[j] == event] or [i]
        losses.append(-torch.logsumexp(log[right], 0))
    return sum(losses) / len(losses)
