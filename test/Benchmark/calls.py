#===-- test/Benchmark/calls.py - Calls of compiled modules from Python ----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The few functions of cambium/runtime.h that a comparison within one process needs,
through ctypes. Needs numpy."""

import ctypes

import numpy

POINTER, I64 = ctypes.c_void_p, ctypes.c_int64
I32, F32 = 2, 0  # cambium_type_t


class SessionOptions(ctypes.Structure):
    _fields_ = [("num_threads", ctypes.c_int32), ("parallel_for", POINTER),
                ("parallel_for_user", POINTER), ("memory_limit", I64),
                ("check_loss", ctypes.c_bool)]


class Buffer(ctypes.Structure):
    _fields_ = [("data", POINTER), ("size", I64)]


class TensorInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("type", ctypes.c_int), ("rank", ctypes.c_int32),
                ("shape", POINTER), ("row_bytes", I64), ("space", ctypes.c_int32),
                ("edges_of", ctypes.c_int32), ("limit", I64)]


class Library:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        for name in ("last_error", "entry_find_input", "entry_input", "module_find_entry",
                     "batch_output_bytes", "type_name"):
            getattr(self.library, f"cambium_{name}")
        self.library.cambium_last_error.restype = ctypes.c_char_p
        self.library.cambium_type_name.restype = ctypes.c_char_p
        self.library.cambium_entry_find_input.restype = I64
        self.library.cambium_entry_input.restype = ctypes.POINTER(TensorInfo)
        self.library.cambium_module_find_entry.restype = POINTER
        self.library.cambium_batch_output_bytes.restype = I64
        # The numbers above are those of the header.
        assert self.library.cambium_type_name(I32) == b"i32"
        assert self.library.cambium_type_name(F32) == b"f32"

    def check(self, name, *arguments):
        """Calls a function that returns a status."""
        if getattr(self.library, f"cambium_{name}")(*arguments):
            raise RuntimeError(self.library.cambium_last_error().decode())

    def create(self, name, *arguments):
        handle = POINTER()
        self.check(name, *arguments, ctypes.byref(handle))
        return handle


class Model:
    """A function of a module with the parameters of a checkpoint. Inputs are rows of
    i32 per example, the result is output 0, f32."""

    def __init__(self, library, module, checkpoint, threads, entry="predict"):
        self.library = library
        self.module = library.create("module_load", str(module).encode())
        self.store = library.create("store_create", self.module, None)
        library.check("store_load", self.store, str(checkpoint).encode(), 1)
        options = SessionOptions(num_threads=threads)
        self.session = library.create("session_create", ctypes.byref(options))
        self.entry = POINTER(library.library.cambium_module_find_entry(
            self.module, entry.encode()))
        if not self.entry:
            raise RuntimeError(f"expected a function '{entry}' of the module")
        self.batch = library.create("batch_create", self.entry)

    def index(self, name):
        found = self.library.library.cambium_entry_find_input(self.entry, name.encode())
        if found < 0:
            raise RuntimeError(f"expected an input '{name}' of the function, but there is none")
        return I64(found)

    def __call__(self, examples):
        """A row of the result per example."""
        return self.run(examples, numpy.float32).reshape(len(examples), -1)

    def run(self, examples, *kinds):
        """`examples`: a dictionary of int32 arrays per example, by the names of the
        inputs. All elements of the last one of the results, whose types are `kinds`."""
        check = self.library.check
        self.library.library.cambium_batch_clear(self.batch)
        indices = {name: self.index(name) for name in examples[0]}
        for ordinal, example in enumerate(examples):
            check("batch_begin_example", self.batch, ctypes.c_uint64(ordinal))
            for name, values in example.items():
                check("batch_set_input", self.batch, indices[name], ctypes.c_int(I32),
                      I64(len(values)), POINTER(values.ctypes.data))
            check("batch_end_example", self.batch)
        check("batch_finish", self.batch)
        size_of = self.library.library.cambium_batch_output_bytes
        results = [numpy.empty(size_of(self.batch, I64(i)) // numpy.dtype(kind).itemsize, kind)
                   for i, kind in enumerate(kinds)]
        buffers = (Buffer * len(kinds))(*(Buffer(each.ctypes.data, each.nbytes)
                                          for each in results))
        check("call", self.session, self.entry, self.store, self.batch, buffers,
              I64(len(kinds)))
        return results[-1]
