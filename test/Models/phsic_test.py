#===-- test/Models/phsic_test.py - Which pairs belong together ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/filtering/phsic says what its definitions say, written out by elements."""

import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

PHSIC = pathlib.Path(__file__).resolve().parents[2] / "models" / "filtering" / "phsic"


class PhsicTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.rng = np.random.default_rng(5)

    def write(self, name, text):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(text)
        return path

    def vectors(self, name, x):
        return self.write(name, "".join(" ".join(map(repr, map(float, row))) + "\ttext\n"
                                        for row in x))

    def phsic(self, *arguments):
        return subprocess.run([PHSIC, *arguments], capture_output=True, text=True)

    def numbers(self, *arguments):
        result = self.phsic(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return np.array([line.split() for line in result.stdout.splitlines()], dtype=float)

    def test_score_is_the_mean_of_products_of_centered_cosines(self):
        x, y = self.rng.normal(size=(6, 3)), self.rng.normal(size=(6, 4))
        u, v = ([row / np.sqrt(row @ row) for row in side] for side in (x, y))
        mu, mv = sum(u) / 6, sum(v) / 6
        expected = [sum(((a - mu) @ (ui - mu)) * ((vi - mv) @ (b - mv))
                        for ui, vi in zip(u, v)) / 6 for a, b in zip(u, v)]
        found = self.numbers("score", self.vectors("x", x), self.vectors("y", y))[:, 0]
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-7)

    def test_sif_weighs_words_and_has_nothing_along_the_first_direction(self):
        table = {w: self.rng.normal(size=3) for w in "abcd"}
        path = self.write("words", "".join(f"{w} {' '.join(map(repr, map(float, v)))}\n"
                                           for w, v in table.items()))
        texts = ["a b b unknown", "c", "d a", "b c d"]
        words = " ".join(texts).split()
        weight = lambda w: 1e-3 / (1e-3 + words.count(w) / len(words))
        x = np.array([sum(weight(w) * table[w] for w in t.split() if w in table)
                      / len(t.split()) for t in texts])
        values, axes = np.linalg.eigh(x.T @ x)
        first = axes[:, values.argmax()]
        found = self.numbers("sif", self.write("texts", "\n".join(texts) + "\n"), path)
        np.testing.assert_allclose(found, x - (x @ first)[:, None] * first, rtol=1e-4, atol=1e-9)

    def test_auroc_of_partners_in_another_space(self):
        x = self.rng.normal(size=(40, 3))
        y = np.concatenate([-x, np.ones((40, 1))], axis=1)
        right, left = self.vectors("y", y), self.vectors("x", x)
        wrong = self.write("w", self.phsic("shuffle", right).stdout)
        self.assertEqual(wrong.read_text().splitlines()[20:], right.read_text().splitlines()[:20])
        name, value = self.phsic("auroc", left, right, wrong).stdout.split()
        self.assertEqual(name, "PHSIC")
        self.assertGreater(float(value), 80)
        same = self.phsic("auroc", left, left, left).stdout.split()
        self.assertEqual(same, ["PHSIC", "50.0", "cosine", "50.0"])

    def test_features_of_right_and_wrong_pairs(self):
        a, b, w = ["p q", "p", "q r"], ["p q", "r", "q"], ["p s s s", "s r", "s"]
        x, y, z = (self.rng.normal(size=(3, 3)) for _ in range(3))
        files = [part for name, texts, rows in (("a", a, x), ("b", b, y), ("w", w, z))
                 for part in (self.write(name + ".txt", "\n".join(texts) + "\n"),
                              self.vectors(name, rows))]
        result = self.phsic("features", *files)
        self.assertEqual(result.returncode, 0, result.stderr)
        head, *lines = result.stdout.splitlines()
        self.assertEqual(head, "x:vector=4\ttarget:number")
        self.assertEqual([line.split("\t")[1] for line in lines], ["1"] * 3 + ["0"] * 3)
        found = np.array([line.split("\t")[0].split() for line in lines], dtype=float)
        cosine = [p @ q / np.sqrt((p @ p) * (q @ q)) for side in (y, z) for p, q in zip(x, side)]
        lengths = [np.log((1 + len(p.split())) / (1 + len(q.split())))
                   for side in (b, w) for p, q in zip(a, side)]
        shared = [1, 0, 1, 0.25, 0, 0]
        for column, values in zip(found.T[1:], (cosine, lengths, shared)):
            values = np.array(values)
            np.testing.assert_allclose(column, (values - values.mean()) / values.std(), rtol=1e-4,
                                       atol=1e-4)
        files[0].write_text("p\n")
        self.assertIn("expected as many texts as vectors on all sides, but got 1, 3, 3 and 3",
                      self.phsic("features", *files).stderr)

    def test_what_it_refuses(self):
        one = self.vectors("one", [[1.0, 2.0]])
        for arguments, message in (
                (("score", one, self.vectors("two", [[1.0], [2.0]])),
                 "expected as many vectors on both sides, but got 1 and 2"),
                (("score", one, self.write("ragged", "1 2\n3\n")),
                 "expected lines of equally many numbers"),
                (("sif", self.write("t", "a\n"), self.write("none", "a\n")),
                 "expected vectors of words")):
            result = self.phsic(*arguments)
            self.assertEqual(result.returncode, 1)
            self.assertIn(message, result.stderr)
        self.assertEqual(self.phsic("sif", one).returncode, 2)


if __name__ == "__main__":
    unittest.main()
