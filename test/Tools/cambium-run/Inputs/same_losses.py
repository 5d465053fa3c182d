#===-- test/Tools/cambium-run/Inputs/same_losses.py - Two logs agree ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: same_losses.py LOG LOG: the losses of all epochs agree within rounding."""

import json
import pathlib
import sys

KEYS = ("epoch", "updates", "train_loss", "dev_loss")


def epochs(path):
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    return [[event[key] for key in KEYS] for event in events if event["event"] == "epoch"]


one, other = epochs(sys.argv[1]), epochs(sys.argv[2])
assert len(one) == len(other), (len(one), len(other))
for a, b in zip(one, other):
    assert all(abs(x - y) <= 1e-5 * abs(x) for x, y in zip(a, b)), (a, b)
assert one[0] != one[-1], "nothing was learned"
print(f"{len(one)} epochs agree")
