//===-- runtime/lib/Support.cpp - Errors and logging ----------------------===//
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

std::string &errorText() {
  thread_local std::string text;
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
                                        const char *format, ...) {
  va_list list;
  va_start(list, format);
  std::string text = formatList(format, list);
  va_end(list);
  errorText() = std::move(text);
  send(CAMBIUM_LOG_ERROR, errorText().c_str());
  return status;
}

void cambium::runtime::prefixError(const std::string &prefix) {
  errorText().insert(0, prefix);
}

cambium_status_t cambium::runtime::failOutOfMemory(const char *what) {
  return fail(CAMBIUM_STATUS_OUT_OF_MEMORY, "out of memory for %s", what);
}

void cambium::runtime::log(cambium_log_level_t level, const char *format, ...) {
  if (level < logger().level.load(std::memory_order_relaxed))
    return;
  va_list list;
  va_start(list, format);
  std::string text = formatList(format, list);
  va_end(list);
  send(level, text.c_str());
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
  }
  return "unknown status";
}

const char *cambium_last_error(void) { return errorText().c_str(); }

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
