#===-- test/Tools/draw_test.py - The pictures of measurements ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The pictures of docs/Performance.md show the numbers that stand beside them."""

import os
import subprocess
import tempfile
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..",
                                     ".."))
PICTURES = os.path.join(ROOT, "docs", "Performance")


def lines(folder, name):
    """The picture without what a version of the library writes of itself."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        text = file.read()
    return text[text.index("</metadata>"):].splitlines()


class Draw(unittest.TestCase):
    def test_pictures_are_those_of_the_data(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([os.path.join(ROOT, "test", "Benchmark", "draw"), "--out",
                            folder], check=True, capture_output=True)
            names = sorted(os.listdir(folder))
            self.assertEqual(names, sorted(n for n in os.listdir(PICTURES)
                                           if n.endswith(".svg")))
            for name in names:
                self.assertEqual(lines(folder, name), lines(PICTURES, name),
                                 f"{name}: run test/Benchmark/draw")


if __name__ == "__main__":
    unittest.main()
