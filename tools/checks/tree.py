#===-- tools/checks/tree.py - The files of the source tree ------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The files that belong to the project, and findings about them."""

import dataclasses
import functools
import os
import subprocess
import sys


@dataclasses.dataclass(frozen=True)
class Finding:
    """Something to mend, at a line (from 1; 0: the whole file)."""

    path: str
    line: int
    text: str
    is_error: bool = True

    def __str__(self):
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {'error' if self.is_error else 'warning'}: {self.text}"


class Tree:
    """All files that git tracks or would track, by path from the root."""

    def __init__(self, root):
        self.root = root
        self.files = sorted(self._list(root))
        self.directories = {""}
        for path in self.files:
            while path := os.path.dirname(path):
                self.directories.add(path)

    @staticmethod
    def _list(root):
        command = ["git", "-c", "safe.directory=*", "-C", root, "ls-files", "-z"]
        command += ["--cached", "--others", "--exclude-standard"]
        result = subprocess.run(command, capture_output=True, check=False)
        if result.returncode == 0:
            names = set(os.fsdecode(result.stdout).split("\0"))
            return [n for n in names if n and os.path.isfile(os.path.join(root, n))]
        found = []  # Not a checkout, e.g. an unpacked archive.
        for folder, folders, names in os.walk(root):
            folders[:] = [f for f in folders if f not in ("build", "out", ".git")]
            found += [os.path.relpath(os.path.join(folder, n), root) for n in names]
        return found

    @functools.lru_cache(maxsize=None)
    def lines(self, path):
        """The lines of a file, without their ends; empty for a binary file."""
        with open(os.path.join(self.root, path), "rb") as file:
            data = file.read()
        if b"\0" in data:
            return []
        return data.decode("utf-8", errors="replace").splitlines()

    def with_suffix(self, *suffixes):
        return [p for p in self.files if p.endswith(suffixes)]

    def scripts(self, interpreter):
        """Files without a suffix whose first line names the interpreter."""
        found = []
        for path in self.files:
            if os.path.splitext(path)[1]:
                continue
            lines = self.lines(path)
            if lines and lines[0].startswith("#!") and interpreter in lines[0]:
                found.append(path)
        return found


if __name__ == "__main__":  # tree.py ROOT SUFFIX... prints those files.
    print("\n".join(Tree(sys.argv[1]).with_suffix(*sys.argv[2:])))
