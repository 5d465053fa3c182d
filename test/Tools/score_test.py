#===-- test/Tools/score_test.py - Measures of written answers ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""tools/score says what packages say of the same files (test/Golden/make_scores.py), its
edits are the best of all ways to read an answer, and bad files are errors."""

import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
INPUTS = ROOT / "test" / "Golden" / "Inputs" / "scores"
JFLEG = ROOT.parent / "shared" / "data" / "jfleg"
sys.path.insert(0, str(ROOT / "tools"))

from scoring import m2

# The example of the page of the NUS scorer, which says 0.8, 0.8 and 0.8 of it.
EXAMPLE = """S The cat sat at mat .
A 3 4|||Prep|||on|||REQUIRED|||-NONE-|||0
A 4 4|||ArtOrDet|||the||a|||REQUIRED|||-NONE-|||0

S The dog .
A 1 2|||NN|||dogs|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||-NONE-|||-NONE-|||1

S Giant otters is an apex predator .
A 2 3|||SVA|||are|||REQUIRED|||-NONE-|||0
A 3 4|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||0
A 5 6|||NN|||predators|||REQUIRED|||-NONE-|||0
A 1 2|||NN|||otter|||REQUIRED|||-NONE-|||1
"""
ANSWERS = "A cat sat on the mat .\nThe dog .\nGiant otters are apex predator .\n"


def score(*arguments):
    return subprocess.run([ROOT / "tools" / "score", *map(str, arguments)],
                          capture_output=True, text=True, check=False)


def measured(*arguments):
    result = score(*arguments)
    assert result.returncode == 0, result.stderr
    return {name: float(value) for name, value in map(str.split, result.stdout.splitlines())}


def ways(source, answer, place=(0, 0)):
    """All ways from one sentence to the other, as lists of steps."""
    i, j = place
    if place == (len(source), len(answer)):
        yield []
    for step in ((1, 0), (0, 1), (1, 1)):
        new = (i + step[0], j + step[1])
        if new[0] <= len(source) and new[1] <= len(answer):
            for rest in ways(source, answer, new):
                yield [(place, new)] + rest


def stays(source, answer, step):
    (i, j), (k, m) = step
    return k - i == 1 and m - j == 1 and source[i] == answer[j]


def shortest(source, answer):
    """Those steps that are on a shortest way, replacing at the cost of 1 or of 2."""
    everything = list(ways(source, answer))
    for price in (1, 2):
        costs = [sum(0 if stays(source, answer, s) else
                     price if s[1][0] - s[0][0] == s[1][1] - s[0][1] else 1 for s in way)
                 for way in everything]
        for way, cost in zip(everything, costs):
            if cost == min(costs):
                yield from way


def best_by_trying(source, answer, gold, unchanged):
    """What m2.best_reading says, by all ways through the shortest steps and all ways to
    cut them into edits."""
    steps, best = set(shortest(source, answer)), None
    for way in ways(source, answer):
        if not set(way) <= steps:
            continue
        for cuts in itertools.product((False, True), repeat=max(len(way) - 1, 0)):
            parts, part = [], []
            for step, cut in zip(way, (*cuts, True)):
                part.append(step)
                if cut:
                    parts.append(part)
                    part = []
            edits, cost, good = [], 0, True
            for part in parts:
                kept = sum(stays(source, answer, step) for step in part)
                if kept == len(part):
                    good &= kept == 1
                    cost += 1
                else:
                    good &= kept <= unchanged
                    (i, j), (k, m) = part[0][0], part[-1][1]
                    edits.append((i, k, tuple(answer[j:m]), len(part)))
            if good:
                for choice in itertools.product((False, True), repeat=len(edits)):
                    value = price(edits, choice, gold, cost)
                    if value is not None and (best is None or value < best):
                        best = value
    return -best[0], best[2] - best[0]


def price(edits, choice, gold, cost):
    """(-matched, steps, others), where CHOICE says which edits are to be matched."""
    k, matched, others = 0, 0, 0
    for (begin, end, words, steps), wanted in zip(edits, choice):
        if not wanted:
            cost, others = cost + steps, others + 1
            continue
        while k < len(gold) and not (gold[k][:2] == (begin, end) and words in gold[k][2]):
            k += 1
        if k == len(gold):
            return None
        k, matched = k + 1, matched + 1
    return -matched, cost, others


class Score(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def file(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def fails(self, expected, *arguments):
        result = score(*arguments)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn(expected, result.stderr)
        self.assertNotIn("Traceback", result.stderr)

    def test_packages_say_the_same(self):
        expected = json.loads((INPUTS / "expected.json").read_text())
        files = [INPUTS / f"{name}.txt" for name in ("source", "answers", "a", "b", "c")]
        for draws in (1, 500):
            found = measured("gleu", *files, "--draws", draws)["gleu"]
            self.assertAlmostEqual(found, expected["sentences"][f"gleu {draws}"], 3)
        for name in ("effects", "equal"):
            found = measured("uplift", INPUTS / f"{name}.tsv")
            for measure, value in expected[name].items():
                self.assertAlmostEqual(found[measure], value, 5)

    def test_published_figures(self):
        if not JFLEG.exists():
            self.skipTest(f"{JFLEG} is not there")
        for part, value in (("dev", 38.21), ("test", 40.54)):
            source = JFLEG / part / f"{part}.src"
            references = [JFLEG / part / f"{part}.ref{k}" for k in range(4)]
            self.assertAlmostEqual(measured("gleu", source, source, *references)["gleu"],
                                   value, delta=0.005)

    def test_published_example(self):
        found = measured("m2", self.file("gold.m2", EXAMPLE), self.file("out", ANSWERS))
        self.assertEqual(found, {"precision": 0.8, "recall": 0.8, "f0.5": 0.8})

    def test_edits_are_the_best_ones(self):
        rng, checked = random.Random(3), 0
        for _ in range(120):
            source = [rng.choice("ab") for _ in range(rng.randint(0, 4))]
            answer = [rng.choice("abc") for _ in range(rng.randint(0, 3))]
            gold = []
            for _ in range(rng.randint(0, 3)):
                begin = rng.randint(0, len(source))
                end = rng.randint(begin, min(len(source), begin + 2))
                words = tuple(rng.choice("abc") for _ in range(rng.randint(0, 2)))
                gold.append((begin, end, [words]))
            gold.sort(key=lambda edit: edit[:2])
            unchanged = rng.randint(0, 2)
            arcs, kept = m2.arcs_of(source, answer, unchanged)
            found = m2.best_reading(source, answer, gold, arcs, kept)
            self.assertEqual(found, best_by_trying(source, answer, gold, unchanged),
                             (source, answer, gold, unchanged))
            checked += found[0] > 0
        self.assertGreater(checked, 20)

    def test_edges(self):
        empty = self.file("empty.m2", "")
        nothing = self.file("nothing", "")
        self.assertEqual(measured("m2", empty, nothing),
                         {"precision": 1, "recall": 1, "f0.5": 1})
        line = self.file("line", "\n")
        self.assertEqual(measured("gleu", line, line, line)["gleu"], 100)
        self.assertEqual(measured("m2", self.file("one.m2", "S \n"), line)["f0.5"], 1)
        long = self.file("long", " ".join(["a"] * 3000) + "\n")
        self.assertEqual(measured("gleu", long, long, long)["gleu"], 100)

    def test_quintiles(self):
        """Ten examples: a has half of them, b and c a fifth each, d a tenth."""
        train = self.file("train.tsv", "text\tlabel:class\n" + "".join(
            f"w\t{label}\n" for label in "abacabadac"))
        answers = self.file("answers.tsv", "example\ttarget\tprediction\n" + "".join(
            f"0\t{target}\t{said}\n" for target, said in
            ("aa", "aa", "ab", "bb", "cc", "ca", "dd", "dc", "ea")))
        self.assertEqual(measured("quintiles", train, answers), {
            "accuracy_2": 0.666667, "classes_2": 1, "examples_2": 3,  # a: 0 to 5 of 10
            "accuracy_4": 1, "classes_4": 1, "examples_4": 1,  # b: 5 to 7
            "accuracy_5": 0.4, "classes_5": 2, "examples_5": 5})  # c, d, and e, which is new
        self.fails("expected one column 'kind'", "quintiles", train, answers, "--label", "kind")
        self.fails("expected one column 'target'", "quintiles", train, train)
        self.fails("expected lines", "quintiles", self.file("none.tsv", "label\n"), answers)

    def test_output_that_takes_nothing(self):
        line = self.file("line", "a\n")
        for channel, error in ((">/dev/full", "standard output: No space left on device"),
                               (">&-", "expected a standard output, but it is closed")):
            result = subprocess.run(
                ["sh", "-c", f'exec "$0" gleu "$1" "$1" "$1" {channel}',
                 ROOT / "tools" / "score", line], capture_output=True, text=True, check=False)
            self.assertEqual((result.returncode, result.stderr), (1, f"score: error: {error}\n"))

    def test_bad_files(self):
        gold, out = self.file("gold.m2", EXAMPLE), self.file("out", ANSWERS)
        self.fails("expected 3 lines, one for each sentence", "m2", gold,
                   self.file("short", "A\n"))
        for text, error in (("A 0 1|||a|||b\n", "expected a line of 'S ' or 'A '"),
                            ("S a\nA 1\n", "expected an edit 'A BEGIN END"),
                            ("S a\nA 1 0|||a|||b|||c|||d|||0\n", "ends behind its begin"),
                            (b"S \xff\n", "expected UTF-8")):
            self.fails(error, "m2", self.file("bad.m2", text), out)
        self.fails("expected 3 lines as in", "gleu", out, self.file("one", "a\n"), out)
        for draws in (0, -1, 1 << 63):
            self.fails(f"expected --draws from 1 to 1000000, but got {draws}", "gleu", out, out,
                       out, "--draws", draws)
        for beta in ("0", "nan", "inf", "1e300"):
            self.fails("expected --beta above 0", "m2", gold, out, "--beta", beta)
        self.fails("No such file", "m2", self.folder / "none", out)
        head = "score\ttreated\toutcome\n"
        for text, error in (("", "expected a first line"),
                            ("score\ttreated\n", "expected one column 'outcome'"),
                            (head + "1\t0\n", "expected 3 columns, but got 2"),
                            (head + "x\t0\t1\n", "expected a number, but got 'x'"),
                            (head + "nan\t0\t1\n", "expected a number, but got 'nan'"),
                            (head + "1\t2\t1\n", "expected 0 or 1, but got 2"),
                            (head + "1\t1\t1\n", "expected treated and untreated people")):
            self.fails(error, "uplift", self.file("bad.tsv", text))


if __name__ == "__main__":
    unittest.main()
