#===-- test/Tools/cambium-run/Inputs/resume.py - Kill and go on ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: resume.py SIGNAL UNDISTURBED DISTURBED COMMAND...

Runs `COMMAND --out UNDISTURBED` to its end, and `COMMAND --out DISTURBED` with the
signal sent at several moments of its life and --resume after each; then both must
have the same best parameters, predictions and, but for the times, log. The
moments: as soon as there is a module, a checkpoint, each new line of the log, and
in between. A busy machine misses some: then all begins anew.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time

name, undisturbed, disturbed, *command = sys.argv[1:]
number = getattr(signal, name)
for folder in (undisturbed, disturbed):
    shutil.rmtree(folder, ignore_errors=True)


def path(file):
    return os.path.join(disturbed, file)


def lines():
    try:
        with open(path("log.jsonl"), encoding="utf-8") as file:
            return sum(1 for _ in file)
    except OSError:
        return 0


def wait(process, ready):
    """Whether `ready` came true before the process ended."""
    while process.poll() is None:
        if ready():
            return True
        time.sleep(0.0005)
    return False


MOMENTS = [lambda: os.path.exists(path("module.so")),
           lambda: os.path.exists(path("config.json")),
           lambda: os.path.exists(path("last.safetensors"))]
MOMENTS += [lambda n=n: lines() >= n for n in (1, 2, 3)]


def disturb():
    """How often the command was hit, until it came to its end."""
    hits = 0
    for moment, ready in enumerate(MOMENTS):
        process = subprocess.Popen(command + ["--out", disturbed, "--resume"],
                                   stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        if wait(process, ready):
            time.sleep(0.003 * moment)
            process.send_signal(number)
        code = process.wait()
        if code == 0:
            break
        expected = -number if number == signal.SIGKILL else 128 + number
        assert code in (expected, -number), f"unexpected exit code {code}"
        hits += 1
    subprocess.run(command + ["--out", disturbed, "--resume"], check=True,
                   stdout=subprocess.DEVNULL)
    return hits


def events(folder):
    """The log without times, and without what only interruptions add."""
    with open(os.path.join(folder, "log.jsonl"), encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    for event in found:
        for key in list(event):
            if "second" in key:
                del event[key]
    return [e for e in found if e.get("reason") != "interrupted"]


def contents(folder, file):
    with open(os.path.join(folder, file), "rb") as stream:
        return stream.read()


subprocess.run(command + ["--out", undisturbed], check=True,
               stdout=subprocess.DEVNULL)
hits = 0
while hits < 3:
    shutil.rmtree(disturbed, ignore_errors=True)
    hits = disturb()
for file in ("best.safetensors", "predictions.tsv"):
    assert contents(undisturbed, file) == contents(disturbed, file), file
assert events(undisturbed) == events(disturbed), "log.jsonl"
print(f"the same after {hits} interruptions")
