//===-- test/Differential/Random.h - Random choices that a seed repeats ---===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_DIFFERENTIAL_RANDOM_H
#define CAMBIUM_TEST_DIFFERENTIAL_RANDOM_H

#include "cambium/Support/Random.h"
#include <cstddef>
#include <utility>
#include <vector>

namespace cambium::difftest {

/// A stream of random numbers; the same seed gives the same stream anywhere.
class Random {
public:
  explicit Random(uint64_t seed) : key(mixKey(seed, 0)) {}

  uint64_t next() { return mixKey(key, counter++); }
  /// A number in [0, bound).
  int64_t below(int64_t bound) {
    return static_cast<int64_t>(next() % static_cast<uint64_t>(bound));
  }
  /// A number in [low, high].
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(double probability) {
    return uniformFromKey(next()) < probability;
  }
  double uniform(double low, double high) {
    return low + (high - low) * uniformFromKey(next());
  }
  /// An element of a container that is not empty.
  template <typename Container> auto pick(const Container &container) {
    return container[below(container.size())];
  }
  template <typename T> void shuffle(std::vector<T> &list) {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[below(i)]);
  }

private:
  uint64_t key, counter = 0;
};

} // namespace cambium::difftest

#endif // CAMBIUM_TEST_DIFFERENTIAL_RANDOM_H
