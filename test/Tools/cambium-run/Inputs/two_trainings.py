#===-- Inputs/two_trainings.py - Two trainings in one folder -------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: two_trainings.py FOLDER COMMAND...

Starts `COMMAND --out FOLDER`, stops it once it is at work, and then the same with
--resume. Then kills the first one and resumes it."""
import os
import signal
import subprocess
import sys
import time

folder, *command = sys.argv[1:]
command += ["--out", folder]
first = subprocess.Popen(command, stdout=subprocess.DEVNULL)
while first.poll() is None and not os.path.exists(f"{folder}/config.json"):
    time.sleep(0.001)
first.send_signal(signal.SIGSTOP)
second = subprocess.run(command + ["--resume"], stdout=subprocess.DEVNULL,
                        stderr=subprocess.PIPE, text=True, check=False)
print(second.stderr, end="")
print(f"exit code {second.returncode}")
first.send_signal(signal.SIGKILL)
first.wait()
print("left behind:", *[name for name in os.listdir(folder) if name == "lock"])
resumed = subprocess.run(command + ["--resume"], stdout=subprocess.DEVNULL,
                         check=False)
print(f"resumed: exit code {resumed.returncode}")
print("lock is", "there" if os.path.exists(f"{folder}/lock") else "gone")
