#===-- test/Models/Inputs/make_phrases.py - Trees with sentiment ---------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: make_phrases.py COUNT SEED

Prints random binary trees whose words praise (+1), blame (-1) or do neither; the label
of a phrase is the sum over its words, cut to -2 to 2, plus 2.
"""
import random
import sys

WORDS = {"good": 1, "great": 1, "fine": 1, "bad": -1, "dull": -1, "poor": -1,
         "a": 0, "the": 0, "film": 0}


def label(value):
    return max(-2, min(2, value)) + 2


def tree(rng, size):
    """A tree of so many words, and the sum over them."""
    if size == 1:
        word = rng.choice(list(WORDS))
        return f"({label(WORDS[word])} {word})", WORDS[word]
    left = rng.randint(1, size - 1)
    first, a = tree(rng, left)
    second, b = tree(rng, size - left)
    return f"({label(a + b)} {first} {second})", a + b


count, seed = map(int, sys.argv[1:])
rng = random.Random(seed)
for _ in range(count):
    print(tree(rng, rng.randint(1, 5))[0])
