#===-- tools/checks/links.py - Links in the documentation -------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Relative links, anchors and paths in *.md lead somewhere."""

import os
import re

from .tree import Finding

LINK = re.compile(r"\]\(([^()\s]+)\)")
FENCE = re.compile(r"^\s*(```|~~~)")
CODE = re.compile(r"`([^`]*)`")
# A path in code that must exist: below one of our folders, without wildcards.
PATH = re.compile(
    r"^(?:docs|include|lib|dialects|runtime|models|test|tools)/[\w.+/-]*\w/?$")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")


def anchors(tree, path):
    """The anchors that a forge makes from the headings of a page."""
    found, in_code = set(), False
    for line in tree.lines(path):
        if FENCE.match(line):
            in_code = not in_code
        match = None if in_code else HEADING.match(line)
        if not match:
            continue
        slug = re.sub(r"[^\w\- ]", "", match.group(1).lower()).replace(" ", "-")
        name, count = slug, 0
        while name in found:
            count += 1
            name = f"{slug}-{count}"
        found.add(name)
    return found


def check_link(tree, path, target):
    if re.match(r"^[a-z][a-z0-9+.-]*:", target):
        return None  # Elsewhere; not looked up, so that the check needs no network.
    name, _, anchor = target.partition("#")
    page = path
    if name:
        page = os.path.normpath(os.path.join(os.path.dirname(path), name))
        if page in tree.directories or page == ".":
            return None
        if page not in tree.files:
            return f"expected a file or folder, but got a link to '{target}'"
    if anchor and page.endswith(".md") and anchor not in anchors(tree, page):
        return f"expected a heading '#{anchor}' in {page}"
    return None


def check_path(tree, text):
    if not PATH.match(text) or text.rstrip("/") in tree.directories:
        return None
    if text in tree.files or f"{text}.cpp" in tree.files:
        return None
    return f"expected the path of a file or folder, but got '{text}'"


def check_page(tree, path):
    findings, in_code = [], False
    for number, line in enumerate(tree.lines(path), 1):
        if FENCE.match(line):
            in_code = not in_code
        if in_code:
            continue
        # A guide says what its reader writes (test/Doc/try-guide).
        named = [] if line.startswith("New file `") else CODE.findall(line)
        texts = [check_path(tree, m) for m in named]
        texts += [check_link(tree, path, m) for m in LINK.findall(CODE.sub("", line))]
        findings += [Finding(path, number, text) for text in texts if text]
    return findings


def check(tree):
    return [f for path in tree.with_suffix(".md") for f in check_page(tree, path)]
