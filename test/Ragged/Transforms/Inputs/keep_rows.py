#===-- test/Ragged/Transforms/Inputs/keep_rows.py - Calls that share a table ===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: keep_rows.py LIBRARY EACH KEPT

Sessions that call `many` of one store at once, of two modules of one model: one
computes all rows in each call, the other keeps them. Their results have the same
bits, also after a parameter has changed."""

import ctypes
import random
import sys
import threading
from ctypes import byref, c_char_p, c_int32, c_int64, c_uint64, c_void_p

IDS, COLUMNS, THREADS, CALLS, ROUNDS = 500, 66, 4, 12, 4
I32, F32 = 2, 0  # cambium_type_t

library = ctypes.CDLL(sys.argv[1])
library.cambium_last_error.restype = c_char_p
library.cambium_module_find_entry.restype = c_void_p


class Buffer(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("size", c_int64)]


def do(name, *arguments):
    if getattr(library, "cambium_" + name)(*arguments):
        sys.exit(f"{name}: {library.cambium_last_error().decode()}")


class Model:
    def __init__(self, path):
        self.module, self.store = c_void_p(), c_void_p()
        do("module_load", path.encode(), byref(self.module))
        do("store_create", self.module, None, byref(self.store))
        self.entry = c_void_p(library.cambium_module_find_entry(self.module, b"many"))

    def session(self):
        session = c_void_p()
        do("session_create", None, byref(session))
        return session

    def call(self, session, ids):
        """The bytes of the rows of ids."""
        batch, array = c_void_p(), (c_int32 * len(ids))(*ids)
        do("batch_create", self.entry, byref(batch))
        do("batch_begin_example", batch, c_uint64(0))
        do("batch_set_input", batch, c_int64(0), I32, c_int64(len(ids)), array)
        do("batch_end_example", batch)
        do("batch_finish", batch)
        rows = ctypes.create_string_buffer(4 * COLUMNS * len(ids) + 1)
        buffer = Buffer(ctypes.addressof(rows), len(rows))
        do("call", session, self.entry, self.store, batch, byref(buffer), c_int64(1))
        library.cambium_batch_destroy(batch)
        return rows.raw

    def set_bias(self, number):
        """The bias of all columns."""
        bias = (ctypes.c_float * COLUMNS)(*[number] * COLUMNS)
        parameter = library.cambium_module_find_parameter(self.module, b"b")
        do("store_set_value", self.store, c_int64(parameter), F32, c_int64(COLUMNS), bias)


def main():
    library.cambium_module_find_parameter.restype = c_int64
    each, kept = Model(sys.argv[2]), Model(sys.argv[3])
    alone, equal, different = each.session(), 0, 0
    sessions = [kept.session() for _ in range(THREADS)]
    for number in range(ROUNDS):
        for model in each, kept:
            model.set_bias(number / 8)
        # The first calls are of no ids and of one; all begin with the same ones.
        draw = random.Random(number)
        lists = [[], [3]] + [[draw.randrange(IDS) for _ in range(150)] for _ in range(CALLS)]
        results = [[] for _ in sessions]

        def run(session, into, lists=lists):
            into.extend(kept.call(session, ids) for ids in lists)

        threads = [threading.Thread(target=run, args=pair)
                   for pair in zip(sessions, results, strict=True)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        expected = [each.call(alone, ids) for ids in lists]
        for result in results:
            same = sum(a == b for a, b in zip(result, expected, strict=True))
            equal, different = equal + same, different + len(lists) - same
    print(f"{equal} calls with the same bits, {different} others")


main()
