#===-- test/Tools/limits_test.py - Tests that do not come to an end ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Long tests are first. A test that waits for ever, that begins again and again, or whose
command cannot begin, ends soon and says why."""

import os
import re
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..")
LIT = os.path.join(os.environ.get("CAMBIUM_LLVM", "/usr/lib/llvm-22"), "bin", "lit")
CONFIG = """import sys
sys.dont_write_bytecode = True
sys.path.insert(0, {test!r})
from processor_time import LimitedTest
config.name = "Limits"
config.test_format = LimitedTest(execute_external=False, idle_seconds=1.5, together=2)
config.suffixes = [".test"]
config.test_exec_root = {out!r}
"""


@unittest.skipUnless(os.path.exists(LIT), "no lit")
class Limits(unittest.TestCase):
    def run_test(self, text, **others):
        """What lit says of a test with this text, and of others."""
        with tempfile.TemporaryDirectory() as folder:
            config = CONFIG.format(test=os.path.join(ROOT, "test"),  out=os.path.join(folder, "out"))
            tests = {f"{name}.test": content for name, content in {"a": text, **others}.items()}
            for name, content in {"lit.cfg.py": config, **tests}.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(content)
            result = subprocess.run([LIT, "-v", "-j1", "--timeout", "3600", folder], check=False,
                                    capture_output=True, text=True)
        return result.stdout + result.stderr

    def test_long_tests_are_first(self):
        said = self.run_test("RUN: echo\n", b="RUN: echo cambium-compile\n",
                             c="RUN: echo a/check_golden.py\nRUN: echo a/check_golden.py\n")
        self.assertEqual(re.findall(r"PASS: Limits :: (.)", said), ["c", "b", "a"])

    def test_waits_for_ever(self):
        said = self.run_test("RUN: echo first\nRUN: sleep 5000 | wc -l\nRUN: echo last\n")
        self.assertIn("FAIL: Limits :: a.test", said)
        self.assertIn("ended, since no process ran for 1.5 seconds:\n  sleep 5000\n  wc -l",
                      said)
        self.assertIn("echo first", said)
        self.assertNotIn("echo last", said)

    def test_computes_and_waits(self):
        loop = "for i in 1 2 3 4 5 6; do sleep 0.5; seq 2000000 > /dev/null; done"
        self.assertIn("PASS: Limits :: a.test", self.run_test(f"RUN: sh -c '{loop}'\n"))

    def test_begins_for_ever(self):
        said = self.run_test("RUN: sh -c 'while :; do seq 300000 | sort; done' > %t\n")
        self.assertIn("FAIL: Limits :: a.test", said)
        self.assertIn("ended, since its processes used 2 seconds:\n  sh -c", said)

    def test_cannot_begin(self):
        said = self.run_test("RUN: cat < no-such-file\n")
        self.assertIn("UNRESOLVED: Limits :: a.test", said)
        self.assertIn("no-such-file", said)


if __name__ == "__main__":
    unittest.main()
