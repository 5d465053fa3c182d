#!/usr/bin/env python3
#===-- test/Golden/make_scores.py - What other packages say of answers ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: make_scores.py FOLDER

Draws corrected sentences and predicted effects, writes them as files, and what gleu 1.1
and scikit-uplift 0.5 say of them as expected.json."""

import contextlib
import io
import json
import pathlib
import random
import sys
import unittest.mock

import gleu.main
from sklift.metrics import qini_auc_score, uplift_auc_score

WORDS = ["the", "dog", "cats", "sees", "a", "small", "häuser", "on", "樹", "it's", "."]


def noisy(rng, words, rate):
    result = []
    for word in words:
        draw = rng.random()
        if draw < rate:
            result.append(rng.choice(WORDS))
        elif draw >= 2 * rate:
            result.append(word)
        if rng.random() < rate:
            result.append(rng.choice(WORDS))
    return result


def sentences(folder, rng):
    right = [[rng.choice(WORDS) for _ in range(rng.randint(0, 14))] for _ in range(40)]
    files = {"source": 0.2, "answers": 0.08, "a": 0.03, "b": 0.06, "c": 0.1}
    for name, rate in files.items():
        lines = [" ".join(noisy(rng, words, rate)) for words in right]
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = {}
    for draws in (1, 500):
        command = ["gleu", "-f", "-d", "9", "-i", str(draws), "-s", folder / "source.txt",
                   "-r", *(folder / f"{name}.txt" for name in "abc"),
                   "-o", folder / "answers.txt"]
        output = io.StringIO()
        with unittest.mock.patch("sys.argv", list(map(str, command))), \
                contextlib.redirect_stdout(output):
            gleu.main.gleu()
        result[f"gleu {draws}"] = float(output.getvalue().split("\t")[1])
    return result


def effects(folder, rng, name, share, digits):
    people = []
    for _ in range(300):
        effect, treated = rng.gauss(0, 1), int(rng.random() < share)
        outcome = int(rng.random() < 0.4 + 0.15 * treated * effect)
        people.append((round(effect + rng.gauss(0, 1), digits), treated, outcome))
    lines = ["score:number\ttreated:id\toutcome:id"]
    lines += ["\t".join(map(str, person)) for person in people]
    (folder / f"{name}.tsv").write_text("\n".join(lines) + "\n")
    score, treated, outcome = map(list, zip(*people, strict=True))
    return {"auuc": uplift_auc_score(outcome, score, treated),
            "qini": qini_auc_score(outcome, score, treated)}


def main():
    folder, rng = pathlib.Path(sys.argv[1]), random.Random(7)
    expected = {"sentences": sentences(folder, rng),
                "effects": effects(folder, rng, "effects", 0.5, 6),
                "equal": effects(folder, rng, "equal", 0.8, 0)}
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


main()
