#===-- tools/tasking/table.py - Tables whose lines are kept --------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Tables of `--data table` (docs/Tables.md), as lines of cells."""

import scripts


class TaskError(Exception):
    """What cannot go on, and why."""


class Table:
    """A header and rows of as many cells; blank lines are passed over, as by the reader."""

    def __init__(self, path, header, rows):
        self.path, self.header, self.rows = path, header, rows

    @classmethod
    def read(cls, path):
        try:
            with open(path, encoding="utf-8", newline="") as file:
                lines = [line.rstrip("\n").rstrip("\r") for line in file]
        except UnicodeDecodeError as error:
            raise TaskError(f"{path}: expected UTF-8, but got {error.reason}") from None
        rows = [line.split("\t") for line in lines if line.strip()]
        if not rows:
            raise TaskError(f"{path}: expected a first line that names the columns")
        for number, row in enumerate(rows, 1):
            if len(row) != len(rows[0]):
                raise TaskError(f"{path}: expected {len(rows[0])} columns in line {number} "
                                f"of those that are not blank, but got {len(row)}")
        return cls(path, rows[0], rows[1:])

    def write(self, path):
        with scripts.written(path) as file:
            file.writelines("\t".join(row) + "\n" for row in [self.header, *self.rows])

    def names(self):
        return [name.split(":")[0] for name in self.header]

    def columns_behind(self, number):
        """The header and the cells of the columns from a number on."""
        return self.header[number:], [row[number:] for row in self.rows]

    def with_columns(self, header, cells):
        return Table(self.path, self.header + header,
                     [row + more for row, more in zip(self.rows, cells)])

    def append(self, other):
        if self.header != other.header:
            raise TaskError(f"{other.path}: expected the columns of {self.path}, "
                            f"'{' '.join(self.header)[:200]}', but got "
                            f"'{' '.join(other.header)[:200]}'")
        return Table(self.path, self.header, self.rows + other.rows)
