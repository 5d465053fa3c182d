#!/usr/bin/python3
#===-- test/Golden/check_equalities.py - Cells that must agree -----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Compares cells that must agree with one another, in f64, on random parameters.

usage: test/Golden/check_equalities.py [SEED]

Needs cambium-compile and cambium-interpret on the path. Prints one line per equality.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
CELLS = os.path.join(os.path.dirname(os.path.dirname(HERE)), "models", "cells")
SIZES = ["--size=words=7", "--size=hidden=4", "--size=classes=3", "--size=input=3"]
LENGTH = 6


def draw(shape, rng):
    if not shape:
        return rng.uniform(-1, 1)
    return [draw(shape[1:], rng) for _ in range(shape[0])]


class Cells:
    """Evaluates `@encode` of cells; parameters of one name and shape have one value."""

    def __init__(self, folder, rng):
        self.folder, self.rng, self.values = folder, rng, {}

    def encode(self, cell, **example):
        path = os.path.join(CELLS, cell + ".mlir")
        model = subprocess.run(["cambium-compile", path, "--compile-to=input", *SIZES],
                               check=True, stdout=subprocess.PIPE, text=True).stdout
        params = {name: [int(d) for d in shape[:-3].split("x")[:-1]] for name, shape
                  in re.findall(r"^ *nn\.param @([\w.]+) : tensor<([\dxf]+)>", model, re.M)}
        for name, shape in params.items():
            key = (name, *shape)
            if key not in self.values:
                self.values[key] = draw(shape, self.rng)
            params[name] = self.values[key]
        data = {"function": "encode", "params": params, "examples": [example]}
        files = [os.path.join(self.folder, name) for name in ("model.mlir", "data.json")]
        for file, text in zip(files, (model, json.dumps(data))):
            with open(file, "w") as stream:
                stream.write(text)
        out = subprocess.run(["cambium-interpret", *files, "--f64"], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
        return json.loads(out)["results"][0][0]


def distance(a, b):
    return max(abs(x - y) for x, y in zip(a, b, strict=True))


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    rng, failed = random.Random(seed), 0
    words = [rng.randrange(7) for _ in range(LENGTH)]
    chain = {"parents": [i + 1 for i in range(LENGTH - 1)] + [-1]}
    tree = {"children": [[1, 4], [2, 3], [], [], [5], []]}
    swapped = {"children": [[4, 1], [3, 2], [], [], [5], []]}
    with tempfile.TemporaryDirectory() as folder:
        encode = Cells(folder, rng).encode
        child_sum = encode("child_sum_tree_lstm", tree=tree, words=words)
        cases = [
            ("an LSTM is a Child-Sum Tree-LSTM on a chain", True,
             encode("lstm", words=words),
             encode("child_sum_tree_lstm", tree=chain, words=words)),
            ("a GRU is a Tree-GRU on a chain", True,
             encode("gru", words=words), encode("tree_gru", tree=chain, words=words)),
            ("weights of 1 weigh nothing", True, child_sum,
             encode("weighted_child_sum_tree_lstm", tree=tree, words=words, alpha=[1] * 5)),
            ("other weights do", False, child_sum,
             encode("weighted_child_sum_tree_lstm", tree=tree, words=words, alpha=[2] * 5)),
            ("a child-sum does not see the order of children", True, child_sum,
             encode("child_sum_tree_lstm", tree=swapped, words=words)),
            ("nor does one that attends", True,
             encode("attentive_child_sum_tree_lstm", tree=tree, words=words),
             encode("attentive_child_sum_tree_lstm", tree=swapped, words=words)),
            ("an N-ary Tree-LSTM does", False,
             encode("nary_tree_lstm", tree=tree, words=words),
             encode("nary_tree_lstm", tree=swapped, words=words)),
        ]
    print(f"seed {seed}")
    for text, equal, left, right in cases:
        error = distance(left, right)
        ok = error < 1e-12 if equal else error > 1e-4
        failed += not ok
        print(f"{'ok' if ok else 'FAIL'}: {text}: {'difference' if equal else 'differs by'} "
              f"{error:.1e}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
