#===-- test/Models/analyse_test.py - What heads see, models that differ --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/sentences/analyse says what its definitions say, in numpy, of drawn attention, vectors
and scores. Skipped where its packages have not been installed for it."""

import math
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
ANALYSE = ROOT / "models" / "sentences" / "analyse"
DATA_HOME = pathlib.Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser()
VENV = pathlib.Path(os.environ.get("CAMBIUM_INTENTS_VENV") or DATA_HOME / "cambium/intents")


def divergence(p, q):
    """Of two distributions, with logarithms to the base 2."""
    middle = (p + q) / 2
    return (np.sum(p * np.log2(p / middle)) + np.sum(q * np.log2(q / middle))) / 2


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def numbers(array):
    return " ".join(f"{x:.9f}" for x in array.flatten())


def run(*arguments):
    return subprocess.run([ANALYSE, *arguments, "--venv", VENV], capture_output=True, text=True,
                          check=False)


@unittest.skipUnless((VENV / "made-from").exists(), f"{VENV} is not there")
class Analyse(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.rng = pathlib.Path(folder.name), np.random.default_rng(1)
        self.labels = [f"c{k}" for k in self.rng.integers(0, 3, 60)]
        lines = [f"{label}\ttext {i}" for i, label in enumerate(self.labels)]
        self.lines = self.write("lines.tsv", "label\ttext", lines)

    def write(self, name, head, lines):
        path = self.folder / name
        path.write_text("\n".join([head, *lines]) + "\n")
        return path

    def refused(self, message, *arguments):
        result = run(*arguments)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(message, result.stderr)

    def test_heads(self):
        """The first head finds the classes, the second one nothing; a text of one word says
        nothing of what they look at."""
        attention = [softmax(self.rng.normal(size=(1 + i % 4, 2)), 0) for i in range(60)]
        places = np.eye(3)[[int(label[1]) for label in self.labels]]
        found = np.concatenate([10 * places, np.zeros((60, 3))], 1)
        found += self.rng.normal(size=found.shape)
        seen = self.write("seen.tsv", "attention:vectors=2\tfound:vector=6", [
            f"{numbers(a)}\t{numbers(f)}" for a, f in zip(attention, found)])
        result = run("heads", self.lines, seen)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = [line.split() for line in result.stdout.splitlines()]
        self.assertEqual([row[0] for row in rows], ["head", "head", "all"])
        expected = np.mean([divergence(*a.T) for a in attention if len(a) > 1])
        for row in rows:
            self.assertAlmostEqual(float(row[row.index("divergence") + 1]), expected, delta=6e-4)
        agreement = [float(row[-1]) for row in rows]
        self.assertEqual(agreement[0], 1)
        self.assertLess(agreement[1], 0.2)
        self.assertGreater(agreement[2], 0.9)
        self.refused("seen.tsv: expected 60 lines, but got 1", "heads", self.lines,
                     self.write("seen.tsv", "attention:vectors=2\tfound:vector=1", ["1 0\t1"]))
        self.refused("expected a column of vectors, attention, but got found:vector=1", "heads",
                     self.lines, self.write("seen.tsv", "found:vector=1", ["1"] * 60))
        self.refused("expected the columns label and text, but got x", "heads",
                     self.write("lines.tsv", "x", ["1"]), seen)

    def test_models(self):
        scores = self.rng.normal(size=(2, 60, 3)) * 2
        files = [self.write(f"{i}.tsv", "out0:vector=3", map(numbers, s))
                 for i, s in enumerate(scores)]
        names = self.write("labels.tsv", "label\tc0", ["label\tc1", "label\tc2"])
        result = run("models", self.lines, *files, "--labels", names, "--most", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        mean, *texts, one, two = result.stdout.splitlines()
        apart = np.array([divergence(*p) for p in zip(*softmax(scores, 2))])
        self.assertEqual(mean, f"divergence {apart.mean():.3f}")
        answers = [[f"c{k}" for k in s.argmax(1)] for s in scores]
        self.assertEqual(texts, ["\t".join([f"text {apart[i]:.3f}", self.labels[i],
                                            answers[0][i], answers[1][i], f"text {i}"])
                                 for i in np.argsort(-apart)[:2]])
        recall = lambda answer, label: np.mean([a == label for a, b in zip(answer, self.labels)
                                                if b == label])
        change = {label: [recall(answer, label) for answer in answers]
                  for label in ("c0", "c1", "c2")}
        order = sorted(change, key=lambda label: -abs(change[label][0] - change[label][1]))
        for line, label in zip((one, two), order):
            self.assertEqual(line, "\t".join([
                f"class {label}", f"{self.labels.count(label)} texts",
                *(f"{part:.3f}" for part in change[label])]))
        self.refused("expected 2 scores, as many as", "models", self.lines, *files, "--labels",
                     self.write("labels.tsv", "label\tc0", ["label\tc1"]))
        self.refused("expected lines of label and a name", "models", self.lines, *files,
                     "--labels", self.write("labels.tsv", "c0", ["c1", "c2"]))

    def test_paired(self):
        targets = self.rng.integers(0, 2, 60)
        runs = []
        for i, part in enumerate((0.6, 0.7, 0.9, 0.95)):
            answers = np.where(self.rng.random(60) < part, targets, 1 - targets)
            (self.folder / f"run{i}").mkdir()
            self.write(f"run{i}/predictions.tsv", "example\ttarget\tprediction", [
                f"{k}\t{t}\t{a}" for k, (t, a) in enumerate(zip(targets, answers))])
            runs.append((self.folder / f"run{i}", answers == targets))
        (a, x), (b, y), (c, z), (d, w) = runs
        result = run("paired", a, b, "--beside", c, d)
        self.assertEqual(result.returncode, 0, result.stderr)
        summary, one, two = result.stdout.splitlines()
        left, beside = (np.mean([x, y]), np.mean([z, w]))
        self.assertTrue(summary.startswith(f"error {1 - left:.4f} beside {1 - beside:.4f}, gain "
                                           f"{beside - left:.4f} ("), summary)
        low, high = (float(n) for n in summary.split("(")[1].split(")")[0].split(" to "))
        self.assertTrue(0 < low < beside - left < high, summary)
        self.assertLess(float(summary.split(" p ")[1]), 0.01)
        for line, number, old, new in ((one, 1, x, z), (two, 2, y, w)):
            won, lost = int(np.sum(new & ~old)), int(np.sum(old & ~new))
            n, k = won + lost, min(won, lost)
            p = min(1, 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2 ** n)
            self.assertEqual(line, f"{number}: {won} won, {lost} lost, p {p:.3f}")
        same = run("paired", a, "--beside", a)
        self.assertIn("gain 0.0000 (0.0000 to 0.0000), p 1.000", same.stdout)
        self.write("run3/predictions.tsv", "target\tprediction", ["0\t1"])
        self.refused("expected the test texts of", "paired", a, "--beside", d)
        self.write("run3/predictions.tsv", "target", ["0"])
        self.refused("expected the columns target and prediction", "paired", a, "--beside", d)


if __name__ == "__main__":
    unittest.main()
