#===-- tools/checks/count.py - Counts the tests of a stage of tools/check --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Prints `passed=N failed=N` for what a test driver left behind.

usage: count.py junit FILE | lit FILE | line FILE
       count.py unittest FOLDER FILE    (runs *_test.py, writes the counts line)
"""

import json
import os
import re
import sys
import unittest
import xml.etree.ElementTree as ElementTree

from watch import Watch, limit_processor

SECONDS = 300  # of a processor, for each program that a test runs.
LIT_PASSES = {"PASS", "XFAIL", "FLAKYPASS"}
LIT_FAILURES = {"FAIL", "XPASS", "UNRESOLVED", "TIMEOUT"}


def junit(path):
    cases = list(ElementTree.parse(path).getroot().iter("testcase"))
    failed = sum(c.get("status") == "fail" or c.find("failure") is not None
                 or c.find("error") is not None for c in cases)
    skipped = sum(c.find("skipped") is not None
                  or c.get("status") in ("notrun", "disabled") for c in cases)
    return len(cases) - failed - skipped, failed


def lit(path):
    with open(path, encoding="utf-8") as file:
        codes = [test["code"] for test in json.load(file)["tests"]]
    return (sum(c in LIT_PASSES for c in codes), sum(c in LIT_FAILURES for c in codes))


def line(path):
    with open(path, encoding="utf-8") as file:
        found = re.findall(r"^(\d+) passed, (\d+) failed$", file.read(), re.MULTILINE)
    return tuple(map(int, found[-1]))


def run_unittests(folder, path):
    """Runs every *_test.py below the folder, each as a module of its own."""
    suite = unittest.TestSuite()
    for where, _, names in sorted(os.walk(folder)):
        for name in sorted(n for n in names if n.endswith("_test.py")):
            sys.path.insert(0, where)
            suite.addTests(unittest.defaultTestLoader.loadTestsFromName(name[:-3]))
    limit_processor(SECONDS)
    watch = Watch()
    watch.start()
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
    print(watch.stop(), end="")
    failed = len(result.failures) + len(result.errors)
    failed += len(result.unexpectedSuccesses)
    passed = result.testsRun - failed - len(result.skipped)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{passed} passed, {failed} failed\n")
    return 1 if failed else 0


def main(arguments):
    if arguments[:1] == ["unittest"]:
        return run_unittests(*arguments[1:])
    try:
        passed, failed = {"junit": junit, "lit": lit, "line": line}[arguments[0]](
            arguments[1])
    except (OSError, ValueError, LookupError, ElementTree.ParseError) as error:
        print(f"count.py: error: cannot count tests in {arguments[1]}: {error}",
              file=sys.stderr)
        passed, failed = 0, 1  # Nothing was run, or not to its end.
    print(f"passed={passed} failed={failed}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
