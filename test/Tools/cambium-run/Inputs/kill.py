#===-- test/Tools/cambium-run/Inputs/kill.py - Killed at any moment ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: kill.py [--count N] [--seed N] FOLDER KILL-AT-LIBRARY COMMAND...

Runs `COMMAND --out FOLDER/whole` to its end. Then, N times (10 by default), runs it
in a new folder, kills it with SIGKILL at a random moment, and brings it to its end
with --resume. Every second moment is a point of its own time on a processor, the
others are a random one of the writes, flushes, renames and removals of files: neither
depends on what else the machine does. Each time the parameters, the
predictions, the log (but for its times) and the list of files must be those of the
whole run.
"""
import json
import os
import random
import shutil
import signal
import subprocess
import sys

arguments = sys.argv[1:]
options = {"--count": 10, "--seed": 1}
while arguments and arguments[0] in options:
    options[arguments[0]] = int(arguments[1])
    arguments = arguments[2:]
folder, library, *command = arguments
rng = random.Random(options["--seed"])


def start(out, more=(), **variables):
    environment = dict(os.environ, **variables)
    if variables:
        environment["LD_PRELOAD"] = library
        environment["ASAN_OPTIONS"] = environment.get(
            "ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
    return subprocess.Popen([*command, "--out", out, *more], env=environment,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def finish(process):
    """The exit code; anything but an end or SIGKILL ends the test."""
    errors = process.communicate()[1].decode(errors="replace")
    assert process.returncode in (0, -signal.SIGKILL), errors
    return process.returncode


def without_times(name, data):
    if name == "log.jsonl":
        return [{key: value for key, value in json.loads(line).items() if "second" not in key}
                for line in data.splitlines()]
    # Times stand in the state of the last checkpoint, the command in the configuration.
    if name in ("last.safetensors", "config.json"):
        return True
    # Each of its records has a time.
    return len(data) if name.startswith("events.") else data


def contents(out):
    """What must be the same, by the name of the file."""
    result = {}
    for place, _, files in os.walk(out):
        for name in files:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                result[os.path.relpath(path, out)] = without_times(name, file.read())
    return result


def disturb(out, nanoseconds, operations):
    """How the process is killed, and whether it was before its end."""
    if rng.random() < 0.5:
        after = int(rng.uniform(0, nanoseconds))
        return "time", finish(start(out, KILL_AFTER=str(after))) != 0
    at = rng.randint(1, operations)
    return "file", finish(start(out, KILL_AT=str(at))) != 0


shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
whole, counted = os.path.join(folder, "whole"), os.path.join(folder, "count")
assert finish(start(whole)) == 0
assert finish(start(os.path.join(folder, "counted"), KILL_COUNT=counted)) == 0
with open(counted, encoding="ascii") as file:
    operations, nanoseconds = map(int, file.read().split())
expected = contents(whole)
hits = {"time": 0, "file": 0}
tries = 0
while sum(hits.values()) < options["--count"]:
    out = os.path.join(folder, "killed")
    shutil.rmtree(out, ignore_errors=True)
    kind, hit = disturb(out, nanoseconds, operations)
    hits[kind] += hit
    # What comes to its end before the moment is tried again.
    tries += 1
    assert tries < 20 + 5 * options["--count"], f"too few hits: {hits} of {tries}"
    assert finish(start(out, ["--resume"])) == 0
    actual = contents(out)
    assert actual.keys() == expected.keys(), f"{tries}: files {sorted(actual)}"
    for name, value in expected.items():
        assert actual[name] == value, f"try {tries} ({kind}): {name} differs"
print(f"{options['--count']} trainings, {hits['time']} killed at a moment, "
      f"{hits['file']} at a file operation (of {operations}); all end the same")
