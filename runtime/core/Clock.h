//===-- runtime/core/Clock.h - How long things take -------------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_CLOCK_H
#define CAMBIUM_RUNTIME_CORE_CLOCK_H

#include <cstdint>
#include <ctime>

namespace cambium::runtime {

/// Nanoseconds of a clock that only goes forward.
inline int64_t nanoseconds() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_CLOCK_H
