#===-- test/Models/coba_data_test.py - Tests of the CobA data generator ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The generated data obey the definition of each partition and Table 7.6."""

import filecmp
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..")
COBA = os.path.normpath(os.path.join(ROOT, "models", "coba"))
sys.path[:0] = [COBA, os.path.join(ROOT, "tools")]

from coba import expressions as ex
from coba import files, statistics
from coba.partitions import PARTITIONS, has_one_parity


def run(script, *arguments):
    return subprocess.run([os.path.join(COBA, script), *arguments],
                          capture_output=True, text=True, check=False)


class Expressions(unittest.TestCase):
    def test_value_of_prefix_notation(self):
        expression = ex.parse("+ 4 * 5 2")
        self.assertEqual(expression, ("+", 4, ("*", 5, 2)))
        self.assertEqual(ex.evaluate(expression), 14)
        self.assertEqual(ex.count_operators(expression), 2)
        self.assertEqual(ex.to_text(expression), "+ 4 * 5 2")

    def test_bad_text_is_refused(self):
        for text, message in (("+ 4", "another operand"), ("4 5", "but got more"),
                              ("+ 4 x", "but got 'x'"), ("101", "but got '101'"),
                              ("", "another operand"), ("0", "but got '0'")):
            with self.subTest(text), self.assertRaisesRegex(ValueError, message):
                ex.parse(text)

    def test_count_is_the_number_of_different_expressions(self):
        def all_of(value, operators):
            if operators == 0:
                return {value}
            found = set()
            for a in range(1, value + 1):
                for b in range(1, value + 1):
                    for name in "+*":
                        if (a + b if name == "+" else a * b) != value:
                            continue
                        if name == "*" and 1 in (a, b):
                            continue
                        for inner in range(operators):
                            found |= {(name, x, y) for x in all_of(a, inner)
                                      for y in all_of(b, operators - 1 - inner)}
            return found

        for value, operators in ((1, 1), (6, 1), (6, 2), (9, 3), (12, 2)):
            with self.subTest(value=value, operators=operators):
                self.assertEqual(ex.count_with(value, operators),
                                 len(all_of(value, operators)))

    def test_swaps_and_evaluations(self):
        expression = ex.parse("+ * 2 3 + 4 4")
        self.assertEqual({ex.to_text(e) for e in ex.swapped_once(expression)},
                         {"+ + 4 4 * 2 3", "+ * 3 2 + 4 4"})
        self.assertEqual({ex.to_text(e) for e in ex.evaluated_once(expression)},
                         {"+ 6 + 4 4", "+ * 2 3 8"})
        levels = ex.neighbours(expression, ex.evaluated_once, 2)
        self.assertEqual({ex.to_text(e) for e in levels[1]}, {"+ 6 8"})


