#===-- tools/scoring/gleu.py - Corrected sentences by n-grams ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""GLEU of corrected sentences (Napoles et al. 2016, "GLEU without tuning"): n-grams of an
answer up to 4 words that the reference has count for it; those that the source has and
the reference has not count against it. Of each sentence one reference is drawn, as many
times as --draws says, with the same numbers as JFLEG's own script draws; GLEU is the mean
of the corpora that come of it, from 0 to 100."""

import collections
import math
import random

from .files import ScoreError, lines_of, same_length

ORDER = 4


def ngrams(words, n):
    return collections.Counter(tuple(words[i:i + n]) for i in range(len(words) - n + 1))


def counts(source, answer, reference):
    """Of each n (right n-grams less punished ones, n-grams of the answer), and the
    lengths of the answer and of the reference. A sentence's count is not below 0."""
    result = []
    for n in range(1, ORDER + 1):
        has, wanted, found = (ngrams(words, n) for words in (source, reference, answer))
        right = sum(min(count, wanted[gram]) for gram, count in found.items())
        punished = sum(min(count, has[gram]) for gram, count in found.items()
                       if not wanted[gram])
        result += [max(right - punished, 0), sum(found.values())]
    return result + [len(answer), len(reference)]


def gleu_of(sums):
    """The measure of sums of `counts`: the geometric mean of the four parts, less where
    the answers are shorter than the references."""
    *parts, answer, reference = sums
    pairs = list(zip(parts[0::2], parts[1::2]))
    if any(total and not right for right, total in pairs):
        return 0.0
    mean = sum(math.log(right / total) for right, total in pairs if total) / ORDER
    if answer == 0:
        return 1.0 if reference == 0 else 0.0
    return math.exp(mean + min(0.0, 1 - reference / answer))


def drawn(draw, sentences, references):
    """The reference of each sentence. Those of JFLEG's script: Python 2's randint after
    seed(draw * 101)."""
    random.seed(draw * 101, version=1)
    return [int(random.random() * references) for _ in range(sentences)]


def gleu(sources, answers, references, draws):
    """GLEU of split sentences; REFERENCES has a list of sentences for each reference."""
    known = [[counts(source, answer, reference[k]) for reference in references]
             for k, (source, answer) in enumerate(zip(sources, answers))]
    total = 0.0
    for draw in range(draws):
        chosen = drawn(draw, len(answers), len(references))
        total += gleu_of([sum(column) for column in
                          zip(*(known[k][r] for k, r in enumerate(chosen)))])
    return 100 * total / draws


def run(options):
    if not 1 <= options.draws <= 1_000_000:
        raise ScoreError(f"expected --draws from 1 to 1000000, but got {options.draws}")
    paths = [options.source, options.answers, *options.references]
    files = [(path, lines_of(path)) for path in paths]
    same_length(*files)
    if not files[0][1]:
        raise ScoreError(f"{options.source}: expected a sentence")
    source, answers, *references = [[line.split() for line in lines] for _, lines in files]
    return {"gleu": gleu(source, answers, references, options.draws)}
