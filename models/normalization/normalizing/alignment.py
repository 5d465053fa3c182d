#===-- models/normalization/normalizing/alignment.py - Who says what -===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Which class of each token explains what is spoken: from left to right, at the least
cost."""

import functools

from .classes import WRITTEN

LONGEST = 8  # Words that a generated class may say.
NEW = 4.0  # What a generated class costs, and each of its words 1 more.


def align(tokens, words):
    """For each token the name of a written class, or None and the words of a generated one;
    None if nothing explains the words."""
    written = [{name: said for name, rule in WRITTEN.items()
                if (said := rule(token)) is not None} for token in tokens]

    @functools.cache
    def best(i, j):
        """The least cost from token i and word j on, and the first choice."""
        if i == len(tokens):
            return (0.0, None) if j == len(words) else (float("inf"), None)
        found = [(best(i + 1, j)[0] + NEW, (None, 0))]
        for name, said in written[i].items():
            if words[j:j + len(said)] == said:
                cost = 0.0 if name == "self" else 1.0
                found.append((best(i + 1, j + len(said))[0] + cost, (name, len(said))))
        for length in range(1, min(LONGEST, len(words) - j) + 1):
            found.append((best(i + 1, j + length)[0] + NEW + length, (None, length)))
        return min(found, key=lambda pair: pair[0])

    if len(tokens) > 200 or best(0, 0)[0] == float("inf"):
        return None
    choices, j = [], 0
    for i in range(len(tokens)):
        name, length = best(i, j)[1]
        choices.append((name, words[j:j + length]))
        j += length
    return choices
