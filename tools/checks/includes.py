#===-- tools/checks/includes.py - Dependencies point one way ----------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Dependencies point one way, by what sources include and by what CMake links.

  runtime/include                    on nothing
  runtime/core                       on the runtime's headers
  runtime/data                       on those and core
  runtime/train                      on those and data
  runtime/cuda                       on the runtime's headers and core
  runtime/emulator                   on the runtime's headers
  base                               on the runtime's headers
      include/cambium/{Interfaces,Support}, lib/{Interfaces,Support}
  dialects/X/IR                      on the base and on other dialects' IR
  engine                             on the base and all IR
      dialects/Ragged/{Batching,Derivatives}: how functions are batched and
      differentiated, which the models of each dialect are written with
  dialects/X/...                     on the base, all IR, the engine, and their own X
  lib/{Interpreter,Target}           on the base and all IR
  a phase: lib/{Gradient,Linalg,Buffers,Kernels,LLVM}
                                     on those, the engine and itself, on no other phase
  lib/Pipelines                      on all of these: the only place that knows all
  tools                              on everything but tests and models

include/cambium/X belongs to lib/X. No library is linked in a circle. RapidJSON is
included by the one parser of JSON."""

import os
import re

from .tree import Finding

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]')
TD_INCLUDE = re.compile(r'^\s*include\s+(")([^"]+)"')
SUFFIXES = (".h", ".hpp", ".c", ".cpp", ".cc", ".inc", ".def", ".td")
EXTERNAL_OF_COMPILER = ("mlir/", "llvm/", "llvm-c/", "mlir-c/", "lld/", "clang/")
JSON_PARSER = "runtime/core/Json.cpp"
# Where an include of the form "a/b.h" is looked up, in this order.
ROOTS = ("", "include", "runtime/include", "runtime/core")


BASE = ("Interfaces", "Support")
COMMON = ("Interpreter", "Target")
PHASES = ("Gradient", "Linalg", "Buffers", "Kernels", "LLVM")
ENGINE = ("dialects/Ragged/Batching", "dialects/Ragged/Derivatives")


def layer(path):
    """The part of the project that a file belongs to, or None for tests."""
    parts = path.split("/")
    if parts[0] == "runtime" and parts[1] in (
            "core", "cuda", "data", "train", "emulator"):
        return f"runtime {parts[1]}"
    if parts[0] in ("runtime", "tools"):
        return parts[0]
    if parts[0] == "dialects":
        if "/".join(parts[:3]) in ENGINE:
            return "engine"
        return "dialect IR" if parts[2:3] == ["IR"] else "dialect"
    if parts[0] != "lib" and parts[:2] != ["include", "cambium"]:
        return None
    folder = parts[1] if parts[0] == "lib" else parts[2]
    if folder in BASE:
        return "base"
    if folder in COMMON:
        return "common"
    # Headers without a folder are of lib/Pipelines: InitAllDialects.h.
    return "phase" if folder in PHASES else "pipelines"


def unit(path):
    """What may use its own parts where its layer may not use its like: a dialect, a
    folder of lib."""
    parts = path.split("/")
    if parts[:2] == ["include", "cambium"]:
        parts = parts[1:]
    return parts[1] if len(parts) > 1 else ""


_IR = {"runtime", "base", "dialect IR"}
ALLOWED = {
    "runtime": {"runtime"},
    "runtime core": {"runtime", "runtime core"},
    "runtime cuda": {"runtime", "runtime core", "runtime cuda"},
    "runtime data": {"runtime", "runtime core", "runtime data"},
    "runtime train": {"runtime", "runtime core", "runtime data", "runtime train"},
    "runtime emulator": {"runtime", "runtime emulator"},
    "base": {"runtime", "base"},
    "dialect IR": _IR,
    "engine": _IR | {"engine"},
    "dialect": _IR | {"engine"},
    "common": _IR,
    "phase": _IR | {"engine", "common"},
    "pipelines": _IR | {"engine", "dialect", "common", "phase", "pipelines"},
    "tools": _IR | {"runtime train", "engine", "dialect", "common", "phase",
                    "pipelines", "tools"},
}


def refused(path, target):
    """Whether files of the one place may not use those of the other."""
    here, there = layer(path), layer(target)
    if there in ALLOWED[here]:
        return False
    return here != there or unit(path) != unit(target)


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
    if here.startswith("runtime") and name.startswith(EXTERNAL_OF_COMPILER):
        return f"expected the runtime to know nothing of LLVM, but got '{name}'"
    if name.startswith("rapidjson/") and path != JSON_PARSER:
        return f"expected RapidJSON in {JSON_PARSER} alone (core/Json.h parses, " \
               f"core/JsonWriter.h writes), but got '{name}'"
    target = resolve(tree, path, name)
    there = layer(target) if target else None
    if there is None:
        if target and target.startswith(("test/", "models/")):
            return f"expected no dependency on tests or models, but got '{name}'"
        return None
    if not refused(path, target):
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
