#===-- test/Benchmark/torch_passes.py - Passes over batches in PyTorch ----===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""What the models in PyTorch have in common: they answer commands, one per line, each with
one line of JSON, and time passes over batches that were made before."""

import json
import sys
import time

import torch


def finish(device):
    """Waits for what was started."""
    if device != "cpu":
        torch.cuda.synchronize()


def passes(run, batches, count, device):
    """Wall and processor seconds of each of `count` passes, after two that warm up; a call
    ends before the next one begins, as where each result is needed."""
    result = []
    for i in range(-2, count):
        wall, cpu = time.perf_counter(), time.process_time()
        for batch in batches:
            run(batch)
            finish(device)
        if i >= 0:
            result.append({"seconds": time.perf_counter() - wall,
                           "cpu_seconds": time.process_time() - cpu})
    return result


def info():
    return {"torch": torch.__version__, "python": sys.version.split()[0],
            "cpu": torch.backends.cpu.get_cpu_capability()
            if hasattr(torch.backends, "cpu") else "",
            "mkl": torch.backends.mkl.is_available()}


def serve(answer):
    """One thread of the processor; f32 as ours."""
    torch.set_num_threads(1)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    for line in sys.stdin:
        print(json.dumps(answer(line.split())), flush=True)
