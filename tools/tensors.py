#===-- tools/tensors.py - Files of safetensors ----------------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Reads and writes tensors by their names, each as its type, its shape and its bytes."""

import json
import pathlib
import struct

import scripts


def floats(shape, numbers):
    """A tensor of f32."""
    return "F32", shape, struct.pack(f"<{len(numbers)}f", *numbers)


def read(path):
    data = pathlib.Path(path).read_bytes()
    if len(data) < 8 or struct.unpack("<Q", data[:8])[0] > len(data) - 8:
        raise ValueError(f"{path}: expected a safetensors file")
    end = 8 + struct.unpack("<Q", data[:8])[0]
    with scripts.reading(path, "a safetensors file"):
        entries = {name: entry for name, entry in json.loads(data[8:end]).items()
                   if name != "__metadata__"}
        return {name: (entry["dtype"], entry["shape"],
                       data[slice(*(end + place for place in entry["data_offsets"]))])
                for name, entry in entries.items()}


def write(path, tensors):
    header, end = {}, 0
    for name, (dtype, shape, data) in tensors.items():
        begin, end = end, end + len(data)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with scripts.written(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.writelines(data for _, _, data in tensors.values())
