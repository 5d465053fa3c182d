#===-- runtime/python/cambium/cache.py - Questions asked again -----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""A function that remembers its answers: searches of a host (attacks on a model, omission
scores, reranking) ask many things again."""

import collections

import numpy as np

from .library import CambiumError


def key_of(value):
    """What two equal inputs have in common."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, (list, tuple)):
        return tuple(key_of(item) for item in value)
    return type(value), value


class Cached:
    """Answers of a function (model.Function), of which the last `size` different ones are
    kept, as long as the parameters do not change. Examples of a call that are equal, or were asked before, are computed once; the
    others `batch` at a time. `asked` and `computed` count examples. An answer is not to be
    written to: others get the same arrays."""

    def __init__(self, function, *, size=100_000, batch=256):
        if function.random:
            raise CambiumError(1, f"expected a function whose answers depend on its inputs "
                               f"alone, but '{function.name}' draws random numbers")
        if size < 1 or batch < 1:
            raise CambiumError(1, f"expected a size and a batch of at least 1, but got {size} "
                               f"and {batch}")
        self.function, self.size, self.batch = function, size, batch
        self.known, self.changes = collections.OrderedDict(), function.model.changes
        self.asked = self.computed = 0

    def __call__(self, examples):
        if self.changes != self.function.model.changes:  # Other parameters.
            self.known.clear()
            self.changes = self.function.model.changes
        examples = list(examples)
        keys = [tuple(sorted((name, key_of(value)) for name, value in example.items()))
                for example in examples]
        # What this call needs stays at hand, however small the cache is.
        here = {key: self.known[key] for key in keys if key in self.known}
        waiting = {key: example for key, example in zip(keys, examples) if key not in here}
        todo = list(waiting)
        for begin in range(0, len(todo), self.batch):
            part = todo[begin:begin + self.batch]
            answers = self.function([waiting[key] for key in part])
            for key, answer in zip(part, answers):
                # Views of a call's arrays would keep all of them.
                here[key] = {name: np.array(value) for name, value in answer.items()}
                for value in here[key].values():
                    value.flags.writeable = False
        self.asked += len(examples)
        self.computed += len(todo)
        self.remember(keys, here)
        return [here[key] for key in keys]

    def remember(self, keys, here):
        """The keys of the last call are the newest."""
        for key in keys:
            self.known[key] = here[key]
            self.known.move_to_end(key)
        while len(self.known) > self.size:
            self.known.popitem(last=False)
