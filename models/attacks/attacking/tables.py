#===-- models/attacks/attacking/tables.py - Tables of sentences ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Reads what models/sentences/prepare writes."""

import scripts


def read_texts(path):
    """Pairs of a class and words in lower case."""
    table = scripts.columns_of(path, "label", "text")
    return [(label, words.lower().split()) for label, words in zip(table["label"], table["text"])]
