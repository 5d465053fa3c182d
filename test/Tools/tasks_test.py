#===-- test/Tools/tasks_test.py - What a memory keeps --------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""K-means and what a memory keeps; measures of a course; tables. tools/tasks as a whole is
in tasks.test."""

import pathlib
import sys
import tempfile
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from tasking import choose
from tasking.course import measures
from tasking.table import Table, TaskError


class Choose(unittest.TestCase):
    def test_one_point_of_each_cluster(self):
        rng = np.random.default_rng(1)
        places = np.array([[0, 0], [50, 0], [0, 50], [50, 50], [25, 100]])
        points = np.concatenate([place + rng.normal(size=(40, 2)) for place in places])
        for seed in range(5):
            chosen = choose.central(points, 5, seed)
            self.assertEqual(sorted(k // 40 for k in chosen), [0, 1, 2, 3, 4])
            for k in chosen:  # The nearest one to the mean.
                own = points[k // 40 * 40:][:40]
                away = ((own - own.mean(0)) ** 2).sum(1)
                self.assertEqual(away.argmin(), k % 40)
        self.assertEqual(choose.central(points, 5, 1), choose.central(points, 5, 1))

    def test_rounds_bring_points_nearer(self):
        points = np.random.default_rng(2).normal(size=(300, 4))
        sums = [choose.distances(points, choose.kmeans(points, 12, 3, rounds)).min(1).sum()
                for rounds in range(8)]
        self.assertEqual(sums, sorted(sums, reverse=True))
        self.assertLess(sums[-1], 0.9 * sums[0])

    def test_edges(self):
        self.assertEqual(choose.central(np.zeros((4, 3)), 4, 1), [0, 1, 2, 3])
        self.assertEqual(len(set(choose.central(np.zeros((9, 3)), 4, 1))), 4)
        self.assertEqual(choose.central([[1.0]], 1, 1), [0])
        self.assertEqual(choose.central([[1.0], [2.0], [4.0]], 3, 1), [0, 1, 2])
        self.assertEqual(choose.drawn(3, 3, 1), [0, 1, 2])
        self.assertEqual(choose.drawn(2, 100, 1), choose.drawn(2, 100, 1))


class Course(unittest.TestCase):
    def test_measures(self):
        self.assertEqual(measures([[0.5]]), {"mean": 0.5})
        found = measures([[0.9, 0.1, 0], [0.5, 0.8, 0], [0.6, 0.4, 0.8]])
        self.assertAlmostEqual(found["mean"], 0.6)
        # The best of before less the last: 0.9 - 0.6 and 0.8 - 0.4.
        self.assertAlmostEqual(found["forgotten"], 0.35)

    def test_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "table.tsv")
            path.write_bytes("a:words\tb:id\n\u00e9 x\t1\r\n\n y\t2\n".encode())
            table = Table.read(path)
            self.assertEqual(table.rows, [["\u00e9 x", "1"], [" y", "2"]])
            self.assertEqual(table.with_columns(["c:id"], [["3"], ["4"]]).rows[1],
                             [" y", "2", "4"])
            table.write(path)
            self.assertEqual(path.read_text(encoding="utf-8"),
                             "a:words\tb:id\n\u00e9 x\t1\n y\t2\n")
            for data, text in ((b"", "expected a first line"), (b"a\tb\n1\n", "got 1"),
                               (b"a\n\xff\n", "expected UTF-8")):
                path.write_bytes(data)
                with self.assertRaisesRegex(TaskError, text):
                    Table.read(path)
            with self.assertRaisesRegex(TaskError, "expected the columns of"):
                table.append(Table("other", ["a:words"], []))


if __name__ == "__main__":
    unittest.main()
