#===-- Inputs/make_texts.py - Sentences of praise and of blame ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: make_texts.py TRAIN DEV

Writes 200 and 50 lines: a class, a tab, and a text."""

import pathlib
import random
import sys

GOOD, BAD = ["good", "fine", "great"], ["bad", "awful", "dull"]
NOUNS = ["film", "plot", "cast"]


def line(rng):
    label = rng.randrange(2)
    words = []
    for _ in range(rng.randint(1, 3)):
        words += ["a", rng.choice(GOOD if label else BAD), rng.choice(NOUNS)]
    return f"{label}\t{' '.join(words)}\n"


for path, count, seed in zip(sys.argv[1:], (200, 50), (1, 2), strict=True):
    rng = random.Random(seed)
    pathlib.Path(path).write_text("".join(line(rng) for _ in range(count)))
