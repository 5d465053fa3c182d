#===-- test/Tools/cambium-run/Inputs/make_trees.py - Labelled trees ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: make_trees.py COUNT SEED

Prints random binary trees whose labels follow from their words: 2 if there are
more words of praise than of blame under the node, 0 if fewer, 1 if equally many.
"""
import random
import sys

SCORES = {"good": 1, "fine": 1, "great": 1, "bad": -1, "dull": -1, "poor": -1,
          "a": 0, "film": 0, "the": 0, "plot": 0, "with": 0}


def tree(words):
    score = sum(SCORES[word] for word in words)
    label = 1 + (score > 0) - (score < 0)
    if len(words) == 1:
        return f"({label} {words[0]})"
    cut = rng.randint(1, len(words) - 1)
    return f"({label} {tree(words[:cut])} {tree(words[cut:])})"


rng = random.Random(int(sys.argv[2]))
for _ in range(int(sys.argv[1])):
    print(tree(rng.choices(sorted(SCORES), k=rng.randint(1, 7))))
