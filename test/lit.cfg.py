#===-- test/lit.cfg.py - Configuration of the lit suite -------------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Configuration of the lit suite; CAMBIUM_BUILD names the build folder."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
sys.dont_write_bytecode = True
from processor_time import LimitedTest  # noqa: E402

config.name = "Cambium"
config.test_format = LimitedTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Embedding", "Packaging", "Benchmark"]  # run by ctest, or by hand
config.test_source_root = os.path.dirname(__file__)
source = os.path.dirname(config.test_source_root)
build = os.environ.get("CAMBIUM_BUILD") or os.path.join(source, "build", "dev")
config.test_exec_root = os.path.join(build, "test")
llvm = os.environ.get("CAMBIUM_LLVM", "/usr/lib/llvm-22")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), os.path.join(llvm, "bin"), "/usr/bin", os.environ["PATH"]])
# A pass that does not stop must not take the machine with it.
if "ASAN_OPTIONS" not in os.environ and "asan" not in os.path.basename(build):
    config.substitutions.append(("%limit", "ulimit -v 8000000;"))
    # Python, which has no sanitizer in it, can open our libraries.
    config.available_features.add("python-runtime")
else:  # It reserves terabytes of addresses.
    config.substitutions.append(("%limit", ""))
# The libraries of LLVM are not instrumented: they hand out memory that their
# headers, compiled with the sanitizer, have marked as free.
os.environ.setdefault("ASAN_OPTIONS", "allow_user_poisoning=0:detect_leaks=0")
config.environment["CAMBIUM_BUILD"] = build
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.substitutions += [("%models", os.path.join(source, "models")),
                         ("%data", os.path.join(source, "..", "shared", "data")),
                         ("%source", source), ("%build", build),
                         ("%emulated", "env CAMBIUM_CUDA_DRIVER=" + os.path.join(
                             build, "runtime", "emulator", "libcambium_cuda_emulator.so"))]


def has_tokenizers():
    """Whether tools/setup could install the packages of PyPI."""
    folder = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    python = os.environ.get("CAMBIUM_PYTHON") or f"{folder}/cambium/python/bin/python"
    try:
        return subprocess.run([python, "-c", "import tokenizers, sentencepiece"],
                              capture_output=True, check=False).returncode == 0
    except OSError:
        return False


if has_tokenizers():
    config.available_features.add("tokenizers")
# NVIDIA's assembler, which machines without a toolkit do not have.
ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
# It refuses what programs ask of the system; some containers forbid it.
if shutil.which("strace") and subprocess.run(
        ["strace", "-o", "/dev/null", "true"], check=False,
        stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("strace")
