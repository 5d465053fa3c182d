#===-- runtime/python/cambium/model.py - Models and their functions ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""A module with its parameters, its functions and its training steps. One thread at a
time uses a model and what comes from it."""

import ctypes
import os

import numpy as np

from .examples import Examples, pointer, rows_of
from .library import (ACCUMULATE, FUNCTION, PARAMETERS_ONLY, TYPES, Buffer, CambiumError,
                      LearningRate, SessionOptions, StoreOptions, library, shape_of)


class Model:
    """A module that cambium-compile made. Its parameters come from a checkpoint
    (safetensors), or are drawn by a seed. A call uses at most `threads` threads. With
    `for_calls` functions take less memory, and there are no steps, no `save` and no
    `parameters`."""

    def __init__(self, module, checkpoint=None, *, seed=1, threads=1, data_dir=None,
                 for_calls=False):
        self.library = library()
        self.module, self.store = ctypes.c_void_p(), ctypes.c_void_p()
        self.session = ctypes.c_void_p()
        self.changes = 0  # How often parameters have changed.
        self.library.module_load(os.fsencode(module), ctypes.byref(self.module))
        options = StoreOptions(seed=seed, skip_initializers=checkpoint is not None)
        if data_dir is not None:
            options.data_dir = os.fsencode(data_dir)
        create = (self.library.store_create_for_calls if for_calls else
                  self.library.store_create)
        create(self.module, ctypes.byref(options), ctypes.byref(self.store))
        if checkpoint is not None:
            self.load(checkpoint, parameters_only=True)
        session = SessionOptions(num_threads=threads, check_loss=True)
        self.library.session_create(ctypes.byref(session), ctypes.byref(self.session))

    def __del__(self):
        for kind in ("session", "store", "module"):
            if getattr(self, kind, None):
                getattr(self.library, kind + "_destroy")(getattr(self, kind))

    def functions(self):
        """Names of the functions."""
        entries = [self.library.module_entry(self.module, k)
                   for k in range(self.library.module_num_entries(self.module))]
        infos = [self.library.entry_info(entry).contents for entry in entries]
        return [info.name.decode() for info in infos if info.kind == FUNCTION]

    def function(self, name="predict"):
        entry = self.library.module_find_entry(self.module, name.encode())
        if not entry or self.library.entry_info(entry).contents.kind != FUNCTION:
            raise CambiumError(2, f"expected a function of the module ("
                               f"{', '.join(self.functions())}), but got '{name}'")
        return Function(self, entry, name)

    def step(self, name=None):
        """A training step, or the only one."""
        accumulate, apply = ctypes.c_void_p(), ctypes.c_void_p()
        self.library.module_find_step(self.module, name.encode() if name else None,
                                      ctypes.byref(accumulate), ctypes.byref(apply))
        return Step(self, accumulate)

    def load(self, path, *, parameters_only=False):
        self.changes += 1
        self.library.store_load(self.store, os.fsencode(path),
                                PARAMETERS_ONLY if parameters_only else 0)

    def save(self, path, *, parameters_only=False):
        self.library.store_save(self.store, os.fsencode(path),
                                PARAMETERS_ONLY if parameters_only else 0)

    def parameters(self):
        """Copies of all parameters by name."""
        result = {}
        for k in range(self.library.module_num_parameters(self.module)):
            info = self.library.module_parameter(self.module, k).contents
            array = np.empty(shape_of(info), TYPES[info.type])
            value = self.library.store_value(self.store, k)
            if array.size and not value:
                raise CambiumError(2, f"'{info.name.decode()}': expected a model with its "
                                   "values, but got one for calls")
            if array.size:
                ctypes.memmove(array.ctypes.data, value, array.nbytes)
            result[info.name.decode()] = array
        return result

    def set_parameter(self, name, value):
        for k in range(self.library.module_num_parameters(self.module)):
            info = self.library.module_parameter(self.module, k).contents
            if info.name.decode() == name:
                array, _ = rows_of(value, TYPES[info.type], shape_of(info), f"'{name}'")
                self.changes += 1
                self.library.store_set_value(self.store, k, info.type, array.size,
                                             pointer(array))
                return
        raise CambiumError(2, f"expected a parameter of the module, but got '{name}'")


class Function:
    """Called with a list of examples, a dictionary each (Examples), it returns a list of
    dictionaries: each output of an example, an array, by its name (or its number)."""

    def __init__(self, model, entry, name):
        self.model, self.entry, self.name = model, entry, name
        self.examples = Examples(entry, name)
        self.random = bool(model.library.entry_info(entry).contents.random)

    def __call__(self, examples, *, first=0, seed=0):
        examples = list(examples)
        if not examples:
            return []
        model, batch = self.model, self.examples
        model.library.batch_set_key_seed(batch.handle, seed)
        batch.fill(examples, first)
        arrays = batch.make_outputs()
        buffers = (Buffer * len(arrays))(*(Buffer(array.ctypes.data, array.nbytes)
                                           for array in arrays))
        model.library.call(model.session, self.entry, model.store, batch.handle, buffers,
                           len(arrays))
        return batch.cut(arrays, len(examples))


class Step:
    """Called with a list of examples and rates by group (or one for all), it makes an
    update, and returns the loss."""

    def __init__(self, model, entry):
        self.model = model
        info = model.library.entry_info(entry).contents
        assert info.kind == ACCUMULATE
        self.examples = Examples(entry, info.step.decode())

    def __call__(self, examples, rates, *, first=0, seed=0):
        if not isinstance(rates, dict):
            rates = {None: rates}
        model, batch, loss = self.model, self.examples, ctypes.c_double()
        model.library.batch_set_key_seed(batch.handle, seed)
        batch.fill(examples, first)
        model.changes += 1
        groups = (LearningRate * len(rates))(*(
            LearningRate(group.encode() if group else None, rate)
            for group, rate in rates.items()))
        model.library.step(model.session, model.store, batch.handle, groups, len(rates),
                           ctypes.byref(loss))
        return loss.value
