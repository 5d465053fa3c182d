#===-- test/processor_time.py - Limits that a busy machine keeps ---------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The format of lit's tests with a limit of processor time. Apart from lit.cfg.py,
since lit hands it to its workers by its name."""

import math
import resource

import lit.formats


class LimitedTest(lit.formats.ShTest):
    """Every process of a test has so many seconds of a processor, however many others
    want it: a clock on the wall would end tests of a busy machine. Processes that wait
    for nothing use none; for those there is lit's --timeout, far above."""

    SECONDS = 120

    def execute(self, test, lit_config):
        # Processes start at zero with the limit of this one, which has used some.
        usage = resource.getrusage(resource.RUSAGE_SELF)
        used = math.ceil(usage.ru_utime + usage.ru_stime)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        limit = used + self.SECONDS
        if hard != resource.RLIM_INFINITY:
            limit = min(limit, hard)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, hard))
        return super().execute(test, lit_config)
