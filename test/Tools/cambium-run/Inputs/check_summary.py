#===-- test/Tools/cambium-run/Inputs/check_summary.py - Add up again -----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: check_summary.py DIR

Checks the summary.json of a folder of seeds against the logs of the seeds, with mean
and deviation from the standard library, and prints what it has seen.
"""
import json
import math
import os
import statistics
import sys

folder = sys.argv[1]
with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
    summary = json.load(file)


def from_log(seed):
    """Metrics of dev and of each file, by the log alone."""
    with open(os.path.join(folder, seed, "log.jsonl"), encoding="utf-8") as file:
        events = [json.loads(line) for line in file]
    best = [e for e in events if e["event"] == "epoch" and e["best"]][-1]
    found = {"dev": best["dev"]}
    found.update({e["data"]: e["metrics"] for e in events
                  if e["event"] == "eval" and "differs" not in e})
    return best["epoch"], found


assert summary["seeds"] == len(summary["runs"])
for run in summary["runs"]:
    assert run["folder"] == f"seed-{run['seed']}"
    assert (run["best_epoch"], run["results"]) == from_log(run["folder"]), run["folder"]
count = 0
for data, means in summary["mean"].items():
    for metric, mean in means.items():
        values = [run["results"][data][metric] for run in summary["runs"]]
        assert math.isclose(mean, statistics.mean(values)), (data, metric)
        assert math.isclose(summary["deviation"][data][metric],
                            statistics.stdev(values)), (data, metric)
        count += 1
names = " and ".join(os.path.basename(name) for name in summary["mean"])
print(f"{len(summary['runs'])} seeds, {count} metrics of {names}")
