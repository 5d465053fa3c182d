//===-- runtime/core/Panels.h - Parameters in panels of columns -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_PANELS_H
#define CAMBIUM_RUNTIME_CORE_PANELS_H

#include "Region.h"
#include "cambium/session.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace cambium::runtime {

/// Copies of parameters as products read them, which all entries share. They
/// are made again when values have changed. With them lives what calls keep,
/// which is forgotten then.
class Panels {
public:
  explicit Panels(cambium_store &store);
  Panels(const Panels &) = delete;
  Panels &operator=(const Panels &) = delete;

  /// Values have changed, or will before the next call.
  void changed() noexcept { version.fetch_add(1, std::memory_order_release); }
  /// Brings the copies up to date. Those of values for which there is no memory
  /// are not made, and the values are read as they are; without one of another
  /// format, OUT_OF_MEMORY.
  cambium_status_t update(cambium_session &session);
  /// The bytes of a parameter's copy.
  int64_t bytesOf(size_t parameter) const;
  /// Copies of zeros of what has no value in a store for calls.
  cambium_status_t allocateAlone();
  /// Makes a parameter's copy, if there is memory of one, with the threads of a
  /// session or on this one alone.
  void make(cambium_session *session, size_t parameter, const void *value);
  /// Has a call that changes the store read values where copies are out of
  /// date: after every update, copies cost more than few examples gain.
  void hideOld();

private:
  struct Copy {
    size_t parameter;
    void *memory = nullptr;
  };

  bool isCurrent() const {
    return copied.load(std::memory_order_acquire) ==
           version.load(std::memory_order_acquire);
  }
  cambium_status_t allocate();
  cambium_status_t allocateKept();
  cambium_status_t allocate(Copy &copy, const char *what);
  void *memoryOf(size_t parameter) const;

  cambium_store &store;
  /// Of the parameters that have panels.
  std::vector<Copy> list;
  /// The memory of all copies.
  Region region;
  std::mutex mutex;
  std::atomic<uint64_t> version{1}, copied{0};
};

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_PANELS_H
