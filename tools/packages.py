#===-- tools/packages.py - Packages of PyPI that one program needs -------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Packages of PyPI in a virtual environment of their own. Only files whose digests
stand in a list (*packages.txt) are installed."""

import hashlib
import re
import subprocess
import sys


def install(venv, path):
    """A Python that has the packages of the list at PATH: that of the folder `venv`,
    which is made anew where it was made from another list."""
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
            sys.exit(f"error: cannot install the packages of {path}")
    made_from.write_text(digest, encoding="ascii")
    return python
