#===-- test/Tools/cambium-run/Inputs/kill_sweep.py - Kill a sweep ---------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: kill_sweep.py UNDISTURBED DISTURBED COMMAND...

Runs `COMMAND --out UNDISTURBED` to its end, and `COMMAND --out DISTURBED`, which is
killed as soon as each of its seeds has a checkpoint, and again at some later moment,
each time to go on with --resume. Then both must have the same summary and parameters.
A busy machine misses some moments: then all begins anew.
"""
import os
import shutil
import signal
import subprocess
import sys
import time

undisturbed, disturbed, *command = sys.argv[1:]
for folder in (undisturbed, disturbed):
    shutil.rmtree(folder, ignore_errors=True)
subprocess.run(command + ["--out", undisturbed], check=True, stdout=subprocess.DEVNULL)


def read(folder, *names):
    with open(os.path.join(folder, *names), "rb") as file:
        return file.read()


def kill(file, pause):
    """Kills the command once the file is there; whether it was hit."""
    arguments = command + ["--out", disturbed]
    if os.path.exists(os.path.join(disturbed, "config.json")):
        arguments = [command[0], "train", "--out", disturbed]
    process = subprocess.Popen(arguments + ["--resume"], stdout=subprocess.DEVNULL)
    while process.poll() is None:
        if os.path.exists(os.path.join(disturbed, file)):
            time.sleep(pause)
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.0005)
    return process.wait() == -signal.SIGKILL


seeds = sorted(n for n in os.listdir(undisturbed) if n.startswith("seed-"))
hits = 0
while hits < len(seeds):
    shutil.rmtree(disturbed, ignore_errors=True)
    hits = sum(kill(os.path.join(seed, "last.safetensors"), pause)
               for seed in seeds for pause in (0, 0.03))
end = subprocess.run([command[0], "train", "--out", disturbed, "--resume"], check=True,
                     stdout=subprocess.PIPE, text=True)
assert read(undisturbed, "summary.json") == read(disturbed, "summary.json").replace(
    os.fsencode(disturbed), os.fsencode(undisturbed)), "summary.json"
for seed in seeds:
    for file in ("best.safetensors", "predictions.tsv"):
        assert read(undisturbed, seed, file) == read(disturbed, seed, file), (seed, file)
print(f"{len(seeds)} seeds are the same after being killed")
print(end.stdout)
