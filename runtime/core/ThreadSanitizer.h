//===-- runtime/core/ThreadSanitizer.h - What the pool promises ----*- C++ -*-//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The pool is a library that ThreadSanitizer does not see into. These say what
/// it promises: what was written before a loop is seen by its pieces, and what
/// the pieces wrote is seen after it. Outside of ThreadSanitizer they are
/// empty.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_THREADSANITIZER_H
#define CAMBIUM_RUNTIME_CORE_THREADSANITIZER_H

#if defined(__SANITIZE_THREAD__)
#define CAMBIUM_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CAMBIUM_THREAD_SANITIZER 1
#endif
#endif

#ifdef CAMBIUM_THREAD_SANITIZER
extern "C" void __tsan_acquire(void *address);
extern "C" void __tsan_release(void *address);
#endif

namespace cambium::runtime {

/// All that this thread did until now happens before `seeWhatWasDone`.
inline void showWhatWasDone([[maybe_unused]] void *address) {
#ifdef CAMBIUM_THREAD_SANITIZER
  __tsan_release(address);
#endif
}

inline void seeWhatWasDone([[maybe_unused]] void *address) {
#ifdef CAMBIUM_THREAD_SANITIZER
  __tsan_acquire(address);
#endif
}

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_THREADSANITIZER_H
