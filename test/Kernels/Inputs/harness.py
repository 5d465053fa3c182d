#===-- test/Kernels/Inputs/harness.py - Calls compiled entries ---------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Compiles buffers-phase IR and calls its entries through the binary interface.

The structs are those of runtime/include/cambium/abi.h. The services here divide
parallel loops in ways that a thread pool never would, and can fail.
"""

import ctypes
import json
import os
import subprocess
import tempfile

C = ctypes
TASK = C.CFUNCTYPE(None, C.c_void_p, C.c_int64, C.c_int64)
ALLOCATE = C.CFUNCTYPE(C.c_void_p, C.c_void_p, C.c_int64)
PARALLEL = C.CFUNCTYPE(None, C.c_void_p, TASK, C.c_void_p, C.c_int64, C.c_int64)
RELEASE = C.CFUNCTYPE(None, C.c_void_p, C.c_void_p, C.c_int64)
FOREST = C.CFUNCTYPE(C.c_void_p, C.c_void_p, C.c_void_p, C.c_void_p)


class Rows(C.Structure):
    _fields_ = [("num_segments", C.c_int64), ("num_rows", C.c_int64),
                ("offsets", C.c_void_p)]


class Param(C.Structure):
    _fields_ = [("value", C.c_void_p), ("gradient", C.c_void_p), ("state", C.c_void_p * 2),
                ("touched", C.c_void_p), ("is_touched", C.c_void_p), ("num_touched", C.c_int64),
                ("panels", C.c_void_p)]


class Services(C.Structure):
    _fields_ = [("allocate", ALLOCATE), ("parallel_for", PARALLEL), ("chain", FOREST),
                ("from_parents", FOREST), ("fail", C.c_void_p), ("group", FOREST),
                ("iterations", FOREST), ("release", RELEASE)]


class Call(C.Structure):
    _fields_ = [("services", C.c_void_p), ("host", C.c_void_p), ("num_examples", C.c_int64),
                ("spaces", C.c_void_p), ("forests", C.c_void_p), ("inputs", C.c_void_p),
                ("outputs", C.c_void_p), ("params", C.c_void_p), ("scalars", C.c_void_p),
                ("example_keys", C.c_void_p), ("step", C.c_int64)]


class Entry(C.Structure):
    _fields_ = [("name", C.c_char_p), ("fn", C.CFUNCTYPE(C.c_int32, C.c_void_p))]


class Module(C.Structure):
    _fields_ = [("magic", C.c_uint32), ("abi_version", C.c_uint32), ("cpu", C.c_char_p),
                ("cpu_features", C.c_char_p), ("manifest", C.c_char_p),
                ("entries", C.POINTER(Entry)), ("num_entries", C.c_int64)]


TYPES = {"f32": C.c_float, "f64": C.c_double, "i32": C.c_int32, "i64": C.c_int64}


def array(kind, values):
    return (TYPES[kind] * max(len(values), 1))(*values)


def pieces(count, grain):
    """The smallest chunks, last first."""
    return [(i, min(i + grain, count)) for i in range(0, count, grain)][::-1]


def in_panels(b, T, K, N, width):
    """The matrices of `b` in panels of `width` columns, filled up with zeros."""
    result = []
    for first in range(0, len(b), K * N):
        for column in range(0, N, width):
            for k in range(K):
                begin = first + k * N + column
                part = list(b[begin:begin + min(width, N - column)])
                result += part + [0.0] * (width - len(part))
    return array(T, result)


class Host:
    """What a host gives to a call. `divide(count, grain)` names the chunks of a
    parallel loop; `memory` is how much workspace there is."""

    def __init__(self, divide=None, memory=1 << 30):
        self.divide = divide or (lambda count, grain: [(0, count)])
        self.memory = memory
        self.blocks = []
        self.chunks = 0
        self.services = Services(ALLOCATE(self.allocate), PARALLEL(self.parallel),
                                 FOREST(0), FOREST(0), None, FOREST(0), FOREST(0),
                                 RELEASE(self.release))

    def allocate(self, _, size):
        self.memory -= size
        if self.memory < 0:
            return None
        block = C.create_string_buffer(size + 64)
        self.blocks.append(block)
        return (C.addressof(block) + 63) // 64 * 64

    def release(self, _, memory, size):
        """What is read afterwards is NaN, or a negative number."""
        C.memset(memory, 0xff, size)
        self.memory += size

    def parallel(self, _, task, data, count, grain):
        for begin, end in self.divide(count, grain):
            assert begin % grain == 0 and (end % grain == 0 or end == count)
            self.chunks += 1
            task(data, begin, end)


class Compiled:
    """A module in a shared object."""

    def __init__(self, text, *flags):
        self.folder = tempfile.TemporaryDirectory()
        source = os.path.join(self.folder.name, "module.mlir")
        self.path = os.path.join(self.folder.name, "module.so")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run(["cambium-compile", source, "--compile-from=buffers", "-o", self.path,
                        *flags], check=True)
        self.library = C.CDLL(self.path)
        self.library.cambium_module_query.restype = C.POINTER(Module)
        self.module = self.library.cambium_module_query().contents
        if b"amx_tile" in self.module.cpu_features:
            # ARCH_REQ_XCOMP_PERM of Linux, as the runtime asks for tiles.
            assert C.CDLL(None).syscall(158, 0x1023, 18) == 0, "no permission for tiles"
        self.manifest = json.loads(self.module.manifest)
        self.entries = {self.module.entries[i].name.decode(): self.module.entries[i].fn
                        for i in range(self.module.num_entries)}

    def call(self, name, inputs=(), outputs=(), params=(), host=None, examples=0,
             spaces=(), scalars=(), keys=(), step=0):
        """Runs an entry on arrays made by `array`; returns its status."""
        host = host or Host()
        pointers = lambda arrays: (C.c_void_p * (len(arrays) + 1))(
            *[C.addressof(a) for a in arrays])
        structs = (Param * (len(params) + 1))(*params)
        rows = (Rows * (len(spaces) + 1))()
        for i, offsets in enumerate(spaces):
            kept = array("i32", offsets)
            host.blocks.append(kept)
            rows[i] = Rows(len(offsets) - 1, offsets[-1], C.addressof(kept))
        numbers, ids = array("f64", scalars), array("i64", keys)
        ins, outs = pointers(inputs), pointers(outputs)
        call = Call(C.addressof(host.services), None, examples, C.addressof(rows), None,
                    C.addressof(ins), C.addressof(outs), C.addressof(structs),
                    C.addressof(numbers), C.addressof(ids), step)
        status = self.entries[name](C.addressof(call))
        self.params = structs
        return status
