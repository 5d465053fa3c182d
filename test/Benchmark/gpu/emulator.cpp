//===-- test/Benchmark/gpu/emulator.cpp - Speed of the emulator -----------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints, for each kernel of test/Runtime/emulator/Inputs/kernels.ptx, lane
// operations per second of a processor (user time, so that a busy machine does
// not count): the best of some rounds. See the script beside.
//
//===----------------------------------------------------------------------===//
#include "../../../runtime/emulator/CudaDriver.h"

#include "cambium/emulator.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

void check(CUresult result, const char *what) {
  if (!result)
    return;
  const char *text = "";
  cuGetErrorString(result, &text);
  std::fprintf(stderr, "emulator: error: %s: %s\n", what, text);
  std::exit(1);
}

CUdeviceptr upload(const std::vector<float> &values) {
  CUdeviceptr address = 0;
  size_t bytes = values.size() * sizeof(float);
  check(cuMemAlloc_v2(&address, bytes), "cuMemAlloc");
  check(cuMemcpyHtoDAsync_v2(address, values.data(), bytes, nullptr), "upload");
  return address;
}

double processorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec);
}

void measure(CUmodule module, const char *name, unsigned columns, unsigned rows,
             unsigned threads, std::vector<uint64_t> arguments, bool barrier) {
  CUfunction kernel = nullptr;
  check(cuModuleGetFunction(&kernel, module, name), name);
  std::vector<void *> pointers;
  for (uint64_t &argument : arguments)
    pointers.push_back(&argument);
  const std::vector<float> zero(1, 0);
  double best = 0;
  cambium_emulator_counters_t counters;
  for (int round = 0; round < 7; ++round) {
    // The word of a grid barrier, if there is one, is the last argument.
    if (barrier)
      check(cuMemcpyHtoDAsync_v2(arguments.back(), zero.data(), 4, nullptr),
            "upload");
    cambium_emulator_clear_counters();
    double begin = processorSeconds();
    check(cuLaunchKernel(kernel, columns, rows, 1, threads, 1, 1, 0, nullptr,
                         pointers.data(), nullptr),
          name);
    double seconds = processorSeconds() - begin;
    check(cuStreamSynchronize(nullptr), name);
    cambium_emulator_read_counters(&counters);
    double rate = static_cast<double>(counters.lane_operations) / seconds;
    best = rate > best ? rate : best;
  }
  std::printf("| %s | %.1f | %.0f |\n", name,
              static_cast<double>(counters.lane_operations) / 1e6, best / 1e6);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: emulator KERNELS.ptx\n");
    return 2;
  }
  std::ifstream in(argv[1]);
  std::stringstream text;
  text << in.rdbuf();
  check(cuInit(0), "cuInit");
  CUcontext context = nullptr;
  check(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  CUmodule module = nullptr;
  check(cuModuleLoadDataEx(&module, text.str().c_str(), 0, nullptr, nullptr),
        argv[1]);
  const uint64_t m = 64, n = 640, k = 512, r = 2000, c = 300;
  std::printf("| kernel | lane operations, 1e6 | 1e6/s |\n|---|---|---|\n");
  measure(module, "gemm", n / 64, m / 64, 256,
          {upload(std::vector<float>(m * k, 1)),
           upload(std::vector<float>(k * n, 1)),
           upload(std::vector<float>(m * n, 0)), m, n, k},
          false);
  measure(module, "rows", 3, 1, 128,
          {upload(std::vector<float>(r * c, 1)),
           upload(std::vector<float>(r * c, 0)), r, c,
           upload(std::vector<float>(1, 0))},
          true);
  return 0;
}
