#===-- test/Tools/cambium-run/Inputs/check_mean.py - The mean of two files --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: check_mean.py A B OUT

Writes the mean of the tensors of two checkpoints of f32, without a checksum."""

import json
import pathlib
import struct
import sys


def read(name):
    data = pathlib.Path(name).read_bytes()
    end = struct.unpack("<Q", data[:8])[0] + 8
    header = json.loads(data[8:end])
    header.pop("__metadata__", None)
    return header, struct.unpack(f"<{(len(data) - end) // 4}f", data[end:])


(header, a), (other, b) = (read(name) for name in sys.argv[1:3])
assert header == other
text = json.dumps(header).encode()
means = [(x + y) / 2 for x, y in zip(a, b, strict=True)]
pathlib.Path(sys.argv[3]).write_bytes(
    struct.pack("<Q", len(text)) + text + struct.pack(f"<{len(means)}f", *means))
