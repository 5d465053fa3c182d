#===-- models/coba/coba/files.py - The files of the data -----------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Reads and writes the tab-separated files of a partition."""

import os

import scripts

from . import expressions as ex

COLUMNS = ("expression", "value", "operators", "tuple", "level")
PARTS = ("train", "dev", "generalization")


def write_part(path, rows):
    with scripts.written(path) as file:
        file.write("\t".join(COLUMNS) + "\n")
        for expression, number, level in rows:
            fields = (ex.to_text(expression), ex.evaluate(expression),
                      ex.count_operators(expression), number, level)
            file.write("\t".join(map(str, fields)) + "\n")


def read_part(path):
    """Rows (expression, tuple, level); raises ValueError with path and line."""
    rows = []
    header, *lines = scripts.lines_of(path)
    if tuple(header.split("\t")) != COLUMNS:
        raise ValueError(f"{path}:1: expected the columns {', '.join(COLUMNS)}, "
                         f"but got {', '.join(header.split())}")
    for number, line in enumerate(lines, 2):
        fields = line.split("\t")
        try:
            if len(fields) != len(COLUMNS):
                raise ValueError(f"expected {len(COLUMNS)} fields, "
                                 f"but got {len(fields)}")
            expression = ex.parse(fields[0])
            value, operators, group, level = map(int, fields[1:])
            if value != ex.evaluate(expression):
                raise ValueError(f"expected the value {ex.evaluate(expression)}, "
                                 f"but got {value}")
            if operators != ex.count_operators(expression):
                raise ValueError(f"expected {ex.count_operators(expression)} "
                                 f"operators, but got {operators}")
        except ValueError as error:
            raise ValueError(f"{path}:{number}: {error}") from None
        rows.append((expression, group, level))
    if not rows:
        raise ValueError(f"{path}: expected expressions after the first line")
    return rows


def read_partition(folder):
    return {part: read_part(os.path.join(folder, f"{part}.tsv")) for part in PARTS}
