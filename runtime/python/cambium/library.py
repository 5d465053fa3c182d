#===-- runtime/python/cambium/library.py - The C API by ctypes -----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The functions of cambium/runtime.h that the package uses, with their types. Within
soname 1 none of them changes (docs/Compatibility.md)."""

import ctypes
import functools
import os
from ctypes import (POINTER, Structure, c_bool, c_char_p, c_double, c_int, c_int32,
                    c_int64, c_uint32, c_uint64, c_void_p)

import numpy as np

SONAME = "libcambium_runtime.so.1"
# By the numbers of cambium_type_t; i1 is a byte.
TYPES = [np.dtype(name) for name in ("f4", "f8", "i4", "i8", "i1", "bool")]
# cambium_entry_kind_t, and spaces that name no rows.
FUNCTION, ACCUMULATE, APPLY = 0, 1, 2
PER_EXAMPLE, PER_CALL = -1, -2
PARAMETERS_ONLY = 1


class CambiumError(Exception):
    """What the runtime refused, in its words; `status` is its number."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class TensorInfo(Structure):
    _fields_ = [("name", c_char_p), ("type", c_int), ("rank", c_int32),
                ("shape", POINTER(c_int64)), ("row_bytes", c_int64), ("space", c_int32),
                ("edges_of", c_int32), ("limit", c_int64)]


class TreeInfo(Structure):
    _fields_ = [("name", c_char_p), ("space", c_int32), ("arity", c_int64),
                ("single_root", c_bool)]


class EntryInfo(Structure):
    _fields_ = [("name", c_char_p), ("kind", c_int), ("step", c_char_p),
                ("random", c_bool)] + [(f"num_{what}", c_int64) for what in (
                    "spaces", "trees", "inputs", "outputs", "scalars")]


class Init(Structure):
    _fields_ = [("kind", c_int), ("a", c_double), ("b", c_double), ("path", c_char_p),
                ("tensor", c_char_p)]


class ParameterInfo(Structure):
    _fields_ = [("name", c_char_p), ("type", c_int), ("rank", c_int32),
                ("shape", POINTER(c_int64)), ("slices", c_int32),
                ("num_elements", c_int64), ("trainable", c_bool), ("decay", c_bool),
                ("row_sparse", c_bool), ("group", c_char_p), ("state_slots", c_int32),
                ("init", Init)]


class StoreOptions(Structure):
    _fields_ = [("seed", c_uint64), ("data_dir", c_char_p), ("num_threads", c_int32),
                ("memory_limit", c_int64), ("skip_initializers", c_bool)]


class SessionOptions(Structure):
    _fields_ = [("num_threads", c_int32), ("parallel_for", c_void_p),
                ("parallel_for_user", c_void_p), ("memory_limit", c_int64),
                ("check_loss", c_bool)]


class Buffer(Structure):
    _fields_ = [("data", c_void_p), ("size", c_int64)]


class LearningRate(Structure):
    _fields_ = [("group", c_char_p), ("value", c_double)]


# A status, unless RESULTS says otherwise. P: any handle or array.
P = c_void_p
ARGUMENTS = {
    "module_load": [c_char_p, P], "module_destroy": [P], "module_num_entries": [P],
    "module_entry": [P, c_int64], "module_find_entry": [P, c_char_p],
    "module_find_step": [P, c_char_p, P, P], "module_num_parameters": [P],
    "module_parameter": [P, c_int64], "entry_info": [P], "entry_tree": [P, c_int64],
    "entry_input": [P, c_int64], "entry_output": [P, c_int64],
    "entry_space_in": [P, c_int64], "store_create": [P, P, P],
    "store_create_for_calls": [P, P, P], "store_destroy": [P],
    "store_value": [P, c_int64], "store_set_value": [P, c_int64, c_int, c_int64, P],
    "store_load": [P, c_char_p, c_uint32], "store_save": [P, c_char_p, c_uint32],
    "session_create": [P, P], "session_destroy": [P], "batch_create": [P, P],
    "batch_destroy": [P], "batch_clear": [P], "batch_set_key_seed": [P, c_uint64],
    "batch_begin_example": [P, c_uint64], "batch_abandon_example": [P],
    "batch_set_tree_parents": [P, c_int64, c_int64, P],
    "batch_set_tree_children": [P, c_int64, c_int64, P, P],
    "batch_set_input": [P, c_int64, c_int, c_int64, P],
    "batch_set_row_counts": [P, c_int64, c_int64, P], "batch_end_example": [P],
    "batch_finish": [P], "batch_space_offsets": [P, c_int64],
    "batch_edge_offsets": [P, c_int64], "batch_output_rows": [P, c_int64],
    "call": [P, P, P, P, P, c_int64], "step": [P, P, P, P, c_int64, P],
    "last_error": [], "abi_version": [],
}
RESULTS = {
    "module_destroy": None, "store_destroy": None, "session_destroy": None,
    "batch_destroy": None, "batch_clear": None, "batch_set_key_seed": None,
    "batch_abandon_example": None, "module_num_entries": c_int64, "module_entry": P,
    "module_find_entry": P, "module_num_parameters": c_int64,
    "module_parameter": POINTER(ParameterInfo), "entry_info": POINTER(EntryInfo),
    "entry_tree": POINTER(TreeInfo), "entry_input": POINTER(TensorInfo),
    "entry_output": POINTER(TensorInfo), "entry_space_in": c_int32, "store_value": P,
    "batch_space_offsets": POINTER(c_int32), "batch_edge_offsets": POINTER(c_int32),
    "batch_output_rows": c_int64, "last_error": c_char_p, "abi_version": c_uint32,
}


class Library:
    """The functions of the shared library, by their names without `cambium_`. One that
    fails raises what it says."""

    def __init__(self, path):
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            raise CambiumError(0, f"cannot open the runtime '{path}': {error}; the variable "
                               "CAMBIUM_RUNTIME names its file") from None
        for name, arguments in ARGUMENTS.items():
            function = getattr(library, "cambium_" + name)
            function.argtypes = arguments
            function.restype = RESULTS.get(name, c_int)
            setattr(self, name, function if name in RESULTS else self.checked(function))

    def checked(self, function):
        @functools.wraps(function)
        def call(*arguments):
            status = function(*arguments)
            if status:
                raise CambiumError(status, self.last_error().decode())
        return call


@functools.lru_cache(maxsize=1)
def library():
    """The runtime: $CAMBIUM_RUNTIME, or what the system's linker finds."""
    return Library(os.environ.get("CAMBIUM_RUNTIME") or SONAME)


def shape_of(info):
    """The shape of a row, or of a parameter."""
    return tuple(info.shape[k] for k in range(info.rank))
