//===-- tools/cambium-run/Passes.h - Times of passes ------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUN_PASSES_H
#define CAMBIUM_RUN_PASSES_H

#include "StageSums.h"
#include "runtime/train/Stopwatch.h"

#include <ctime>

namespace cambium::run {

/// Seconds of passes over the examples.
struct Passes {
  std::vector<double> wall;
  std::vector<double> cpu; ///< Of all threads of this process.
  StageSums stages;        ///< Of kernels, over all passes.

  /// A pass begins: its times are zero.
  void begin() {
    wall.push_back(0);
    cpu.push_back(0);
  }
};

/// Adds the time from its construction to its end to the last pass.
class PassTimer {
public:
  explicit PassTimer(Passes &passes) : passes(passes), cpuStart(cpuSeconds()) {}
  PassTimer(const PassTimer &) = delete;
  PassTimer &operator=(const PassTimer &) = delete;
  ~PassTimer() {
    passes.wall.back() += watch.seconds();
    passes.cpu.back() += cpuSeconds() - cpuStart;
  }

private:
  static double cpuSeconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * time.tv_nsec;
  }

  Passes &passes;
  train::Stopwatch watch;
  double cpuStart;
};

} // namespace cambium::run

#endif // CAMBIUM_RUN_PASSES_H
