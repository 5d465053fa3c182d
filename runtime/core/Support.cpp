//===-- runtime/core/Support.cpp - Errors and logging ---------------------===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Support.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <pthread.h>

using namespace cambium::runtime;

namespace {

/// The host's logger. Changed rarely, read at every message.
struct Logger {
  std::mutex mutex;
  cambium_log_fn fn = nullptr;
  void *user = nullptr;
  /// Lowest level that is wanted; above all levels when there is no logger.
  std::atomic<int> level{CAMBIUM_LOG_ERROR + 1};
};

Logger &logger() {
  static Logger instance;
  return instance;
}

/// The error text of a thread: allocated, or a constant where that failed. It
/// is kept under a key of the thread, which needs no memory to be set.
class ErrorText {
public:
  static const char *get() {
    const char *text = current();
    return text ? text : "";
  }
  /// Takes an allocated text; null where there was no memory for it.
  static void set(char *text) {
    static constexpr const char *kNone = "out of memory for the error's text";
    std::free(static_cast<char *>(pthread_getspecific(key())));
    bool isKept = pthread_setspecific(key(), text) == 0;
    if (!isKept)
      std::free(text);
    current() = isKept && text ? text : kNone;
  }

private:
  static const char *&current() {
    thread_local const char *text = nullptr;
    return text;
  }
  static pthread_key_t key() {
    static const pthread_key_t instance = [] {
      pthread_key_t made;
      return pthread_key_create(&made, std::free) == 0 ? made : 0;
    }();
    return instance;
  }
};

/// Formats into allocated memory, with `rest` behind; null where there is none.
char *allocateText(const char *rest, const char *format, va_list list) {
  va_list copy;
  va_copy(copy, list);
  int size = std::vsnprintf(nullptr, 0, format, copy);
  va_end(copy);
  if (size < 0)
    return nullptr;
  auto length = static_cast<size_t>(size), more = std::strlen(rest);
  auto *text = static_cast<char *>(std::malloc(length + more + 1));
  if (!text)
    return nullptr;
  std::vsnprintf(text, length + 1, format, list);
  std::memcpy(text + length, rest, more + 1);
  return text;
}

std::string formatList(const char *format, va_list list) {
  va_list copy;
  va_copy(copy, list);
  int size = std::vsnprintf(nullptr, 0, format, copy);
  va_end(copy);
  if (size <= 0)
    return {};
  std::string text(static_cast<size_t>(size) + 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, list);
  text.pop_back();
  return text;
}

void send(cambium_log_level_t level, const char *message) {
  Logger &target = logger();
  if (level < target.level.load(std::memory_order_relaxed))
    return;
  cambium_log_fn fn;
  void *user;
  {
    std::lock_guard<std::mutex> lock(target.mutex);
    fn = target.fn;
    user = target.user;
  }
  if (fn)
    fn(user, level, message);
}

} // namespace

cambium_status_t cambium::runtime::fail(cambium_status_t status,
                                        const char *format, ...) noexcept {
  va_list list;
  va_start(list, format);
  char *text = allocateText("", format, list);
  va_end(list);
  ErrorText::set(text);
  send(CAMBIUM_LOG_ERROR, ErrorText::get());
  return status;
}

void cambium::runtime::prefixError(const char *format, ...) noexcept {
  va_list list;
  va_start(list, format);
  char *text = allocateText(ErrorText::get(), format, list);
  va_end(list);
  // Without memory, the text without its prefix has to do.
  if (text)
    ErrorText::set(text);
}

cambium_status_t cambium::runtime::failOutOfMemory(const char *what) noexcept {
  return fail(CAMBIUM_STATUS_OUT_OF_MEMORY, "out of memory for %s", what);
}

void cambium::runtime::log(cambium_log_level_t level, const char *format,
                           ...) noexcept {
  if (level < logger().level.load(std::memory_order_relaxed))
    return;
  va_list list;
  va_start(list, format);
  char *text = allocateText("", format, list);
  va_end(list);
  send(level, text ? text : "out of memory for a message");
  std::free(text);
}

std::string cambium::runtime::format(const char *format, ...) {
  va_list list;
  va_start(list, format);
  std::string text = formatList(format, list);
  va_end(list);
  return text;
}

const char *cambium_status_name(cambium_status_t status) {
  switch (status) {
  case CAMBIUM_STATUS_OK:
    return "ok";
  case CAMBIUM_STATUS_INVALID_ARGUMENT:
    return "invalid argument";
  case CAMBIUM_STATUS_NOT_FOUND:
    return "not found";
  case CAMBIUM_STATUS_OUT_OF_RANGE:
    return "out of range";
  case CAMBIUM_STATUS_INCOMPATIBLE:
    return "incompatible";
  case CAMBIUM_STATUS_OUT_OF_MEMORY:
    return "out of memory";
  case CAMBIUM_STATUS_IO_ERROR:
    return "input/output error";
  case CAMBIUM_STATUS_MALFORMED:
    return "malformed";
  case CAMBIUM_STATUS_MISMATCH:
    return "mismatch";
  case CAMBIUM_STATUS_NOT_FINITE:
    return "not finite";
  case CAMBIUM_STATUS_WRONG_STATE:
    return "wrong state";
  case CAMBIUM_STATUS_FAILED:
    return "failed";
  case CAMBIUM_STATUS_NO_DEVICE:
    return "no device";
  case CAMBIUM_STATUS_DEVICE_ERROR:
    return "device error";
  }
  return "unknown status";
}

const char *cambium_last_error(void) { return ErrorText::get(); }

const char *cambium_version(void) { return CAMBIUM_VERSION; }

void cambium_set_logger(cambium_log_fn fn, void *user,
                        cambium_log_level_t level) {
  Logger &target = logger();
  std::lock_guard<std::mutex> lock(target.mutex);
  target.fn = fn;
  target.user = user;
  target.level = fn ? static_cast<int>(level) : CAMBIUM_LOG_ERROR + 1;
}

int64_t cambium_type_size(cambium_type_t type) {
  switch (type) {
  case CAMBIUM_TYPE_F32:
  case CAMBIUM_TYPE_I32:
    return 4;
  case CAMBIUM_TYPE_F64:
  case CAMBIUM_TYPE_I64:
    return 8;
  case CAMBIUM_TYPE_I8:
  case CAMBIUM_TYPE_I1:
    return 1;
  }
  return 0;
}

const char *cambium_type_name(cambium_type_t type) {
  switch (type) {
  case CAMBIUM_TYPE_F32:
    return "f32";
  case CAMBIUM_TYPE_F64:
    return "f64";
  case CAMBIUM_TYPE_I32:
    return "i32";
  case CAMBIUM_TYPE_I64:
    return "i64";
  case CAMBIUM_TYPE_I8:
    return "i8";
  case CAMBIUM_TYPE_I1:
    return "i1";
  }
  return "unknown type";
}
