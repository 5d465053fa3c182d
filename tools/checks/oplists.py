#===-- tools/checks/oplists.py - Passes ask interfaces ----------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""No pass has a list of ops: what it must know of an op, the op says by an interface, so
that a new op takes part without a change of the pass.

A list is two or more ops of our dialects in one isa<> or cast, in the cases of one TypeSwitch,
in one chain of `else if`, or as arguments of one list of patterns. It is looked for where passes
stand: lib/*, dialects/*/Transforms, and the engine. Not lists of this kind are:
  - ops of the dialect that the file belongs to: they change together;
  - files that state or convert: Verify*.cpp says what a phase may hold, Convert*.cpp lowers a
    dialect whole."""

import re

from .tree import Finding

PLACES = re.compile(r"^(lib/(Gradient|Linalg|Buffers|Kernels|LLVM)/"
                    r"|dialects/[A-Za-z]+/Transforms/|dialects/Ragged/(Batching|Derivatives)/)")
EXEMPT = re.compile(r"/(Verify|Convert)[A-Za-z]*\.cpp$")
DEFINITION = re.compile(r"^def\s+[A-Za-z]+_([A-Za-z0-9]+Op)\s*:", re.M)
NAMESPACE = re.compile(r"using namespace cambium::(\w+);")
OP = re.compile(r"\b(?:(\w+)::)?([A-Z]\w*Op)\b")
# One expression each: its ops are one list.
LISTS = [re.compile(r"\b(?:isa\w*|dyn_cast\w*|cast|IsaPred)<([^<>()]*,[^<>()]*)>"),
         re.compile(r"TypeSwitch<.*?(?:\.Default|\}\);$)", re.S | re.M),
         re.compile(r"\.add<([^;]*?)>\(", re.S),
         re.compile(r"(?:if \([^{};]*dyn_cast<\s*[\w:]+\s*>[^{}]*(?:\{[^{}]*\})?\s*else\s+)+"
                    r"if \([^{};]*dyn_cast<\s*[\w:]+\s*>", re.S)]


def ops_by_dialect(tree):
    """The ops that each of our dialects defines: from its name in C++ to names of classes."""
    ops = {}
    for path in tree.files:
        match = re.match(r"dialects/(\w+)/IR/\w+\.td$", path)
        if match:
            found = DEFINITION.findall("\n".join(tree.lines(path)))
            ops.setdefault(match.group(1).lower(), set()).update(found)
    return ops


def foreign_ops(text, own, used, ops):
    """The ops of our dialects in a text that are not of the file's own one."""
    found = set()
    for dialect, name in OP.findall(text):
        candidates = [dialect] if dialect else used
        for each in candidates:
            if each != own and name in ops.get(each, ()):
                found.add(f"{each}::{name}")
    return found


def check(tree):
    ops = ops_by_dialect(tree)
    findings = []
    for path in tree.files:
        if not PLACES.match(path) or EXEMPT.search(path) or not path.endswith((".cpp", ".h")):
            continue
        text = "\n".join(tree.lines(path))
        parts = path.split("/")
        own = parts[1].lower() if parts[0] == "dialects" else None
        used = NAMESPACE.findall(text)
        for pattern in LISTS:
            for match in pattern.finditer(text):
                names = foreign_ops(match.group(0), own, used, ops)
                if len(names) > 1:
                    line = text.count("\n", 0, match.start()) + 1
                    findings.append(Finding(
                        path, line, "expected a method of an interface, but got a list of ops: "
                        f"{', '.join(sorted(names))}"))
    return findings
