#===-- test/Benchmark/packages.py - Programs of PyPI to compare with -----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Packages of PyPI in a virtual environment of their own. Only files whose digests
stand in the list of a benchmark are installed."""

import hashlib
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def install(venv, benchmark):
    """A Python that has the packages of BENCHMARK-packages.txt: that of the folder
    `venv`, which is made anew where it was made from another list."""
    path = HERE / f"{benchmark}-packages.txt"
    text = path.read_bytes()
    python, made_from = venv / "bin/python", venv / "made-from"
    digest = hashlib.sha256(text).hexdigest()
    if made_from.exists() and made_from.read_text(encoding="ascii") == digest:
        return python
    names = re.findall(r"^([\w.-]+)==", text.decode("ascii"), re.MULTILINE)
    print(f"installing {len(names)} packages of {path} into {venv}", file=sys.stderr)
    for command in ([sys.executable, "-m", "venv", "--clear", venv],
                    [python, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary",
                     ":all:", "--require-hashes", "--disable-pip-version-check",
                     "--requirement", path]):
        if subprocess.run(command, check=False).returncode:
            sys.exit(f"{benchmark}: error: cannot install the packages of {path}")
    made_from.write_text(digest, encoding="ascii")
    return python
