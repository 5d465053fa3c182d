#===-- Inputs/terminate.py - Terminated while it waits -------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: terminate.py COMMAND...

Runs a command that comes to wait for ever, sends it SIGTERM once it has had no reason to
run at 30 looks one after the other, and prints how it ended."""
import signal
import subprocess
import sys
import time

import psutil

process = subprocess.Popen(sys.argv[1:])
seen = psutil.Process(process.pid)
looks, last = 0, None
while looks < 30 and process.poll() is None:
    time.sleep(0.01)
    used = seen.cpu_times()[:2]
    waits = seen.status() == psutil.STATUS_SLEEPING
    looks = looks + 1 if waits and used == last else 0
    last = used
process.send_signal(signal.SIGTERM)
code = process.wait()
print("terminated" if code in (143, -signal.SIGTERM) else f"exit code {code}")
