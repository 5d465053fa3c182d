#===-- tools/checks/prose.py - Lines of the pages ------------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Lines of prose in *.md have at most 100 characters; tables and code are as wide as
they must be. `python3 -m checks.prose FILE.md...`, in tools/, wraps prose anew."""

import re
import sys

if __name__ == "__main__":
    from checks.tree import Finding
else:
    from .tree import Finding

WIDTH = 100
GENERATED = "docs/Reference/"
FENCE = re.compile(r"^\s*(```|~~~)")
# What stands alone: headings, rows of tables, comments, rules.
ALONE = re.compile(r"^\s*(#|\||<!--|---|===|\[[^\]]+\]: )")
ITEM = re.compile(r"^(\s*)([-*+]|\d+[.)])(\s+)")
QUOTE = re.compile(r"^\s*>")
# Words that would begin another kind of block at the start of a line.
BEGINS = re.compile(r"^([-*+#>|=~]|\d+[.)]$|```)")
# A word with the spaces that it keeps: code, and code within other text.
WORD = re.compile(r"(?:`+[^`]*`+|\S)+")


def is_prose(lines):
    """For each line whether it is one of prose."""
    found, in_code = [], False
    for line in lines:
        if FENCE.match(line):
            in_code = not in_code
            found.append(False)
        else:
            found.append(not in_code and not ALONE.match(line))
    return found


def can_break(line):
    return len(WORD.findall(ITEM.sub("", line, count=1))) > 1


def check(tree):
    findings = []
    for path in tree.with_suffix(".md"):
        if path.startswith(GENERATED):
            continue
        lines = tree.lines(path)
        findings += [
            Finding(path, number, f"expected a line of at most {WIDTH} characters, but "
                    f"got {len(line)} (tools/checks/prose.py wraps pages)")
            for number, (line, prose) in enumerate(zip(lines, is_prose(lines)), 1)
            if prose and len(line) > WIDTH and can_break(line)]
    return findings


def fill(lines):
    """The lines of a paragraph or an item, wrapped."""
    item = ITEM.match(lines[0])
    first = item.group(0) if item else re.match(r"\s*", lines[0]).group(0)
    rest = " " * len(first)
    if not item and len(lines) > 1:
        rest = re.match(r"\s*", lines[1]).group(0)
    text = " ".join(line.strip() for line in lines)
    text = text[len(first.strip()):].strip() if item else text
    done, line = [], []
    for word in WORD.findall(text):
        indent = rest if done else first
        if line and len(indent) + len(" ".join([*line, word])) > WIDTH:
            # A word that would begin another kind of block takes one before along.
            kept = len(line)
            while kept > 1 and BEGINS.match([*line, word][kept]):
                kept -= 1
            done.append(indent + " ".join(line[:kept]))
            line = line[kept:]
        line.append(word)
    return done + [(rest if done else first) + " ".join(line)]


def wrap(lines):
    """The lines of a page; paragraphs without a long line stay as they are."""
    done, block = [], []

    def end():
        is_long = any(len(line) > WIDTH for line in block)
        keeps = not is_long or QUOTE.match(block[0]) or any(
            line.endswith(("  ", "\\")) for line in block)
        done.extend(block if keeps else fill(block))
        block.clear()

    for line, prose in zip(lines, is_prose(lines)):
        if prose and line.strip() and not (block and ITEM.match(line)):
            block.append(line)
            continue
        if block:
            end()
        if prose and line.strip():
            block.append(line)
        else:
            done.append(line)
    if block:
        end()
    return done


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            before = file.read().splitlines()
        with open(name, "w", encoding="utf-8") as file:
            file.write("\n".join(wrap(before)) + "\n")
