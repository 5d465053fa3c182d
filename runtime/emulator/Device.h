//===-- runtime/emulator/Device.h - The state of the driver -----*- C++ -*-===//
//
// Part of the Cambium project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAMBIUM_EMULATOR_DEVICE_H
#define CAMBIUM_EMULATOR_DEVICE_H

#include "Config.h"
#include "CudaDriver.h"
#include "Machine.h"

#include <chrono>
#include <functional>
#include <mutex>
#include <set>

struct CUctx_st {
  int retained = 0;
  /// What every call returns after a kernel failed.
  CUresult sticky = CUDA_SUCCESS;
};

struct CUfunc_st {
  CUmodule module = nullptr;
  cambium::emulator::Function *function = nullptr;
  int maxDynamicShared = 48 << 10;
};

struct CUmod_st {
  std::unique_ptr<cambium::emulator::Module> module;
  std::vector<uint64_t> memory;
  std::vector<std::unique_ptr<CUfunc_st>> functions;
};

struct CUstream_st {};

struct CUevent_st {
  bool recorded = false;
  std::chrono::steady_clock::time_point time;
};

namespace cambium::emulator {

/// One for the process. All functions of the driver hold its mutex.
struct Device {
  std::mutex mutex;
  bool isInitialized = false;
  Config config;
  std::unordered_map<std::string, int64_t> calls;
  int64_t allCalls = 0;
  /// The primary contexts of the devices, which share one memory.
  CUctx_st contexts[16];
  std::unique_ptr<Heap> heap;
  DeviceClock clock;
  Counters counters;
  std::set<CUmodule> modules;
  std::set<CUfunction> functions;
  std::set<CUstream> streams;
  std::set<CUevent> events;
  std::unordered_map<void *, size_t> hostMemory;
  /// Stay where they are: callers hold pointers to them.
  std::deque<std::string> findings, texts;
  /// The text of the last error.
  CUresult lastError = CUDA_SUCCESS;
  std::string lastText;

  static Device &get();
  bool configure(const std::string &text);
  /// Records and prints what was found; returns `error`.
  CUresult fail(CUresult error, const std::string &text);
  bool isStream(CUstream stream) const {
    // The default streams are 0, 1 and 2.
    return reinterpret_cast<uintptr_t>(stream) < 3 || streams.count(stream);
  }
  int maxSharedPerBlock() const;
  int maxSharedPerMultiprocessor() const { return maxSharedPerBlock() + 1024; }
  int occupancy(const CUfunc_st &function, int64_t threads,
                uint64_t dynamicShared) const;
  CUresult launch(CUfunc_st &function, const LaunchShape &shape,
                  void **parameters);
  void unload(CUmodule module);
  /// Tells what is left when the last context ends, and frees it.
  void closeContext(CUctx_st &context);
  void writeReport(const std::string &text) const;
};

/// The context that a thread made its own, or null.
CUcontext &currentContext();

enum class Needs { Nothing, Driver, Context };

/// Runs the body of a driver function: counts it, lets it fail if it shall, and
/// refuses it without what it needs. `onFailure` is what it fails with.
CUresult enter(const char *name, Needs needs, CUresult onFailure,
               const std::function<CUresult(Device &)> &body);

} // namespace cambium::emulator
#endif
