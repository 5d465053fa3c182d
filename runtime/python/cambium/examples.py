#===-- runtime/python/cambium/examples.py - Examples of a call -----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Examples as dictionaries: fill a batch, and cut outputs into examples again."""

import ctypes

import numpy as np

from .library import PER_CALL, PER_EXAMPLE, TYPES, CambiumError, library, shape_of


def whole_numbers(values, what):
    """An int32 array, or an error that says what it is of."""
    array = np.asarray(values)
    if array.size and (array.dtype.kind not in "iu" or array.min() < -2**31
                       or array.max() >= 2**31):
        raise CambiumError(1, f"{what}: expected whole numbers of 32 bits, but got "
                           f"{array.dtype} {array.ravel()[:4].tolist()}")
    return np.ascontiguousarray(array, dtype=np.int32)


def rows_of(values, dtype, shape, what):
    """Rows of SHAPE as one contiguous array. Numbers may become floats; nothing else is
    converted where that could change a value."""
    try:
        array = np.asarray(values)
    except ValueError:
        array = np.asarray(None)
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(dtype)
    kinds = {"f": "fiu", "i": "iu", "b": "b"}[dtype.kind]
    if array.dtype.kind not in kinds:
        raise CambiumError(1, f"{what}: expected {dtype.name}, but got {array.dtype}")
    if dtype.kind == "i" and array.size:
        bounds = np.iinfo(dtype)
        if array.min() < bounds.min or array.max() > bounds.max:
            raise CambiumError(1, f"{what}: expected {dtype.name}, but got "
                               f"{int(array.max())}")
    count = int(np.prod(shape, dtype=np.int64))
    if array.shape == (0,) and shape:
        array = array.reshape((0, *shape))
    elif array.shape[max(array.ndim - len(shape), 0):] != shape or (
            array.ndim not in (len(shape), len(shape) + 1)):
        raise CambiumError(1, f"{what}: expected rows of the shape {shape}, but got an array "
                           f"of the shape {array.shape}")
    array = np.ascontiguousarray(array, dtype=dtype)
    return array, array.size // count if count else len(array)


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


class Examples:
    """A batch of an entry. Keys of dictionaries are names of its trees and inputs.

    A tree is a list of parents (-1: root), or a list of lists of children. A tensor is an
    array of its rows; of rows of rows it is a list of arrays, one for each row."""

    def __init__(self, entry, name):
        self.library, self.entry, self.name = library(), entry, name
        info = self.library.entry_info(entry).contents
        self.trees = [self.library.entry_tree(entry, k).contents
                      for k in range(info.num_trees)]
        self.inputs = [self.library.entry_input(entry, k).contents
                       for k in range(info.num_inputs)]
        self.outputs = [self.library.entry_output(entry, k).contents
                        for k in range(info.num_outputs)]
        self.names = [i.name.decode() for i in (*self.trees, *self.inputs)]
        self.inside = [self.library.entry_space_in(entry, k) for k in range(info.num_spaces)]
        handle = ctypes.c_void_p()
        self.library.batch_create(entry, ctypes.byref(handle))
        self.handle = handle

    def __del__(self):
        if getattr(self, "handle", None):
            self.library.batch_destroy(self.handle)

    def fill(self, examples, first=0):
        """Replaces what is there. FIRST is the number of the first example among all, on
        which random numbers depend."""
        self.library.batch_clear(self.handle)
        for number, example in enumerate(examples):
            self.library.batch_begin_example(self.handle, first + number)
            where = f"example {number} of '{self.name}'"
            try:
                self.add(example, where)
                self.library.batch_end_example(self.handle)
            except (TypeError, ValueError) as error:  # Of what numpy makes of a value.
                raise CambiumError(1, f"{where}: {error}") from None
            finally:
                self.library.batch_abandon_example(self.handle)
        self.library.batch_finish(self.handle)

    def add(self, example, where):
        if not isinstance(example, dict):
            raise CambiumError(1, f"{where}: expected a dictionary, but got "
                               f"{type(example).__name__}")
        if set(example) != set(self.names):
            raise CambiumError(1, f"{where}: expected {', '.join(self.names)}, but got "
                               f"{', '.join(map(str, example)) or 'nothing'}")
        for index, tree in enumerate(self.trees):
            name = tree.name.decode()
            self.add_tree(index, example[name], f"{where}, '{name}'")
        counted = set()
        for index, info in enumerate(self.inputs):
            name = info.name.decode()
            self.add_input(index, info, example[name], f"{where}, '{name}'", counted)

    def add_tree(self, index, tree, what):
        if len(tree) and isinstance(tree[0], (list, tuple, np.ndarray)):
            offsets = whole_numbers(np.cumsum([0] + [len(node) for node in tree]), what)
            nodes = whole_numbers([child for node in tree for child in node] or
                                  np.zeros(0, np.int32), what)
            self.library.batch_set_tree_children(self.handle, index, len(tree),
                                                 pointer(offsets), pointer(nodes))
            return
        parents = whole_numbers(tree, what)
        if parents.ndim != 1:
            raise CambiumError(1, f"{what}: expected a list of parents, or of lists of "
                               "children")
        self.library.batch_set_tree_parents(self.handle, index, len(parents),
                                            pointer(parents))

    def add_input(self, index, info, value, what, counted):
        dtype, shape = TYPES[info.type], shape_of(info)
        if info.space >= 0 and self.inside[info.space] >= 0:
            parts = [rows_of(part, dtype, shape, what) for part in value]
            if info.space not in counted:
                counted.add(info.space)
                counts = np.array([count for _, count in parts], np.int32)
                self.library.batch_set_row_counts(self.handle, info.space, len(parts),
                                                  pointer(counts))
            array = np.concatenate([part.reshape(-1) for part, _ in parts]) if parts else (
                np.zeros(0, dtype))
            rows = sum(count for _, count in parts)
        else:
            array, rows = rows_of(value, dtype, shape, what)
        self.library.batch_set_input(self.handle, index, info.type, rows, pointer(array))

    def make_outputs(self):
        """Arrays for all outputs, with all their rows."""
        return [np.empty((self.library.batch_output_rows(self.handle, k), *shape_of(info)),
                         TYPES[info.type]) for k, info in enumerate(self.outputs)]

    def offsets(self, info, count):
        """Where the rows of each example begin; None of one value per example or call."""
        if info.edges_of >= 0:
            found = self.library.batch_edge_offsets(self.handle, info.edges_of)
        elif info.space >= 0:
            found = self.library.batch_space_offsets(self.handle, info.space)
        else:
            return None
        return [found[k] for k in range(count + 1)]

    def cut(self, arrays, count):
        """A dictionary of outputs for each example. Rows are views of ARRAYS."""
        results = [{} for _ in range(count)]
        for k, (info, array) in enumerate(zip(self.outputs, arrays)):
            name = info.name.decode() if info.name else str(k)
            offsets = self.offsets(info, count)
            for number, result in enumerate(results):
                if offsets is not None:
                    result[name] = array[offsets[number]:offsets[number + 1]]
                elif info.space == PER_EXAMPLE:
                    result[name] = array[number]
                else:
                    assert info.space == PER_CALL
                    result[name] = array[0]
        return results
