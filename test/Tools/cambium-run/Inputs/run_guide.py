#===-- test/Tools/cambium-run/Inputs/run_guide.py - Run a guide's examples -===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""usage: run_guide.py GUIDE SOURCE FOLDER

Runs the sh blocks of a guide in their order, in FOLDER, with the folders models and
tools of the source tree beside them. Prints each command with its output.
"""
import os
import re
import shutil
import subprocess
import sys

guide, source, folder = sys.argv[1:]
with open(guide, encoding="utf-8") as file:
    blocks = re.findall(r"^```sh\n(.*?)^```", file.read(), re.S | re.M)
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
for name in ("models", "tools"):
    os.symlink(os.path.join(source, name), os.path.join(folder, name))
for block in blocks:
    print(f"$ {block}", flush=True)
    status = subprocess.call(["bash", "-euo", "pipefail", "-c", block], cwd=folder,
                             stderr=subprocess.STDOUT)
    if status:
        sys.exit(f"exit code {status} of: {block}")
print(f"{len(blocks)} examples")
