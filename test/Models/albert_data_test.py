#===-- test/Models/albert_data_test.py - Tests of models/albert/prepare ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Segments are in order or swapped, a fifth of the pieces is masked in spans, and
what the columns say of each other holds. Skipped where tools/setup did not install
the packages that cut texts into pieces."""

import collections
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
ALBERT = SOURCE / "models" / "albert"
HOME = pathlib.Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser()
PYTHON = os.environ.get("CAMBIUM_PYTHON") or str(HOME / "cambium/python/bin/python")
CLS, SEP, MASK = 2, 3, 4
SIZE = 60


def has_packages():
    try:
        return subprocess.run([PYTHON, "-c", "import tokenizers"], capture_output=True,
                              check=False).returncode == 0
    except OSError:
        return False


def run(program, *arguments):
    return subprocess.run([ALBERT / program, *map(str, arguments)],
                          capture_output=True, check=False, encoding="utf-8")


def texts():
    """Documents of one sentence, and of five."""
    rng = random.Random(5)
    words = ["alpha", "beta", "gamma", "delta", "omega", "rho", "sigma", "tau", "phi"]
    sentence = lambda: " ".join(rng.choices(words, k=rng.randint(4, 14)))
    return "\n\n".join("\n".join(sentence() for _ in range(rng.choice((1, 5))))
                       for _ in range(250)) + "\n"


class Row:
    """A line of a table."""

    def __init__(self, line):
        *cells, self.text = line.split("\t")
        lists = [[int(number) for number in cell.split()] for cell in cells]
        self.tokens, self.segments, self.places, self.labels, (self.swapped,), \
            self.kinds = lists
        self.original = list(self.tokens)
        for place, label in zip(self.places, self.labels, strict=True):
            self.original[place] = label
        ends = [i for i, token in enumerate(self.original) if token == SEP]
        self.parts = self.original[1:ends[0]], self.original[ends[0] + 1:ends[1]]


@unittest.skipUnless(has_packages(), f"{PYTHON} has no tokenizers (tools/setup)")
class Prepare(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="cambium-albert-")
        cls.folder = pathlib.Path(cls.scratch.name)
        (cls.folder / "texts.txt").write_text(texts())
        made = run("prepare", "--out", cls.folder, "--size", SIZE, "--copies", 2,
                   "--max-tokens", 40, cls.folder / "texts.txt")
        assert made.returncode == 0, made.stderr
        cls.train, cls.dev = (
            [Row(line) for line in (cls.folder / f"{part}.tsv").read_text().splitlines()[1:]]
            for part in ("train", "dev"))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_two_segments(self):
        for row in self.train + self.dev:
            self.assertLessEqual(len(row.tokens), 40)
            self.assertEqual(row.tokens[0], CLS)
            self.assertEqual([row.tokens.count(CLS), row.tokens.count(SEP)], [1, 2])
            first = len(row.parts[0]) + 2
            self.assertEqual(row.segments, [0] * first + [1] * (len(row.parts[1]) + 1))
            self.assertTrue(row.parts[0] and row.parts[1])

    def test_half_are_swapped(self):
        share = sum(row.swapped for row in self.train) / len(self.train)
        self.assertAlmostEqual(share, 0.5, delta=0.06)

    def test_order_is_that_of_the_text(self):
        (self.folder / "one.txt").write_text("\n".join(row.text for row in self.dev))
        ids = subprocess.run(
            [SOURCE / "tools/cambium-tokenize", "encode", "--no-specials",
             self.folder / "tokenizer.json", self.folder / "one.txt"],
            capture_output=True, check=True, encoding="utf-8").stdout.splitlines()
        for row, line in zip(self.dev, ids, strict=True):
            pieces = [int(piece) for piece in line.split()]
            first, second = row.parts[::-1] if row.swapped else row.parts
            self.assertEqual(first + second, pieces[:len(first) + len(second)])

    def test_a_fifth_is_masked(self):
        for row in self.train:
            pieces = sum(token > MASK for token in row.original)
            self.assertEqual(len(row.places), max(1, round(0.2 * pieces)))
            self.assertEqual(row.places, sorted(set(row.places)))
            masked = [i for i, kind in enumerate(row.kinds) if kind in (1, 2, 3)]
            self.assertEqual(row.places, masked)

    def test_kinds_say_what_is_there(self):
        counts = collections.Counter()
        for row in self.train:
            for token, original, kind in zip(row.tokens, row.original, row.kinds):
                counts[kind] += 1
                right = {0: token == original, 1: token == MASK, 2: token > MASK,
                         3: token == original, 4: token == CLS, 5: token == SEP}
                self.assertTrue(right[kind], (token, original, kind))
        masked = sum(counts[kind] for kind in (1, 2, 3))
        for kind, share in ((1, 0.8), (2, 0.1), (3, 0.1)):
            self.assertAlmostEqual(counts[kind] / masked, share, delta=0.03)

    def test_spans_and_copies(self):
        neighbours = sum(b - a == 1 for row in self.train
                         for a, b in zip(row.places, row.places[1:]))
        places = sum(len(row.places) for row in self.train)
        # Of places that are drawn one by one, a fifth would have a neighbour.
        self.assertGreater(neighbours / places, 0.3)
        copies = collections.defaultdict(list)
        for row in self.train:
            copies[row.text].append(tuple(row.places))
        self.assertEqual({len(pair) % 2 for pair in copies.values()}, {0})
        self.assertGreater(sum(len(set(pair)) > 1 for pair in copies.values()),
                           0.7 * len(copies))

    def test_bad_files_are_named(self):
        result = run("prepare", "--out", self.folder / "x", self.folder / "none.txt")
        self.assertEqual(result.returncode, 1)
        self.assertIn("none.txt", result.stderr)
        (self.folder / "data.json").write_text("{")
        result = run("texts", self.folder / "data.json")
        self.assertEqual(result.returncode, 1)
        self.assertIn("data.json: expected JSON, but got", result.stderr)


if __name__ == "__main__":
    unittest.main()
