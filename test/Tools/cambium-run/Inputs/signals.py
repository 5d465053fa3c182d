#===-- Inputs/signals.py - Terminated at any moment ----------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: signals.py COUNT FOLDER COMMAND...

Runs `COMMAND --out FOLDER --resume` to its end, and then COUNT times anew with
SIGTERM at a random moment of its life; resumed, it must come to the same end."""
import os
import random
import shutil
import signal
import subprocess
import sys
import time

count, folder, *command = sys.argv[1:]
command += ["--out", folder, "--resume"]
rng = random.Random(1)


def run(after=None):
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    if after is not None:
        time.sleep(after)
        process.send_signal(signal.SIGTERM)
    errors = process.communicate()[1].decode(errors="replace")
    return process.returncode, time.monotonic() - begin, errors


def results():
    found = {}
    for name in ("best.safetensors", "predictions.tsv", "tree.json",
                 "trees.jsonl"):
        with open(os.path.join(folder, name), "rb") as file:
            found[name] = file.read()
    return found


shutil.rmtree(folder, ignore_errors=True)
code, seconds, text = run()
assert code == 0, text
expected = results()
for trial in range(int(count)):
    shutil.rmtree(folder, ignore_errors=True)
    code, _, text = run(rng.uniform(0, seconds))
    # Before it listens, the signal ends it as any other program.
    assert code in (0, 143, -signal.SIGTERM), f"exit code {code}: {text}"
    code, _, text = run()
    assert code == 0, text
    assert results() == expected, f"trial {trial}"
print(f"{count} signals, each answered")
