#===-- test/Tools/side_by_side_test.py - Tables of measurements ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""What test/Benchmark/side-by-side says of measurements that are there, and the bound."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COMMAND = ROOT / "test/Benchmark/side-by-side"
sys.path[:0] = [str(ROOT / "test/Benchmark"), str(ROOT / "tools")]

import results  # noqa: E402
from roofline import Machine  # noqa: E402

PAGES = ("docs/Performance.md", "docs/Performance/Products.md")
MEASURED = ROOT / "docs/Performance/results.jsonl"


def record(part, engine, values, **more):
    return {"part": part, "case": "a", "batch": 8, "threads": 1, "engine": engine,
            "unit": "GFLOP/s" if part == "products" else "trees/s", "values": values, **more}


# 100e9 operations a second; 1 MB at 100e9 bytes a second, 4 MB and more at 25e9.
MACHINE = {"part": "machine", "peak": 100e9, "caches": {"1": 3e4, "2": 1e6, "3": 5e7},
           "bandwidth": [[1e6, 100e9], [4e6, 25e9], [1e8, 20e9]]}
LOOPS = [[1e9, 1e6, 1]]
PRODUCTS = [record("products", "Cambium", [80, 90, 60], loops=LOOPS),
            record("products", "OpenBLAS", [40, 100, 30], loops=LOOPS),
            record("products", "oneDNN", [10, 10, 10], loops=LOOPS)]
# A tree needs 1e8 operations.
TREES = [record("trees", "Cambium", [700, 800, 750], loops=[[1e8, 0, 1]]),
         record("trees", "PyTorch", [350, 400, 250])]
ENCODERS = [dict(record("encoders", engine, values), case="minilm dense",
                 unit="sentences/s")
            for engine, values in (("Cambium", [70, 75]), ("ONNX Runtime", [60, 50]))]
MODELS = [dict(record("models", "Cambium", [400], loops=[[1e6, 4e6, 12]]), batch=1e6,
               case=f"cells/lstm.mlir: {entry}", unit="calls/s")
          for entry in ("encode", "train.accumulate")]


class Bound(unittest.TestCase):
    def setUp(self):
        self.machine = Machine(MACHINE)

    def test_arithmetic_or_reading(self):
        self.assertEqual(self.machine.least([[1e9, 1e6, 1]]), (0.01, "arithmetic"))
        seconds, limit = self.machine.least([[1e6, 1e6, 10]])
        self.assertAlmostEqual(seconds, 1e-4)
        self.assertEqual(limit, "second cache")
        self.assertEqual(self.machine.least([[1e6, 4e6, 10]])[1], "third cache")
        self.assertEqual(self.machine.least([[1e6, 1e8, 10]])[1], "memory")

    def test_loops_follow_each_other(self):
        seconds, limit = self.machine.least([[1e9, 1e6, 1], [1e6, 4e6, 100]])
        self.assertAlmostEqual(seconds, 0.01 + 100 * 4e6 / 25e9)
        self.assertEqual(limit, "third cache")

    def test_between_sizes(self):
        # Half of the way from 1 MB to 4 MB by the logarithm.
        self.assertAlmostEqual(self.machine.bandwidth(2e6), 62.5e9)
        self.assertEqual(self.machine.bandwidth(1e3), 100e9)
        self.assertEqual(self.machine.bandwidth(1e9), 20e9)

    def test_a_disturbed_size_counts_as_the_next_one(self):
        machine = Machine(dict(MACHINE, bandwidth=[[1e6, 10e9], [4e6, 25e9]]))
        self.assertEqual(machine.bandwidth(1e6), 25e9)

    def test_threads(self):
        # Each has its core, and half of the weights.
        self.assertEqual(self.machine.least([[1e9, 2e6, 1]], 2), (0.005, "arithmetic"))
        self.assertAlmostEqual(self.machine.least([[1, 2e6, 10]], 2)[0], 1e-4)

    def test_nothing_to_do(self):
        self.assertEqual(self.machine.least([[0, 0, 1]]), (0, ""))


