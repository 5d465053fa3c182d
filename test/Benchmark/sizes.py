#===-- test/Benchmark/sizes.py - Compile times and sizes -----------------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""How long the models of the project take to compile, and how large things are."""

import glob
import os
import resource
import shutil
import subprocess
import time


def compile_once(command):
    """Processor seconds and seconds by the clock, or None where it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    result = subprocess.run(command, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode:
        return None
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, seconds


def stripped_size(path, folder):
    copy = os.path.join(folder, "stripped")
    shutil.copyfile(path, copy)
    subprocess.run(["strip", copy], check=True)
    return os.path.getsize(copy)


def print_compile_times(root, binaries, folder, repetitions, mcpu):
    """The best of several times: other programs can only make them longer."""
    print("| model | compile, s of processor | s by the clock | module, KB | stripped, KB |")
    print("|---|---|---|---|---|")
    models = sorted(glob.glob(os.path.join(root, "models", "*", "*.mlir")))
    models.append(os.path.join(root, "test", "Benchmark", "tree_lstm.mlir"))
    module = os.path.join(folder, "model.so")
    for model in models:
        command = [os.path.join(binaries, "cambium-compile"), f"--mcpu={mcpu}",
                   model, "-o", module]
        times = [compile_once(command) for _ in range(repetitions)]
        name = os.path.relpath(model, root)
        if None in times:
            print(f"| {name} | does not compile | | | |")
            continue
        cpu, seconds = (min(column) for column in zip(*times))
        print(f"| {name} | {cpu:.2f} | {seconds:.2f} | {os.path.getsize(module) / 1e3:.0f} "
              f"| {stripped_size(module, folder) / 1e3:.0f} |")
    print()


def print_library_sizes(build, folder):
    print("| runtime | stripped, KB |")
    print("|---|---|")
    found = glob.glob(os.path.join(build, "**", "libcambium_runtime.so*"), recursive=True)
    for path in sorted({os.path.realpath(path) for path in found}):
        print(f"| {os.path.basename(path)} | {stripped_size(path, folder) / 1e3:.0f} |")
    runner = os.path.join(build, "bin", "cambium-run")
    if os.path.exists(runner):
        print(f"| cambium-run, with the runtime in it | {stripped_size(runner, folder) / 1e3:.0f} |")
