#===-- tools/checks/shell.py - What lit's shell knows --------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""lit runs the lines of a test itself. It knows no variables and no commands within
commands: it hands `$(date)` on as it stands, or fails to open `file)`."""

import re

from .tree import Finding

RUN = re.compile(r"RUN:(.*)")
# Single quotes keep what is in them; another shell has its own rules.
QUOTED = re.compile(r"'[^']*'")
OTHER_SHELL = re.compile(r"\b(ba)?sh -c\b")
UNKNOWN = re.compile(r"\$[({A-Za-z?!#@*]|`")


def check(tree):
    findings = []
    for path in tree.with_suffix(".test", ".mlir"):
        if not path.startswith("test/"):
            continue
        for number, line in enumerate(tree.lines(path), 1):
            run = RUN.search(line)
            if not run or OTHER_SHELL.search(run.group(1)):
                continue
            unknown = UNKNOWN.search(QUOTED.sub("", run.group(1)))
            if unknown:
                findings.append(Finding(
                    path, number, "expected words and redirections, but got "
                    f"'{unknown.group(0)}', which lit's shell does not know (sh -c does)"))
    return findings