class SideBySide(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = pathlib.Path(self.folder.name)

    def render(self, records, *arguments):
        (self.out / "results.jsonl").write_text(
            "".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
        return self.run_command("--render", *arguments).stdout

    def run_command(self, *arguments):
        return subprocess.run([COMMAND, "--out", self.out, *arguments], text=True,
                              capture_output=True, check=False)

    def test_tables_and_page(self):
        page = self.out / "page.md"
        page.write_text("One.\n<!-- measured: products -->\nold\n<!-- end -->\n"
                        "<!-- measured: sick -->\nkept\n<!-- end -->\n"
                        "<!-- measured: models -->\n<!-- end -->\n", encoding="utf-8")
        text = self.render([MACHINE, *PRODUCTS, *TREES, *MODELS], "--page", page)
        # 80 / 40, 90 / 100 and 60 / 30: the median of the ratios, not their ratio.
        self.assertIn("| a | 8 | 80 (60 to 90) | 40 (30 to 100) | 10 (10 to 10) | 2.00 | 100 | "
                      "80% | arithmetic |", text)
        self.assertIn("| a | 8 | 750 (700 to 800) | 350 (250 to 400) | 2.00 | 1,000 | 75% | "
                      "arithmetic |", text)
        self.assertIn("| cells/lstm.mlir | encode | 2.5 | 1.92 | 77% | third cache |", text)
        self.assertEqual((self.out / "results.md").read_text(encoding="utf-8"), text[:-1])
        self.assertEqual(page.read_text(encoding="utf-8"), """One.
<!-- measured: products -->
| | 8 |
|---|---|
| a | 80 (2.00) 80% |
<!-- end -->
<!-- measured: sick -->
kept
<!-- end -->
<!-- measured: models -->
![The part of the bound, of all models](Performance/models.svg)

| operations of a call | functions | lowest | a quarter below | median | highest |
|---|---|---|---|---|---|
| forward, 1e6 to 1e8 | 1 | 77% | 77% | 77% | 77% |
| gradients, 1e6 to 1e8 | 1 | 77% | 77% | 77% | 77% |
<!-- end -->
""")

    def test_what_ended_early_is_left_out(self):
        early = dict(MODELS[0], values=[1e6])
        self.render([MACHINE, *MODELS, early])
        summary = results.model_summary(results.Results(self.out / "results.jsonl"))
        self.assertEqual(summary[2], "| forward, 1e6 to 1e8 | 1 | 77% | 77% | 77% | 77% |")
        self.assertEqual(summary[-1],
                         "Left out: 1 that did less than what is counted at most.")

    def test_pictures(self):
        self.render([MACHINE, *PRODUCTS, *TREES, *ENCODERS, *MODELS])
        for name, texts in (
                ("bounds", ["products: % of the bound", "trees: % of the bound"]),
                ("trees", ["a, trees per second", "PyTorch", "2.0 x"]),
                ("encoders", ["minilm, time over ours", "ONNX Runtime", "dense"]),
                ("models", ["gradients: % of the bound"])):
            picture = (self.out / f"{name}.svg").read_text(encoding="utf-8")
            for text in texts:
                self.assertIn(text, picture)
            # A power of ten is no formula.
            self.assertNotIn("mathdefault", picture)

    def test_without_the_machine_there_is_no_bound(self):
        text = self.render(TREES)
        self.assertIn("| 350 (250 to 400) | 2.00 |  |  |  |", text)
        self.assertNotIn("% of the bound",
                         (self.out / "bounds.svg").read_text(encoding="utf-8"))

    def test_errors(self):
        result = self.run_command("--parts", "chess")
        self.assertEqual(result.returncode, 2)
        self.assertIn("expected parts among products, trees, chains, sick, depth, encoders, "
                      "models, but got 'chess'", result.stderr)
        result = self.run_command("--render")
        self.assertEqual(result.returncode, 1)
        self.assertIn("expected measurements in", result.stderr)


class Page(unittest.TestCase):
    @unittest.skipUnless(MEASURED.exists(), "nothing was measured")
    def test_tables_are_those_of_the_measurements(self):
        for page in PAGES:
            text = (ROOT / page).read_text(encoding="utf-8")
            self.assertEqual(results.fill(text, results.Results(MEASURED)), text,
                             "run test/Benchmark/side-by-side --render "
                             f"--out docs/Performance --page {page}")


if __name__ == "__main__":
    unittest.main()
