//===-- test/lib/Comparison.h - Numbers that were computed twice *- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_COMPARISON_H
#define CAMBIUM_TEST_COMPARISON_H

#include "cambium/runtime.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>

namespace cambium {

/// An element of a tensor in memory.
inline double elementAt(const void *memory, cambium_type_t type, int64_t i) {
  switch (type) {
  case CAMBIUM_TYPE_F32:
    return static_cast<const float *>(memory)[i];
  case CAMBIUM_TYPE_F64:
    return static_cast<const double *>(memory)[i];
  case CAMBIUM_TYPE_I32:
    return static_cast<const int32_t *>(memory)[i];
  case CAMBIUM_TYPE_I64:
    return static_cast<double>(static_cast<const int64_t *>(memory)[i]);
  default:
    return static_cast<const int8_t *>(memory)[i];
  }
}

/// Numbers that were computed twice.
class Comparison {
public:
  /// `tolerance` is relative to the greatest number, and to 1e-3.
  Comparison(std::string name, double tolerance)
      : name(std::move(name)), tolerance(tolerance) {}

  void add(double expected, double got) {
    ++count;
    if (std::isfinite(expected))
      greatest = std::max(greatest, std::abs(expected));
    double difference = std::abs(expected - got);
    if (expected == got || (std::isnan(expected) && std::isnan(got)))
      difference = 0;
    // One of them is no number: nothing later may hide that.
    if (std::isnan(difference))
      difference = std::numeric_limits<double>::infinity();
    if (difference > worst) {
      worst = difference;
      worstExpected = expected;
      worstGot = got;
    }
  }

  bool agrees() const { return worst <= tolerance * std::max(greatest, 1e-3); }

  /// Prints the outcome; whether all numbers agree.
  bool report() const {
    std::printf("%s: %s, %lld numbers up to %.3g, greatest difference %.2e",
                agrees() ? "equal" : "DIFFERENT", name.c_str(),
                static_cast<long long>(count), greatest, worst);
    if (!agrees())
      std::printf(" (%.9g, but got %.9g)", worstExpected, worstGot);
    std::printf("\n");
    return agrees();
  }

private:
  std::string name;
  double tolerance;
  int64_t count = 0;
  double greatest = 0, worst = 0, worstExpected = 0, worstGot = 0;
};

/// Whether all that was printed is written; says why it is not.
inline bool finishOutput() {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return true;
  std::perror("error: cannot write the standard output");
  return false;
}

} // namespace cambium

#endif // CAMBIUM_TEST_COMPARISON_H
