#===-- tools/checks/constants.py - Sizes of machines stand in one place -===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""What a pass decides by of a machine stands in include/cambium/Support/TargetCosts.h.

A constant elsewhere in lib and dialects is one of a machine if its name says so: it has one of
the words below, and its value is a number. Bounds of what the compiler itself does (ops, ranks,
nesting, tries) are none."""

import re

from .tree import Finding

WORDS = ("tile", "grain", "block", "chunk", "unroll", "lane", "vector", "register", "cost", "work",
         "cache", "align", "thread", "part", "operand")
CONSTANT = re.compile(r"\bconstexpr\s+(?:unsigned|int|size_t|double|float|u?int\d+_t)\s+(\w+)"
                      r"\s*(?:=|\{)\s*[\w({]*?\d")


def check(tree):
    findings = []
    for path in tree.with_suffix(".cpp", ".h"):
        if not path.startswith(("lib/", "dialects/", "include/cambium/")):
            continue
        for number, line in enumerate(tree.lines(path), 1):
            match = CONSTANT.search(line)
            if match and any(word in match.group(1).lower() for word in WORDS):
                findings.append(Finding(
                    path, number, "expected what depends on the machine to be a member of "
                    f"TargetCosts, but got the constant '{match.group(1)}'"))
    return findings
