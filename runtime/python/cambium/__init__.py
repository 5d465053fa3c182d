#===-- runtime/python/cambium/__init__.py - Models from Python -----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Calls of compiled models, and a host's own training loops, over the C API of the
runtime (cambium/runtime.h): numpy arrays in and out, many examples a call.

    model = cambium.Model("model.so", "run/best.safetensors")
    predict = model.function("predict")
    for answer in predict([{"tree": [2, 2, -1], "tokens": [4, 5, 0]}, ...]):
        print(answer["output"])
"""

from .cache import Cached
from .library import CambiumError
from .model import Function, Model, Step

__all__ = ["Cached", "CambiumError", "Function", "Model", "Step"]
