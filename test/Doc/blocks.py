#===-- test/Doc/blocks.py - The examples of a page ------------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Finds the fenced blocks of Markdown pages, makes modules of single operations, and
a folder to run commands in."""

import os
import pathlib
import re

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"^(?P<indent> *)```(?P<language>[\w+]*)\n(?P<text>.*?)"
                   r"^(?P=indent)```$", re.S | re.M)
SKIP = re.compile(r"<!-- not run: \S.*? -->\s*\Z")
EDIT = re.compile(r"(?:In\s+`[^`]+`,\s+(?:before|after)\s+`[^\n]+`|New\s+file\s+`[^`]+`):\s*\Z")
SHOWN = re.compile(r"`([\w./-]+\.mlir)`:\s*\Z")
# Syntax, signatures: of the pages that are generated.
GENERATED = ("ebnf", "c++")
# Values by their names, where an operation does not print their types.
TYPES = {"!ragged.rows": "rows tokens edges queries keys",
         "!ragged.forest": "forest f trees",
         "index": "n count num_rows num_edges row begin end"}
NAMED = {"%" + name: kind for kind, names in TYPES.items() for name in names.split()}
TYPE = r"(?:![\w.]+|\w+)(?:<[^<>]*(?:<[^<>]*>[^<>]*)*>)?"
FRAGMENT = {"#": "func.func private @example() attributes {test.example = %s}\n",
            "!": "func.func private @example(%s)\n"}


class Block:
    def __init__(self, text, match):
        self.language, self.text = match["language"], match["text"]
        self.line = text.count("\n", 0, match.start()) + 1
        before = text[:match.start()]
        self.skipped = bool(SKIP.search(before))
        self.is_edit = bool(EDIT.search(before))
        shown = SHOWN.search(before)
        self.shown = shown[1] if shown else None


def is_module(text):
    return bool(re.search(r"^(func\.func|nn\.param|module|train\.step|llvm\.func)\b",
                          text, re.M))


def typed(right):
    """Values that an operation uses, with their types: those that stand after its
    last colon, in the order of the values, those of a list (%x : type), or those
    that the names tell."""
    pairs = re.findall(rf"\((%\w+) : ({TYPE})\)", right)
    if pairs:
        used = re.findall(r"%\w+", right)
        return pairs + [(v, NAMED[v]) for v in used if v in NAMED]
    right = re.sub(r"\{[^{}]*\}", "", right)
    left, _, types = right.rpartition(" : ") if " : " in right else (right, "", "")
    used = re.findall(r"%\w+", left)
    types = re.findall(TYPE, types.split(" -> ")[0])
    trees = sum(1 for t in types if t.startswith("!"))
    if len(types) + 1 == len(used) and trees == 0 and "tree." in right:
        types = ["!tree.tree"] + types
    known = [v for v in used if v in NAMED]
    others = [v for v in used if v not in NAMED]
    if len(types) == len(used) != len(others) and len(types) > 1:
        return list(zip(used, types))
    if len(types) == 1:
        types = types * len(others)
    return list(zip(others, types)) + [(v, NAMED[v]) for v in known]


def parameters(text):
    """Declarations of the parameters that single operations name."""
    made = ""
    for name in dict.fromkeys(re.findall(r"@(\w+)", text)):
        line = next(t for t in text.splitlines() if "@" + name in t)
        shape = re.search(r"(?:tensor|memref)<(\d[\dx]*xf32)>", line)
        sparse = " row_sparse" if re.search(rf"touch\w* @{name}\b", text) else ""
        made += f"nn.param @{name} : tensor<{shape[1] if shape else '10x4xf32'}>{sparse}\n"
    return made


def wrapped(text):
    """A module of single operations: a function whose arguments are the values that
    they use, and the parameters. Of an attribute or a type, a function with it."""
    text = text.strip()
    if text[0] in FRAGMENT:
        return FRAGMENT[text[0]] % text
    body, arguments, known = [], [], set()
    for statement in re.sub(r"\n[ ]{2,}", " ", text).split("\n"):
        left, _, right = statement.partition(" = ")
        if not statement.lstrip().startswith("%"):
            left, right = "", statement
        if statement.startswith("^"):
            left, right = statement, ""
        for value, kind in typed(right):
            if value not in known:
                known.add(value)
                arguments.append(f"{value}: {kind}")
        known |= set(re.findall(r"%\w+", left))
        body.append("  " + statement)
    return (f"func.func @example({', '.join(arguments)}) {{\n"
            + "\n".join(body) + "\n  return\n}\n" + parameters(text))


def checkout(folder, build):
    """A folder that looks like a checkout whose builds are all BUILD."""
    for name in os.listdir(SOURCE):
        if name not in ("build", "out", ".git"):
            (folder / name).symlink_to(SOURCE / name)
    for preset in ("dev", "release"):
        (folder / "build" / preset).mkdir(parents=True)
        for part in ("bin", "runtime"):
            (folder / "build" / preset / part).symlink_to(build / part)
