#===-- test/Models/join_test.py - Adapters of several trainings ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""models/adapters/join puts the adapters of three trainings where fusion.mlir has them."""

import json
import pathlib
import struct
import subprocess
import tempfile
import unittest

JOIN = pathlib.Path(__file__).resolve().parents[2] / "models" / "adapters" / "join"


def write(path, tensors):
    header, data = {"__metadata__": {"cambium.step": "3"}}, b""
    for name, numbers in tensors.items():
        begin, data = len(data), data + struct.pack(f"<{len(numbers)}f", *numbers)
        header[name] = {"dtype": "F32", "shape": [len(numbers)],
                        "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    path.parent.mkdir()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def read(path):
    data = path.read_bytes()
    end = 8 + struct.unpack("<Q", data[:8])[0]
    result = {}
    for name, entry in json.loads(data[8:end]).items():
        begin, stop = (end + offset for offset in entry["data_offsets"])
        result[name] = list(struct.unpack(f"<{(stop - begin) // 4}f", data[begin:stop]))
    return result


class Join(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.runs = [self.folder / f"run-{k}" for k in range(3)]

    def join(self, *runs):
        return subprocess.run([JOIN, *runs, "--out", self.folder / "joined"],
                              capture_output=True, text=True, check=False)

    def test_each_has_its_place(self):
        for k, run in enumerate(self.runs):
            write(run / "best.safetensors", {
                "layer.query.W": [1.0 + k, 2], "layer.adapter.up.b": [10.0 * k],
                "layer.adapter.up.b#state0": [7.0], "classes.W": [5.0]})
        result = self.join(*self.runs)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(read(self.folder / "joined"), {
            "layer.query.W": [1, 2], "layer.fusion.1.up.b": [0], "layer.fusion.2.up.b": [10],
            "layer.fusion.3.up.b": [20]})

    def test_errors(self):
        for run in self.runs:
            write(run / "best.safetensors", {"layer.query.W": [1.0]})
        self.assertIn("expected parameters layer.adapter", self.join(*self.runs).stderr)
        (self.runs[0] / "best.safetensors").write_bytes(b"x" * 20)
        self.assertIn("expected a safetensors file", self.join(*self.runs).stderr)
        self.assertIn("No such file", self.join("none", *self.runs[1:]).stderr)


if __name__ == "__main__":
    unittest.main()
