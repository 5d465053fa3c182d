//===-- test/Benchmark/loops.h - What a core does at most -----------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops that do nothing but multiply and add, or read, on one thread, by the
// clock of the processor. CAMBIUM_VECTOR_BYTES are those of a register.
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_BENCHMARK_LOOPS_H
#define CAMBIUM_TEST_BENCHMARK_LOOPS_H

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>

namespace loops {

using Vector [[gnu::vector_size(CAMBIUM_VECTOR_BYTES)]] = float;

inline double seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// Seconds of one call: of enough calls for a few milliseconds.
inline double timeOf(const std::function<void()> &call) {
  call();
  for (int64_t calls = 1;; calls *= 4) {
    double begin = seconds();
    for (int64_t i = 0; i < calls; ++i)
      call();
    double all = seconds() - begin;
    if (all > 0.01)
      return all / double(calls);
  }
}

/// Operations per second of as many independent multiply-adds as there are
/// registers.
inline double peak() {
  constexpr int sums = 12;
  Vector x = {}, y = {};
  for (size_t lane = 0; lane < sizeof(Vector) / sizeof(float); ++lane)
    x[lane] = 0.5f, y[lane] = 1.25f;
  asm volatile("" : "+x"(x), "+x"(y));
  constexpr int64_t rounds = 1 << 16;
  double time = timeOf([x, y] {
    Vector sum[sums] = {};
    for (int64_t i = 0; i < rounds; ++i)
#pragma unroll
      for (Vector &one : sum)
        one = x * one + y;
    for (Vector &one : sum)
      asm volatile("" : "+x"(one));
  });
  return double(rounds * sums * 2) * (sizeof(Vector) / sizeof(float)) / time;
}

/// Reads `count` registers, forth or back, and asks for what is `ahead` bytes
/// further on.
template <int ahead>
void readAll(const Vector *data, int64_t count, bool back) {
  constexpr int64_t step = 8;
  Vector sum[step] = {};
  for (int64_t i = 0; i < count; i += step) {
    const Vector *from = data + (back ? count - step - i : i);
#pragma unroll
    for (int64_t j = 0; j < step; ++j) {
      if (ahead)
        __builtin_prefetch(reinterpret_cast<const char *>(from + j) +
                           (back ? -ahead : ahead));
      sum[j] += from[j];
    }
  }
  for (Vector &one : sum)
    asm volatile("" : "+x"(one));
}

/// Bytes per second of reading `bytes` again and again in the fastest way: each
/// time from the beginning, or forth and back, so that the caches keep a part.
inline double bandwidth(int64_t bytes) {
  constexpr int64_t step = 8;
  int64_t count = bytes / int64_t(sizeof(Vector)) / step * step;
  std::unique_ptr<void, void (*)(void *)> memory(
      std::aligned_alloc(2 << 20, (size_t(bytes) | ((2 << 20) - 1)) + 1),
      std::free);
  auto *data = static_cast<Vector *>(memory.get());
  std::fill(data, data + count, Vector{});
  double best = 0;
  bool back = false;
  for (auto *read : {readAll<0>, readAll<1024>, readAll<4096>})
    for (bool turns : {false, true}) {
      double time = timeOf([&, turns] {
        read(data, count, back);
        back = turns && !back;
      });
      best = std::max(best, double(count) * sizeof(Vector) / time);
    }
  return best;
}

} // namespace loops

#endif // CAMBIUM_TEST_BENCHMARK_LOOPS_H
