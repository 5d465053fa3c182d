#===-- tools/checks/tablegen.py - Every definition is documented ------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Every op, type, attribute and pass is documented and used by a test.

The records come from llvm-tblgen, so what counts is what the compiler sees. A
description has an example, a block of mlir, in which an op or a type occurs by its name
(attributes are printed within others): test/Doc runs all of them. There is a test under test/Doc or test/<dialect>/IR (not one of bad
input) in whose IR, not in a comment, the name of an op occurs, and a test whose RUN line
names the argument of a pass.
"""

import json
import os
import re
import shutil
import subprocess
import textwrap

from .tree import Finding

LLVM = "/usr/lib/llvm-22"
EXAMPLES = re.compile(r"test/(Doc|\w+/IR)/")
BAD_INPUT = re.compile(r"(^|[-_/])(invalid|errors?|negative)\b")


def dump(tree, path):
    """All records of a file as llvm-tblgen sees them; raises ValueError."""
    tool = shutil.which("llvm-tblgen-22") or f"{LLVM}/bin/llvm-tblgen"
    command = [tool, "--dump-json", "-I", ".", "-I", "include"]
    command += ["-I", os.path.dirname(path), "-I", f"{LLVM}/include", path]
    try:
        result = subprocess.run(command, cwd=tree.root, capture_output=True,
                                text=True, check=False)
    except OSError as error:
        raise ValueError(f"cannot run {tool}: {error.strerror}") from error
    if result.returncode != 0:
        first = (result.stderr.strip() or "no message").splitlines()[0]
        raise ValueError(f"llvm-tblgen cannot read it: {first}")
    return json.loads(result.stdout)


COMMENT = re.compile(r"//.*")
BLOCK = re.compile(r"```mlir\n(.*?)```", re.S)


def has(name, text):
    return re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", text)


def words(tree, predicate):
    """The texts of the tests that lit runs and that fulfil the predicate."""
    texts = []
    for path in tree.with_suffix(".mlir"):
        if path.startswith("test/") and predicate(path):
            lines = tree.lines(path)
            if any("RUN:" in line for line in lines):
                texts.append("\n".join(lines))
    return "\n".join(texts)


def kind_of(record):
    classes = set(record.get("!superclasses", []))
    for name, kind in (("Op", "op"), ("TypeDef", "type"), ("AttrDef", "attribute"),
                       ("PassBase", "pass")):
        if name in classes:
            return kind
    return None


def spelling(records, record, kind):
    """How the thing is written in IR or on a command line; None: abstract."""
    if kind == "pass":
        return record["argument"]
    dialect = record["opDialect" if kind == "op" else "dialect"]
    dialect = records[dialect["def"]]["name"]
    name = record["opName" if kind == "op" else "mnemonic"]
    return f"{dialect}.{name}" if name else None


def attribute_words(records, record, name):
    """What stands in IR for an attribute that is printed without its dialect: its
    name or, of an enumeration, one of the cases."""
    yield name.split(".", 1)[1]
    enum = records.get((record.get("enum") or {}).get("def"), {})
    for case in enum.get("enumerants", []):
        yield records[case["def"]]["str"]


def check_record(records, record, kind, examples, runs):
    name = spelling(records, record, kind)
    if name is None:
        return
    for field in ("summary", "description"):
        text = record.get(field)
        if not isinstance(text, str) or not text.strip():
            yield f"expected a {field} of the {kind} '{name}'"
        elif field == "description":
            example = COMMENT.sub("", "\n".join(BLOCK.findall(textwrap.dedent(text))))
            if not example.strip() or kind in ("op", "type") and not has(name, example):
                yield (f"expected an example (```mlir) of the {kind} '{name}' in its "
                       "description")
    if kind == "pass":
        if not re.search(rf"(?<![\w-])-{{0,2}}{re.escape(name)}(?![\w-])", runs):
            yield f"expected a test whose RUN line names the pass '{name}'"
    elif not has(name, examples):
        if kind == "attribute" and any(
                has(word, examples) for word in attribute_words(records, record, name)):
            return
        yield (f"expected an example of the {kind} '{name}' in a test of "
               "test/Doc or test/<dialect>/IR")


def part_of(tree, path):
    """The name of the file that includes this one at its end, if it says so."""
    for line in tree.lines(path)[:12]:
        match = re.match(r"// Part of (\w+\.td)\.$", line)
        if match:
            return match.group(1)
    return None


def place(tree, record, path):
    """Line of the definition if it stands in this file, else None. Records name
    the file without its folder, so the line itself has the last word."""
    for location in record.get("!locs", []):
        file, _, line = location.rpartition(":")
        if os.path.basename(file) == os.path.basename(path):
            lines = tree.lines(path)
            number = int(line)
            if number <= len(lines) and record["!name"] in lines[number - 1]:
                return number
    return None


def check(tree):
    examples = COMMENT.sub("", words(
        tree, lambda p: EXAMPLES.match(p) and not BAD_INPUT.search(p)))
    runs = "\n".join(line for line in words(tree, lambda p: True).splitlines()
                     if "RUN:" in line)
    findings = []
    for path in tree.with_suffix(".td"):
        if path.startswith("test/") or part_of(tree, path):
            continue
        folder = os.path.dirname(path)
        parts = [p for p in tree.with_suffix(".td") if os.path.dirname(p) == folder
                 and part_of(tree, p) == os.path.basename(path)]
        try:
            records = dump(tree, path)
        except ValueError as error:
            findings.append(Finding(path, 0, str(error)))
            continue
        for name, record in sorted(records.items()):
            if name.startswith("!") or not isinstance(record, dict):
                continue
            kind = kind_of(record)
            for file in [path] + parts if kind else []:
                line = place(tree, record, file)
                if line is None:
                    continue
                for text in check_record(records, record, kind, examples, runs):
                    findings.append(Finding(file, line, text))
    return findings
