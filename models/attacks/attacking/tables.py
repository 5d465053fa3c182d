#===-- models/attacks/attacking/tables.py - Tables of sentences ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Reads what models/sentences/prepare writes."""


def read_texts(path):
    """Pairs of a class and words in lower case."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    if lines[0] != "label\ttext":
        raise ValueError(f"{path}:1: expected the columns label and text, but got "
                         f"'{lines[0][:40]}'")
    pairs = (line.split("\t") for line in lines[1:] if line)
    return [(label, words.lower().split()) for label, words in pairs]
