#===-- test/Benchmark/roofline.py - The least time that a machine needs ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""A bound from what the compiler counts (`cambium-compile --count-operations`): for each
loop that reads the same weights in each execution of its body, the operations of its
products, the bytes of these weights, and how many executions there are. It takes at least

    max(operations / P, executions x bytes / B(bytes))

where P are the multiplications and additions per second of a loop of multiply-adds, and
B(n) the bytes per second of a loop that reads the same n bytes again and again, in the
order in which caches keep most. Both are measured here (machine.cpp). Loops follow each
other, so their times are added. With threads, each has its own core, and its part of the
weights. What else is read (rows, words) is left out: it makes the bound lower."""

import bisect
import math
import pathlib
import tempfile

import peers

HERE = pathlib.Path(__file__).resolve().parent
SIZES = [round(2 ** (14 + i / 2)) for i in range(28)]  # 16 KB to 190 MB
CACHES = {1: "first cache", 2: "second cache", 3: "third cache"}


def vector_bytes():
    """Of this machine, as the compiler uses it."""
    flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    return 64 if "avx512vl" in flags else 32 if "avx2" in flags else 16


def cache_sizes():
    """Bytes of the caches of a processor, by level."""
    sizes = {}
    for folder in pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        if (folder / "type").read_text().strip() != "Instruction":
            text = (folder / "size").read_text().strip()
            scale = {"K": 1 << 10, "M": 1 << 20}[text[-1]]
            sizes[(folder / "level").read_text().strip()] = int(text[:-1]) * scale
    return sizes


def measure():
    """The record of this machine."""
    with tempfile.TemporaryDirectory(prefix="cambium-machine-") as folder:
        program = pathlib.Path(folder, "machine")
        peers.checked(["clang++-22", "-std=c++20", "-O2", "-march=native",
                       f"-DCAMBIUM_VECTOR_BYTES={vector_bytes()}", HERE / "machine.cpp",
                       "-o", program])
        lines = peers.checked([program, *SIZES]).splitlines()
    return {"part": "machine", "peak": float(lines[0].split()[1]), "caches": cache_sizes(),
            "bandwidth": [list(map(float, line.split()[1:])) for line in lines[1:]]}


class Machine:
    def __init__(self, record):
        self.peak, self.caches = record["peak"], record["caches"]
        # What more bytes reach, fewer do: a loop that did not was disturbed.
        self.sizes, self.rates, best = [], [], 0
        for size, rate in sorted(record["bandwidth"], reverse=True):
            best = max(best, rate)
            self.sizes.insert(0, size)
            self.rates.insert(0, best)

    def bandwidth(self, size):
        """Bytes per second of reading so many bytes again and again: between sizes that were
        measured, by their logarithm."""
        place = bisect.bisect_left(self.sizes, size)
        if place == 0:
            return self.rates[0]
        if place == len(self.sizes):
            return self.rates[-1]
        low, high = self.sizes[place - 1], self.sizes[place]
        part = math.log(size / low) / math.log(high / low)
        return self.rates[place - 1] + part * (self.rates[place] - self.rates[place - 1])

    def place_of(self, size):
        """Where so many bytes lie."""
        for level, name in CACHES.items():
            if size <= self.caches.get(str(level), 0):
                return name
        return "memory"

    def least(self, loops, threads=1):
        """Seconds that loops take at least, and what limits most of them."""
        limits = {}
        for operations, size, executions in loops:
            computing = operations / (self.peak * threads)
            size /= threads
            reading = executions * size / self.bandwidth(size) if size else 0
            name = "arithmetic" if computing >= reading else self.place_of(size)
            limits[name] = limits.get(name, 0) + max(computing, reading)
        seconds = sum(limits.values())
        return seconds, max(limits, key=limits.get) if seconds else ""
