#===-- test/Embedding/check_python.py - The package for Python ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: check_python.py SUM_MODULE [MODULE]

The package of runtime/python, as pip installs it, with the modules of model.mlir
and of python.mlir. CAMBIUM_RUNTIME names the library."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1] / "runtime" / "python"
DATA_HOME = pathlib.Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser()
INSTALLER = DATA_HOME / "cambium" / "python" / "bin" / "python"
SUMS, OTHER = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None


def install(folder):
    """The package in a folder: by pip, where tools/setup has made a Python that has it."""
    if not INSTALLER.exists():
        print(f"{INSTALLER} is not there: the package is used without pip")
        return str(SOURCE)
    target = str(pathlib.Path(folder) / "installed")
    subprocess.run([INSTALLER, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
                    "--no-build-isolation", "--disable-pip-version-check", "--target", target,
                    SOURCE], check=True)
    return target


# Closed when the tests end.
FOLDER = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
INSTALLED = install(FOLDER.name)
sys.path.insert(0, INSTALLED)

try:
    import numpy as np
except ImportError:
    print("numpy is not there: skipped")
    sys.exit(0)
import cambium

TREE = {"tree": [2, 2, -1], "tokens": [4, 5, 0]}


class Package(unittest.TestCase):
    def refused(self, text, call, *arguments):
        with self.assertRaises(cambium.CambiumError) as caught:
            call(*arguments)
        self.assertIn(text, str(caught.exception))

    def test_program_of_the_guide(self):
        result = subprocess.run([sys.executable, HERE / "predict.py", SUMS], text=True,
                                env={**os.environ, "PYTHONPATH": INSTALLED},
                                capture_output=True, check=True)
        *worth, counted = result.stdout.splitlines()
        for number, expected in zip(worth, (-1, -3, -1), strict=True):
            self.assertAlmostEqual(float(number), expected, delta=0.02)
        self.assertEqual(counted, "3 asked, 2 computed")

    def test_parameters_and_checkpoints(self):
        model = cambium.Model(SUMS)
        values = np.arange(10, dtype=np.float32).reshape(10, 1)
        model.set_parameter("value", values)
        predict = model.function()
        self.assertEqual(predict([TREE])[0]["out0"].tolist(), [9])
        path = os.path.join(FOLDER.name, "checkpoint")
        model.save(path)
        again = cambium.Model(SUMS, path)
        np.testing.assert_array_equal(again.parameters()["value"], values)
        self.assertEqual(again.functions(), ["predict"])
        self.assertEqual(predict([]), [])
        # Child lists, other types of whole numbers, a node that is a root alone.
        tokens = np.array([4, 5, 0], np.int64)
        many = predict([{"tree": [[], [], [0, 1]], "tokens": tokens},
                        {"tree": np.array([-1]), "tokens": [7]}])
        self.assertEqual([m["out0"].tolist() for m in many], [[9], [7]])
        for name, value, text in (("none", values, "expected a parameter"),
                                  ("value", values[:3], "'value': expected rows of the shape"),
                                  ("value", [["x"]], "expected float32, but got <U1")):
            self.refused(text, model.set_parameter, name, value)

    def test_calls_need_no_step(self):
        model, other = cambium.Model(SUMS, seed=3), cambium.Model(SUMS, seed=3, for_calls=True)
        example = [{**TREE}]
        self.assertEqual(other.function()(example)[0]["out0"].tolist(),
                         model.function()(example)[0]["out0"].tolist())
        self.refused("expected a store of cambium_store_create", other.step(),
                     [{**TREE, "target": [1]}], 0.1)

    def test_version_is_that_of_the_runtime(self):
        version = (SOURCE.parent / "cmake" / "CambiumVersion.cmake").read_text()
        number = re.search(r"CAMBIUM_VERSION (\d+\.\d+\.\d+)", version)[1]
        self.assertIn(f'version = "{number}"', (SOURCE / "pyproject.toml").read_text())

    def test_bad_examples_change_nothing(self):
        model = cambium.Model(SUMS, seed=3)
        predict = model.function()
        for example, text in (
                ({"tree": [0]}, "expected tree, tokens, but got tree"),
                ({**TREE, "tokens": [1, 2]}, "'tokens'"),
                ({**TREE, "tokens": [1, 2, 10]}, "expected an id in [0, 10)"),
                ({**TREE, "tokens": [1, 2, 2**40]}, "expected int32, but got"),
                ({**TREE, "tokens": [1.5, 2, 3]}, "expected int32, but got float64"),
                ({**TREE, "tokens": [[1], [2], [3]]}, "expected rows of the shape ()"),
                ({**TREE, "tokens": [[1], [2, 3]]}, "expected int32"),
                ({**TREE, "tree": [0.5, 1, -1]}, "expected whole numbers of 32 bits"),
                ({**TREE, "tree": [1, 0, -1]}, "cycle"),
                ({**TREE, "tree": 3}, "example 1 of 'predict'"),
                (3, "expected a dictionary"), ({**TREE, "tokens": None}, "expected int32")):
            self.refused(text, predict, [TREE, example])
            self.assertEqual(predict([TREE])[0]["out0"].tolist(), [0])
        self.refused("expected a function of the module (predict), but got 'x'",
                     model.function, "x")
        self.refused("cannot open", cambium.Model, "/no/module.so")
        self.refused("/no/checkpoint", cambium.Model, SUMS, "/no/checkpoint")
        self.refused("has no training step", model.step, "x")
        step = model.step()
        self.refused("has no parameter group", step, [{**TREE, "target": [1]}], {"other": 0.1})

    def test_cache(self):
        model = cambium.Model(SUMS)
        model.set_parameter("value", np.arange(10).reshape(10, 1))
        calls = []

        class Counting:
            """The function, which says how it is called."""
            name, random = "predict", False

            def __init__(self):
                self.model = model

            def __call__(self, examples):
                calls.append(len(examples))
                return model.function()(examples)

        def leaf(token):
            return {"tree": [-1], "tokens": np.array([token])}
        cached = cambium.Cached(Counting(), size=3, batch=2)
        answers = cached([leaf(t) for t in (1, 2, 1, 3, 4, 5)])
        self.assertEqual([float(a["out0"][0]) for a in answers], [1, 2, 1, 3, 4, 5])
        self.assertEqual(calls, [2, 2, 1])
        cached([leaf(5), leaf(4), leaf(3)])
        self.assertEqual((calls, cached.asked, cached.computed), ([2, 2, 1], 9, 5))
        cached([leaf(2)])  # Was dropped: there is room for three.
        self.assertEqual(calls, [2, 2, 1, 1])
        with self.assertRaises(ValueError):
            answers[0]["out0"][0] = 7
        model.set_parameter("value", np.ones((10, 1)))  # Makes old answers wrong.
        self.assertEqual(cached([leaf(2)])[0]["out0"].tolist(), [1])
        self.refused("at least 1", lambda: cambium.Cached(Counting(), size=0))

    @unittest.skipIf(OTHER is None, "there is no compiler")
    def test_rows_of_rows_and_graphs(self):
        model = cambium.Model(OTHER)
        self.assertEqual(sorted(model.functions()), ["drawn", "sums", "ways"])
        sums = model.function("sums")
        first = {"x": [[1, 2, 3], [], [4.5]], "v": [1, 2], "k": 2}
        second = {"x": [], "v": np.array([3, 4]), "k": 2}
        found = sums([first, second, first])
        for answer, rows, scaled in zip(found, ([12, 0, 9], [], [12, 0, 9]),
                                        ([2, 4], [6, 8], [2, 4]), strict=True):
            self.assertEqual(answer["sums"].tolist(), rows)
            self.assertEqual(answer["scaled"].tolist(), scaled)
        self.refused("'k'", sums, [first, {**second, "k": 3}])
        ways = model.function("ways")
        diamond = {"graph": [[1, 2], [3], [3], []], "leaf": [0, 0, 0, 1]}
        self.assertEqual(float(ways([diamond])[0]["out0"]), 2)
        drawn = model.function("drawn")
        self.refused("draws random numbers", cambium.Cached, drawn)
        zero = {"v": [0, 0]}
        one, two = drawn([zero, zero], seed=5)
        self.assertNotEqual(one["out0"].tolist(), two["out0"].tolist())
        self.assertEqual(drawn([zero], first=1, seed=5)[0]["out0"].tolist(),
                         two["out0"].tolist())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
