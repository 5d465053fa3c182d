#===-- tools/checks/subjects.py - Subjects of commits --------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Commits say what and why: a subject `[Tag] What` of at most 72 characters, with a tag of
the table in docs/README.md, and a body with the reason."""

import re
import subprocess

from .tree import Finding

WIDTH = 72
# The commits after this one. Where it is not at hand (a shallow clone, an archive),
# nothing is checked.
BASE = "c0c839c67f0717bee6175aaef0dd5585126199fe"
PAGE, TITLE = "docs/README.md", "## How changes are made"
ROW = re.compile(r"^\| ((?:`\w+` ?)+) \|")
SUBJECT = re.compile(r"^\[(\w+)\] [^\s\[]")


def tags(tree):
    """The tags in the table of the page."""
    lines = tree.lines(PAGE)
    rows = lines[lines.index(TITLE):]
    return [tag for line in rows if (match := ROW.match(line))
            for tag in re.findall(r"\w+", match.group(1))]


def commits(root):
    """Hash, subject and body of each commit since the base."""
    command = ["git", "-c", "safe.directory=*", "-C", root, "log", "--no-merges",
               "--format=%h%x1f%s%x1f%b%x1e", f"{BASE}..HEAD"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        return []
    return [entry.strip("\n").split("\x1f") for entry in result.stdout.split("\x1e")
            if entry.strip()]


def faults(known, subject):
    match = SUBJECT.match(subject)
    if not match:
        yield "expected a subject '[Tag] What'"
    elif match.group(1) not in known:
        yield f"expected a tag of the table in {PAGE}, but got [{match.group(1)}]"
    if len(subject) > WIDTH:
        yield f"expected a subject of at most {WIDTH} characters, but got {len(subject)}"


def check(tree):
    known = tags(tree)
    found = []
    for name, subject, body in commits(tree.root):
        place = f"commit {name} '{subject}'"
        found += [Finding(place, 0, fault) for fault in faults(known, subject)]
        if not body.strip():
            found.append(Finding(place, 0, "expected a body with the reason", False))
    return found
