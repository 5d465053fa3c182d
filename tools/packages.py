#===-- tools/packages.py - Packages of PyPI that one program needs -------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Packages of PyPI in a virtual environment of their own. Only files whose digests
stand in a list (*packages.txt) are installed."""

import contextlib
import fcntl
import hashlib
import os
import re
import subprocess
import sys


@contextlib.contextmanager
def alone(path):
    """Whoever comes second waits, and says for what."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"waiting for another process, which has {path}", file=sys.stderr, flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def install(venv, path):
    """A Python that has the packages of the list at PATH: that of the folder `venv`,
    which is made anew where it was made from another list."""
    text = path.read_bytes()
    python, made_from = venv / "bin/python", venv / "made-from"
    digest = hashlib.sha256(text).hexdigest()
    is_made = lambda: made_from.exists() and made_from.read_text(encoding="ascii") == digest
    if is_made():
        return python
    with alone(venv.with_name(venv.name + ".lock")):
        if not is_made():
            make(venv, path, python)
            temporary = venv / f"made-from.{os.getpid()}"
            temporary.write_text(digest, encoding="ascii")
            temporary.replace(made_from)
    return python


def make(venv, path, python):
    count = len(re.findall(r"^[\w.-]+==", path.read_text(encoding="ascii"), re.MULTILINE))
    print(f"installing {count} packages of {path} into {venv}", file=sys.stderr, flush=True)
    for command in ([sys.executable, "-m", "venv", "--clear", venv],
                    [python, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary",
                     ":all:", "--require-hashes", "--disable-pip-version-check",
                     "--requirement", path]):
        if subprocess.run(command, check=False).returncode:
            sys.exit(f"error: cannot install the packages of {path}")
