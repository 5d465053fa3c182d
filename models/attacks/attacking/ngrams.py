#===-- models/attacks/attacking/ngrams.py - n-grams with weights ---------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The features of N-GrAM (Basile et al. 2018): words, pairs of words and runs of six
characters, by (1 + log tf) idf."""

import collections
import math

CHARACTERS = 6


def ngrams_of(words):
    """The n-grams of a text, each as often as it occurs. No spaces: columns of words."""
    text = "_".join(words)
    yield from ("1:" + word for word in words)
    yield from (f"2:{a}_{b}" for a, b in zip(words, words[1:]))
    yield from ("6:" + text[i:i + CHARACTERS] for i in range(len(text) - CHARACTERS + 1))


class NGrams:
    """How rare n-grams are in texts; those of a single text are not known."""

    def __init__(self, texts):
        counts, total = collections.Counter(), 0
        for words in texts:
            counts.update(set(ngrams_of(words)))
            total += 1
        # As of a text more that has every n-gram (scikit-learn: smooth_idf).
        self.rarity = {gram: math.log((1 + total) / (1 + count)) + 1
                       for gram, count in counts.items() if count > 1}

    def weights(self, words):
        """The weight of each known n-gram of a text."""
        counts = collections.Counter(ngrams_of(words))
        return {gram: (1 + math.log(count)) * self.rarity[gram]
                for gram, count in counts.items() if gram in self.rarity}
