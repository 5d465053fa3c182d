//===-- test/Runtime/core/failure/Injection.h - What fails ------*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Stands before the functions by which the runtime takes memory, reads and
/// writes files, starts threads and loads code. While armed, they are counted,
/// and the one with the chosen number fails as the system would let it.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_TEST_RUNTIME_FAILURE_INJECTION_H
#define CAMBIUM_TEST_RUNTIME_FAILURE_INJECTION_H

#include <cstdint>

// The allocator can be watched where it is that of glibc.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAMBIUM_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CAMBIUM_SANITIZED 1
#endif
#endif

namespace cambium::test {

/// How an operation fails.
enum class Failure {
  Refused,     ///< Memory: none left. Files: EIO.
  Full,        ///< Writing: half of it is done, then ENOSPC. Else as Refused.
  Interrupted, ///< Reading and writing: EINTR once. Else not at all.
  Short,       ///< Reading and writing: half of it is done. Else not at all.
};

/// From now on the operations of this thread are counted from 1, and operation
/// `number` fails (0: none).
void arm(int64_t number, Failure failure);
/// Stops counting. The number of operations; `hit` says whether one failed.
int64_t disarm(bool &hit);
/// Stops counting for a while: what a test does to look at the outcome.
class Pause {
public:
  Pause();
  ~Pause();

private:
  bool wasArmed;
};
/// The name of the operation that failed last.
const char *failedOperation();
/// Pieces of memory that were taken and not given back.
int64_t livePieces();

} // namespace cambium::test

#endif // CAMBIUM_TEST_RUNTIME_FAILURE_INJECTION_H
