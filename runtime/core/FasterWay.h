//===-- runtime/core/FasterWay.h - The faster of two ways -------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_FASTERWAY_H
#define CAMBIUM_RUNTIME_CORE_FASTERWAY_H

#include <cstdint>

namespace cambium::runtime {

/// Finds which of two ways of doing the same work again and again is faster, by
/// doing it: way 0 or way 1.
class FasterWay {
public:
  /// The way of the next run: the faster one, and now and then the other one,
  /// since what else the machine does changes.
  int32_t next() {
    int32_t faster = times[1] < times[0];
    way = runs++ % kEvery == 0 ? 1 - faster : faster;
    return way;
  }

  /// How long it took. A run that was disturbed counts little.
  void took(int64_t nanoseconds) {
    int64_t &time = times[way];
    int64_t more = nanoseconds - time;
    time += time == 0 || more < 0 ? more : more / kWeight;
  }

private:
  static constexpr int32_t kEvery = 16, kWeight = 8;

  /// Of both ways; zero before the first run.
  int64_t times[2] = {0, 0};
  uint32_t runs = 0;
  int32_t way = 0;
};

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_FASTERWAY_H
