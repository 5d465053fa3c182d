#===-- test/Tools/cambium-run/Inputs/check_stages.py - Times of stages -----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: check_stages.py ONE TWO

Two outputs of `cambium-run bench --stages --json` on the emulator of a GPU tell of the same
stages with the same times, which are possible."""

import json
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return {timing["entry"]: timing["stages"] for timing in json.load(file)["timings"]}


one, two = map(read, sys.argv[1:])
assert one == two, "expected the same times"
for entry, stages in one.items():
    assert stages[0]["stage"] == "all blocks start", stages[0]
    for stage in stages:
        assert 0 <= stage["waited_seconds"] <= stage["seconds"], stage
        assert stage["calls"] == stages[0]["runs"], stage
    assert any(stage["runs"] > stage["calls"] for stage in stages) or entry == "train.apply"
    print(f"{entry}: {len(stages)} stages, the same twice")
