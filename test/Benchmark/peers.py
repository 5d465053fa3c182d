#===-- test/Benchmark/peers.py - Programs that are measured beside ours ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Ours and other programs that compute the same: each tells its loss, then they are
measured in turn."""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# What makes a library choose code for another processor, or more threads.
CHOOSING = re.compile(r"(OPENBLAS|ONEDNN|DNNL|MKL|KMP|OMP|GOTO|BLIS|NUMEXPR|VECLIB|ATEN|NPY|XLA)_")


def environment(threads=1):
    """That of peers: their best code for this machine, and so many threads."""
    kept = {name: value for name, value in os.environ.items() if not CHOOSING.match(name)}
    return dict(kept, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads),
                MKL_NUM_THREADS=str(threads), TORCHINDUCTOR_COMPILE_THREADS="1")


def checked(command, **options):
    command = list(map(str, command))
    result = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if result.returncode:
        sys.exit(f"error: {' '.join(command)}\n{result.stdout}{result.stderr}")
    return result.stdout


class Cambium:
    """Our side: one process per measurement. `entries` are the functions that together are
    each thing that is measured."""

    name = "Cambium"

    def __init__(self, runner, common, entries, count, loss=()):
        """`common` says what bench and eval read; `loss` is for eval alone."""
        self.runner, self.common, self.entries = runner, common, entries
        self.count, self.arguments = count, loss
        # Of each thing and size of batches: what the products of a pass need.
        self.loops = {}

    def loss(self):
        words = checked([self.runner, "eval", *self.common, *self.arguments]).split()
        return float(words[words.index("loss") + 1])

    def measure(self, batch_size):
        text = checked([self.runner, "bench", *self.common, "--json", "--repetitions", "1",
                        "--batch-size", batch_size, "--examples", self.count])
        timings = {timing["entry"]: timing for timing in json.loads(text)["timings"]}
        for what, names in self.entries.items():
            self.loops[what, batch_size] = [
                [loop["operations"], loop["bytes"], loop["times"]]
                for name in names for loop in timings[name].get("loops", [])]
        return {what: (sum(timings[name]["median_cpu_seconds"] for name in names),
                       sum(timings[name]["median_seconds"] for name in names))
                for what, names in self.entries.items()}


class Peer:
    """Their side: one process that measures when asked."""

    def __init__(self, python, script, *arguments, threads=1):
        self.script = script
        self.process = subprocess.Popen(
            list(map(str, [python, "-B", HERE / script, *arguments])),
            env=environment(threads), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"error: {self.script} ended with exit code {self.process.wait()} (has its "
                     "Python the packages?)")
        return json.loads(answer)

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


class Way:
    """A way in which a peer computes. `names` tells what it calls the things that are
    measured, `losses` the command that tells its loss; `sizes` are those of the batches that
    it is measured with, None for all."""

    def __init__(self, name, peer, names, command="time", losses="loss", sizes=None):
        self.name, self.peer, self.names = name, peer, names
        self.command, self.losses, self.sizes = command, losses, sizes
        self.fails = False

    def loss(self):
        return self.peer.ask(self.losses)["loss"]

    def measure(self, batch_size):
        if self.fails or (self.sizes and batch_size not in self.sizes):
            return {}
        times = self.peer.ask(f"{self.command} {batch_size} 1")
        if "error" in times:
            self.fails = True
            print(f"{self.name} is left out: {times['error']}\n")
            return {}
        return {what: (times[name][0]["cpu_seconds"], times[name][0]["seconds"])
                for what, name in self.names.items()}


def compare_losses(contenders):
    losses = {contender.name: contender.loss() for contender in contenders}
    print("Loss of an example, of the same weights: "
          + ", ".join(f"{name} {loss:.5g}" for name, loss in losses.items()) + "\n", flush=True)
    values = list(losses.values())
    if max(values) - min(values) > 1e-4 * abs(values[0]):
        sys.exit("error: expected the same loss of all")


def measure(contenders, batch_sizes, rounds):
    """(what, batch size, name) -> pairs of processor and clock seconds."""
    times = {}
    for _ in range(rounds):
        for batch_size in batch_sizes:
            for contender in contenders:
                for what, pair in contender.measure(batch_size).items():
                    times.setdefault((what, batch_size, contender.name), []).append(pair)
    return times


def record(path, times, ours, units, **kind):
    """A line for each measurement: `units` of a pass a second, and what the products of one
    need. `kind` is the part, the unit, and the case as a text with {what}."""
    with open(path, "a", encoding="utf-8") as file:
        for (what, batch_size, name), pairs in times.items():
            loops = [[operations / units, moved, executions / units]
                     for operations, moved, executions in ours.loops[what, batch_size]]
            print(json.dumps({
                **kind, "case": kind["case"].format(what=what), "batch": batch_size,
                "threads": 1, "engine": name, "loops": loops,
                "values": [units / cpu for cpu, _ in pairs]}), file=file)


def table(times, names, units, unit):
    """Markdown: of each its speed, and our time in theirs."""
    things = list(dict.fromkeys((what, size) for what, size, _ in times))
    lines = ["| | batch | " + " | ".join(f"{name}, {unit}" for name in names)
             + " | over the fastest other |", "|---" * (len(names) + 3) + "|"]
    for what, size in things:
        rounds = {name: [cpu for cpu, _ in times[what, size, name]] for name in names
                  if (what, size, name) in times}
        cells = [f"{units / statistics.median(rounds[name]):,.0f}" if name in rounds else ""
                 for name in names]
        others = [statistics.median(seconds) for name, seconds in rounds.items()
                  if name != names[0]]
        ratio = min(others) / statistics.median(rounds[names[0]]) if others else None
        lines.append("| " + " | ".join([what, str(size), *cells,
                                        f"{ratio:.2f}" if ratio else ""]) + " |")
    return "\n".join(lines)
