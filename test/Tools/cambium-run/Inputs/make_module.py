#===-- test/Tools/cambium-run/Inputs/make_module.py - Modules from C -----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: make_module.py SOURCE.c [OPTION...] -o FILE

Compiles a module that is written in C, as the runtime takes it: no constructors, one
symbol, a checksum."""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..", "..")


def main():
    source, *options = sys.argv[1:]
    include = os.path.join(ROOT, "runtime", "include")
    subprocess.run(
        ["clang", "-std=c11", "-O1", "-shared", "-fPIC", "-fvisibility=hidden",
         "-nostartfiles", "-Wl,--hash-style=both", "-I", include,
         os.path.join(HERE, source), *options, "-lm"], check=True)
    output = options[options.index("-o") + 1]
    seal = os.path.join(ROOT, "test", "Runtime", "Inputs", "seal.py")
    subprocess.run([sys.executable, "-B", seal, output], check=True)


if __name__ == "__main__":
    main()
