#===-- models/coba/coba/tokens.py - Ids of tokens ------------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Ids of tokens: 0 is padding, 1..100 are the numbers, then the operators."""

from .expressions import LIMIT

OPERATORS = {"+": LIMIT + 1, "*": LIMIT + 2}
VOCABULARY = LIMIT + 1 + len(OPERATORS)


def names():
    """The token of every id."""
    return ["<pad>"] + [str(n) for n in range(1, LIMIT + 1)] + list(OPERATORS)
