#===-- tools/checks/license_headers.py - Every source file has a license --===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Every source file says in its first lines under which license it is."""

from .tree import Finding

LINE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
# Build descriptions go without, as in LLVM.
SUFFIXES = (".h", ".hpp", ".c", ".cpp", ".cc", ".inc", ".def", ".td", ".py")
WITHIN = 12


def check(tree):
    models = [p for p in tree.with_suffix(".mlir") if p.startswith("models/")]
    scripts = tree.scripts("python") + tree.scripts("bash")
    findings = []
    for path in tree.with_suffix(*SUFFIXES) + scripts + models:
        if not any(LINE in line for line in tree.lines(path)[:WITHIN]):
            findings.append(Finding(path, 1, f"expected '{LINE}' in a comment "
                                    f"within the first {WITHIN} lines"))
    return findings
