#===-- tools/scoring/files.py - Answers in files -------------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Answers and what they should be, from files. What cannot be used is an error that
names the file and the line."""


class ScoreError(ValueError):
    """A file that is not as it should be."""


def lines_of(path):
    """The lines of a text file in UTF-8, without their ends."""
    with open(path, "rb") as file:
        data = file.read()
    lines = data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    result = []
    for number, line in enumerate(lines, 1):
        try:
            result.append(line.rstrip(b"\r").decode("utf-8"))
        except UnicodeDecodeError as error:
            raise ScoreError(f"{path}:{number}: expected UTF-8, but got {error.reason} "
                             f"at byte {error.start + 1}") from None
    return result


def same_length(*files):
    """Refuses files that have not as many lines; FILES are (path, lines)."""
    first_path, first = files[0]
    for path, lines in files[1:]:
        if len(lines) != len(first):
            raise ScoreError(f"{path}: expected {len(first)} lines as in {first_path}, "
                             f"but got {len(lines)}")


def columns_of(path, names, kind=float):
    """Columns of a table as lists of numbers, or of texts (KIND str), by the names in its
    first line (of which a type after a colon is no part)."""
    lines = lines_of(path)
    if not lines:
        raise ScoreError(f"{path}: expected a first line that names the columns")
    header = [name.split(":")[0] for name in lines[0].split("\t")]
    for name in names:
        if header.count(name) != 1:
            raise ScoreError(f"{path}: expected one column '{name}', but got the columns "
                             f"{', '.join(header)}")
    places = [header.index(name) for name in names]
    columns = [[] for _ in names]
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(header):
            raise ScoreError(f"{path}:{number}: expected {len(header)} columns, but got "
                             f"{len(cells)}")
        for column, name, place in zip(columns, names, places):
            cell = cells[place]
            column.append(cell if kind is str else
                          number_of(cell, f"{path}:{number}: column '{name}'"))
    return columns


def number_of(text, place):
    try:
        value = float(text)
    except ValueError:
        raise ScoreError(f"{place}: expected a number, but got '{text[:40]}'") from None
    if value != value:
        raise ScoreError(f"{place}: expected a number, but got '{text}'")
    return value
