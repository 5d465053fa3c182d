#===-- tools/checks/prose.py - Lines of the pages ------------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Lines of prose and of commands in *.md have at most 100 characters; tables and code are
as wide as they must be. `python3 -m checks.prose FILE.md...`, in tools/, wraps them anew."""

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
COMMANDS = re.compile(r"^\s*```sh\s*$")
# A word of a shell; an option and its value stay together.
TAKES = re.compile(r"-[\w-]+|[|<>]|>>|&&")
SHELL_WORD = re.compile(r"""(?:'[^']*'|"[^"]*"|\\.|[^\s'"])+""")


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


def is_command(lines):
    """For each line whether it is one of a block of commands, which holds no other texts."""
    found, begin = [False] * len(lines), None
    for number, line in enumerate(lines):
        if not FENCE.match(line):
            continue
        if begin is not None:
            block = lines[begin + 1:number]
            if COMMANDS.match(lines[begin]) and not any("<<" in line for line in block):
                found[begin + 1:number] = [True] * len(block)
            begin = None
        else:
            begin = number
    return found


def parts_of(command):
    """What may stand on a line of its own; a comment stays with what is before it."""
    text, mark, comment = command.partition(" #")
    parts = []
    for word in SHELL_WORD.findall(text):
        is_value = parts and TAKES.fullmatch(parts[-1]) and not word.startswith("-")
        parts[-1:] = [f"{parts[-1]} {word}"] if is_value else [*parts[-1:], word]
    if mark and parts:
        parts[-1] += mark + comment
    return parts


def wrap_command(line):
    """A command of several lines."""
    if len(line) <= WIDTH or line.lstrip().startswith("#"):
        return [line]
    indent, is_open = re.match(r"\s*", line).group(0), line.endswith("\\")
    done, now = [], ""
    for part in parts_of(line.removesuffix("\\")):
        if now.strip() and len(f"{now} {part} \\") > WIDTH:
            done.append(now + " \\")
            now = f"{indent.removesuffix('  ')}  {part}"
        else:
            now = f"{now} {part}" if now else indent + part
    return [*done, now + (" \\" if is_open else "")]


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
            for number, (line, prose, command) in enumerate(
                zip(lines, is_prose(lines), is_command(lines)), 1)
            if len(line) > WIDTH and (prose and can_break(line) or
                                      command and wrap_command(line) != [line])]
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

    for line, prose, command in zip(lines, is_prose(lines), is_command(lines)):
        if prose and line.strip() and not (block and ITEM.match(line)):
            block.append(line)
            continue
        if block:
            end()
        if prose and line.strip():
            block.append(line)
        else:
            done += wrap_command(line) if command else [line]
    if block:
        end()
    return done


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            before = file.read().splitlines()
        with open(name, "w", encoding="utf-8") as file:
            file.write("\n".join(wrap(before)) + "\n")
