#===-- test/Tools/cambium-run/Inputs/read_events.py - Read event files ---===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: read_events.py RUN

Reads the event file of a run folder with the package tensorboard, checks that it says
what log.jsonl says, and prints the names of its scalars and how many epochs it has.
"""
import json
import math
import os
import sys

from tensorboard.backend.event_processing import event_file_loader
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

folder = sys.argv[1]
with open(os.path.join(folder, "log.jsonl"), encoding="utf-8") as file:
    epochs = [e for e in map(json.loads, file) if e["event"] == "epoch"]

accumulator = EventAccumulator(folder)
accumulator.Reload()
names = accumulator.Tags()["scalars"]


def expected(name, epoch):
    kind, key = name.split("/")
    if kind == "loss":
        return epoch[f"{key}_loss"]
    return {"dev": epoch["dev"], "learning_rate": epoch["lr"], "speed": epoch}[kind][key]


for name in names:
    found = accumulator.Scalars(name)
    assert [s.step for s in found] == [e["epoch"] for e in epochs], name
    for scalar, epoch in zip(found, epochs):
        assert math.isclose(scalar.value, expected(name, epoch), rel_tol=1e-6), name
        assert math.isclose(scalar.wall_time, epoch["unix_seconds"]), name

# Every record has its right checksums, also the last one, and nothing follows.
path, = (os.path.join(folder, n) for n in os.listdir(folder) if "tfevents" in n)
events = list(event_file_loader.EventFileLoader(path).Load())
assert len(events) == 1 + len(epochs), len(events)
print(f"{len(epochs)} epochs: {' '.join(sorted(names))}")
