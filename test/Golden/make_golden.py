#!/usr/bin/python3
#===-- test/Golden/make_golden.py - Writes the golden files --------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Writes the golden files of the cells, heads, systems and ops with PyTorch (1.13 or newer).

usage: test/Golden/make_golden.py [NAME...]      (default: all)

Needs cambium-compile on the path. The files are kept in the repository; tests
compare with them and need no PyTorch. Same seed, same files, up to the last bits of PyTorch's arithmetic.
"""

import json
import os
import re
import sys

from golden import cell_files, head_files, op_files, system_files

SEED = 20240229
HERE = os.path.dirname(os.path.realpath(__file__))
INPUTS = os.path.join(HERE, "Inputs")
MODELS = os.path.join(HERE, os.pardir, os.pardir, "models", "cells")


def write(path, data):
    """JSON with one line per innermost field, to keep differences readable."""
    text = json.dumps(data, indent=1)
    text = re.sub(r"\[[^{}\"]*\]", lambda m: re.sub(r"\s+", "", m[0]), text)
    with open(path, "w") as file:
        file.write(text + "\n")


def main():
    names = sys.argv[1:] or [*cell_files.NAMES, *head_files.NAMES, *system_files.NAMES, "ops"]
    for number, name in enumerate(cell_files.NAMES):
        if name in names:
            data = cell_files.make(name, MODELS, SEED + number)
            write(os.path.join(INPUTS, "cells", name + ".json"), data)
    for number, name in enumerate(head_files.NAMES):
        if name in names:
            data = head_files.make(name, MODELS, SEED + 100 + number)
            write(os.path.join(INPUTS, "heads", name + ".json"), data)
    for number, name in enumerate(system_files.NAMES):
        if name in names:
            data = system_files.make(name, MODELS, SEED + 200 + number)
            write(os.path.join(INPUTS, "systems", name + ".json"), data)
    if "ops" in names:
        model, data = op_files.make(SEED)
        with open(os.path.join(INPUTS, "ops.mlir"), "w") as file:
            file.write(model)
        write(os.path.join(INPUTS, "ops.json"), data)


if __name__ == "__main__":
    main()
