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


class LimitedTest(lit.formats.ShTest):
    """Every process of a test has so many seconds of a processor, however many others
    want it: a clock on the wall would end tests of a busy machine. Processes that wait
    for nothing use none; the watch ends those."""

    SECONDS = 120

    def __init__(self, *arguments, idle_seconds=IDLE_SECONDS, together=900, **options):
        super().__init__(*arguments, **options)
        self.idle_seconds, self.together = idle_seconds, together

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
        if ended:
            result.code = lit.Test.FAIL
            result.output += ended
        return result
