#===-- Inputs/make_weights.py - Weights of bag.mlir, made elsewhere -------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: make_weights.py FOLDER

Writes safetensors files with weights of Inputs/bag.mlir: pieces 1 to 9 speak for
class 1, the others for class 0; good.safetensors in the names and types of another
program, and files in which something is wrong."""

import json
import pathlib
import struct
import sys

PACK = {"F64": "<d", "F32": "<f", "F16": "<e"}


def packed(kind, numbers):
    if kind == "BF16":
        return b"".join(struct.pack("<f", n)[2:] for n in numbers)
    if kind == "I64":
        return b"".join(struct.pack("<q", int(n)) for n in numbers)
    return b"".join(struct.pack(PACK[kind], n) for n in numbers)


def write(path, tensors):
    header, data = {}, b""
    for name, (kind, shape, numbers) in tensors.items():
        bytes_of = packed(kind, numbers)
        header[name] = {"dtype": kind, "shape": shape,
                        "data_offsets": [len(data), len(data) + len(bytes_of)]}
        data += bytes_of
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def weights():
    """All numbers are exact in 16 bits."""
    pieces = [0.5 if 1 <= piece < 10 else -0.25 for piece in range(60) for _ in range(8)]
    # As PyTorch has it: [out, in].
    matrix = [0.0] * 8 + [0.75] * 8
    return {"net.emb.weight": ("BF16", [60, 8], pieces),
            "net.types.0.weight": ("F16", [2, 8], [0.0] * 8 + [-0.125] * 8),
            "net.head.weight": ("F64", [2, 8], matrix),
            "net.head.bias": ("F32", [2], [0.0, 0.0]),
            "pooler.dense.weight": ("F32", [1], [0.0]),
            "net.position_ids": ("I64", [3], [0, 1, 2])}


def main():
    folder = pathlib.Path(sys.argv[1])
    write(folder / "good.safetensors", weights())
    parts = list(weights().items())
    write(folder / "part-1.safetensors", dict(parts[:2]))
    write(folder / "part-2.safetensors", dict(parts[2:]))
    bad = weights()
    del bad["net.head.bias"]
    bad["net.emb.weight"] = ("F32", [59, 8], [0.0] * 59 * 8)
    bad["net.types.0.weight"] = ("I64", [2, 8], [0] * 16)
    bad["net.head.weight"] = ("F32", [16], [0.0] * 16)
    bad["net.more"] = ("F32", [], [0.0])
    bad["net.types.1.weight"] = ("F32", [2, 8], [0.0] * 16)
    write(folder / "bad.safetensors", bad)
    odd = weights()
    odd["net.head.bias"] = ("F16", [2], [0.0, float("inf")])
    odd["net.emb.weight"][2][17] = float("nan")
    write(folder / "odd.safetensors", odd)
    write(folder / "none.safetensors", {"x": ("F32", [1], [0.0])})
    write(folder / "many.safetensors",
          {f"layer.{i}\x1b[2J": ("F32", [0], []) for i in range(20000)})
    good = (folder / "good.safetensors").read_bytes()
    (folder / "cut.safetensors").write_bytes(good[:-1])


main()
