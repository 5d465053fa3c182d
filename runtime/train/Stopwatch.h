//===-- runtime/train/Stopwatch.h - Seconds that have passed ----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TRAIN_STOPWATCH_H
#define CAMBIUM_TRAIN_STOPWATCH_H

#include <chrono>

namespace cambium::train {

/// Seconds since its construction.
class Stopwatch {
public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }

private:
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};

} // namespace cambium::train

#endif // CAMBIUM_TRAIN_STOPWATCH_H
