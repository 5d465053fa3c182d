#===-- models/attacks/attacking/search.py - Which words, and for what ----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The words of a text by what they mean for its class, and words in their place."""

import dataclasses

import numpy as np

UNKNOWN_WORD = "<unk>"


def replaced(words, place, other):
    return [*words[:place], *other, *words[place + 1:]]


#===-- Relevance of each word -----------------------------------------------===#

def at_random(victim, masked, words, label, rng, samples):
    return rng.random(len(words))


def changed(victim, words, label, other):
    """f(x) - f(x'): how much the class loses by each change. A text without words is an
    unknown word."""
    texts = [words] + [replaced(words, place, other) or [UNKNOWN_WORD]
                       for place in range(len(words))]
    p = victim.probabilities(texts)[:, label]
    return p[0] - p[1:]


def by_deletion(victim, masked, words, label, rng, samples):
    return changed(victim, words, label, [])


def by_unknown(victim, masked, words, label, rng, samples):
    return changed(victim, words, label, [UNKNOWN_WORD])


def with_drawn(victim, masked, words, label, rng, samples):
    """f of the text with words that a language model draws, a row for each place."""
    drawn = [masked.draw(rng, words, place, samples) for place in range(len(words))]
    texts = [replaced(words, place, [word]) for place, row in enumerate(drawn) for word in row]
    return victim.probabilities(texts)[:, label].reshape(len(words), samples)


def by_olm(victim, masked, words, label, rng, samples):
    """Harbecke and Alt 2020: f(x) less its mean over the words that may stand there."""
    p = with_drawn(victim, masked, words, label, rng, samples)
    return victim.probabilities([words])[0, label] - p.mean(1)


def by_olm_s(victim, masked, words, label, rng, samples):
    """The same: its deviation, how sensitive the class is to the word."""
    return with_drawn(victim, masked, words, label, rng, samples).std(1)


RANKINGS = {"random": at_random, "deletion": by_deletion, "unknown": by_unknown,
            "olm": by_olm, "olm-s": by_olm_s}


#===-- Words in the place of others -----------------------------------------===#

@dataclasses.dataclass
class Attack:
    words: list
    changed: int
    success: bool


def substitute(victim, masked, words, label, order, candidates, most):
    """Greedy, from place to place: of likely words the one by which the class loses most, until
    another class wins. Then, of all that make it win, the likeliest in the language model."""
    current, count = list(words), 0
    p = victim.probabilities([current])[0, label]
    for place in order:
        if count >= most:
            break
        if not masked.may_change(current[place]):
            continue
        likely = masked.likely(current, place, candidates)
        if not likely:
            continue
        texts = [replaced(current, place, [word]) for word, _ in likely]
        found = victim.probabilities(texts)
        wins = [k for k, row in enumerate(found) if row.argmax() != label]
        if wins:  # Likely words come in order.
            return Attack(texts[wins[0]], count + 1, True)
        best = int(found[:, label].argmin())
        if found[best, label] < p:
            current, p, count = texts[best], found[best, label], count + 1
    return Attack(current, count, False)


#===-- Stylometry -----------------------------------------------------------===#

def omission_scores(classifier, words, label, flipped=1.0):
    """Emmery et al. 2021, equation 1. Where a text without the word gets another class, what
    that class gains counts too; `flipped` is its sign, which the paper prints as 1 and
    TextFooler has as -1."""
    texts = [words] + [replaced(words, place, []) for place in range(len(words))]
    scores = classifier.scores(texts)
    lost = scores[0, label] - scores[1:, label]
    for place, row in enumerate(scores[1:]):
        other = row.argmax()
        if other != label:
            lost[place] += flipped * (scores[0, other] - row[other])
    return lost


def hide(classifier, masked, words, label, targets, candidates, keep):
    """The words of the greatest omission scores are replaced, one after the other, until the
    classifier says another class: by the likeliest word that makes it do so, else by the one
    that takes most from the class, if any does. `keep` draws what is left of a word's own
    vector."""
    scores = omission_scores(classifier, words, label, flipped=-1.0)
    order = [place for place in np.argsort(-scores, kind="stable")
             if masked.may_change(words[place])]
    current, score = list(words), classifier.scores([words])[0, label]
    for place in order[:targets]:
        likely = masked.likely(current, place, candidates, keep())
        texts = [replaced(current, place, [word]) for word, _ in likely]
        if not texts:
            continue
        found = classifier.scores(texts)
        wins = [k for k, row in enumerate(found) if row.argmax() != label]
        if wins:
            return texts[wins[0]]
        best = int(found[:, label].argmin())
        if found[best, label] < score:
            current, score = texts[best], found[best, label]
    return current
