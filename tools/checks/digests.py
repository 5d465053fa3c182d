#===-- tools/checks/digests.py - What comes from PyPI is what was meant --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""A script that installs or downloads packages of PyPI names the digests of their
files: pip refuses others with --require-hashes."""

import re

from .tree import Finding

# In the words of a shell, or in a list of Python's.
PIP = re.compile(r"""\bpip3?["',\s\\]+(install|download)\b""")
# --no-index downloads nothing.
OPTION = re.compile(r"--(require-hashes|no-index)\b")
# A command ends with its brackets, or where a shell's line does.
WITHIN = 400


def check(tree):
    findings = []
    paths = tree.scripts("python") + tree.scripts("bash") + tree.with_suffix(".py", ".sh")
    for path in paths:
        if path.startswith("tools/checks/") or path == "test/Tools/checks_test.py":
            continue
        text = "\n".join(tree.lines(path))
        for found in PIP.finditer(text):
            if not OPTION.search(text, found.start(), found.start() + WITHIN):
                line = text.count("\n", 0, found.start()) + 1
                findings.append(Finding(path, line, "expected --require-hashes, and a list "
                                        "of packages with digests (tools/python-packages.txt)"))
    return findings
