#===-- test/Benchmark/adaptive.py - Words that stop at random -------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The data of adaptive_layers.mlir: words that say how often they are encoded."""

import random


def depths(count, share, maximum, rng):
    """How often each of `count` words iterates: between 1 and the maximum, with
    the mean that is asked for."""
    if share >= 1:
        return [maximum] * count
    wanted = round(share * maximum * count)
    beta = 2 * (1 - share) / share
    values = [1 + round(rng.betavariate(2, beta) * (maximum - 1)) for _ in range(count)]
    while sum(values) != wanted:
        i = rng.randrange(count)
        step = 1 if sum(values) < wanted else -1
        values[i] = min(maximum, max(1, values[i] + step))
    return values


def write_sentences(path, tokens, share, maximum, shortest=8, longest=128):
    """Words w1, w2, ... as CoNLL-U; returns how many words a masked loop encodes, each
    iteration counted: all of a sentence as long as one goes on."""
    rng = random.Random(1)
    values = depths(tokens, share, maximum, rng)
    dense = 0
    with open(path, "w", encoding="utf-8") as file:
        while values:
            size = min(rng.randint(shortest, longest), len(values))
            sentence, values = values[:size], values[size:]
            dense += size * max(sentence)
            for i, depth in enumerate(sentence):
                relation = ("0", "root") if i == 0 else ("1", "dep")
                file.write("\t".join((str(i + 1), f"w{depth}", "_", "NOUN", "_", "_",
                                      *relation, "_", "_")) + "\n")
            file.write("\n")
    return dense


def write_vocabulary(path):
    """Word i is w{i}; the first two are what every vocabulary begins with."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("<pad>\n<unk>\n" + "".join(f"w{i}\n" for i in range(2, 64)))
