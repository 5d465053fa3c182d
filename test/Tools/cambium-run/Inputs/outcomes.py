#===-- Inputs/outcomes.py - How commands end -----------------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: outcomes.py [--stdout FILE] [--memory MB] COMMAND [COMMAND ...]

Runs each command (one argument: a line of words) after the other, with its output
to FILE (default: nowhere; unread: a pipe that nobody reads) and so much memory at most,
and prints the first line of its errors and its exit code."""
import os
import resource
import shlex
import subprocess
import sys

arguments = sys.argv[1:]
options = {"--stdout": "/dev/null", "--memory": "0"}
while arguments[0] in options:
    options[arguments[0]] = arguments[1]
    arguments = arguments[2:]


def limit():
    if memory := int(options["--memory"]) << 20:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def place():
    if options["--stdout"] != "unread":
        return os.open(options["--stdout"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    reader, writer = os.pipe()
    os.close(reader)
    return writer


for line in arguments:
    with open(place(), "w", encoding="utf-8") as output:
        result = subprocess.run(shlex.split(line), stdout=output, check=False,
                                stderr=subprocess.PIPE, preexec_fn=limit)
    errors = result.stderr.decode(errors="replace").splitlines()
    print(f"{(errors or ['nothing'])[0]}\nexit code {result.returncode}")
