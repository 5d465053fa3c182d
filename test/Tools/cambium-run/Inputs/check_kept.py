#===-- test/Tools/cambium-run/Inputs/check_kept.py - Which epochs are kept --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: check_kept.py RUN last|best COUNT OUT [BEST]

Which epochs the folder should keep, COUNT of a kind and BEST further best ones, is found in its
log; OUT is the mean of the COUNT, without a checksum."""

import json
import pathlib
import struct
import sys


def read(path):
    data = path.read_bytes()
    end = struct.unpack("<Q", data[:8])[0] + 8
    header = json.loads(data[8:end])
    header.pop("__metadata__", None)
    return header, struct.unpack(f"<{(len(data) - end) // 4}f", data[end:])


run, kind, count = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
events = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
epochs = [event for event in events if event["event"] == "epoch"]
assert len({event["dev_metric"] for event in epochs}) > 1, "epochs that differ"
by_metric = [e["epoch"] for e in sorted(epochs, key=lambda e: (-e["dev_metric"], e["epoch"]))]
last = [e["epoch"] for e in reversed(epochs)]
chosen = (by_metric if kind == "best" else last)[:count]
wanted = set(chosen + by_metric[:int(sys.argv[5]) if len(sys.argv) > 5 else 0])
kept = {int(path.stem.split("-")[1]) for path in run.glob("epoch-*.safetensors")}
if kept != wanted:
    sys.exit(f"expected epochs {sorted(wanted)}, but got {sorted(kept)}")
files = [read(run / f"epoch-{number}.safetensors") for number in chosen]
header = files[0][0]
assert all(other == header for other, _ in files)
means = [sum(x) / count for x in zip(*(numbers for _, numbers in files), strict=True)]
text = json.dumps(header).encode()
pathlib.Path(sys.argv[4]).write_bytes(
    struct.pack("<Q", len(text)) + text + struct.pack(f"<{len(means)}f", *means))
