#===-- models/coba/coba/dice.py - Deterministic embeddings of numbers ----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""DICE: embeddings of numbers that are computed, not trained.

A number s of the interval [0, 100] has the angle t = pi * s / 100 and the vector
Q v, where v_d = sin^(d-1) t * cos t for d < D, v_D = sin^D t, and Q is a random
rotation, the same for all numbers. Close numbers have close vectors; all lengths
are 1 within 0.001.
"""

import random as random_module

import numpy
import tensors

from .expressions import LIMIT
from .tokens import OPERATORS, VOCABULARY


def dice(dimension, seed):
    """Rows by token id: zero for padding and the operators."""
    random = random_module.Random(f"coba dice {seed}")
    normal = numpy.array([[random.gauss(0.0, 1.0) for _ in range(dimension)]
                          for _ in range(dimension)])
    rotation, triangle = numpy.linalg.qr(normal)
    rotation *= numpy.sign(numpy.diag(triangle))  # Makes Q unique.
    table = numpy.zeros((VOCABULARY, dimension), dtype=numpy.float32)
    powers = numpy.arange(dimension)
    for number in range(1, LIMIT + 1):
        angle = numpy.pi * number / LIMIT
        vector = numpy.sin(angle) ** powers * numpy.cos(angle)
        vector[-1] = numpy.sin(angle) ** dimension
        table[number] = rotation @ vector
    return table


def operators(dimension, seed, marks=0):
    """First values of the trained embeddings of the operators: random, of the
    length of the numbers. Row 0 is zero; row i is the i-th operator; then come as
    many marks."""
    random = random_module.Random(f"coba operators {seed}")
    rows = 1 + len(OPERATORS) + marks
    table = numpy.zeros((rows, dimension), dtype=numpy.float32)
    for row in table[1:]:
        row[:] = [random.gauss(0.0, 1.0) for _ in range(dimension)]
        row /= numpy.linalg.norm(row)
    return table


def write(path, arrays):
    """Writes a dict of float32 arrays."""
    tensors.write(path, {name: ("F32", list(array.shape),
                                numpy.ascontiguousarray(array, dtype="<f4").tobytes())
                         for name, array in arrays.items()})
