//===-- test/Benchmark/machine.cpp - What this machine does at most -------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// machine BYTES...
//
// One line `peak X`, the multiplications and additions per second of a loop of
// multiply-adds, and for each number of bytes a line `bandwidth BYTES Y`, the
// bytes per second of a loop that reads so many again and again.
//
//===----------------------------------------------------------------------===//
#include "loops.h"
#include <cstdio>

int main(int argc, char **argv) {
  // The fastest of a few: what else the machine does makes loops slower only.
  double peak = 0;
  for (int i = 0; i < 5; ++i)
    peak = std::max(peak, loops::peak());
  std::printf("peak %.6g\n", peak);
  for (int i = 1; i < argc; ++i) {
    int64_t bytes = std::atoll(argv[i]);
    double best = 0;
    for (int round = 0; round < 3; ++round)
      best = std::max(best, loops::bandwidth(bytes));
    std::printf("bandwidth %lld %.6g\n", static_cast<long long>(bytes), best);
  }
  return 0;
}
