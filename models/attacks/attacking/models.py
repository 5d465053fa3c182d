#===-- models/attacks/attacking/models.py - Trained models that answer ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Classifiers and a masked language model from the folders of their trainings."""

import numpy as np

import cambium
import scripts

from .ngrams import NGrams
from .tables import read_texts

UNKNOWN = 1
FREQUENT = 60  # So many of the most frequent words are not replaced: they hold a sentence.


def load(folder):
    """The model of a training, and the number of each of its words."""
    words = scripts.lines_of(folder / "vocabulary.txt")
    model = cambium.Model(folder / "module.so", folder / "best.safetensors")
    return model, {word: number for number, word in enumerate(words) if word}


def only_outputs(answers):
    """The one output of each answer, whatever its name is."""
    return np.array([value for answer in answers for value in answer.values()], np.float64)


def softmax(scores):
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


class Classifier:
    """Scores of the classes of texts. `computed` counts the different texts it was asked."""

    def __init__(self, folder):
        self.model, self.numbers = load(folder)
        self.answers = cambium.Cached(self.model.function("predict"))
        first, others = scripts.rows_of(folder / "labels.tsv", 2)
        names = [row[1] for row in (first, *others)]
        # Classes that are called by numbers have no names there.
        self.classes = {name: number for number, name in enumerate(names) if name}

    def number_of(self, label):
        """The number of a class of a table."""
        if self.classes and label not in self.classes:
            raise ValueError(f"expected a class of {', '.join(self.classes)}, but got '{label}'")
        return self.classes[label] if self.classes else int(label)

    @property
    def computed(self):
        return self.answers.computed

    def example(self, words):
        return {"tokens": [self.numbers.get(word, UNKNOWN) for word in words]}

    def scores(self, texts):
        answers = self.answers([self.example(words) for words in texts])
        return only_outputs(answers)

    def probabilities(self, texts):
        return softmax(self.scores(texts))


class NGramClassifier(Classifier):
    """One that reads the n-grams of the texts of a table, on which it was trained."""

    def __init__(self, folder, texts):
        super().__init__(folder)
        self.known = NGrams(words for _, words in read_texts(texts))

    def example(self, words):
        weights = self.known.weights(words)
        return {"grams": [self.numbers.get(gram, UNKNOWN) for gram in weights],
                "weights": np.array(list(weights.values()), np.float32)}


class Masked:
    """What a masked language model says of the word at a place."""

    def __init__(self, folder):
        self.model, self.numbers = load(folder)
        self.answers = cambium.Cached(self.model.function("substitutes"), size=200)
        self.words = {number: word for word, number in self.numbers.items()}
        self.width = self.model.parameters()["words"].shape[1]
        self.kept = {word for number, word in sorted(self.words.items())
                     if UNKNOWN < number <= UNKNOWN + FREQUENT}

    def log_probabilities(self, words, places, keep=None):
        """A row for each place, of all words by their numbers: without the word itself, or by
        what the factors `keep` leave of its vector."""
        ids = [self.numbers.get(word, UNKNOWN) for word in words]
        rows = self.answers([
            {"text": ids, "place": place,
             "keep": np.zeros(self.width, np.float32) if keep is None else keep}
            for place in places])
        return only_outputs(rows)

    def draw(self, rng, words, place, count):
        """Words at a place, each as often as it is likely there."""
        p = np.exp(self.log_probabilities(words, [place])[0])
        p[[number for number in range(len(p)) if number not in self.words or
           number <= UNKNOWN]] = 0
        return [self.words[number] for number in rng.choice(len(p), count, p=p / p.sum())]

    def may_change(self, word):
        return word.isalpha() and word not in self.kept

    def likely(self, words, place, count, keep=None):
        """Pairs of a word and its log-probability, the likeliest first, without the word that is
        there."""
        row, found = self.log_probabilities(words, [place], keep)[0], []
        for number in np.argsort(-row, kind="stable"):
            word = self.words.get(int(number))
            if word is not None and word != words[place] and self.may_change(word):
                found.append((word, row[number]))
                if len(found) == count:
                    break
        return found
