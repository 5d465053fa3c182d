#===-- tools/checks/top.py - What stands at the top ----------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""The top level shows a newcomer the parts of the project and nothing else. Tools that are
called there leave files behind, which `git add` takes."""

from .tree import Finding

KNOWN = {"CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "dialects", "docs",
         "include", "lib", "models", "runtime", "test", "tools"}


def check(tree):
    found = sorted({path.split("/", 1)[0] for path in tree.files} - KNOWN)
    return [Finding(name, 0, "expected nothing else at the top level than dotfiles, "
                    + ", ".join(sorted(KNOWN)))
            for name in found if not name.startswith(".")]
