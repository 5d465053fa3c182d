#===-- test/Tools/side_by_side_test.py - Tables of measurements ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""What test/Benchmark/side-by-side says of measurements that are there."""

import json
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMMAND = ROOT / "test/Benchmark/side-by-side"


def record(part, engine, values, **more):
    return {"part": part, "case": "a", "batch": 8, "threads": 1, "engine": engine,
            "unit": "GFLOP/s" if part == "products" else "trees/s", "values": values, **more}


PRODUCTS = [record("products", "Cambium", [80, 90, 60], bound=100),
            record("products", "OpenBLAS", [40, 100, 30], bound=100),
            record("products", "oneDNN", [10, 10, 10], bound=100)]
# 100e9 operations a second are 1,000 trees.
TREES = [record("trees", "Cambium", [700, 800, 750], operations=1e8),
         record("trees", "PyTorch", [350, 400, 250], operations=1e8)]


class SideBySide(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = pathlib.Path(self.folder.name)

    def render(self, records):
        (self.out / "results.jsonl").write_text(
            "".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
        return self.run_command("--render").stdout

    def run_command(self, *arguments):
        return subprocess.run([COMMAND, "--out", self.out, *arguments], text=True,
                              capture_output=True, check=False)

    def test_tables(self):
        text = self.render(PRODUCTS + TREES)
        # 80 / 40, 90 / 100 and 60 / 30: the median of the ratios, not their ratio.
        self.assertIn("| a | 1 | 8 | 80 (60 to 90) | 40 (30 to 100) | 10 (10 to 10) | 2.00 "
                      "| 80% |", text)
        self.assertIn("| a | 1 | 8 | 750 (700 to 800) | 350 (250 to 400) | 2.00 | 75% |", text)
        self.assertEqual((self.out / "results.md").read_text(encoding="utf-8"),
                         text[:-1])

    def test_picture(self):
        self.render(PRODUCTS + TREES)
        picture = (self.out / "bounds.svg").read_text(encoding="utf-8")
        self.assertIn("products: % of the bound", picture)
        self.assertIn("trees: % of the bound", picture)

    def test_without_products_there_is_no_bound(self):
        text = self.render(TREES)
        self.assertIn("| 350 (250 to 400) | 2.00 |  |", text)
        self.assertNotIn("% of the bound",
                         (self.out / "bounds.svg").read_text(encoding="utf-8"))

    def test_errors(self):
        result = self.run_command("--parts", "chess")
        self.assertEqual(result.returncode, 2)
        self.assertIn("expected parts among products, trees, encoders, but got 'chess'",
                      result.stderr)
        result = self.run_command("--render")
        self.assertEqual(result.returncode, 1)
        self.assertIn("expected measurements in", result.stderr)


if __name__ == "__main__":
    unittest.main()
