#===-- test/processor_time.py - Limits that a busy machine keeps ---------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The format of lit's tests with limits of processor time. Apart from lit.cfg.py, since
lit hands it to its workers by its name."""

import os
import sys
import threading

import lit.formats
import lit.Test

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "tools"))
from checks.watch import IDLE_SECONDS, Watch, limit_processor  # noqa: E402


# About the seconds that a word of a command stands for: most time goes to compiling. A page or
# folder of models has several.
SECONDS_OF = {"cambium-compile": 3, "cambium-compare": 3, "cambium-difftest": 4,
              "check_golden.py": 5, "check-models": 50, "run-page": 50}


def expected_seconds(path):
    """About how long a test takes, for the order: at the end none should wait for a long one.
    lit knows it of tests that it has run before, and in a fresh clone of none."""
    with open(path, encoding="utf-8", errors="replace") as file:
        commands = [line for line in file if "RUN:" in line]
    return sum(SECONDS_OF.get(word.rpartition("/")[2], 0)
               for command in commands for word in command.split())


class LimitedTest(lit.formats.ShTest):
    """Every process of a test has so many seconds of a processor, however many others
    want it: a clock on the wall would end tests of a busy machine. Processes that wait
    for nothing use none; the watch ends those."""

    SECONDS = 120

    def __init__(self, *arguments, idle_seconds=IDLE_SECONDS, together=900, **options):
        super().__init__(*arguments, **options)
        self.idle_seconds, self.together = idle_seconds, together

    def getTestsForPath(self, *arguments):
        for test in super().getTestsForPath(*arguments):
            test.previous_elapsed = test.previous_elapsed or expected_seconds(test.getSourcePath())
            yield test

    def execute(self, test, lit_config):
        limit_processor(self.SECONDS)
        watch = Watch(self.idle_seconds, self.together)
        watch.start()
        try:
            result = super().execute(test, lit_config)
        finally:
            ended = watch.stop()
            # lit's own clock goes on where a command could not begin, and lit would
            # wait for its end.
            for thread in threading.enumerate():
                if isinstance(thread, threading.Timer):
                    thread.cancel()
        # For the report of lit (--output), of which the clock on the wall says little.
        result.addMetric("processor", lit.Test.RealMetricValue(watch.reaped() - watch.begin))
        if ended:
            result.code = lit.Test.FAIL
            result.output += ended
        return result
