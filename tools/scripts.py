#===-- tools/scripts.py - What scripts with files as arguments share ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Help, and errors of one line, for scripts whose page is their help."""

import pathlib
import sys


def run(main, page):
    """Calls main with the arguments: a file that is not there or holds something else is one line
    of error and no trace."""
    try:
        if sys.argv[1:2] in (["-h"], ["--help"]):
            print(page.strip(), flush=True)
            sys.exit(0)
        sys.exit(main(sys.argv[1:]))
    except (OSError, ValueError) as error:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: error: {error}")


def lines_of(path):
    """The lines of a text, which may have other separators in them (U+2028, say)."""
    with open(path, encoding="utf-8") as file:
        try:
            return [line.rstrip("\n") for line in file]
        except UnicodeDecodeError as error:
            raise ValueError(f"{path}: expected a text in UTF-8, but got bytes: {error}") from error


def rows_of(path, columns):
    """The first line of a table, and its others, of at least so many columns."""
    rows = [line.split("\t") for line in lines_of(path)]
    if not rows:
        raise ValueError(f"{path}: expected a table, but got no line")
    for number, row in enumerate(rows, 1):
        if len(row) < columns:
            raise ValueError(f"{path}:{number}: expected {columns} columns or more, but got "
                             f"{len(row)}")
    return rows[0], rows[1:]
