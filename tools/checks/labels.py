#===-- tools/checks/labels.py - Constraints have names and tests ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""A constraint such as [NN-MATMUL-C1] has one name everywhere: on the page of its
dialect (docs/Semantics*.md), beside the error in the sources, and in a test.

Every error of the verifiers has one, and those of the interpreter of nn and tree."""

import re

from .tree import Finding

LABEL = re.compile(r"\[((?:NN|TREE|TRAIN|RAGGED|RT)-[A-Z0-9_]+-C\d+)\]")
# On a page, a constraint is the first cell of a row of a table.
ROW = re.compile(r"^\| " + LABEL.pattern + r" \|")
LABELLED = ("dialects/NN/IR/", "dialects/NN/Interpret/", "dialects/Tree/IR/",
            "dialects/Tree/Interpret/", "dialects/Train/IR/", "dialects/Ragged/IR/",
            "dialects/RT/IR/")
# Rules of derivatives as text: an error of a developer, not of a model.
EXEMPT = ("dialects/NN/IR/Expression.cpp",)
ERROR = re.compile(r"\b(?:emitOpError|emitOptionalError|emitError|fail)\(")
# A function of a file that only makes the message.
MAKES = re.compile(r"emitError, |auto (fail|error) = ")
WITHIN = 3


def places(tree, paths):
    found = {}
    for path in paths:
        for number, line in enumerate(tree.lines(path), 1):
            for label in LABEL.findall(line):
                found.setdefault(label, []).append((path, number))
    return found


def unlabelled(tree, path):
    """The errors without a label in the lines before them."""
    lines = tree.lines(path)
    for number, line in enumerate(lines, 1):
        before = lines[max(0, number - 1 - WITHIN):number]
        if not ERROR.search(line) or any(MAKES.search(b) for b in before[-2:]):
            continue
        if not any(LABEL.search(text) for text in before):
            yield Finding(path, number, "expected a comment with the label of this "
                          "constraint, such as [NN-MATMUL-C1]")


def check(tree):
    findings, pages = [], {}
    for path in tree.files:
        if not (path.startswith("docs/Semantics") and path.endswith(".md")):
            continue
        for number, line in enumerate(tree.lines(path), 1):
            match = ROW.match(line)
            if not match:
                continue
            if match.group(1) in pages:
                findings.append(Finding(path, number, "expected one row of "
                                        f"[{match.group(1)}], but got two"))
            pages[match.group(1)] = (path, number)
    sources = places(tree, [p for p in tree.with_suffix(".cpp", ".h", ".td")
                            if p.startswith(("dialects/", "lib/"))])
    tests = places(tree, [p for p in tree.with_suffix(".mlir", ".test")
                          if p.startswith("test/")
                          and any("RUN:" in line for line in tree.lines(p))])
    for label, (path, number) in sorted(pages.items()):
        for kind, known in (("a comment in the sources", sources),
                            ("a test under test/", tests)):
            if label not in known:
                findings.append(Finding(path, number, f"expected {kind} that names "
                                        f"[{label}]"))
    for known in (sources, tests):
        for label, where in sorted(known.items()):
            if label not in pages:
                findings.append(Finding(*where[0], f"expected [{label}] on a page "
                                        "docs/Semantics*.md"))
    for path in tree.with_suffix(".cpp", ".h"):
        if path.startswith(LABELLED) and path not in EXEMPT:
            findings += unlabelled(tree, path)
    return findings
