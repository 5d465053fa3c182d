//===-- runtime/core/Support.h - Errors, buffers and logging ----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What every part of the runtime uses. The runtime is built without
/// exceptions: memory whose size depends on user data goes through `Buffer`,
/// which reports exhaustion instead of throwing.
///
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_RUNTIME_CORE_SUPPORT_H
#define CAMBIUM_RUNTIME_CORE_SUPPORT_H

#include "cambium/runtime.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace cambium::runtime {

/// The alignment of all arrays that compiled code sees.
constexpr int64_t kAlignment = 64;
/// Bytes of a large page of the system.
constexpr int64_t kLargePage = 2 << 20;
/// Row indices are 32-bit.
constexpr int64_t kMaxRows = std::numeric_limits<int32_t>::max();

/// Records the error text of the calling thread, logs it, and returns `status`.
/// Where there is no memory for the text, a shorter one takes its place.
cambium_status_t fail(cambium_status_t status, const char *format, ...) noexcept
    __attribute__((format(printf, 2, 3)));

/// Puts a text before the error text of the calling thread.
void prefixError(const char *format, ...) noexcept
    __attribute__((format(printf, 1, 2)));

/// Sends a message to the host's logger, if there is one for that level.
void log(cambium_log_level_t level, const char *format, ...) noexcept
    __attribute__((format(printf, 2, 3)));

/// printf into a string.
std::string format(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/// Returns from the function when `expr` is not OK.
#define CAMBIUM_TRY(expr)                                                      \
  do {                                                                         \
    if (cambium_status_t cambiumStatus = (expr))                               \
      return cambiumStatus;                                                    \
  } while (false)

/// Returns INVALID_ARGUMENT when `pointer` is null.
#define CAMBIUM_CHECK_ARGUMENT(pointer)                                        \
  do {                                                                         \
    if (!(pointer))                                                            \
      return ::cambium::runtime::fail(CAMBIUM_STATUS_INVALID_ARGUMENT,         \
                                      "%s: argument '%s' is null", __func__,   \
                                      #pointer);                               \
  } while (false)

/// 64-byte aligned memory, or null. Much memory begins with a large page, and
/// the system is asked for such pages: the rows of a matrix lie in fewer of
/// them.
void *allocateAligned(int64_t bytes) noexcept;

/// A growing array of plain data, 64-byte aligned. Every function that may
/// allocate says whether it succeeded.
template <typename T> class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "plain data only");

public:
  Buffer() = default;
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  Buffer(Buffer &&other) noexcept { swap(other); }
  Buffer &operator=(Buffer &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() { std::free(elements); }

  T *data() { return elements; }
  const T *data() const { return elements; }
  int64_t size() const { return count; }
  T &operator[](int64_t index) { return elements[index]; }
  const T &operator[](int64_t index) const { return elements[index]; }
  T &back() { return elements[count - 1]; }
  const T &back() const { return elements[count - 1]; }

  void clear() { count = 0; }
  /// Drops the elements from `size` on.
  void truncate(int64_t size) { count = size; }

  [[nodiscard]] bool reserve(int64_t size) {
    return size <= capacity || grow(size);
  }
  /// New elements are not initialized.
  [[nodiscard]] bool resize(int64_t size) {
    if (!reserve(size))
      return false;
    count = size;
    return true;
  }
  [[nodiscard]] bool assign(int64_t size, T value) {
    if (!resize(size))
      return false;
    for (int64_t i = 0; i < size; ++i)
      elements[i] = value;
    return true;
  }
  [[nodiscard]] bool push(T value) {
    if (!reserve(count + 1))
      return false;
    elements[count++] = value;
    return true;
  }
  [[nodiscard]] bool append(const T *values, int64_t size) {
    if (!reserve(count + size))
      return false;
    if (size > 0)
      std::memcpy(elements + count, values,
                  static_cast<size_t>(size) * sizeof(T));
    count += size;
    return true;
  }
  void swap(Buffer &other) noexcept {
    std::swap(elements, other.elements);
    std::swap(count, other.count);
    std::swap(capacity, other.capacity);
  }

private:
  /// Rare, so it is not copied to where it is used.
  __attribute__((noinline)) bool grow(int64_t size) {
    int64_t grown = capacity + capacity / 2;
    return reallocate(size > grown ? size : grown) ||
           (grown > size && reallocate(size));
  }
  __attribute__((noinline)) bool reallocate(int64_t size) {
    constexpr auto limit = std::numeric_limits<int64_t>::max() / 4;
    if (size > limit / static_cast<int64_t>(sizeof(T)))
      return false;
    auto *fresh = static_cast<T *>(
        allocateAligned(size * static_cast<int64_t>(sizeof(T))));
    if (!fresh)
      return false;
    if (count > 0)
      // Elements may have no assignment: those with atomic members.
      std::memcpy(static_cast<void *>(fresh), elements,
                  static_cast<size_t>(count) * sizeof(T));
    std::free(elements);
    elements = fresh;
    capacity = size;
    return true;
  }

  T *elements = nullptr;
  int64_t count = 0;
  int64_t capacity = 0;
};

/// The error of an exhausted `Buffer`.
cambium_status_t failOutOfMemory(const char *what) noexcept;

/// Runs what may throw for lack of memory, which becomes a status. Every
/// function of the API that uses containers or strings goes through here.
template <typename Body>
cambium_status_t guarded(const char *what, Body &&body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
  } catch (const std::length_error &) {
  }
  return failOutOfMemory(what);
}

} // namespace cambium::runtime

#endif // CAMBIUM_RUNTIME_CORE_SUPPORT_H
