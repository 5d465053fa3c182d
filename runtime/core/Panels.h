//===-- runtime/core/Panels.h - Parameters in panels of columns -*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_PANELS_H
#define CAMBIUM_RUNTIME_CORE_PANELS_H

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
  ~Panels();

  /// Values have changed, or will before the next call.
  void changed() noexcept { version.fetch_add(1, std::memory_order_release); }
  /// Brings the copies up to date. Those of values for which there is no memory
  /// are not made, and the values are read as they are; without one of another
  /// format, OUT_OF_MEMORY.
  cambium_status_t update(cambium_session &session);
  /// Has a call that changes the store read values where copies are out of
  /// date: after every update, copies cost more than few examples gain.
  void hideOld();

private:
  struct Copy {
    size_t parameter;
    void *memory = nullptr;
    /// Where in `values` it begins; -1 of one that has memory of its own.
    int64_t place = -1;
  };

  bool isCurrent() const {
    return copied.load(std::memory_order_acquire) ==
           version.load(std::memory_order_acquire);
  }
  cambium_status_t allocate();
  cambium_status_t allocateKept();
  void allocateValues();
  void make(cambium_session &session, const Copy &copy);

  cambium_store &store;
  /// Of the parameters that have panels.
  std::vector<Copy> list;
  /// The memory of all copies of values.
  void *values = nullptr;
  std::mutex mutex;
  std::atomic<uint64_t> version{1}, copied{0};
};

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_PANELS_H
