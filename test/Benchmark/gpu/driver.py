#===-- test/Benchmark/gpu/driver.py - Kernels that Python starts ---------===#
#
# Part of the Cambium project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===#
"""Starts the kernels of ceilings.ptx through the CUDA driver: libcuda.so.1, or the
library that CAMBIUM_CUDA_DRIVER names. Nothing of CUDA has to be installed."""

import ctypes
import os
import statistics
import time

THREADS = 256  # of a block, as the compiler's kernels have


class Gpu:
    """A GPU with the kernels of a PTX file."""

    def __init__(self, ptx_path, number=0):
        self.cuda = ctypes.CDLL(os.environ.get("CAMBIUM_CUDA_DRIVER") or "libcuda.so.1")
        self.call("cuInit", 0)
        device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), number)
        self.device = device
        context, module = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        with open(ptx_path, "rb") as file:
            text = file.read() + b"\0"
        self.call("cuModuleLoadDataEx", ctypes.byref(module), text, 0, None, None)
        self.module = module
        self.stream = ctypes.c_void_p()
        self.call("cuStreamCreate", ctypes.byref(self.stream), 1)
        self.memory = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(self.memory), ctypes.c_size_t(256))

    def call(self, name, *arguments):
        result = getattr(self.cuda, name)(*arguments)
        if result:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorString(result, ctypes.byref(text))
            raise RuntimeError(f"{name}: {(text.value or b'error').decode()} ({result})")

    def close(self):
        self.call("cuMemFree_v2", self.memory)
        self.call("cuStreamDestroy_v2", self.stream)
        self.call("cuModuleUnload", self.module)
        self.call("cuDevicePrimaryCtxRelease_v2", self.device)

    def attribute(self, number):
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), number, self.device)
        return value.value

    def describe(self):
        name = ctypes.create_string_buffer(200)
        self.call("cuDeviceGetName", name, 200, self.device)
        major, minor, processors = (self.attribute(i) for i in (75, 76, 16))
        version = ctypes.c_int()
        self.call("cuDriverGetVersion", ctypes.byref(version))
        return (f"{name.value.decode()}, sm_{major}{minor}, {processors} multiprocessors, "
                f"CUDA {version.value // 1000}.{version.value % 1000 // 10}")

    def launch_seconds(self, kernel, repetitions, barriers=None):
        """The median of the times from a launch to its end, one block a processor."""
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), self.module, kernel.encode())
        blocks = self.attribute(16)
        count = ctypes.c_uint32(barriers or 0)
        pointers = (ctypes.c_void_p * 2)(ctypes.addressof(self.memory), ctypes.addressof(count))
        times = []
        for i in range(-2, repetitions):
            self.call("cuMemsetD8Async", self.memory, 0, ctypes.c_size_t(256), self.stream)
            self.call("cuStreamSynchronize", self.stream)
            start = time.perf_counter()
            self.call("cuLaunchCooperativeKernel", function, blocks, 1, 1, THREADS, 1, 1, 0,
                      self.stream, pointers if barriers else None)
            self.call("cuStreamSynchronize", self.stream)
            if i >= 0:
                times.append(time.perf_counter() - start)
        return statistics.median(times)


def measure(ptx_path, repetitions=50, barriers=2000):
    """What a launch and a barrier of all blocks cost, in microseconds."""
    gpu = Gpu(ptx_path)
    try:
        empty = gpu.launch_seconds("empty", repetitions)
        one = gpu.launch_seconds("barriers", repetitions, barriers)
        return {"gpu": gpu.describe(), "empty cooperative launch, us": 1e6 * empty,
                "barrier of all blocks, us": 1e6 * (one - empty) / barriers}
    finally:
        gpu.close()
