//===-- runtime/core/FasterWay.h - The faster of two ways -------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_FASTERWAY_H
#define CAMBIUM_RUNTIME_CORE_FASTERWAY_H

#include <algorithm>
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
    bool isTrial = runs % kEvery == 0;
    way = runs < kFirst ? static_cast<int32_t>(runs % 2)
          : isTrial     ? 1 - faster
                        : faster;
    ++runs;
    return way;
  }

  /// How long it took. Caches are cold at first; later on, a run that was
  /// disturbed, or lucky, counts little.
  void took(int64_t nanoseconds) {
    int64_t &time = times[way];
    int64_t more = nanoseconds - time;
    time = runs <= kFirst ? nanoseconds
                          : time + std::clamp(more, -time / 4, time / 4);
  }

private:
  static constexpr uint32_t kFirst = 4, kEvery = 16;

  /// Of both ways.
  int64_t times[2] = {0, 0};
  int32_t way = 0;
  uint32_t runs = 0;
};

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_FASTERWAY_H