class Partitions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        result = run("generate", "--out", cls.folder.name, "--seed", "7")
        assert result.returncode == 0, result.stderr
        cls.data = {n: files.read_partition(os.path.join(cls.folder.name, n))
                    for n in PARTITIONS}

    def in_domain(self, name):
        return [r[0] for part in ("train", "dev") for r in self.data[name][part]]

    def generalization(self, name):
        return [r[0] for r in self.data[name]["generalization"] if r[2] == 0]

    def test_sizes_and_no_expression_twice(self):
        for name, parts in self.data.items():
            with self.subTest(name):
                self.assertEqual(len(parts["train"]), 21_600)
                self.assertEqual(len(parts["dev"]), 2_400)
                together = self.in_domain(name) + self.generalization(name)
                self.assertEqual(len(together), 36_000)
                self.assertEqual(len(set(together)), 36_000)

    def test_values_are_in_range(self):
        for name in PARTITIONS:
            values = {ex.evaluate(e) for e in self.in_domain(name)}
            self.assertGreaterEqual(min(values), 1)
            self.assertLessEqual(max(values), 100)
            self.assertGreater(len(values), 90)

    def test_systematicity(self):
        self.assertTrue(all(map(has_one_parity, self.in_domain("systematicity"))))
        self.assertFalse(any(map(has_one_parity, self.generalization("systematicity"))))

    def test_productivity(self):
        counts = [ex.count_operators(e) for e in self.generalization("productivity")]
        self.assertEqual({k: counts.count(k) for k in set(counts)},
                         {k: 2000 for k in range(4, 10)})

    def check_tuples(self, name, step):
        """Every expression has a partner of its level; both levels are common."""
        rows = self.data[name]["generalization"]
        self.assertEqual(len(rows), 24_000)
        levels = []
        for (first, tuple1, level1), (second, tuple2, level2) in zip(rows[::2],
                                                                     rows[1::2]):
            self.assertEqual((tuple1, level1), (tuple2, 0))
            self.assertIn(second, ex.neighbours(first, step, 2)[level2 - 1])
            self.assertEqual(ex.evaluate(first), ex.evaluate(second))
            levels.append(level2)
        self.assertEqual(set(levels), {1, 2})
        self.assertGreater(levels.count(2), 3000)

    def test_substitutivity_tuples(self):
        self.check_tuples("substitutivity", ex.swapped_once)
        known = set(map(ex.canonical, self.in_domain("substitutivity")))
        self.assertEqual(len(known), 24_000)
        self.assertFalse(known & set(map(ex.canonical,
                                         self.generalization("substitutivity"))))

    def test_localism_tuples(self):
        self.check_tuples("localism", ex.evaluated_once)
        known = set(self.in_domain("localism"))
        for expression in known | set(self.generalization("localism")):
            for near in ex.neighbours(expression, ex.evaluated_once, 2):
                self.assertFalse(near & known)

    def test_statistics_of_the_thesis(self):
        result = run("check_statistics", self.folder.name)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout.count("general."), 5)

    def test_statistics_of_other_data_are_refused(self):
        expressions = self.generalization("productivity")
        found = statistics.measure(expressions, frozenset())
        texts = statistics.differences(found, statistics.TABLE["random"][1])
        self.assertIn("max_operators: expected exactly 3, but got 9.00", texts)

    def test_same_seed_same_bytes(self):
        with tempfile.TemporaryDirectory() as other:
            for seed, expected in (("7", True), ("8", False)):
                run("generate", "--out", other, "--partition", "random", "--seed", seed)
                for name in ("random/train.tsv", "embeddings.safetensors"):
                    same = filecmp.cmp(os.path.join(self.folder.name, name),
                                       os.path.join(other, name), shallow=False)
                    self.assertEqual(same, expected, (seed, name))

    def test_share_of_products_can_be_set(self):
        from coba.partitions import random_partition
        rows = random_partition(0, 0.53)["train"]
        share = sum(ex.has_product(r[0]) for r in rows) / len(rows)
        self.assertAlmostEqual(share, 0.53, delta=0.02)

    def test_embeddings(self):
        import numpy
        with open(os.path.join(self.folder.name, "embeddings.safetensors"), "rb") as f:
            header = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
            data = f.read()
        tables = {}
        for name, entry in header.items():
            begin, end = entry["data_offsets"]
            tables[name] = numpy.frombuffer(data[begin:end], "<f4").reshape(
                entry["shape"])
        dice = tables["dice"]
        self.assertEqual(dice.shape, (103, 256))
        self.assertFalse(dice[[0, 101, 102]].any())
        lengths = numpy.linalg.norm(dice[1:101], axis=1)
        self.assertLess(numpy.abs(lengths - 1).max(), 1e-3)
        # Neighbours are closer than numbers ten apart, and none are equal.
        near = numpy.linalg.norm(dice[1:91] - dice[2:92], axis=1)
        far = numpy.linalg.norm(dice[1:91] - dice[11:101], axis=1)
        self.assertGreater(near.min(), 0.01)
        self.assertTrue((far > near).all())
        self.assertEqual(tables["operators"].shape, (3, 256))
        # What marks the beginning and the end comes behind the operators.
        self.assertEqual(tables["marked"].shape, (5, 256))
        self.assertTrue((tables["marked"][:3] == tables["operators"]).all())
        self.assertFalse(tables["operators"][0].any())
        numpy.testing.assert_allclose(
            numpy.linalg.norm(tables["operators"][1:], axis=1), 1, atol=1e-6)


class Errors(unittest.TestCase):
    def test_unwritable_folder(self):
        with tempfile.NamedTemporaryFile() as file:
            result = run("generate", "--out", os.path.join(file.name, "x"))
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, "generate: error: .*: Not a dir")

    def test_bad_options(self):
        for arguments, message in ((["--partition", "x"], "invalid choice: 'x'"),
                                   (["--products", "2"], "but got 2.0"),
                                   (["--dimension", "1"], "but got 1")):
            result = run("generate", "--out", "unused", *arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn(message, result.stderr)

    def test_wrong_value_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "train.tsv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("\t".join(files.COLUMNS) + "\n+ 1 2\t4\t1\t0\t0\n")
            with self.assertRaisesRegex(ValueError, r"train.tsv:2: expected the value "
                                        "3, but got 4"):
                files.read_part(path)

    def test_no_data(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run("check_statistics", folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("expected partitions", result.stderr)


if __name__ == "__main__":
    unittest.main()
