#===-- test/Models/attacks_test.py - Searches for other words -------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Relevance, substitution and n-grams of models/attacks, with classifiers that are sums."""
import math
import pathlib
import sys
import unittest

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "models/attacks"))

from attacking import search
from attacking.ngrams import NGrams, ngrams_of

WEIGHTS = {"good": 2.0, "fine": 0.7, "dull": -2.0, "long": -0.5}


class Sum:
    """Class 1 where the weights of the words are above zero."""

    def scores(self, texts):
        sums = [sum(WEIGHTS.get(word, 0.0) for word in words) for words in texts]
        return np.array([[-s, s] for s in sums])

    def probabilities(self, texts):
        e = np.exp(self.scores(texts))
        return e / e.sum(1, keepdims=True)


class Masked:
    """Offers the same words everywhere, the likeliest first."""

    def __init__(self, *words):
        self.words = words

    def may_change(self, word):
        return word != "the"

    def likely(self, words, place, count, keep=None):
        return [(w, -k) for k, w in enumerate(self.words) if w != words[place]][:count]

    def draw(self, rng, words, place, count):
        return [self.words[k % len(self.words)] for k in range(count)]


TEXT = ["the", "good", "long", "film"]


class Relevance(unittest.TestCase):
    def rank(self, name, masked=None, samples=4):
        return search.RANKINGS[name](Sum(), masked, TEXT, 1, np.random.default_rng(1), samples)

    def test_deletion_and_unknown(self):
        p = lambda s: 1 / (1 + math.exp(-2 * s))
        expected = [0.0, p(1.5) - p(-0.5), p(1.5) - p(2.0), 0.0]
        np.testing.assert_allclose(self.rank("deletion"), expected, atol=1e-12)
        np.testing.assert_allclose(self.rank("unknown"), expected, atol=1e-12)

    def test_one_word(self):
        """It is not deleted: no text is empty."""
        class Full(Sum):
            def scores(self, texts):
                assert all(texts)
                return super().scores(texts)
        rank = search.RANKINGS["deletion"](Full(), None, ["good"], 1, None, 4)
        np.testing.assert_allclose(rank, [1 / (1 + math.exp(-4)) - 0.5])

    def test_olm(self):
        """Half of what is drawn for each place is `good`, half `film`."""
        p = lambda s: 1 / (1 + math.exp(-2 * s))
        masked = Masked("good", "film")
        mean = lambda a, b: p(1.5) - (p(a) + p(b)) / 2
        # In the place of: the (0), good (2), long (-0.5), film (0).
        sums = [(3.5, 1.5), (1.5, -0.5), (4.0, 2.0), (3.5, 1.5)]
        np.testing.assert_allclose(self.rank("olm", masked), [mean(a, b) for a, b in sums],
                                   atol=1e-12)
        np.testing.assert_allclose(self.rank("olm-s", masked),
                                   [abs(p(a) - p(b)) / 2 for a, b in sums], atol=1e-12)

    def test_random(self):
        self.assertEqual(sorted(np.argsort(self.rank("random"))), [0, 1, 2, 3])


class Substitution(unittest.TestCase):
    def attack(self, masked, most=4, order=(0, 1, 2, 3)):
        return search.substitute(Sum(), masked, TEXT, 1, order, 20, most)

    def test_the_likeliest_that_wins(self):
        found = self.attack(Masked("fine", "long", "dull"))
        self.assertEqual((found.words, found.changed, found.success),
                         (["the", "long", "long", "film"], 1, True))

    def test_the_best_is_kept(self):
        # Neither wins alone; the words that help most stay, and none that helps the class.
        found = self.attack(Masked("fine", "film"))
        self.assertEqual((found.words, found.changed, found.success),
                         (["the", "film", "long", "film"], 1, True))
        found = self.attack(Masked("good"))
        self.assertEqual((found.words, found.changed, found.success), (TEXT, 0, False))

    def test_bounds(self):
        self.assertEqual(self.attack(Masked("dull"), most=0).words, TEXT)
        # The words that hold the sentence stay.
        self.assertEqual(self.attack(Masked("dull"), order=(0,)).words, TEXT)


class Stylometry(unittest.TestCase):
    def test_omission_scores(self):
        # Without `good` the other class wins: what it gains counts, by the sign.
        for sign, of_good in ((1.0, 2.0 + (-1.5 - 0.5)), (-1.0, 2.0 - (-1.5 - 0.5))):
            np.testing.assert_allclose(search.omission_scores(Sum(), TEXT, 1, sign),
                                       [0.0, of_good, -0.5, 0.0])

    def test_hide(self):
        hide = lambda targets, *words: search.hide(Sum(), Masked(*words), TEXT, 1, targets, 20,
                                                   lambda: None)
        self.assertEqual(hide(1, "fine", "film"), ["the", "film", "long", "film"])
        self.assertEqual(hide(0, "fine", "film"), TEXT)
        # Nothing makes it say another class: the word that takes most from it, and none that helps.
        self.assertEqual(hide(4, "good", "fine"), ["the", "fine", "long", "film"])


class Features(unittest.TestCase):
    def test_ngrams(self):
        self.assertEqual(sorted(ngrams_of(["an", "owl", "x"])), sorted(
            ["1:an", "1:owl", "1:x", "2:an_owl", "2:owl_x", "6:an_owl", "6:n_owl_", "6:_owl_x"]))

    def test_weights(self):
        known = NGrams([["a", "b"], ["a", "c"], ["a"], ["d"]])
        self.assertEqual(set(known.rarity), {"1:a"})
        weight, = known.weights(["a", "e", "a"]).values()
        self.assertAlmostEqual(weight, (1 + math.log(2)) * (math.log(5 / 4) + 1))


if __name__ == "__main__":
    unittest.main()
