#===-- tools/checks/includes.py - Dependencies point one way ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Dependencies point one way.

  runtime                                  on nothing
  include/cambium/{Batching,Interfaces,Interpreter,Support} on the runtime's headers
  dialects                                 on those and on other dialects' IR
  include/cambium, lib                     on dialects
  tools, test, models                      on everything
"""

import os
import re

from .tree import Finding

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')
TD_INCLUDE = re.compile(r'^\s*include\s+(")([^"]+)"')
SUFFIXES = (".h", ".hpp", ".c", ".cpp", ".cc", ".inc", ".def", ".td")
EXTERNAL_OF_COMPILER = ("mlir/", "llvm/", "llvm-c/", "mlir-c/", "lld/", "clang/")
# Where an include of the form "a/b.h" is looked up, in this order.
ROOTS = ("", "include", "runtime/include", "runtime/core")


def layer(path):
    """The part of the project that a file belongs to, or None for tests."""
    parts = path.split("/")
    if parts[0] == "runtime":
        return "runtime"
    if parts[0] == "dialects":
        return "dialect IR" if parts[2:3] == ["IR"] else "dialect"
    if parts[0] == "lib" or parts[:2] == ["include", "cambium"]:
        folder = parts[1] if parts[0] == "lib" else parts[2]
        # What models of an interface are written with is named by its headers alone.
        if parts[0] == "include" and folder == "Batching":
            return "base"
        return "base" if folder in ("Interfaces", "Interpreter", "Support") else "lib"
    if parts[0] == "tools":
        return "tools"
    return None


ALLOWED = {
    "runtime": {"runtime"},
    "base": {"runtime", "base"},
    "dialect IR": {"runtime", "base", "dialect IR"},
    "dialect": {"runtime", "base", "dialect IR"},
    "lib": {"runtime", "base", "dialect IR", "dialect", "lib"},
    "tools": {"runtime", "base", "dialect IR", "dialect", "lib", "tools"},
}


def resolve(tree, path, name):
    """The included file's path, or None if it is not one of the project. A
    generated header stands for the folder that it is generated in."""
    folders = [os.path.dirname(path)] + list(ROOTS)
    known = set(tree.files)
    for folder in folders:
        candidate = os.path.normpath(os.path.join(folder, name))
        if candidate in known:
            return candidate
    for folder in folders[1:]:
        candidate = os.path.normpath(os.path.join(folder, name))
        if os.path.dirname(candidate) in tree.directories - {""}:
            return candidate
    return None


def complaint(tree, path, name):
    """Why the include is not allowed, or None."""
    here = layer(path)
    if here == "runtime" and name.startswith(EXTERNAL_OF_COMPILER):
        return f"expected the runtime to know nothing of LLVM, but got '{name}'"
    target = resolve(tree, path, name)
    there = layer(target) if target else None
    if there is None:
        if target and target.startswith(("test/", "models/")):
            return f"expected no dependency on tests or models, but got '{name}'"
        return None
    if there in ALLOWED[here]:
        return None
    if here == there == "dialect" and path.split("/")[1] == target.split("/")[1]:
        return None
    return f"expected {here} to include only {', '.join(sorted(ALLOWED[here]))}, " \
           f"but got '{name}' ({there})"


def check(tree):
    findings = []
    for path in tree.with_suffix(*SUFFIXES):
        if layer(path) is None:
            continue
        pattern = TD_INCLUDE if path.endswith(".td") else INCLUDE
        for number, line in enumerate(tree.lines(path), 1):
            match = pattern.match(line)
            text = match and complaint(tree, path, match.group(2))
            if text:
                findings.append(Finding(path, number, text))
    return findings
